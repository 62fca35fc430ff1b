"""Tables and rows that a backup contains, and how they are read."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.db import connection, models

from rating.models import Change, Generation, GenerationState, Standing
from tournaments.backups.services.kinds import column_kind, select_expression

# Credentials, and work that both the old site and the restored one would do.
EXCLUDED_TABLES: Final = {
    "django_session": "who is signed in",
    "usersessions_usersession": "who is signed in",
    "account_emailconfirmation": "links that confirm an address",
    "people_outgoingmail": "mail on its way",
    "people_presence": "staff who are online now",
}
# Filled by the migrations themselves.
MIGRATION_TABLES: Final = {"django_content_type", "auth_permission", "django_migrations"}
_FETCH_SIZE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a backup: its columns, each with its kind, and the column that assigns ids, or ""."""

    name: str
    columns: tuple[tuple[str, str], ...]
    numbered: str
    model: type[models.Model]

    def kinds(self) -> list[str]:
        return [kind for _name, kind in self.columns]


def backup_tables() -> list[Table]:
    """Return all tables that a backup contains, of all apps, sorted by name."""
    tables = map(table_for_model, apps.get_models(include_auto_created=True))
    return sorted(
        (table for table in tables if table.name not in EXCLUDED_TABLES), key=lambda table: table.name
    )


def table_for_model(model: type[models.Model]) -> Table:
    """Return the table of a model."""
    meta = model._meta  # noqa: SLF001 (Django's own word for it)
    columns = tuple((str(field.column), column_kind(field)) for field in meta.local_concrete_fields)
    return Table(meta.db_table, columns, str(meta.auto_field.column) if meta.auto_field else "", model)


def table_rows(table: Table) -> Iterator[Sequence[Any]]:
    """Yield all rows of a table that the backup contains, sorted by key, without loading all of them.

    Of computed ratings only those of current generations.
    """
    quote = connection.ops.quote_name
    select_sql = _select_sql(table)
    if table.model is Change:
        # One generation after another, each read by its own index.
        for generation in Generation.objects.filter(state=GenerationState.CURRENT).order_by("pk"):
            yield from _fetch_rows(
                f"{select_sql} WHERE shelf = %s AND generation_id = %s", [generation.shelf, generation.pk]
            )
        return
    key = table.model._meta.pk  # noqa: SLF001
    order = f" ORDER BY {quote(str(key.column))}"
    if table.model is Standing:
        current = "SELECT id FROM rating_generation WHERE state = %s"
        yield from _fetch_rows(
            f"{select_sql} WHERE generation_id IN ({current}){order}", [GenerationState.CURRENT]
        )
        return
    yield from _fetch_rows(select_sql + order, [])


def queryset_rows(table: Table, queryset: models.QuerySet[Any]) -> Iterator[Sequence[Any]]:
    """Yield the rows of a queryset in their neutral form, sorted by key."""
    sql, params = queryset.order_by().values("pk").query.sql_with_params()
    key = connection.ops.quote_name(str(table.model._meta.pk.column))  # noqa: SLF001
    yield from _fetch_rows(f"{_select_sql(table)} WHERE {key} IN ({sql}) ORDER BY {key}", list(params))


def _select_sql(table: Table) -> str:
    quote = connection.ops.quote_name
    column_list = ", ".join(
        select_expression(kind, quote(name), connection.vendor) for name, kind in table.columns
    )
    return f"SELECT {column_list} FROM {quote(table.name)}"  # noqa: S608 (our names)


def _fetch_rows(sql: str, params: list[Any]) -> Iterator[Sequence[Any]]:
    if connection.vendor == "postgresql":
        # The server keeps the result and sends it in parts.
        with connection.connection.cursor(name=f"backup_{secrets.token_hex(4)}") as cursor:
            cursor.itersize = _FETCH_SIZE
            yield from cursor.execute(sql, params)
        return
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql, params)
        while rows := cursor.fetchmany(_FETCH_SIZE):
            yield from rows


def last_id(table: Table) -> int:
    """Return the last id that a table assigned, even to a deleted row; 0: none."""
    if not table.numbered:
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table.name, table.numbered])
            sequence = cursor.fetchone()[0]
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608 (its own name)
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table.name])
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def set_last_id(name: str, last: int) -> None:
    """Let the table of this name assign ids after ``last``; 0: from 1."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s, %s)", [name, max(last, 1), last > 0]
            )
            return
        cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, name])
        if not cursor.rowcount:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, last])


def stored_file_names() -> list[str]:
    """Return the names of the stored files to which rows refer."""
    fields = [
        (model, model_field.attname)
        for model in apps.get_models()
        for model_field in model._meta.local_concrete_fields  # noqa: SLF001
        if isinstance(model_field, models.FileField)
    ]
    return sorted(
        {
            name
            for model, field in fields
            for name in model._base_manager.exclude(**{field: ""}).values_list(field, flat=True)  # noqa: SLF001
        }
    )
