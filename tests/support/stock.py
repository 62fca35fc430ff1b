"""Stock events: what hundreds of tests begin with is made by the services once, and after that laid down as the same rows.

``in_stock(key, build)`` gives what ``build()`` gives. What a process builds a second time is kept as finished statements, and from
then on they are executed: a dozen instead of sixty with all the thinking between them. That is the same only where nothing else is
there: what comes from stock is the first thing in its test's transaction, or the next step directly after it; everything else is
built. So it is with a language that was chosen and a test that commits; a stopped clock has a stock of its own for each moment.
"""

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model
from django.db.models.constants import OnConflict
from django.db.models.sql import InsertQuery
from django.utils import timezone, translation

from config.watch.requests import count_statement
from tests.support.clock import REAL_CLOCK, Clock
from tests.support.emptying import KEPT

Built = TypeVar("Built")
READING = ("SELECT", "SAVEPOINT", "RELEASE", "PRAGMA")
FIRST_TABLES = (
    *("people_user", "people_club", "people_player", "people_auditentry", "tournaments_event", "rating_fact"),
)


@dataclass(frozen=True)
class Stock:
    """What one step writes, what it leaves to be done when that is committed, and what it hands over."""

    statements: list[tuple[str, tuple[Any, ...]]]
    on_commit: list[tuple[Callable[[], object], bool]]
    value: bytes


@dataclass
class Store:
    """What lies in stock in this process, and how far this test has gone along it."""

    asked: set[Hashable] = field(default_factory=set)
    kept: dict[Hashable, Stock] = field(default_factory=dict)
    writes: int = 0
    """Statements so far that may have written something."""
    last: tuple[Hashable, int] | None = None
    """The step that this test took last, and the writes up to it."""

    def count(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.lstrip("( ").startswith(READING):
            self.writes += 1
        return execute(sql, *rest)

    def last_step(self) -> Hashable:
        """The step after which this test has written nothing."""
        return self.last[0] if self.last and self.last[1] == self.writes else None


STORE = Store()
COUNT = STORE.count


def in_stock(key: Hashable, build: Callable[[], Built]) -> Built:
    """What ``build`` gives, as the first thing in a test; ``key`` names all that it depends on."""
    if as_usual() and nothing_there():
        return _step((key, _when()), build)
    return build()


def next_in_stock(key: Hashable, build: Callable[[], object]) -> None:
    """What ``build`` writes, directly after a step that came from stock."""
    before = STORE.last_step()
    if before is not None and as_usual():
        _step((key, before, _when()), build)
    else:
        build()


def _when() -> date:
    """What of the time rows depend on: the day; the moment where the clock stands still."""
    now = timezone.now()
    return now.date() if timezone.now is REAL_CLOCK else now


def as_usual() -> bool:
    """Nothing is set that could make the rows others than the last time."""
    return (
        connection.in_atomic_block
        and (timezone.now is REAL_CLOCK or isinstance(timezone.now, Clock))
        and translation.get_language() == settings.LANGUAGE_CODE
        and timezone.get_current_timezone_name() == settings.TIME_ZONE
        and [one for one in connection.execute_wrappers if one is not count_statement] == [COUNT]
    )


def nothing_there() -> bool:
    """No account, club, person, event or result: what there may be besides comes from the migrations."""
    some = " OR ".join(f"EXISTS (SELECT 1 FROM {name})" for name in FIRST_TABLES)
    with connection.cursor() as cursor:
        return not cursor.execute(f"SELECT {some}").fetchone()[0]


def _step(key: Hashable, build: Callable[[], Built]) -> Built:
    if key in STORE.kept:
        value = _lay_down(STORE.kept[key])
    elif key in STORE.asked:
        value, STORE.kept[key] = _watched(build)
    else:
        STORE.asked.add(key)
        return build()
    STORE.last = (key, STORE.writes)
    return value


def _lay_down(stock: Stock) -> Any:
    cache.clear()  # brackets are kept by event and version, and both come again
    with connection.cursor() as cursor:
        for statement in stock.statements:
            cursor.execute(*statement)
    for function, robust in stock.on_commit:
        transaction.on_commit(function, robust=robust)
    return pickle.loads(stock.value)


def _watched(build: Callable[[], Built]) -> tuple[Built, Stock]:
    """What was built, and how to have it again without building."""
    before, waiting = _rows(), len(connection.run_on_commit)
    value = build()
    after = _rows()
    assert not any(set(before[model]) - set(after[model]) for model in before), "a step that deletes is built"
    statements = []
    for model, rows in after.items():
        there = before.get(model, {})
        other = [row for pk, (row, facts) in rows.items() if pk in there and there[pk][1] != facts]
        statements += _write(model, other, there=True)
        statements += _write(
            model, [row for pk, (row, _facts) in rows.items() if pk not in there], there=False
        )
    on_commit = [(function, robust) for _, function, robust in connection.run_on_commit[waiting:]]
    return value, Stock(statements, on_commit, pickle.dumps(value))


Rows = dict[type[Model], dict[Any, tuple[Model, list[Any]]]]


def _fields(model: type[Model]) -> list[Any]:
    return [one for one in model._meta.local_concrete_fields if not one.generated]


def _rows() -> Rows:
    """Every row of every table that has any, with the values of its fields."""
    models = {
        one._meta.db_table: one for one in apps.get_models(include_auto_created=True) if one._meta.managed
    }
    tables = sorted(set(models) - KEPT)
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in tables)
        )
        filled = [models[name] for (name,) in cursor.fetchall()]
    return {
        model: {
            row.pk: (row, [getattr(row, one.attname) for one in _fields(model)])
            for row in model._base_manager.all()
        }
        for model in filled
    }


def _write(model: type[Model], rows: list[Model], *, there: bool) -> list[tuple[str, tuple[Any, ...]]]:
    """Put rows in, or other values into those that are ``there``; a table in parts has no key of its own to know these by."""
    if not rows:
        return []
    fields = _fields(model)
    over = {
        "on_conflict": OnConflict.UPDATE,
        "update_fields": [one for one in fields if one not in model._meta.pk_fields],
        "unique_fields": model._meta.pk_fields,
    }
    query = InsertQuery(model, **(over if there else {}))
    query.insert_values(fields, rows, raw=True)
    return [(sql, tuple(params)) for sql, params in query.get_compiler(connection=connection).as_sql()]


@pytest.fixture(autouse=True)
def _nothing_taken() -> None:
    """Every test begins at the front of the store."""
    STORE.last = None


def pytest_sessionstart() -> None:
    connection.execute_wrappers.append(COUNT)
