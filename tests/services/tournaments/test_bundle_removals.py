"""What somebody took away here does not come back by a bundle that was made without knowing of it."""

from datetime import date

import pytest

from people.actors import Actor
from people.audience import FORMER_PLAYER_NAME
from people.models import AuditEntry, FederationNumber, OutsideRating, OwnConsent, Player, PlayerClub
from people.numbers import FederationNumberValue
from people.services.consents import set_own_consent
from people.services.numbers import set_numbers
from tests.factories import a_club, a_user, an_event
from tests.support.bundles import exported, new_site, take_in
from tests.support.lanes import ON_ONE
from tournaments.bundles.services.exporting import CLUB_KIND, export_club
from tournaments.bundles.services.states import ImportState
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.merge_players import merge_players
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event
from tournaments.site.services.forgetting import erase_player

pytestmark = [pytest.mark.django_db, *ON_ONE]


@pytest.fixture
def tournament(settings, tmp_path):
    settings.ERASURES_FILE = tmp_path / "erasures.jsonl"
    return an_event(entries=4, lengths=[3, 3]).publish()


def the_club(tournament, path):
    export_club(path, club_id=tournament.club.pk)
    return path


def known_elsewhere(player):
    FederationNumber.objects.create(player=player, federation="USBGF", number=f"1{player.pk}")
    OutsideRating.objects.create(player=player, source="WBF", value=1650.5, on=date(2026, 11, 1))


def enter(tournament, *wanted):
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    return [add_entry(**where, entry=one) for one in wanted]


def with_account(player, user):
    Player.objects.filter(pk=player.pk).update(user=user)
    return Actor.of(user)


def test_numbers_and_consents_when_their_player_took_them_away_here_then_they_stay_away(tournament, tmp_path):
    ann, bob, cleo = Player.objects.filter(entries__name__in=["Ann", "Bob", "Cleo"]).order_by("name")
    for player in (ann, bob, cleo):
        known_elsewhere(player)
    Player.objects.filter(pk=bob.pk).update(home_club=a_club(name="Elsewhere"))
    Player.objects.filter(pk__in=[ann.pk, cleo.pk]).update(home_club=tournament.club)
    for player in (bob, cleo):
        OwnConsent.objects.create(player=player, club=tournament.club, given=True)
    club = the_club(tournament, tmp_path / "club.bundle")
    owner = new_site(tournament)
    take_in(club, of=CLUB_KIND, owner=owner)
    assert set(FederationNumber.objects.values_list("player", flat=True)) == {ann.pk, cleo.pk}
    hers = with_account(ann, a_user("Ann"))
    set_numbers(actor=hers, player_id=ann.pk, numbers=[])
    OutsideRating.objects.filter(player=ann).delete()
    his = with_account(bob, a_user("Bob"))
    set_own_consent(actor=his, player_id=bob.pk, other_club_id=tournament.club.public_id, is_given=None)
    again = take_in(club, of=CLUB_KIND)
    assert not again.has_changes
    assert not FederationNumber.objects.filter(player=ann).exists()
    assert not OutsideRating.objects.filter(player=ann).exists()
    assert list(OwnConsent.objects.values_list("player", flat=True)) == [cleo.pk]
    # What was said before the file was made is in it: nothing is in the way of what she set later.
    set_numbers(actor=hers, player_id=ann.pk, numbers=[FederationNumberValue("WBF", "77")])
    later = the_club(tournament, tmp_path / "later.bundle")
    FederationNumber.objects.filter(player=ann).delete()
    take_in(later, of=CLUB_KIND)
    assert FederationNumber.objects.get(player=ann).number == "77"


def test_who_was_erased_here_when_an_event_or_the_club_comes_in_then_erased_in_that_as_well(
    tournament, tmp_path
):
    ann = Player.objects.get(entries__name="Ann")
    Player.objects.filter(pk=ann.pk).update(home_club=tournament.club, country="DE")
    known_elsewhere(ann)
    club = the_club(tournament, tmp_path / "club.bundle")
    second = an_event(club=tournament.club, director=tournament.director, name="Second")
    entry, _other = enter(second, NewEntry(player_id=ann.pk), NewEntry("Xaver"))
    EntryDetail.objects.create(entry=entry, player=ann, email="ann@example.org")
    event = exported(second, tmp_path / "second.bundle")
    owner = new_site(tournament)
    take_in(club, of=CLUB_KIND, owner=owner)
    erase_player(actor=Actor.program(), player_id=ann.pk)
    assert not take_in(club, of=CLUB_KIND).has_changes
    assert not FederationNumber.objects.exists()
    assert not PlayerClub.objects.filter(player=ann).exists()
    assert take_in(event).events == {second.event.public_id: ImportState.NEW}
    assert Entry.objects.get(pk=entry.pk).name == FORMER_PLAYER_NAME
    assert not EntryDetail.objects.exists()
    assert Player.objects.get(pk=ann.pk).name == FORMER_PLAYER_NAME
    assert not PlayerClub.objects.filter(player=ann).exists()
    rows = AuditEntry.objects.filter(scope=f"event:{second.event.pk}")
    assert not [row for row in rows if '"Ann"' in str(row.data) or "'Ann'" in str(row.data)]
    assert not integrity_faults(Event.objects.get(pk=second.event.pk))


def test_who_was_merged_here_when_their_event_comes_in_then_takes_part_as_who_they_are(tournament, tmp_path):
    ann = Player.objects.get(entries__name="Ann")
    double = Player.objects.create(name="Anne Double", home_club=tournament.club)
    double.club_links.create(club=tournament.club)
    early = the_club(tournament, tmp_path / "early.bundle")
    third = an_event(club=tournament.club, director=tournament.director, name="Third")
    entry, _other = enter(third, NewEntry(player_id=double.pk), NewEntry("Xaver"))
    event = exported(third, tmp_path / "third.bundle")
    enter(third, NewEntry(player_id=ann.pk))
    both = exported(third, tmp_path / "both.bundle")
    take_in(early, of=CLUB_KIND, owner=new_site(tournament))
    merge_players(actor=tournament.actor, club_id=tournament.club.pk, keep_id=ann.pk, duplicate_id=double.pk)
    take_in(event)
    row = EntryPlayer.objects.get(entry=entry.pk)
    assert (row.player_id, row.entry.name) == (ann.pk, "Ann")
    assert not integrity_faults(Event.objects.get(pk=third.event.pk))
    take_in(both)  # there they are two, in one division: a person is to look
    players = EntryPlayer.objects.filter(division__event=third.event.pk).values_list("player", flat=True)
    assert {ann.pk, double.pk} <= set(players)
