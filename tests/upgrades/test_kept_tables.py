"""The tables of a release that are kept for PostgreSQL are those that its migrations make."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from tests.support.lanes import ONLY_IN_FULL
from tests.upgrades.packed import (
    RELEASES,
    connected_to,
    create,
    drop,
    kept_tables,
    lay_down_tables,
    make_tables,
    unpack,
)

pytestmark = [pytest.mark.postgres, ONLY_IN_FULL, pytest.mark.timeout(600)]
ASKED = (
    """SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default, is_identity,
    collation_name, generation_expression FROM information_schema.columns WHERE table_schema = 'public'""",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace""",
    "SELECT sequencename, data_type, start_value, increment_by FROM pg_sequences WHERE schemaname = 'public'",
    "SELECT extname FROM pg_extension",
    "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal",
)


@contextmanager
def an_empty_one() -> Iterator[None]:
    name = f"{connection.settings_dict['NAME']}_tables"
    create(name)
    try:
        with connected_to(name):
            yield
    finally:
        drop(name)


def tables_as_they_are() -> list[list[str]]:
    with connection.cursor() as cursor:
        return [sorted(plain(str(row)) for row in cursor.execute(one).fetchall()) for one in ASKED]


def plain(text: str) -> str:
    """Without the types and brackets that PostgreSQL puts into a condition, otherwise each time that it reads it."""
    return re.sub(r"::[a-z]+( varying)?(\[\])?|[()]", "", text)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("release", [one for one in RELEASES if kept_tables(one).exists()])
def test_tables_of_a_release_when_kept_then_as_its_migrations_make_them(release: str, tmp_path: Path) -> None:
    file = tmp_path / "packed.sqlite3"
    unpack(release, file)
    with an_empty_one(), closing(sqlite3.connect(file)) as packed:
        make_tables(packed)
        made = tables_as_they_are()
    with an_empty_one():
        lay_down_tables(release)
        kept = tables_as_they_are()
    assert len(made[0]) > 300
    for by_migrations, as_kept in zip(made, kept, strict=True):
        assert as_kept == by_migrations
