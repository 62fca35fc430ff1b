"""Tasks are queued by name: the services know no task."""

from rating.services.queue import APPLY_TASK, REBUILD_TASK
from rating.tasks import apply_pending, rebuild


def test_queued_names_when_compared_with_the_tasks_then_are_theirs() -> None:
    assert (apply_pending.name, rebuild.name) == (APPLY_TASK, REBUILD_TASK)
