from tests.support.rating_tasks import celery_tasks_run_at_once

__all__ = ["celery_tasks_run_at_once"]
