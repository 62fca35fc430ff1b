"""Run Celery tasks in the process of the test, at once."""

from collections.abc import Iterator

import pytest

from config.celery import app
from rating import tasks  # noqa: F401 (known by name once they are read)


@pytest.fixture
def celery_tasks_run_at_once() -> Iterator[None]:
    before = app.conf.task_always_eager, app.conf.task_eager_propagates
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager, app.conf.task_eager_propagates = before
