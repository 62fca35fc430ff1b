"""A backup that an earlier release made is a site of today: on either database, with every row, and all of it fits."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.support.lanes import ONLY_IN_FULL, on_postgres
from tests.upgrades.packed import DATA, drop
from tournaments.backups.services.archive import open_archive
from tournaments.backups.services.places import connected_to
from tournaments.backups.services.tables import MIGRATION_TABLES
from tournaments.models import Event

pytestmark = [pytest.mark.django_db(transaction=True), ONLY_IN_FULL, pytest.mark.timeout(900)]


def rows_by_table():
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")
            found[name] = cursor.fetchone()[0]
    return found


@pytest.mark.parametrize("path", sorted(DATA.glob("*/site.backup")), ids=lambda path: path.parent.name)
def test_backup_of_an_earlier_release_when_restored_then_every_row_is_there_and_fits(
    path: Path, tmp_path: Path, settings
):
    settings.ERASURES_FILE = tmp_path / "erasures.jsonl"
    usual = connection.settings_dict["NAME"]
    name = f"{usual}_old" if on_postgres() else str(tmp_path / "old.sqlite3")
    out = StringIO()
    try:
        call_command("restore", str(path), fresh=name, stdout=out, stderr=out)
        with open_archive(path) as backup, connected_to(name):
            executor = MigrationExecutor(connection)
            applied = set(executor.loader.applied_migrations)
            assert set(backup.manifest.migrations) < applied  # there were some to make up for
            assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
            wanted = {
                one.name: one.rows for one in backup.manifest.tables if one.name not in MIGRATION_TABLES
            }
            there = rows_by_table()
            assert {one: there[one] for one in wanted} == wanted
            assert f"Events checked: {Event.objects.count()}, all consistent." in out.getvalue()
    finally:
        drop(name)
    heard = out.getvalue()
    assert "none changed" in heard
    assert "differences found: 0" in heard
    assert not [
        line for line in heard.splitlines() if "differences found" in line and not line.endswith(": 0")
    ]
