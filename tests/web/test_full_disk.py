"""A disk without room: pages are read, and who writes is told, in the reader's words, that nothing is in."""

import errno

import django.db
import pytest
from django.db import connection
from django.test import Client

from config.room import is_disk_full
from games.models import RecordImport
from tests.factories import a_club
from tests.services.games.test_imports import season
from tests.web.games.test_import_pages import send, signed_in


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_disk_when_it_is_full_then_reading_goes_on_and_writing_says_so() -> None:
    """SQLite's own limit of pages: what it says at the end of a disk, and at the same place."""
    club = a_club()
    owner = signed_in(club.memberships.get().user)
    owner.raise_request_exception = False
    many = season(1, **{f"{number:0100}.txt": "x" for number in range(500)})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # pages that other tests have left free are room
        before = cursor.execute("PRAGMA max_page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {cursor.execute('PRAGMA page_count').fetchone()[0]}")
    try:
        answer = send(owner, club, many)
        assert (answer.status_code, answer["Retry-After"]) == (503, "60")
        assert "The site is out of storage space" in answer.content.decode()
        assert not RecordImport.objects.exists()
        assert owner.get(f"/clubs/{club.public_id}/players/").status_code == 200
        assert Client().get("/").status_code == 200
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {before}")
    assert send(owner, club, many).status_code == 302


class DiskFull(Exception):
    """As psycopg raises it."""

    sqlstate = "53100"


@pytest.mark.parametrize(
    ("exc", "cause", "full"),
    [
        (OSError(errno.ENOSPC, "no space"), None, True),
        (OSError(errno.EACCES, "not yours"), None, False),
        (django.db.OperationalError("full"), DiskFull(), True),
        (django.db.OperationalError("gone"), None, False),
        (None, None, False),
    ],
)
def test_error_when_asked_then_known_for_a_full_disk(
    exc: BaseException | None, cause: BaseException | None, full: bool
) -> None:
    if exc is not None:
        exc.__cause__ = cause
    assert is_disk_full(exc) is full
