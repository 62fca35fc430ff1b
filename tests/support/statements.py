"""Which statements each test executes, as a plugin (`-p tests.support.statements`) for `tools/statements.py`.

Statements are compared by their shape: without values, and with lists and cases of any length as one.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
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


@cache
def shape(sql: str) -> str:
    for pattern, short in SHAPES:
        sql = re.sub(pattern, short, sql)
    return sql


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    shapes: set[str] = set()

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(MAKING):
            shapes.add(shape(sql))
        return execute(sql, *rest)

    began = time.process_time()
    with connection.execute_wrapper(note):
        result = yield
    commits = (marker := item.get_closest_marker("django_db")) is not None and "transaction" in marker.kwargs
    dealt = any(map(item.get_closest_marker, ("by_turns", "sqlite", "postgres")))
    line = [item.nodeid, time.process_time() - began, commits or dealt, sorted(shapes)]
    with Path(os.environ["CRAWFORD_TEST_STATEMENTS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return result
