"""Findings R1 to R4: slips are one finding each at their place, broken logs are doubtful, stars and names are looked at."""

from dataclasses import replace
from random import Random

import pytest

from games.records.checking import check_record
from games.records.model import Game, Record, Result, Roll, Step
from games.records.validation import ExpectedMatch, VerdictDecision, validate
from games.rules.formats import MatchFormat
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from games.rules.sides import Side
from tests.golden.records.test_golden_records import FOLDER
from tests.support.random_matches import random_match
from tests.support.records import BAD_OPENING, a_record

SEEDS = range(6)


def codes(verdict):
    return [found.code for found in verdict.findings]


def a_game(seed):
    """A whole game by chance, of hundreds of turns, in which nothing is wrong."""
    return random_match(Random(seed), MatchFormat(length=1), quick=0)


def changed(record, index, roll=None):
    """The record with another roll at this place of its game, or without the turn."""
    (game,) = record.games
    instead = () if roll is None else (roll,)
    return replace(
        record, games=(replace(game, actions=game.actions[:index] + instead + game.actions[index + 1 :]),)
    )


def with_a_wrong_pip(record, after):
    """The first play from there on with one target a pip off."""
    for index, roll in enumerate(record.games[0].actions[after:], after):
        if isinstance(roll, Roll) and roll.steps and roll.steps[0].target + 1 < roll.steps[0].source:
            first, *others = roll.steps
            steps = (Step(first.source, first.target + 1), *others)
            return changed(record, index, replace(roll, steps=steps)), index + 1
    raise AssertionError("no such play")


@pytest.mark.parametrize("seed", SEEDS)
def test_r1_one_wrong_pip_when_checked_then_one_finding_at_the_slip(seed):
    record = a_game(seed)
    assert validate(record).decision in (VerdictDecision.ACCEPT, VerdictDecision.ACCEPT_WITH_NOTES)
    usual = set(codes(validate(record)))

    wrong, turn = with_a_wrong_pip(record, 12)
    found = [
        one for one in validate(wrong).findings if one.code not in usual and not one.code.startswith("star.")
    ]

    assert [(one.game, one.turn) for one in found] == [(1, turn)]
    assert found[0].code in ("play.slip", "play.illegal_stands")


def test_r1_wrong_pips_when_checked_then_most_are_doubtful_and_count_what_follows():
    checked = [validate(with_a_wrong_pip(a_game(seed), 12)[0]) for seed in SEEDS]

    doubtful = [verdict for verdict in checked if verdict.is_doubtful]
    assert len(doubtful) > len(checked) / 2
    assert all(
        one.params["more"] > 0 for verdict in doubtful for one in verdict.findings if one.code == "play.slip"
    )
    assert not any(verdict.is_acceptable for verdict in doubtful)


def test_r1_turn_left_out_when_checked_then_told_where_it_is_missing():
    record = a_game(2)
    found = [one for one in validate(changed(record, 12)).findings if one.code.startswith(("turn.", "play."))]

    assert [one.code for one in found] == ["turn.lost"]
    assert found[0].turn == 13
    assert found[0].params["more"] > 3


def test_r1_slip_that_is_read_when_the_game_ends_then_the_result_is_that_of_the_play_that_fits():
    record = a_game(312)
    wrong, _turn = with_a_wrong_pip(record, 7)

    assert validate(wrong).score == validate(record).score


def test_r1_illegal_play_after_which_all_fits_then_a_note_as_r42_has_it():
    verdict = check_record(a_record("Ada", "Bo", 3, "lrll", opening=BAD_OPENING)).verdict

    assert codes(verdict) == ["play.illegal_stands"]
    assert verdict.decision is VerdictDecision.ACCEPT_WITH_NOTES


@pytest.mark.parametrize(
    ("moves", "games", "decision"),
    [
        (MovesPolicy.LEGAL, 2, VerdictDecision.DOUBTFUL),
        (MovesPolicy.RESPONSIBLE, 3, VerdictDecision.ACCEPT_WITH_NOTES),
        (MovesPolicy.RESPONSIBLE, 4, VerdictDecision.DOUBTFUL),
    ],
)
def test_r1_f7_several_illegal_plays_that_stand_then_doubtful_as_the_moves_policy_says(
    moves, games, decision
):
    data = a_record("Ada", "Bo", games, "l" * games, opening=BAD_OPENING, in_all=True)
    verdict = check_record(data, expected=ExpectedMatch(finished=False, slips=SlipRules(moves=moves))).verdict

    assert verdict.decision is decision
    assert codes(verdict).count("play.illegal_stands") == games
    assert ("play.several_illegal" in codes(verdict)) is (decision is VerdictDecision.DOUBTFUL)


def test_r1_file_that_is_wrong_everywhere_then_bounded_and_rejected():
    sides = (Side.WHITE, Side.BLACK) * 900
    wrong = tuple(Roll(side, (3, 1), (Step(24, 3),)) for side in sides)
    verdict = validate(Record(("Ada", "Bo"), 9, (Game(1, (0, 0), wrong, Result(Side.WHITE, 1)),)))

    assert "record.too_many_findings" in codes(verdict)
    assert verdict.decision is VerdictDecision.REJECT


def test_r2_every_step_starred_then_no_longer_accepted_without_a_note():
    record = a_game(1)
    (game,) = record.games
    starred = tuple(
        replace(roll, steps=tuple(step._replace(hit=True) for step in roll.steps))
        if isinstance(roll, Roll)
        else roll
        for roll in game.actions
    )
    verdict = validate(replace(record, games=(replace(game, actions=starred),)))

    assert verdict.decision is VerdictDecision.ACCEPT_WITH_NOTES
    (found,) = [one for one in verdict.findings if one.code == "star.false"]
    assert found.params["more"] > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_r2_star_taken_away_or_added_then_found_at_its_turn(seed):
    record = a_game(seed)
    (game,) = record.games
    hits = [
        i for i, roll in enumerate(game.actions) if isinstance(roll, Roll) and any(s.hit for s in roll.steps)
    ]
    quiet = next(
        i for i, roll in enumerate(game.actions) if isinstance(roll, Roll) and roll.steps and i not in hits
    )
    for index, hit, code in ((hits[1], False, "star.missing"), (quiet, True, "star.false")):
        roll = game.actions[index]
        wrong = changed(
            record, index, replace(roll, steps=tuple(step._replace(hit=hit) for step in roll.steps))
        )
        found = [(one.code, one.turn) for one in validate(wrong).findings if one.code.startswith("star.")]
        assert found == [(code, index + 1)]


def test_r2_file_without_stars_or_with_an_odd_one_then_hits_without_stars_are_no_news():
    record = a_game(3)
    (game,) = record.games
    bare = tuple(
        replace(roll, steps=tuple(step._replace(hit=False) for step in roll.steps))
        if isinstance(roll, Roll)
        else roll
        for roll in game.actions
    )
    none = replace(record, games=(replace(game, actions=bare),))
    assert not [code for code in codes(validate(none)) if code.startswith("star.")]

    index = next(
        i for i, roll in enumerate(game.actions) if isinstance(roll, Roll) and any(s.hit for s in roll.steps)
    )
    assert not [
        code
        for code in codes(validate(changed(none, index, game.actions[index])))
        if code.startswith("star.")
    ]


def test_r3_first_game_missing_then_not_complete_and_refused_where_the_match_began_at_nothing():
    data = (FOLDER / "first_game_missing.mat").read_bytes()

    assert not check_record(data).verdict.complete
    expected = check_record(data, expected=ExpectedMatch(length=3, possible_starts=((0, 0),))).verdict
    assert expected.decision is VerdictDecision.REJECT
    assert "expected.start" in codes(expected)
    went_on = check_record(data, expected=ExpectedMatch(length=3, possible_starts=((0, 0), (1, 0)))).verdict
    assert went_on.decision is VerdictDecision.ACCEPT
    assert went_on.complete


def test_r4_name_that_changes_every_game_then_one_note_with_the_number_of_the_others():
    data = (FOLDER / "name_changes.mat").read_bytes()
    (found,) = check_record(data).verdict.findings

    assert (found.code, found.game, found.params["more"]) == ("match.name_changes", 2, 1)
    both = data.replace(b" Ada (away) : 1                         Bo", b" Cy : 1                         Di")
    assert "match.players_change" in codes(check_record(both).verdict)


def games_with_a_wrong_score(number):
    """So many games of a match to nine, the second of which begins at a score that the first did not make."""
    left = [0, 2, 3, 4][:number]
    actions = check_record(a_record("Ada", "Bo", 1, "l")).record.games[0].actions
    games = [Game(at, (before, 0), actions, Result(Side.WHITE, 1)) for at, before in enumerate(left, 1)]
    return Record(("Ada", "Bo"), 9, tuple(games))


@pytest.mark.parametrize(
    ("until", "games", "decision"),
    [
        (CorrectedUntil.NEXT_GAME, 2, VerdictDecision.REJECT),
        (CorrectedUntil.NEXT_GAME, 3, VerdictDecision.DOUBTFUL),
        (CorrectedUntil.FIRST_PLAY, 2, VerdictDecision.DOUBTFUL),
        (CorrectedUntil.RESULT, 3, VerdictDecision.REJECT),
        (None, 3, VerdictDecision.REJECT),
    ],
)
def test_f16_wrong_score_when_the_limit_has_passed_then_it_stands_and_somebody_is_asked(
    until, games, decision
):
    slips = None if until is None else SlipRules(score=until)
    verdict = validate(games_with_a_wrong_score(games), expected=ExpectedMatch(finished=False, slips=slips))

    assert "score.carried" in codes(verdict)
    assert verdict.decision is decision


@pytest.mark.parametrize(
    ("until", "decision"),
    [
        (CorrectedUntil.FIRST_PLAY, VerdictDecision.ACCEPT_WITH_NOTES),
        (CorrectedUntil.NEXT_GAME, VerdictDecision.DOUBTFUL),
        (CorrectedUntil.RESULT, VerdictDecision.DOUBTFUL),
    ],
)
def test_f16_wrong_start_when_the_limit_has_not_passed_then_doubtful(until, decision):
    data = (FOLDER / "cannot_move.mat").read_bytes()

    verdict = check_record(data, expected=ExpectedMatch(finished=False, slips=SlipRules(start=until))).verdict
    assert codes(verdict) == ["start.set_up"]
    assert verdict.decision is decision
    assert check_record(data).verdict.decision is VerdictDecision.ACCEPT_WITH_NOTES


def test_f16_wrong_score_when_put_right_in_a_later_game_then_told_once():
    record = games_with_a_wrong_score(4)
    games = (
        *record.games[:2],
        *(replace(game, score_before=(at, 0)) for at, game in enumerate(record.games[2:], 2)),
    )
    verdict = validate(replace(record, games=games))

    assert [(one.code, one.game) for one in verdict.findings if one.code == "score.carried"] == [
        ("score.carried", 2)
    ]
    assert verdict.score == (4, 0)
