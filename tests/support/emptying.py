"""What a test that commits leaves behind is taken away by deleting the rows that are there.

Django empties every table after such a test (`TRUNCATE` of some eighty, a quarter of a second on PostgreSQL) and then writes content
types and permissions anew. Here the tables that the migrations filled keep their rows, and of the others only those are touched that
have any.
"""

import time
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

PATIENCE = 60  # seconds
KEPT = {"django_content_type", "auth_permission", "django_migrations"}


OTHERS_AT_WORK = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend' AND xact_start IS NOT NULL"
)


def others_end() -> None:
    """What a killed process was writing is written or not: its transaction is over before anything is deleted."""
    began = time.monotonic()
    with connection.cursor() as cursor:
        while cursor.execute(OTHERS_AT_WORK).fetchone()[0]:
            assert time.monotonic() - began < PATIENCE, "somebody's transaction does not end"
            time.sleep(0.01)


def empty_tables() -> None:
    if connection.vendor == "postgresql":
        others_end()
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - KEPT
    quoted = {name: connection.ops.quote_name(name) for name in tables}
    filled_in = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quoted[name]})" for name in sorted(tables)
    )
    # Foreign keys are looked at when the transaction ends: the order does not matter.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(filled_in)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quoted[name]}")


@pytest.fixture(scope="session", autouse=True)
def _empties_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty_tables())
        yield
