"""Add many facts at once: COPY on PostgreSQL, a prepared statement elsewhere, as models are slower."""

from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from rating.models import Fact
from rating.store.partitions import is_postgresql

_FIELDS: Final = [field for field in Fact._meta.concrete_fields if not field.primary_key]  # noqa: SLF001 (Django's own word for it)
_COLUMNS: Final = ", ".join(str(field.column) for field in _FIELDS)
_NAMES: Final = [field.attname for field in _FIELDS]
_WINNER: Final = _NAMES.index("winner_id")
_LOSER: Final = _NAMES.index("loser_id")

FactValues = tuple[Any, ...]


def fact_values(fact: Fact) -> FactValues:
    """Return the values of a new fact in the order of the database columns; a tenth of the fact's size."""
    fact.recorded_at = fact.recorded_at or timezone.now()
    return tuple([_adapt_value(getattr(fact, name)) for name in _NAMES])


def _adapt_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value.value if isinstance(value, Enum) else value


def replace_players(values: FactValues, winner: int, loser: int | None) -> FactValues:
    """Return a copy of ``values`` with these players (ids)."""
    replaced = list(values)
    replaced[_WINNER], replaced[_LOSER] = winner, loser
    return tuple(replaced)


def add_facts(rows: Iterable[FactValues]) -> None:
    """Write facts in this order, in the caller's transaction.

    Raises ``IntegrityError`` for used source keys.
    """
    if is_postgresql():
        connection.ensure_connection()
        command = f"COPY rating_fact ({_COLUMNS}) FROM STDIN"
        with connection.wrap_database_errors, connection.connection.cursor().copy(command) as copy:
            for row in rows:
                copy.write_row(row)
        return
    placeholders = ", ".join(["%s"] * len(_FIELDS))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO rating_fact ({_COLUMNS}) VALUES ({placeholders})", rows)  # type: ignore[arg-type]  # noqa: S608 (our columns)
