"""Which statements each test executes, as a plugin (`-p tests.support.statements`) for `tools/statements.py`.

Statements are compared by their shape: without values, and with lists and cases of any length as one. What a test itself asks the
tables for, to look at what came of it or to have rows to begin with, does not count: the product never says it.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db import connection

# In this order: what stands for a value, then repetitions of it.
SHAPES = (
    (r"'(?:[^']|'')*'|%s|\b\d+\b|\bs\d+_x\d+\b", "?"),
    (r"\((?:\?(?:, )?)+\)", "(?)"),
    (r"(?:\(\?\)(?:, )?)+", "(?)"),
    (r"(WHEN .*? THEN .*? )(?:WHEN .*? THEN .*? )*ELSE", r"\1ELSE"),
    (r"(\([^()]*\))(?: (?:OR|AND) \1)+", r"\1"),
)
# The tables of the test database are made in whichever test comes first.
MAKING = ("CREATE", "ALTER", "DROP", 'INSERT INTO "new__', "PRAGMA", "SAVEPOINT", "RELEASE", "ROLLBACK")
ROOT = Path(__file__).resolve().parents[2]
TESTS, ELSEWHERE = f"{ROOT}/tests/", (f"{ROOT}/.venv/", f"{ROOT}/var/")


@cache
def shape(sql: str) -> str:
    for pattern, short in SHAPES:
        sql = re.sub(pattern, short, sql)
    return sql


def of_product(frame: FrameType | None) -> bool:
    """Whether the nearest code of this repository, from ``frame`` outwards, is none of the tests'."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(f"{ROOT}/") and not name.startswith(ELSEWHERE):
            return not name.startswith(TESTS)
        frame = frame.f_back
    return True


def asked() -> tuple[bool, bool]:
    """Whether the statement that is executed now was put together or is executed by the product (selectors hand on what is not yet
    asked); and whether it locks its rows, which SQLite does not say.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_name != "_execute_with_wrappers":
        frame = frame.f_back
    asking = frame
    while asking is not None and asking.f_code.co_name != "execute_sql":
        asking = asking.f_back
    query = asking.f_locals["self"].query if asking is not None else None
    made = getattr(query, "made_by_product", False)
    return made or of_product(frame), getattr(query, "select_for_update", False)


def runs_on(item: pytest.Item) -> str:
    """Where a test runs whatever is listed: `sqlite`, `postgres` (and mostly on SQLite as well), or nothing: it may be spared."""
    from tests.support.lanes import turn_of

    if item.get_closest_marker("sqlite") or turn_of(item) == 0:
        return "sqlite"
    marker = item.get_closest_marker("django_db")
    commits = marker is not None and "transaction" in marker.kwargs
    return "postgres" if commits or item.get_closest_marker("postgres") or turn_of(item) == 1 else ""


@contextmanager
def known_who_made_them() -> Iterator[None]:
    """Every query bears who began it, and so do the others that are made of it."""
    from django.db.models.sql import Query

    make = Query.__init__

    def making(query: Any, *args: Any, **options: Any) -> None:
        make(query, *args, **options)
        query.made_by_product = of_product(sys._getframe(1))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Query, "__init__", making)
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_who_made_them() -> Iterator[None]:
    with known_who_made_them():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    found: set[str] = set()

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(MAKING):
            by_product, locking = asked()
            if by_product:
                found.add(f"{shape(sql)} FOR UPDATE" if locking else shape(sql))
        return execute(sql, *rest)

    began = time.process_time()
    with connection.execute_wrapper(note):
        result = yield
    line = [item.nodeid, time.process_time() - began, runs_on(item), sorted(found)]
    with Path(os.environ["CRAWFORD_TEST_STATEMENTS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return result
