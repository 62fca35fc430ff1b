"""A pytest plugin that, under `coverage run`, records the lines that each test reaches and how long it takes.

Used by `tools/mutants.py`: coverage stores lines by context, and the context here is the name of the test. The times are written at the end
to the file named by `CRAWFORD_TEST_SECONDS`.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_seconds: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    running = coverage.Coverage.current()
    if running is not None:
        running.switch_context(item.nodeid)
    start = time.perf_counter()
    yield
    _seconds[item.nodeid] = time.perf_counter() - start


@pytest.hookimpl
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _failed.add(report.nodeid)


@pytest.hookimpl
def pytest_sessionfinish() -> None:
    passed = {test: seconds for test, seconds in _seconds.items() if test not in _failed}
    Path(os.environ["CRAWFORD_TEST_SECONDS"]).write_text(json.dumps(passed))
