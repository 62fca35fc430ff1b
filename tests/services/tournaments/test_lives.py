"""A Swiss in which who has lost so many matches is out: rounds until one is left, late entries, the end by hand."""

import pytest

from tests.factories import an_event
from tests.support.lanes import the_few_or
from tests.support.rounds import (
    draw_at,
    names_of,
    pairs_of,
    play_to_the_end,
    publish_next,
    tables,
    where,
    win_by_name,
)
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim, Side
from tournaments.entries.services.entries import NewEntry, add_entry, withdraw_entry
from tournaments.models import Match, Round
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.rounds.services.rounds import end_stage
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.repairs.undo import last_repair
from tournaments.selectors.rounds.next import broken_pairing_criteria, can_pair_round, has_round_to_come
from tournaments.selectors.standings.tables import lives_by_entry, standings_tables

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]


def with_lives(entries, lives, **changes):
    settings = {k: changes.pop(k) for k in list(changes) if k in SwissSettings.__dataclass_fields__}
    swiss = SwissSettings(lives=lives, **{"tie_breaks": (), **settings})
    return an_event(entries, system="swiss", swiss=swiss, **{"lengths": [5], **changes})


def playing(tournament, number):
    return {name for pair in pairs_of(tournament, number) for name in pair if name}


def lives_left(tournament):
    names = names_of(tournament)
    return {names[entry]: left for entry, left in lives_by_entry(draw_at(tournament)).items()}


@pytest.mark.parametrize(("entries", "lives"), [(2, 1), (5, 1), (6, 2), (9, 3), *the_few_or([(17, 2)], [])])
def test_lives_when_played_out_then_one_is_left_and_nobody_plays_after_going_out(entries, lives):
    tournament = play_to_the_end(with_lives(entries, lives))
    assert tournament.fresh().status == "finished"
    assert len(lives_left(tournament)) == 1
    lost = dict.fromkeys(names_of(tournament).values(), 0)
    for round_ in Round.objects.order_by("number"):
        assert all(lost[name] < lives for name in playing(tournament, round_.number))
        for match in Match.objects.filter(round=round_).exclude(result_kind="bye"):
            lost[tournament.entry_at(match, "b" if match.winner_side == "a" else "a").name] += 1
    assert sorted(lost.values())[1:] == [lives] * (entries - 1)
    assert broken_pairing_criteria(tournament.stage, draw_at(tournament)) == ()


def test_places_when_somebody_goes_out_then_by_the_round_of_going_out():
    tournament = with_lives(8, 1)
    for _round in range(3):
        publish_next(tournament)
        win_by_name(tournament)
    assert tournament.fresh().status == "finished"
    (places,) = places_by_stage([tournament.stage]).values()
    assert sorted((place.first, place.last) for place in places.values()) == [
        (1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8),
    ]  # fmt: skip
    assert tables(tournament)[0][0] == ("Ann", 1, 6)


def test_table_when_under_way_then_it_tells_the_lives_that_are_left():
    tournament = with_lives(4, 2)
    publish_next(tournament)
    win_by_name(tournament)
    (table,) = standings_tables(draw_at(tournament))
    names = names_of(tournament)
    left = {names[entry]: lives for entry, lives in table.lives_by_entry.items()}
    assert sorted(left.values()) == [1, 1, 2, 2]
    assert left["Ann"] == 2


def test_late_entry_when_others_are_out_already_then_with_all_its_lives():
    tournament = with_lives(4, 1)
    publish_next(tournament)
    win_by_name(tournament)
    add_entry(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entry=NewEntry(name="Zoe"),
    )
    publish_next(tournament)
    assert "Zoe" in playing(tournament, 2)
    assert len(playing(tournament, 2)) == 3
    play_to_the_end_from_here(tournament)
    assert tournament.fresh().status == "finished"


def play_to_the_end_from_here(tournament):
    tournament.play_out()
    while has_round_to_come(tournament.stage):
        publish_next(tournament)
        tournament.play_out()


def test_withdrawal_when_two_are_left_then_it_is_over_for_the_other_one():
    tournament = with_lives(3, 2)
    publish_next(tournament)
    win_by_name(tournament)
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Cleo").pk)
    publish_next(tournament)
    assert playing(tournament, 2) == {"Ann", "Bob"}
    play_to_the_end_from_here(tournament)
    assert tournament.fresh().status == "finished"


def test_last_two_when_neither_comes_then_both_are_out_and_share_the_place():
    tournament = with_lives(2, 1)
    publish_next(tournament)
    tournament.says(tournament.playable()[0], None, 0, 0, kind="double_walkover")
    assert tournament.fresh().status == "finished"
    assert tables(tournament)[0] == [("Ann", 1, 0), ("Bob", 1, 0)]


def test_unfinished_match_when_recorded_then_nobody_has_lost_a_life():
    tournament = with_lives(2, 1)
    publish_next(tournament)
    tournament.says(tournament.playable()[0], None, 3, 2, kind="unfinished")
    assert tournament.fresh().status == "running"
    assert can_pair_round(tournament.stage, draw_at(tournament))
    end_stage(**where(tournament))
    assert tournament.fresh().status == "finished"
    assert [place for _name, place, _points in tables(tournament)[0]] == [1, 1]


def test_lengths_when_nobody_knows_the_last_round_then_they_count_from_the_first():
    tournament = with_lives(8, 1, lengths=[3, 5])
    play_to_the_end(tournament)
    assert list(Round.objects.order_by("number").values_list("length", flat=True)) == [3, 5, 5]


def test_correction_when_it_leaves_two_in_then_the_rounds_go_on_until_it_is_undone():
    tournament = with_lives(2, 2)
    publish_next(tournament)
    win_by_name(tournament)
    publish_next(tournament)
    last = tournament.playable()[0]
    win_by_name(tournament)
    assert tournament.fresh().status == "finished"
    last.refresh_from_db()
    loser = Side(last.winner_side).other
    claim = Claim(5, 0) if loser is Side.A else Claim(0, 5)
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    correct_result(**at, match_id=last.pk, claim=claim, submission_key="put right")
    assert (tournament.fresh().status, tournament.stage.status) == ("running", "running")
    assert lives_left(tournament) == {"Ann": 1, "Bob": 1}
    undo_repair(**at, audit_id=last_repair(tournament.fresh(), tournament.stage).pk)
    assert (tournament.fresh().status, tournament.stage.status) == ("finished", "finished")
    correct_result(**at, match_id=last.pk, claim=claim, submission_key="put right after all")
    publish_next(tournament)
    win_by_name(tournament)
    assert tournament.fresh().status == "finished"
