"""Save the same columns of several rows in one query, from model instances."""

from collections.abc import Sequence
from typing import Any, Final

from django.db import connection
from django.db.models import Model

BATCH_ROWS: Final = 200  # rows a statement


def update_rows(model: type[Model], names: Sequence[str], rows: Sequence[Model]) -> None:
    """Save the fields ``names`` of these rows; no query without rows. Each row may occur once.

    ``bulk_update`` composes a CASE of every column and row; a list of values is shorter.
    """
    fields = [model._meta.get_field(name) for name in names]  # noqa: SLF001 (Django documents it)
    for start in range(0, len(rows), BATCH_ROWS):
        _update_batch(model, fields, rows[start : start + BATCH_ROWS])


def _update_batch(model: type[Model], fields: Sequence[Any], rows: Sequence[Model]) -> None:
    table, key = _quote(model._meta.db_table), _quote(_primary_key(model).column)  # noqa: SLF001
    names = [_quote(field.column) for field in fields]
    row_placeholders = f"({', '.join(['%s'] * (1 + len(fields)))})"
    values: list[Any] = []
    for row in rows:
        values.append(row.pk)
        values += [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    if len(rows) == 1:
        _execute(
            f"UPDATE {table} SET {', '.join(f'{name} = %s' for name in names)} WHERE {key} = %s",  # noqa: S608 (names of ours)
            [*values[1:], values[0]],
        )
        return
    value_rows = ", ".join(
        [_typed_placeholders(model, fields, row_placeholders), *[row_placeholders] * (len(rows) - 1)]
    )
    _execute(
        f"WITH given (row_key, {', '.join(names)}) AS (VALUES {value_rows})"  # noqa: S608
        f" UPDATE {table} SET {', '.join(f'{name} = given.{name}' for name in names)} FROM given"
        f" WHERE {table}.{key} = given.row_key",
        values,
    )


def _execute(statement: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _typed_placeholders(model: type[Model], fields: Sequence[Any], row_placeholders: str) -> str:
    """Return the placeholders of the first row of values, with the types that PostgreSQL needs."""
    if connection.vendor != "postgresql":
        return row_placeholders
    types = [_primary_key(model).rel_db_type(connection), *(field.db_type(connection) for field in fields)]
    return f"({', '.join(f'%s::{name}' for name in types)})"


def _primary_key(model: type[Model]) -> Any:
    return model._meta.pk  # noqa: SLF001


def _quote(column: str) -> str:
    return connection.ops.quote_name(column)
