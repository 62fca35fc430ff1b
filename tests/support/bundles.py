"""Bundles that go from one site to another, in one database: what was here is gone, and it comes back by the file."""

from collections.abc import Sequence
from pathlib import Path

from people.models import User
from people.signing import current_public_key
from tests.factories import Tournament, a_user
from tests.support.emptying import empty_tables
from tournaments.bundles.services.exporting import EVENT_KIND, export_event
from tournaments.bundles.services.importing import ImportResult, import_bundle


def exported(tournament: Tournament, path: Path) -> Path:
    """The event as a file."""
    export_event(path, event_id=tournament.event.pk)
    return path


def take_in(
    path: Path, of: str = EVENT_KIND, keys: Sequence[str] | None = None, owner: User | None = None
) -> ImportResult:
    """By the key of this site, unless others are named."""
    return import_bundle(path, kind=of, keys=keys or [current_public_key()], owner=owner)


def new_site(tournament: Tournament) -> User:
    """Nothing is here but an account; whose the event is from now on."""
    empty_tables()
    tournament.director = a_user("New Owner")
    return tournament.director
