"""Limits by rating wherever somebody comes in besides entering: come back, bought back, in the place of somebody; and by the club's own list."""

from datetime import date

import pytest

from faults import Invalid
from people.models import AuditEntry, OutsideRating, Player
from rating.models import RatingList
from rating.selectors import ratings_for
from rating.services import update_list_ratings
from tests.factories import Tournament, an_event
from tests.support.lanes import ON_ONE
from tests.support.repairs import state_of
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.limits import OWN_LIST_PREFIX, RatingLimit
from tournaments.engine.matrix import Cell, CellChange
from tournaments.engine.new_entry import EntryMarks, NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.entries import add_entry, update_entry, withdraw_entry
from tournaments.events.services.divisions import DivisionDetails, set_limit, update_division
from tournaments.matrix.services.saving import save_players_table
from tournaments.models import Entry
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.services.reinstating import reinstate
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.repairs.undo import last_repair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock"), *ON_ONE]
LIMIT = RatingLimit("USBGF", most=1500)


def at(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def limited(tournament: Tournament, limit: RatingLimit = LIMIT) -> None:
    set_limit(**at(tournament), division_id=tournament.division.pk, limit=limit)


def rate(tournament: Tournament, name: str, value: float) -> Player:
    player, _made = Player.objects.get_or_create(name=name, defaults={"home_club": tournament.club})
    player.club_links.get_or_create(club=tournament.club)
    OutsideRating.objects.create(player=player, source="USBGF", value=value, on=date(2026, 1, 1))
    return player


def reasons() -> list[tuple[int | None, str]]:
    rows = AuditEntry.objects.filter(action="entry.overrule_limit").order_by("pk")
    return [(row.subject_id, row.data["reason"]) for row in rows]


def test_who_comes_back_fits_or_a_director_says_why_and_once_is_enough():
    tournament = an_event(4, lengths=[5])
    limited(tournament)
    ann, bob = tournament.entry("Ann"), tournament.entry("Bob")
    rate(tournament, "Ann", 1620)  # since she entered
    for entry in (ann, bob):
        withdraw_entry(**at(tournament), entry_id=entry.pk)
    with pytest.raises(Invalid) as refused:
        reinstate(**at(tournament), entry_id=ann.pk)
    assert (refused.value.code, refused.value.field) == ("entry.above_limit", "overrule")
    assert tournament.entry("Ann").status == EntryStatus.WITHDRAWN
    cell = CellChange(Cell(ann.players.get().public_id, str(tournament.division.pk)), "left", "in")
    with pytest.raises(Invalid) as refused:
        save_players_table(**at(tournament), changes=[cell])
    assert (refused.value.code, refused.value.field) == ("entry.above_limit", "cells")
    reinstate(**at(tournament), entry_id=bob.pk)  # nobody knows a rating of his
    save_players_table(**at(tournament), changes=[cell], overrule="was here last year")
    assert reasons() == [(ann.pk, "was here last year")]
    withdraw_entry(**at(tournament), entry_id=ann.pk)
    reinstate(**at(tournament), entry_id=ann.pk)
    assert len(reasons()) == 1
    update_entry(**at(tournament), entry_id=ann.pk, marks=EntryMarks(party="blue"), members=None)
    strong = rate(tournament, "Sten Strong", 1900)
    members = [NewEntry(player_id=strong.pk)]
    with pytest.raises(Invalid, match="above_limit"):
        update_entry(**at(tournament), entry_id=bob.pk, marks=EntryMarks(), members=members)
    assert tournament.entry("Bob").players.get().name == "Bob"
    update_entry(**at(tournament), entry_id=bob.pk, marks=EntryMarks(), members=members, overrule="for Bob")
    assert reasons()[1:] == [(bob.pk, "for Bob")]
    limited(tournament, RatingLimit("USBGF", most=1500, rejects_outsiders=False))
    rate(tournament, "Cleo", 1700)
    withdraw_entry(**at(tournament), entry_id=tournament.entry("Cleo").pk)
    reinstate(**at(tournament), entry_id=tournament.entry("Cleo").pk)  # it only warns
    assert not integrity_faults(tournament.fresh())


def test_who_takes_the_place_of_somebody_fits_unless_the_two_change_places():
    tournament = an_event(4, lengths=[7]).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    limited(tournament)
    entry, other = tournament.entry("Ann"), tournament.entry("Bob")
    strong, bob = rate(tournament, "Sten Strong", 1900), rate(tournament, "Bob", 1900)
    before = state_of(tournament)
    ann = entry.players.get()

    def change(right: NewEntry, **more: str) -> Entry:
        wrong = entry.players.get().pk
        return change_player(**at(tournament), entry_id=entry.pk, wrong_id=wrong, right=right, **more)

    for from_now in (False, True):
        with pytest.raises(Invalid) as refused:
            change(NewEntry(player_id=strong.pk), from_now=from_now)
        assert (refused.value.code, refused.value.field) == ("entry.above_limit", "overrule")
    assert state_of(tournament) == before
    change(NewEntry(player_id=bob.pk))  # mixed up: both were in already
    undo_repair(**at(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    assert reasons() == []
    change(NewEntry(player_id=strong.pk), overrule=" the substitute ")
    assert reasons() == [(entry.pk, "the substitute")]
    rows = AuditEntry.objects.filter(action="entry.change_player").order_by("pk")
    assert [row.data["exchange"] for row in rows] == [True, False]
    undo_repair(**at(tournament), audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    assert entry.players.get() == ann
    assert other.players.get() == bob
    change(NewEntry("Nobody Knows"))
    assert not integrity_faults(tournament.fresh())


def test_who_buys_back_fits_or_was_let_in_with_a_reason():
    tournament = an_event(3, lengths=[3], bracket=BracketSettings(open_lines=2))
    division = DivisionDetails(reentries=1)
    update_division(**at(tournament), division_id=tournament.division.pk, division=division)
    limited(tournament)
    wanted = NewEntry(player_id=rate(tournament, "Zoe", 1800).pk, overrule="plays up")
    zoe = add_entry(**at(tournament), division_id=tournament.division.pk, entry=wanted)
    lost = []
    for match in tournament.publish().playable():
        loser = "a" if tournament.entry_at(match, "a") == zoe else "b"
        lost.append(tournament.entry_at(match, loser))
        tournament.settle(match, "b" if loser == "a" else "a")
    (other,) = (entry for entry in lost if entry != zoe)
    rate(tournament, other.name, 1700)  # since the draw
    before = state_of(tournament)
    with pytest.raises(Invalid) as refused:
        reenter(**at(tournament), entry_id=other.pk)
    assert (refused.value.code, refused.value.field) == ("entry.above_limit", "overrule")
    assert state_of(tournament) == before
    assert reenter(**at(tournament), entry_id=zoe.pk).again_of == zoe  # let in already
    again = reenter(**at(tournament), entry_id=other.pk, overrule="played here all along")
    assert reasons() == [(zoe.pk, "plays up"), (again.pk, "played here all along")]
    assert not integrity_faults(tournament.fresh())


def test_limit_by_the_list_of_the_club_reads_the_ratings_that_were_played_for():
    tournament = an_event(2, lengths=[7]).publish()
    tournament.beats("Ann", "Bob", 7, 3)
    own = RatingList.objects.get(club=tournament.club, is_main=True)
    update_list_ratings(own.pk)
    ann, bob = tournament.entry("Ann").players.get(), tournament.entry("Bob").players.get()
    ratings = ratings_for([ann.pk, bob.pk], own.pk)
    assert ratings[bob.pk] < 1500 < ratings[ann.pk]
    later = an_event(club=tournament.club, director=tournament.director, lengths=[5])
    set_limit(**at(later), division_id=later.division.pk, limit=RatingLimit(own.name, most=1500))
    assert later.division.limit == RatingLimit(f"{OWN_LIST_PREFIX}{own.public_id}", most=1500)

    def enter(wanted: NewEntry) -> Entry:
        return add_entry(**at(later), division_id=later.division.pk, entry=wanted)

    with pytest.raises(Invalid) as refused:
        enter(NewEntry(player_id=ann.pk))
    told = refused.value.params
    assert (refused.value.code, told["source"], told["on"]) == ("entry.above_limit", own.name, "")
    assert float(told["rating"]) == pytest.approx(ratings[ann.pk], abs=0.01)
    enter(NewEntry(player_id=bob.pk))
    enter(NewEntry("Zoe New"))  # on no list so far
    other_tournament = later.publish()
    other_tournament.beats("Bob", "Zoe New", 5, 0)
    update_list_ratings(own.pk)
    assert ratings_for([bob.pk], own.pk)[bob.pk] > ratings[bob.pk]  # and the next limit reads that
