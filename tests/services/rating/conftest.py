from tests.support.rating_tasks import celery_tasks_run_at_once
from tests.support.table_jobs import files

__all__ = ["celery_tasks_run_at_once", "files"]
