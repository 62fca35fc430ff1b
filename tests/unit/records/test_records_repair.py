"""Plays that cannot be right, and what they may have been: the truth is put wrong, and has to be found again."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from games.records.model import Board, Game, Record, Result, Roll, RollMark, Setup, Step
from games.records.registry import read_record
from games.records.repair import MAX_PROPOSALS, find_repairs, repaired_record
from games.records.validation import validate
from games.rules.formats import MatchFormat
from games.rules.plays import legal_plays
from games.rules.sides import Side
from tests.support.random_matches import random_match

GOLDEN = Path(__file__).resolve().parents[2] / "golden/records"


@cache
def a_match() -> Record:
    """One game to a point, borne off at the end."""
    return random_match(Random(5), MatchFormat(length=1), quick=0.0)


def with_roll(record: Record, turn: int, **changes: object) -> Record:
    game = record.games[0]
    actions = list(game.actions)
    actions[turn - 1] = replace(actions[turn - 1], **changes)
    return replace(record, games=(replace(game, actions=tuple(actions)), *record.games[1:]))


def played_turns(record: Record) -> list[tuple[int, Roll]]:
    rolls = [
        (turn, action) for turn, action in enumerate(record.games[0].actions, 1) if isinstance(action, Roll)
    ]
    return [(turn, roll) for turn, roll in rolls if len(roll.steps) == 2]


def boards(record: Record) -> list[object]:
    return [state.after for state in validate(record).replay.games[0].states]


def proposals(record: Record) -> list[Record]:
    (repair,) = find_repairs(record)
    return [repaired_record(record, proposal) for proposal in repair.proposals]


@pytest.mark.parametrize("place", [3, 10, 20])
def test_wrong_number_of_a_play_is_found_again(place):
    turn, roll = played_turns(a_match())[place]
    wrong = Step(roll.steps[0].source, max(roll.steps[0].target - 1, 0))
    broken = with_roll(a_match(), turn, steps=(wrong, *roll.steps[1:]))
    assert boards(a_match()) in [boards(copy) for copy in proposals(broken)]


@pytest.mark.parametrize("place", [4, 12])
def test_wrong_die_is_found_again(place):
    turn, roll = next(
        (turn, roll) for turn, roll in played_turns(a_match())[place:] if roll.dice[0] != roll.dice[1]
    )
    broken = with_roll(a_match(), turn, dice=(roll.dice[0], roll.dice[0]))
    assert a_match().games[0].actions[turn - 1].dice in [
        copy.games[0].actions[turn - 1].dice for copy in proposals(broken)
    ]


def test_legal_play_that_was_not_played_is_found_where_it_was_written():
    """It is noticed only later, where a checker is missing."""
    states = validate(a_match()).replay.games[0].states
    state = next(state for state in states[6:] if state.turn == played_turns(a_match())[6][0])
    roll = state.action
    play = next(play for play in legal_plays(state.before, roll.dice) if play.result != state.after)
    broken = with_roll(a_match(), state.turn, steps=tuple(Step(*step) for step in play.steps))
    (repair,) = find_repairs(broken)
    assert repair.turn > state.turn
    assert boards(a_match()) in [boards(copy) for copy in proposals(broken)]


def test_two_slips_are_put_right_together():
    turns = played_turns(a_match())
    broken = a_match()
    for turn, roll in (turns[5], turns[15]):
        wrong = Step(roll.steps[0].source, max(roll.steps[0].target - 1, 0))
        broken = with_roll(broken, turn, steps=(wrong, *roll.steps[1:]))
    (repair,) = find_repairs(broken)
    assert [len(proposal.changes) for proposal in repair.proposals] == [2] * len(repair.proposals)
    assert boards(a_match()) in [boards(copy) for copy in proposals(broken)]


def test_corrected_copy_is_in_order_and_says_the_rest_as_before():
    turn, roll = played_turns(a_match())[10]
    broken = with_roll(a_match(), turn, steps=roll.steps[:1])
    for copy in proposals(broken):
        assert not [found.code for found in validate(copy).findings if found.code.startswith("play.ill")]
        assert copy.games[0].result == a_match().games[0].result
        others = [action for place, action in enumerate(copy.games[0].actions, 1) if place != turn]
        assert len(set(map(repr, others)) - set(map(repr, a_match().games[0].actions))) <= 1


def test_proposals_have_keys_that_stay_and_differ():
    turn, roll = played_turns(a_match())[10]
    broken = with_roll(a_match(), turn, steps=roll.steps[:1])
    keys = [[p.key for p in repair.proposals] for _ in range(2) for repair in find_repairs(broken)]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == len(keys[0]) <= MAX_PROPOSALS
    assert keys[0][0].startswith("1.")


def test_sound_record_needs_no_repair():
    assert find_repairs(a_match()) == ()


def test_nearest_to_what_was_written_is_proposed_and_nothing_further_off():
    """31: 8/4 6/5 in a game of two turns, after which nearly everything fits."""
    record = read_record((GOLDEN / "illegal_play_played_on.mat").read_bytes()).record
    (repair,) = find_repairs(record)
    keys = {proposal.key for proposal in repair.proposals}
    assert keys == {"1.1=41:8/4-6/5", "1.1=31:8/5-6/5", "1.1=31:8/5-5/4"}
    assert repair.proposals[0].changes[0].is_dice_change


def test_board_put_up_by_hand_is_not_guessed_at():
    turn, roll = played_turns(a_match())[10]
    broken = with_roll(a_match(), turn, steps=roll.steps[:1])
    game = broken.games[0]
    broken = replace(broken, games=(replace(game, actions=(*game.actions[:4], Setup(), *game.actions[4:])),))
    assert [repair.proposals for repair in find_repairs(broken)] == [()]


def test_log_that_has_lost_its_thread_ends_at_its_limit():
    """Every third play is another one: nothing is found, and it is not sought for ever."""
    broken = a_match()
    for turn, roll in played_turns(a_match())[::3]:
        broken = with_roll(
            broken, turn, steps=(Step(roll.steps[0].source, max(roll.steps[0].target - 1, 0)),)
        )
    (repair,) = find_repairs(broken)
    assert repair.proposals == ()
    assert repair.is_exhausted


def test_record_of_hundreds_of_plays_that_can_be_read_in_two_ways_ends_at_its_limit():
    """Nobody plays so: after each of White's plays, past a blot or over it, the board is put back by an illegal play of Black."""
    blot = Board(
        tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26)),
        tuple({24: 2, 13: 5, 8: 3, 7: 1, 6: 4}.get(point, 0) for point in range(26)),
    )
    put_back = Roll(Side.BLACK, (2, 1), (), RollMark.ILLEGAL, blot)
    past = Roll(Side.WHITE, (6, 4), (Step(24, 14),))
    wrong = Roll(Side.WHITE, (3, 1), (Step(8, 4), Step(6, 5)))
    game = Game(1, (0, 0), (wrong, *(put_back, past) * 600), Result(Side.WHITE, 1))
    (repair,) = find_repairs(Record(("Ada", "Bo"), 5, (game,)))
    assert repair.turn == 1
