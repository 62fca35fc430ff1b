"""Fixtures for all tests; what a test needs of servers and programs is in ``tests.support.servers``."""

from collections.abc import Iterator

import pytest
from django.utils import timezone, translation

pytest_plugins = ["tests.support.servers"]


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """Every test begins in the site's own language and time zone: a request in German leaves its language in the thread."""
    translation.deactivate()
    timezone.deactivate()
    yield
    translation.deactivate()
    timezone.deactivate()
