"""Jackpots: a division that is drawn and published with the entry that fills it, and opens the next one."""

import pytest

from faults import Conflict, Invalid
from people.actors import Actor
from tests.factories import an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import discard_draw, draw_stage
from tournaments.draws.services.starting import start_full_divisions
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries, add_entry, withdraw_entry
from tournaments.events.services.divisions import DivisionDetails, add_division, update_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry, EntryPlayer, Stage
from tournaments.repairs.services.reinstating import reinstate

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]


def jackpot(entries=3, *, room=4, **stage):
    tournament = an_event(entries, **stage)
    update_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        division=DivisionDetails(name="Jackpot", capacity=room, starts_when_full=True),
    )
    return tournament


def enter(tournament, name, division=None):
    where = division or tournament.event.divisions.get(name="Jackpot")
    return add_entry(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=where.pk, entry=NewEntry(name=name)
    )


def stands(tournament):
    return [
        (one.name, one.starts_when_full, one.stages.get().status, one.entries.filter(status="active").count())
        for one in Division.objects.filter(event=tournament.event).order_by("position")
    ]


def test_jackpot_when_the_last_place_is_taken_then_it_starts_and_the_next_one_opens():
    tournament = jackpot()
    assert start_full_divisions() == 0
    enter(tournament, "Zoe")
    assert start_full_divisions() == 3
    assert stands(tournament) == [("Jackpot", False, "published", 4), ("Jackpot 2", True, "setup", 0)]
    assert tournament.fresh().status == "running"
    assert start_full_divisions() == 0
    after = tournament.event.divisions.get(name="Jackpot 2")
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=after.pk,
        entries=[NewEntry(name=name) for name in ("Uma", "Vic", "Wim", "Zoe")],
    )
    start_full_divisions()
    assert [row[2] for row in stands(tournament)] == ["published", "published", "setup"]
    assert integrity_faults(tournament.event) == []


def test_jackpot_when_more_come_than_have_room_then_refused_and_who_leaves_makes_room():
    tournament = jackpot()
    with pytest.raises(Conflict) as refused:
        add_entries(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            entries=[NewEntry(name="Yan"), NewEntry(name="Zoe")],
        )
    assert (refused.value.code, refused.value.params["left"]) == ("entry.starts_when_full", 1)
    last = enter(tournament, "Zoe")
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=last.pk)
    assert start_full_divisions() == 0
    enter(tournament, "Yan")
    with pytest.raises(Conflict):
        reinstate(actor=tournament.actor, event_id=tournament.event.pk, entry_id=last.pk)
    assert start_full_divisions() == 3


def test_jackpot_when_a_director_was_quicker_or_stopped_in_between_then_what_is_left_is_done():
    tournament = jackpot(4)
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    draw_stage(**where, seed=1)
    discard_draw(**where)
    draw_stage(**where, seed=2)
    assert start_full_divisions() == 2
    assert [row[2] for row in stands(tournament)] == ["published", "setup"]
    assert Stage.objects.earliest("pk").draw_seed == "2"


def test_jackpot_when_a_director_draws_before_it_is_full_then_the_director_publishes_it():
    tournament = jackpot(3)
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk, seed=1)
    assert start_full_divisions() == 0
    assert stands(tournament) == [("Jackpot", True, "drawn", 3)]


def test_jackpot_when_somebody_leaves_after_it_was_drawn_by_itself_then_still_published():
    tournament = jackpot(4)
    draw_stage(actor=Actor.program(), event_id=tournament.event.pk, stage_id=tournament.stage.pk, seed=1)
    Entry.objects.filter(pk=tournament.division.entries.latest("pk").pk).update(status="withdrawn")
    assert start_full_divisions() == 2
    assert [row[2] for row in stands(tournament)] == ["published", "setup"]


def test_jackpot_when_some_wait_for_a_place_then_they_go_over_to_the_next_one():
    tournament = jackpot(4)
    waiting = Entry.objects.filter(division=tournament.division).latest("pk")
    update_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        division=DivisionDetails(name="Jackpot", capacity=4),
    )
    Entry.objects.filter(pk=waiting.pk).update(status="waiting")
    update_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        division=DivisionDetails(name="Jackpot", capacity=3, starts_when_full=True),
    )
    assert start_full_divisions() == 3
    waiting.refresh_from_db()
    assert (waiting.division.name, waiting.status) == ("Jackpot 2", "active")
    assert set(EntryPlayer.objects.filter(entry=waiting).values_list("division", flat=True)) == {
        waiting.division_id
    }
    assert integrity_faults(tournament.event) == []


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        (DivisionDetails(name="Jackpot", starts_when_full=True), ("division.full_without_end", "capacity")),
        (
            DivisionDetails(name="Jackpot", starts_when_full=True, capacity=2),
            ("division.full_already", "capacity"),
        ),
    ],
)
def test_division_when_it_cannot_start_by_itself_then_told_at_its_field(details, expected):
    tournament = an_event(3)
    with pytest.raises(Invalid) as refused:
        update_division(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            division=details,
        )
    assert [(fault.code, fault.field) for fault in refused.value.faults] == [expected]


def test_division_when_it_is_no_bracket_then_it_does_not_start_by_itself():
    tournament = an_event(2)
    swiss = StageDetails(lengths=[5], system="swiss")
    wanted = DivisionDetails(name="Swiss pot", capacity=4, starts_when_full=True, stages=[swiss])
    with pytest.raises(Invalid) as refused:
        add_division(actor=tournament.actor, event_id=tournament.event.pk, division=wanted, first_name="Open")
    assert [fault.code for fault in refused.value.faults] == ["division.full_of_one_bracket"]
