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


def playing(night, number):
    return {name for pair in pairs_of(night, number) for name in pair if name}


def lives_left(night):
    names = names_of(night)
    return {names[entry]: left for entry, left in lives_by_entry(draw_at(night)).items()}


@pytest.mark.parametrize(("entries", "lives"), [(2, 1), (5, 1), (6, 2), (9, 3), *the_few_or([(17, 2)], [])])
def test_lives_when_played_out_then_one_is_left_and_nobody_plays_after_going_out(entries, lives):
    night = play_to_the_end(with_lives(entries, lives))
    assert night.fresh().status == "finished"
    assert len(lives_left(night)) == 1
    lost = dict.fromkeys(names_of(night).values(), 0)
    for round_ in Round.objects.order_by("number"):
        assert all(lost[name] < lives for name in playing(night, round_.number))
        for match in Match.objects.filter(round=round_).exclude(result_kind="bye"):
            lost[night.entry_at(match, "b" if match.winner_side == "a" else "a").name] += 1
    assert sorted(lost.values())[1:] == [lives] * (entries - 1)
    assert broken_pairing_criteria(night.stage, draw_at(night)) == ()


def test_places_when_somebody_goes_out_then_by_the_round_of_going_out():
    night = with_lives(8, 1)
    for _round in range(3):
        publish_next(night)
        win_by_name(night)
    assert night.fresh().status == "finished"
    (places,) = places_by_stage([night.stage]).values()
    assert sorted((place.first, place.last) for place in places.values()) == [
        (1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8),
    ]  # fmt: skip
    assert tables(night)[0][0] == ("Ann", 1, 6)


def test_table_when_under_way_then_it_tells_the_lives_that_are_left():
    night = with_lives(4, 2)
    publish_next(night)
    win_by_name(night)
    (table,) = standings_tables(draw_at(night))
    names = names_of(night)
    left = {names[entry]: lives for entry, lives in table.lives.items()}
    assert sorted(left.values()) == [1, 1, 2, 2]
    assert left["Ann"] == 2


def test_late_entry_when_others_are_out_already_then_with_all_its_lives():
    night = with_lives(4, 1)
    publish_next(night)
    win_by_name(night)
    add_entry(
        actor=night.actor, event_id=night.event.pk, division_id=night.division.pk, entry=NewEntry(name="Zoe")
    )
    publish_next(night)
    assert "Zoe" in playing(night, 2)
    assert len(playing(night, 2)) == 3
    play_to_the_end_from_here(night)
    assert night.fresh().status == "finished"


def play_to_the_end_from_here(night):
    night.play_out()
    while has_round_to_come(night.stage):
        publish_next(night)
        night.play_out()


def test_withdrawal_when_two_are_left_then_it_is_over_for_the_other_one():
    night = with_lives(3, 2)
    publish_next(night)
    win_by_name(night)
    withdraw_entry(actor=night.actor, event_id=night.event.pk, entry_id=night.entry("Cleo").pk)
    publish_next(night)
    assert playing(night, 2) == {"Ann", "Bob"}
    play_to_the_end_from_here(night)
    assert night.fresh().status == "finished"


def test_last_two_when_neither_comes_then_both_are_out_and_share_the_place():
    night = with_lives(2, 1)
    publish_next(night)
    night.says(night.playable()[0], None, 0, 0, kind="double_walkover")
    assert night.fresh().status == "finished"
    assert tables(night)[0] == [("Ann", 1, 0), ("Bob", 1, 0)]


def test_unfinished_match_when_recorded_then_nobody_has_lost_a_life():
    night = with_lives(2, 1)
    publish_next(night)
    night.says(night.playable()[0], None, 3, 2, kind="unfinished")
    assert night.fresh().status == "running"
    assert can_pair_round(night.stage, draw_at(night))
    end_stage(**where(night))
    assert night.fresh().status == "finished"
    assert [place for _name, place, _points in tables(night)[0]] == [1, 1]


def test_lengths_when_nobody_knows_the_last_round_then_they_count_from_the_first():
    night = with_lives(8, 1, lengths=[3, 5])
    play_to_the_end(night)
    assert list(Round.objects.order_by("number").values_list("length", flat=True)) == [3, 5, 5]


def test_correction_when_it_leaves_two_in_then_the_rounds_go_on_until_it_is_undone():
    night = with_lives(2, 2)
    publish_next(night)
    win_by_name(night)
    publish_next(night)
    last = night.playable()[0]
    win_by_name(night)
    assert night.fresh().status == "finished"
    last.refresh_from_db()
    loser = Side(last.winner_side).other
    claim = Claim(5, 0) if loser is Side.A else Claim(0, 5)
    at = {"actor": night.actor, "event_id": night.event.pk}
    correct_result(**at, match_id=last.pk, claim=claim, submission_key="put right")
    assert (night.fresh().status, night.stage.status) == ("running", "running")
    assert lives_left(night) == {"Ann": 1, "Bob": 1}
    undo_repair(**at, audit_id=last_repair(night.fresh(), night.stage).pk)
    assert (night.fresh().status, night.stage.status) == ("finished", "finished")
    correct_result(**at, match_id=last.pk, claim=claim, submission_key="put right after all")
    publish_next(night)
    win_by_name(night)
    assert night.fresh().status == "finished"
