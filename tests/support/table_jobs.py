"""Tables that a worker takes in, as tests hand them in; and somebody else who does something just then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from people.actors import Actor
from people.models import Membership, Role, User
from rating.models import TableImport
from rating.models.imports import TABLE_FOLDER
from rating.services.table_jobs import UploadedTable, start_import
from tests.support.rating import Book

HEAD = "date,winner,loser,length\n"
ROWS = HEAD + "2026-01-05,Ann,Bob,7\n2026-01-06,Dan,Ann,5\n2026-01-06,Dan,Ann,5\n"
KNOWN = HEAD + "2026-01-05,Ann,Bob,7\n"


def director(book: Book) -> Actor:
    """Somebody who directs the club: imports are decided by accounts."""
    user, _new = User.objects.get_or_create(email="dora@example.org", defaults={"name": "Dora"})
    Membership.objects.get_or_create(user=user, club=book.club, role=Role.DIRECTOR)
    return Actor.of(user)


def handed_in(book: Book, text: str = ROWS, **more: object) -> TableImport:
    return start_import(
        actor=director(book), club_id=book.club.pk, handed=UploadedTable(text.encode(), "old.csv", **more)
    )


@pytest.fixture
def files(settings, tmp_path):
    """Which files are kept, of what would be committed by now."""
    folder = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": tmp_path}}
    settings.STORAGES = {**settings.STORAGES, "default": folder}

    def kept() -> list[str]:
        while connection.run_on_commit:
            connection.run_on_commit.pop(0)[1]()
        return default_storage.listdir(TABLE_FOLDER)[1]

    return kept


@contextmanager
def interrupted_by(words: str, act: Callable[[], object]) -> Iterator[None]:
    """Somebody else does it just before the first statement that has these words."""
    seen: list[str] = []

    def look(execute, sql, params, many, context):
        if words in sql and not seen:
            seen.append(sql)
            act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield
    assert seen
