"""The restore drill: a site moves from PostgreSQL to SQLite and back, and its pages are the same, byte for byte."""

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from people.models import Club, Membership, Player
from rating.models import RatingList
from tests.support.schema import Tables
from tests.support.two_databases import site_on
from tests.upgrades.packed import NEWEST
from tools.compare_pages import LEFT_OUT
from tournaments.backups.services.archive import open_archive
from tournaments.backups.services.restoring import restore
from tournaments.models import Event

DRILLED = pytest.mark.parametrize("_brought_to_today", [NEWEST], indirect=True)
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def by_command(*words, **options):
    out = StringIO()
    call_command(*words, stdout=out, stderr=out, **options)
    return out.getvalue()


def pages():
    """What visitors, a director and programs see of the site, without what is random."""
    cache.clear()
    events = Event.objects.exclude(status="draft").order_by("pk")
    club = Club.objects.filter(events__isnull=False).order_by("pk").first()
    public = [
        reverse("public:home"),
        reverse("public:clubs"),
        *(reverse("public:event", args=[one.public_id]) for one in events[::12]),
        *(reverse("public:player", args=[one.public_id]) for one in Player.objects.filter(listed=True)[:2]),
        *(f"/r/{one.public_id}/" for one in RatingList.objects.filter(club=club)),
        f"/api/v1/events/{events[0].public_id}/",
    ]
    directors = [
        "/direct/",
        reverse("people:audit", args=[club.public_id]),
        *(reverse("director:audit", args=[one.public_id]) for one in events.filter(club=club)[:1]),
        *(
            reverse("director:board", args=[one.public_id])
            for one in events.filter(club=club, status="running")[:1]
        ),
    ]
    director = Client()
    owner = Membership.objects.filter(club=club, role="owner").order_by("pk").first().user
    director.force_login(owner, backend=BACKEND)
    found = {("", path): Client().get(path) for path in public}
    found |= {("director", path): director.get(path) for path in directors}
    assert {where: answer.status_code for where, answer in found.items() if answer.status_code != 200} == {}
    return {where: _without_chance(answer.content) for where, answer in found.items()}


def _without_chance(content):
    for pattern, instead in LEFT_OUT:
        content = pattern.sub(instead, content)
    return content


def content(path):
    """Every row of a backup; of JSON what it says, which the databases write differently."""
    with open_archive(path) as backup:
        return {
            table.name: (table.last, sorted(_plain(backup, table), key=str))
            for table in backup.manifest.tables
        }


def _plain(backup, table):
    names, kinds = zip(*table.columns, strict=True)
    for row in backup.rows(table):
        if table.name == "rating_generation" and row[names.index("state")] != "current":
            continue  # of former ones nothing travels but that they were
        yield [
            json.loads(value) if kind == "json" and value else value
            for kind, value in zip(kinds, row, strict=True)
        ]


@pytest.fixture
def spare(release):
    """A database of PostgreSQL with tables and nothing in them."""
    server, _slash, _name = os.environ["DATABASE_URL_POSTGRES"].partition("?")[0].rpartition("/")
    of_the_run = connection.settings_dict["NAME"].rpartition("_")[0]
    name = f"{of_the_run}_spare"
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{of_the_run}"')
    yield f"{server}/{name}"
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}"')


@DRILLED
@pytest.mark.postgres
@pytest.mark.usefixtures("clock")
def test_site_when_moved_to_sqlite_and_back_then_the_same_rows_and_the_same_pages(
    release, spare, tmp_path: Path, django_db_blocker
):
    with django_db_blocker.unblock():
        before = pages()
        first, second, third = (tmp_path / f"{number}.backup" for number in "123")
        by_command("backup", str(first))
        file = tmp_path / "moved.sqlite3"
        kept = Tables()
        with kept.closes:
            kept.lay_down(str(file))  # where none are kept yet the migrations make them
        with site_on(f"sqlite:///{file}"):
            restore(first)
            assert pages() == before
            by_command("backup", str(second))
        with site_on(spare):
            restore(second)
            assert pages() == before
            by_command("backup", str(third))
    assert content(first) == content(second) == content(third)
