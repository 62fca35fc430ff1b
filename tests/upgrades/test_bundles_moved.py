"""A running weekend moves from SQLite to PostgreSQL as bundles, and is played to its end there."""

import itertools
from pathlib import Path

import pytest
from django.core.management import call_command

from people.models import Membership
from people.signing import current_public_key
from tests.factories import Tournament, a_user
from tests.support.lanes import ONLY_IN_FULL
from tests.support.two_databases import site_on
from tests.upgrades.packed import NEWEST, unpack
from tournaments.backups.services.archive import BackupRefused
from tournaments.bundles.services.exporting import EVENT_KIND, export_event
from tournaments.bundles.services.importing import import_bundle
from tournaments.bundles.services.states import ImportState
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event, Match, Stage

pytestmark = [pytest.mark.postgres, ONLY_IN_FULL, pytest.mark.timeout(1200)]


@pytest.fixture
def bundles(tmp_path: Path, django_db_blocker) -> list[Path]:
    """All running events of a database of SQLite that an earlier release left, brought to today."""
    file = tmp_path / "site.sqlite3"
    unpack(NEWEST, file)
    found = []
    with django_db_blocker.unblock(), site_on(f"sqlite:///{file}"):
        call_command("migrate", verbosity=0)
        for event in Event.objects.filter(status="running").order_by("pk"):
            path = tmp_path / f"{event.public_id}.bundle"
            export_event(path, event_id=event.pk)
            found.append(path)
    return found


def _begins_with_points(event: Event) -> bool:
    """Whether a match has a starting score or a penalty: then not every score is possible."""
    matches = Match.objects.filter(stage__division__event=event)
    return any(match.awards or match.start_a or match.start_b for match in matches)


@pytest.mark.django_db(transaction=True)
def test_weekend_when_moved_then_played_to_its_end_there(bundles):
    assert len(bundles) > 5
    owner = a_user("New Owner")
    refused: dict[str, str] = {}
    for path in bundles:
        try:
            taken = import_bundle(path, kind=EVENT_KIND, keys=[current_public_key()], owner=owner)
        except BackupRefused as error:
            refused[path.name] = str(error)
            continue
        assert set(taken.events.values()) == {ImportState.NEW}
        again = import_bundle(path, kind=EVENT_KIND, keys=[current_public_key()])
        assert set(again.events.values()) == {ImportState.UNCHANGED}
        assert not again.has_changes
    assert refused == {}
    finished = 0
    for event in Event.objects.order_by("pk"):
        Membership.objects.get_or_create(user=owner, club=event.club, defaults={"role": "owner"})
        tournament = Tournament(event, owner, _keys=itertools.count(10**6))  # others were used before
        if set(Stage.objects.filter(division__event=event).values_list("system", flat=True)) == {
            "single_elimination"
        } and not _begins_with_points(event):
            tournament.play_out()
        assert integrity_faults(Event.objects.get(pk=event.pk)) == [], event.name
        assert list(broken_links(Event.objects.get(pk=event.pk), ChainSummary())) == [], event.name
        finished += tournament.fresh().status == "finished"
    assert finished
