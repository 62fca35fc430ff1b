"""One world for all tests of a file: making it takes longer than most visits, and no visit leaves anything behind."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.core.cache import cache
from django.db import transaction

World = TypeVar("World")


@contextmanager
def rolled_back() -> Iterator[None]:
    """Whatever is written in here is gone afterwards.

    Marked as a test's own transaction: services that insist on the outermost one run inside.
    """
    atomic = transaction.atomic()
    atomic._from_testcase = True
    with atomic:
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def kept(blocker: Any, build: Callable[[], World]) -> Iterator[World]:
    """The world that ``build`` makes, for as long as this lasts."""
    cache.clear()  # brackets are kept by event and version, and those come again in the next world
    with blocker.unblock(), rolled_back():
        yield build()
    cache.clear()
