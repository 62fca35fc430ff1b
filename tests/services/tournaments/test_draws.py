"""Draws: stored seeds, byes, tables, publishing and taking back."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from faults import Conflict, Invalid
from people.models import AuditEntry
from tests.factories import an_event
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw, unpublish_draw
from tournaments.engine.statuses import MatchAction
from tournaments.entries.services.entries import set_seeds
from tournaments.hall.services.calling import move_match
from tournaments.models import Match, MatchSlot

pytestmark = pytest.mark.django_db


def first_round(tournament):
    """Names in the lines of the first round, None for a bye."""
    slots = MatchSlot.objects.filter(match__stage=tournament.stage, match__round__number=1)
    return [slot.entry.name if slot.entry else None for slot in slots.order_by("match__number", "side")]


@pytest.mark.parametrize(
    ("entries", "matches", "byes"), [(2, 1, 0), (3, 3, 1), (5, 7, 3), (8, 7, 0), (13, 15, 3)]
)
def test_draw_when_any_number_then_a_full_bracket_with_byes_through(entries, matches, byes):
    tournament = an_event(entries=entries).draw()
    assert Match.objects.filter(stage=tournament.stage).count() == matches
    assert Match.objects.filter(stage=tournament.stage, result_kind="bye", status="confirmed").count() == byes
    assert sorted(name for name in first_round(tournament) if name) == sorted(
        tournament.division.entries.values_list("name", flat=True)
    )


def test_draw_when_the_seed_is_used_again_then_the_same_draw():
    tournament = an_event(entries=11).draw(seed=None)
    seed, lines = tournament.stage.draw_seed, first_round(tournament)
    tournament.draw(seed=None)
    assert tournament.stage.draw_seed != seed
    tournament.draw(seed=seed)
    assert (tournament.stage.draw_seed, first_round(tournament)) == (seed, lines)
    drawn = [row.data["seed"] for row in AuditEntry.objects.filter(action="draw.make")]
    assert drawn.count(seed) == 2


def test_draw_when_seeded_then_best_seeds_apart_and_byes_to_the_top():
    tournament = an_event(entries=6, draw_method="seeded")
    seeds = {tournament.entry(name).pk: n for n, name in enumerate(["Finn", "Eva", "Dan", "Cleo"], start=1)}
    set_seeds(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk, seeds=seeds
    )
    lines = first_round(tournament.draw())
    assert lines[0] == "Finn"
    assert lines[1] is None
    assert "Eva" in lines[4:]
    assert lines[lines.index("Eva") ^ 1] is None


@pytest.mark.parametrize("entries", [0, 1])
def test_draw_when_too_few_entries_then_refused(entries):
    tournament = an_event(entries=entries)
    with pytest.raises(Invalid) as refused:
        tournament.draw()
    assert refused.value.code == "draw.entries_odd"
    assert tournament.stage.status == "setup"


def test_draw_when_published_then_a_redraw_is_refused():
    tournament = an_event(entries=4).publish()
    with pytest.raises(Conflict):
        draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)


def test_discard_draw_when_drawn_then_nothing_is_left_of_it():
    tournament = an_event(entries=4).draw()
    discard_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert (tournament.stage.status, tournament.stage.draw_seed) == ("setup", "")
    assert not Match.objects.exists()


def test_publish_draw_when_fewer_tables_than_matches_then_first_matches_get_them():
    tournament = an_event(entries=8, tables=3).publish()
    tables = list(Match.objects.filter(round__number=1).order_by("number").values_list("table", flat=True))
    assert tables == [1, 2, 3, None]
    assert (tournament.event.status, tournament.stage.status) == ("running", "published")
    tournament.settle(Match.objects.get(table=2), "a")
    assert Match.objects.get(round__number=1, number=4).table == 2


def test_lengths_when_counted_back_from_the_final_then_each_round_has_its_own():
    tournament = an_event(entries=32, lengths=[5, 5, 7, 9]).publish()
    lengths = dict(tournament.stage.rounds.values_list("code", "length"))
    assert lengths == {"last_32": 5, "last_16": 5, "quarterfinal": 5, "semifinal": 7, "final": 9}


def test_take_back_draw_when_nothing_has_begun_then_open_again_and_entries_can_change():
    tournament = an_event(entries=4).publish()
    unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert (tournament.fresh().status, tournament.stage.status) == ("open", "drawn")
    assert not Match.objects.exclude(table=None).exists()
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert tournament.fresh().status == "running"


def test_take_back_draw_when_a_match_was_called_then_refused():
    tournament = an_event(entries=4).publish()
    match = tournament.playable()[0]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    with pytest.raises(Conflict):
        unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert tournament.stage.status == "running"


@pytest.mark.parametrize("action", [MatchAction.CALL, MatchAction.START])
def test_take_back_draw_when_the_only_match_begun_was_sent_back_then_possible_again(action):
    tournament = an_event(entries=6).publish()
    mistaken = tournament.playable()[0]
    for step in (action, MatchAction.SEND_BACK):
        move_match(actor=tournament.actor, event_id=tournament.event.pk, match_id=mistaken.pk, action=step)
    assert tournament.fresh().status == "running"
    assert tournament.stage.status == "published"
    unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert tournament.stage.status == "drawn"


def test_take_back_draw_when_another_match_is_still_called_then_refused():
    tournament = an_event(entries=6).publish()
    mistaken, other = tournament.playable()
    for match, action in ((mistaken, "call"), (other, "call"), (mistaken, "send_back")):
        move_match(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            match_id=match.pk,
            action=MatchAction(action),
        )
    with pytest.raises(Conflict):
        unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert tournament.stage.status == "running"


def test_draw_when_1024_entries_then_a_bounded_number_of_statements():
    tournament = an_event(entries=1024)
    with CaptureQueriesContext(connection) as made:
        tournament.draw()
    assert Match.objects.count() == 1023
    # Bulk statements are split by the database's limit on parameters, not by the number of entries alone.
    assert len(made) < 62
