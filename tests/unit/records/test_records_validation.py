"""What a record is held against: the rules, its own result lines, and what the bracket expects."""

from dataclasses import replace
from random import Random

import pytest

from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.findings import Severity, finding
from games.records.model import (
    Board,
    CubeAction,
    CubeKind,
    Game,
    Options,
    Record,
    Result,
    Roll,
    RollMark,
    Setup,
    Step,
    Variation,
)
from games.records.registry import read_record, write_record
from games.records.replaying import End, format_steps
from games.records.validation import ExpectedMatch, VerdictDecision, are_sides_swapped, replay, validate
from games.rules.cube import HIGHEST_CUBE, MAX_CUBE_TURNS
from games.rules.formats import MatchFormat
from games.rules.position import Position
from games.rules.scoring import WinKind
from games.rules.sides import Side
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

WHITE, BLACK = Side.WHITE, Side.BLACK
OPENING = (Roll(WHITE, (3, 1), (Step(8, 5), Step(6, 5))), Roll(BLACK, (4, 2), (Step(8, 4), Step(6, 4))))
PASSED = (*OPENING, CubeAction(WHITE, CubeKind.DOUBLE, 2), CubeAction(BLACK, CubeKind.PASS))


def won(number, before, winner=WHITE, points=1, doing=OPENING):
    """A game that its loser resigned after the first two turns."""
    return Game(number, before, doing, Result(winner, points))


def record(*games, length=3, players=("Ada", "Bo"), **options):
    return Record(players, length, games, (), Options(**options))


def codes(verdict):
    return [found.code for found in verdict.findings]


def three_points():
    return record(won(1, (0, 0)), won(2, (1, 0)), won(3, (2, 0)))


def test_match_when_all_fits_then_accepted():
    verdict = validate(three_points())

    assert verdict.decision is VerdictDecision.ACCEPT
    assert verdict.complete
    assert verdict.score == (3, 0)
    assert [game.crawford for game in verdict.replay.games] == [False, False, True]


def test_expected_players_when_the_columns_are_turned_round_then_swapped():
    verdict = validate(three_points(), expected=ExpectedMatch(3, (("BO", "bobar"), ("ada",)), (0, 3)))

    assert verdict.decision is VerdictDecision.ACCEPT
    assert verdict.is_swapped
    assert verdict.expected_score == (0, 3)


def test_expected_players_when_others_then_rejected():
    assert codes(validate(three_points(), expected=ExpectedMatch(players=(("Ada",), ("Cy",))))) == [
        "expected.players"
    ]


def test_name_when_written_with_a_rating_then_the_same_player():
    assert are_sides_swapped(("ada ,1782", "B O"), (("Ada",), ("bo",))) is False
    assert are_sides_swapped(("Ada, Bo", "x"), (("ada",), ("x",))) is None


def test_expected_length_when_another_then_rejected_once():
    verdict = validate(three_points(), MatchFormat(length=5), ExpectedMatch(length=5))

    assert codes(verdict) == ["expected.length"]
    assert verdict.decision is VerdictDecision.REJECT
    assert verdict.score == (3, 0)


def test_expected_score_when_claimed_otherwise_then_rejected():
    assert codes(validate(three_points(), expected=ExpectedMatch(score=(3, 1)))) == ["expected.score"]
    assert codes(validate(three_points(), expected=ExpectedMatch(score=(7, 0)))) == []


def test_unfinished_match_when_a_finished_one_is_claimed_then_rejected():
    unfinished = record(won(1, (0, 0)))

    assert validate(unfinished).is_acceptable
    assert validate(unfinished, expected=ExpectedMatch(finished=False)).is_acceptable
    verdict = validate(unfinished, expected=ExpectedMatch())
    assert verdict.decision is VerdictDecision.REJECT
    assert codes(verdict) == ["match.unfinished", "expected.unfinished"]


def test_money_session_when_expected_as_a_match_then_rejected():
    verdict = validate(record(won(1, (0, 0)), length=0), MatchFormat(length=5))

    assert "expected.length" in codes(verdict)


@pytest.mark.parametrize(
    ("points", "found"),
    [(1, []), (2, []), (3, ["points.uncapped"]), (7, ["points.oversized"]), (1004, ["points.oversized"])],
)
def test_resignation_when_two_are_needed_then_points_of_any_writer(points, found):
    verdict = validate(record(won(1, (0, 0)), won(2, (1, 0), WHITE, points)))

    assert [code for code in codes(verdict) if code != "match.unfinished"] == found


def test_resigned_points_when_no_cube_can_make_them_then_rejected():
    verdict = validate(record(won(1, (0, 0), WHITE, 4), length=9))

    assert "points.contradict" in codes(verdict)
    assert verdict.replay.games[0].ending.end is End.UNKNOWN


def test_resigned_gammon_when_a_checker_is_off_then_a_note():
    near = Position.from_points({1: 2}, {1: 2})
    setup = f"; Set Pos={'-B' + '-' * 22 + 'b-'}"
    text = f" 5 point match\n\n Game 1\n Ada : 0          Bo : 0\n{setup}\n  1) 31:\n      Wins 2 points\n"

    verdict = check_record(text.encode()).verdict

    assert near.own_off
    assert "resign.oversized" in codes(verdict)
    assert verdict.replay.games[0].ending.kind is WinKind.GAMMON


def test_jacoby_when_unsaid_then_both_ways_of_counting_are_believed():
    gammon = f"; Set Pos={'-B' + '-' * 16 + 'o' + '-' * 7}"[:38]
    text = (
        " 0 point match\n\n Game 1\n Ada : 0          Bo : 0\n{}\n  1) 21: 1/off(2)\n      Wins {} points\n"
    )

    for points, header, decision in (
        (1, "", VerdictDecision.ACCEPT_WITH_NOTES),
        (2, "", VerdictDecision.ACCEPT_WITH_NOTES),
        (3, "", VerdictDecision.REJECT),
        (2, '; [Jacoby "On"]\n; [AutoDouble "Off"]\n', VerdictDecision.REJECT),
        (1, '; [Jacoby "Off"]\n', VerdictDecision.REJECT),
    ):
        assert check_record((header + text.format(gammon, points)).encode()).verdict.decision is decision, (
            points,
            header,
        )


def test_points_when_only_an_automatic_double_explains_them_then_a_note():
    (found,) = validate(record(won(1, (0, 0), WHITE, 8), length=0)).findings

    assert (found.code, found.rule) == ("points.automatic", "F5")
    assert codes(validate(record(won(1, (0, 0), WHITE, 8), length=0), MatchFormat())) == ["points.contradict"]
    assert codes(validate(record(won(1, (0, 0), WHITE, 4), length=0), MatchFormat(automatic_doubles=1))) == []
    assert codes(validate(record(won(1, (0, 0), WHITE, 8), length=0), MatchFormat(automatic_doubles=1))) != []


def test_length_when_impossible_then_rejected():
    assert "match.length_impossible" in codes(validate(record(won(1, (0, 0)), length=5000)))


def test_variation_when_another_then_rejected_by_name():
    verdict = validate(replace(three_points(), options=Options(variation=Variation.NACKGAMMON)))

    assert codes(verdict) == ["record.variation"]


def test_jacoby_in_a_match_when_switched_on_then_a_note_that_names_r40():
    (found,) = validate(replace(three_points(), options=Options(jacoby=True))).findings

    assert (found.code, found.rule, found.severity) == ("match.jacoby", "R40", Severity.NOTE)


def test_cube_when_passed_then_its_value_before_the_offer():
    verdict = validate(record(Game(1, (0, 0), PASSED, Result(WHITE, 1)), length=5))

    ending = verdict.replay.games[0].ending
    assert (ending.end, ending.cube, ending.points) == (End.PASSED, 1, 1)


def test_holland_when_the_format_says_so_then_an_early_double_is_found():
    games = (won(1, (0, 0)), won(2, (1, 0)), won(3, (2, 0), BLACK), Game(4, (2, 1), PASSED, Result(WHITE, 1)))

    strict = validate(record(*games), MatchFormat(length=3, holland=True))

    assert validate(record(*games)).decision is VerdictDecision.ACCEPT
    assert [(found.params["reason"], found.rule) for found in strict.findings] == [("cube.holland", "F3")]


def test_illegal_play_when_played_on_then_each_later_turn_is_checked_from_there():
    wrong = Roll(WHITE, (3, 1), (Step(8, 3), Step(6, 5)))
    doing = (wrong, OPENING[1], Roll(WHITE, (2, 1), (Step(13, 11), Step(3, 2))))

    verdict = validate(record(Game(1, (0, 0), doing, Result(WHITE, 1)), length=1))

    assert [(found.code, found.turn) for found in verdict.findings] == [("play.illegal_stands", 1)]
    assert verdict.replay.games[0].states[2].legal


def test_set_up_when_it_is_the_usual_start_then_nothing_to_say():
    start = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))
    usual = Setup(Board(start, start), cube=1, centred=True, turn=WHITE)

    assert codes(validate(record(won(1, (0, 0), doing=(usual, *OPENING)), length=1))) == []
    owned = replace(usual, cube=2, owner=BLACK)
    assert codes(validate(record(won(1, (0, 0), WHITE, 2, (owned, *OPENING)), length=2))) == ["start.set_up"]


def test_cube_when_turned_for_ever_then_stopped():
    turns = tuple(
        CubeAction(side, kind)
        for _ in range(400)
        for side, kind in ((BLACK, CubeKind.DOUBLE), (WHITE, CubeKind.TAKE))
    )

    verdict = validate(record(Game(1, (0, 0), (OPENING[0], *turns), Result(WHITE, 1)), length=0))

    assert verdict.decision is VerdictDecision.REJECT
    assert verdict.replay.games[0].ending.cube <= 2**25


def test_length_when_the_file_does_not_say_then_the_one_expected():
    unsaid = replace(three_points(), length=None)

    assert validate(unsaid, MatchFormat(length=3)).complete
    assert validate(unsaid, expected=ExpectedMatch(length=3, score=(3, 0))).decision is VerdictDecision.ACCEPT
    assert not validate(unsaid).complete


def test_findings_when_too_many_then_checking_stops():
    wrong = tuple(Roll(side, (3, 1), (Step(24, 3),)) for side in (WHITE, BLACK) * 300)

    verdict = validate(record(Game(1, (0, 0), wrong), won(2, (0, 0)), length=9))

    assert codes(verdict).count("record.too_many_findings") == 1
    assert len(verdict.findings) < 210


def test_state_when_asked_then_what_a_viewer_needs():
    game = replay(read_record((write_record(three_points(), "mat")).data).record).games[0]

    first, second = game.states
    assert game.start == Position.start()
    assert first.position_id == "4HPwATDgc/ABMA"
    assert (first.dice, first.notation, first.cube.value) == ((3, 1), "31: 8/5 6/5", 1)
    assert first.seen_by(BLACK, after=True) == second.before
    assert second.place.line == first.place.line


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((Step(24, 18), Step(18, 13)), "24/13"),
        ((Step(24, 20, True), Step(20, 16)), "24/20*/16"),
        ((Step(6, 4), Step(13, 11), Step(13, 11), Step(6, 4)), "13/11(2) 6/4(2)"),
        ((Step(25, 20), Step(3, 0)), "bar/20 3/off"),
        ((), ""),
    ],
)
def test_steps_when_shown_then_as_people_write_them(steps, words):
    assert format_steps(steps) == words


def test_canonical_when_joined_then_taken_apart_with_hits():
    joined = Roll(BLACK, (6, 4), (Step(24, 14),))
    made = canonical(record(Game(1, (0, 0), (OPENING[0], joined), Result(WHITE, 1)), length=1))

    assert made.games[0].actions[1].steps in {(Step(24, 18), Step(18, 14)), (Step(24, 20), Step(20, 14))}
    assert made.games[0].result == Result(WHITE, 1, resigned=True, wins_match=True)


def test_unknown_code_when_found_then_refused_loudly():
    with pytest.raises(KeyError):
        finding("no.such_code")


def test_same_match_when_mutated_by_one_thing_then_found():
    """A clean match, one wrong thing at a time: nothing slips through."""
    made = random_match(Random(7), MatchFormat(length=3), quick=0.0)
    last = made.games[-1]
    wrong = {
        "points": replace(
            last, result=replace(last.result, points=last.result.points + 3, winner=last.result.winner)
        ),
        "winner": replace(last, result=replace(last.result, winner=last.result.winner.other)),
        "score": replace(last, score_before=(last.score_before[0], last.score_before[1] + 1)),
        "play": replace(
            last,
            actions=(
                replace(last.actions[0], steps=(Step(24, 23), Step(24, 23), Step(24, 23))),
                *last.actions[1:],
            ),
        ),
        "short": replace(last, actions=last.actions[:-9], result=None),
    }

    assert validate(made).decision in {VerdictDecision.ACCEPT, VerdictDecision.ACCEPT_WITH_NOTES}
    before = set(codes(validate(made)))
    for what, game in wrong.items():
        verdict = validate(replace(made, games=(*made.games[:-1], game)))
        assert set(codes(verdict)) - before, what


def game_of(*doing, before=(0, 0), result=None, length=9):
    return validate(record(Game(1, before, doing, result), length=length))


def test_double_when_unanswered_and_the_other_side_rolls_then_it_never_was():
    verdict = game_of(
        *OPENING, CubeAction(WHITE, CubeKind.DOUBLE), Roll(BLACK, (2, 1), (Step(13, 11), Step(6, 5)))
    )

    assert verdict.replay.games[0].states[-1].cube.value == 1
    assert "cube.unanswered" in codes(verdict)


def test_double_when_unanswered_and_its_side_has_the_points_then_it_was_passed():
    verdict = game_of(*OPENING, CubeAction(WHITE, CubeKind.DOUBLE), result=Result(WHITE, 1))

    assert verdict.replay.games[0].ending.end is End.PASSED


def test_double_when_it_is_not_this_sides_turn_then_impossible():
    verdict = game_of(
        OPENING[0],
        CubeAction(WHITE, CubeKind.DOUBLE),
        CubeAction(BLACK, CubeKind.PASS),
        result=Result(WHITE, 1),
    )

    assert [found.params["reason"] for found in verdict.findings if found.params.get("reason")] == [
        "cube.not_your_turn"
    ]


def test_crawford_double_when_nobody_answered_then_it_does_not_stand():
    last = Game(3, (2, 0), (*OPENING, CubeAction(WHITE, CubeKind.DOUBLE)), Result(WHITE, 1))

    assert "cube.impossible" in codes(validate(record(won(1, (0, 0)), won(2, (1, 0)), last)))


def test_r7_equal_dice_when_rolled_to_begin_then_named_and_later_not():
    twice = (Roll(WHITE, (4, 4), ()), *(Roll(side, (2, 2), ()) for side in (BLACK, WHITE)))

    found = validate(record(Game(1, (0, 0), twice, Result(WHITE, 1)), length=1)).findings

    assert [(one.turn, one.rule) for one in found if one.code == "dice.opening_double"] == [(1, "R7")]


def test_r35_cube_when_turned_beyond_the_highest_then_stays_and_says_so():
    turns = range(MAX_CUBE_TURNS + 2)
    doing = [
        action
        for turn in turns
        for action in (
            CubeAction((WHITE, BLACK)[turn % 2], CubeKind.DOUBLE),
            CubeAction((BLACK, WHITE)[turn % 2], CubeKind.TAKE),
        )
    ]

    verdict = validate(record(Game(1, (0, 0), (*OPENING, *doing), Result(WHITE, 1)), length=0))

    assert max(state.cube.value for state in verdict.replay.games[0].states) == HIGHEST_CUBE
    assert {
        (one.params["reason"], one.rule)
        for one in verdict.findings
        if one.params.get("reason") == "cube.limit"
    } == {("cube.limit", "R35")}


@pytest.mark.parametrize("turned", [-1, 25, 1000])
def test_f5_automatic_doubles_when_there_cannot_be_so_many_then_the_cube_is_where_it_was(turned):
    game = replace(won(1, (0, 0)), automatic_doubles=turned)

    assert validate(record(game, length=0)).replay.games[0].states[0].cube.value == 1


def test_f5_first_double_when_to_more_than_a_cube_shows_then_tells_no_automatic_ones():
    doing = (*OPENING, CubeAction(WHITE, CubeKind.DOUBLE, 2**60), CubeAction(BLACK, CubeKind.PASS))

    verdict = validate(record(Game(1, (0, 0), doing, Result(WHITE, 1)), length=0))

    assert (verdict.score, codes(verdict)) == ((1, 0), ["cube.value"])


@pytest.mark.parametrize(
    ("result", "later", "code"),
    [
        (None, False, "cube.impossible"),
        (None, True, "cube.crawford_stands"),
        (Result(BLACK, 2), False, "cube.crawford_stands"),
    ],
)
def test_f2_crawford_double_when_the_next_game_has_begun_or_its_result_is_recorded_then_it_stands(
    result, later, code
):
    doubled = (*OPENING, CubeAction(WHITE, CubeKind.DOUBLE), CubeAction(BLACK, CubeKind.TAKE))
    games = [won(1, (0, 0)), won(2, (1, 0)), Game(3, (2, 0), doubled, result)]

    verdict = validate(record(*games, *([Game(4, (2, 2), OPENING)] if later else [])))

    assert [one for one in codes(verdict) if one.startswith("cube.")] == [code]


def test_crawford_when_played_then_over_even_if_a_wrong_score_is_carried_on():
    games = (won(1, (0, 0)), won(2, (1, 0)), won(3, (2, 0), BLACK), Game(4, (2, 0), PASSED, Result(WHITE, 1)))

    assert codes(validate(record(*games))) == ["score.carried"]


@pytest.mark.parametrize("turned", [False, True])
def test_condoned_play_when_shown_from_either_view_then_the_same_board(turned):
    start = [0] * 26
    start[24], start[13], start[8], start[6] = 2, 5, 3, 5
    moved = list(start)
    moved[8], moved[4] = 2, 1
    board = Board(tuple(start), tuple(moved)) if turned else Board(tuple(moved), tuple(start))

    (state,) = game_of(Roll(WHITE, (3, 1), (), RollMark.ILLEGAL, board)).replay.games[0].states

    assert state.after.other == tuple(moved)


@pytest.mark.parametrize("star", [False, True])
def test_joined_step_when_starred_then_the_way_that_hits(star):
    slot = Roll(BLACK, (3, 1), (Step(13, 10), Step(6, 5)))

    state = game_of(slot, Roll(WHITE, (6, 4), (Step(24, 14, star),))).replay.games[0].states[1]

    assert state.legal
    assert state.after.own[25] == int(star)
    assert any(step.hit for step in state.steps) is star


def test_beaver_when_sgf_says_that_it_was_taken_then_nothing_new():
    text = "(;GM[6]MI[length:0][game:0]PW[a]PB[b];W[31hefe];B[42qusu];W[double];B[double]{};W[62xrmk])"

    said, unsaid = (read_record(text.format(take).encode()).record for take in (";W[take]", ""))

    assert said == unsaid
    assert [action.kind for action in said.games[0].actions[2:4]] == [CubeKind.DOUBLE, CubeKind.BEAVER]


def test_xg_when_a_roll_was_given_up_then_unplayed():
    made = record(
        Game(1, (0, 0), (*OPENING, Roll(WHITE, (6, 5), (), RollMark.UNPLAYED)), Result(BLACK, 1)), length=1
    )

    assert read_record(xg_file(made)).record.games[0].actions[-1].mark is RollMark.UNPLAYED


def test_pass_when_nothing_was_offered_then_a_resignation():
    made = canonical(
        record(Game(1, (0, 0), (*OPENING, CubeAction(BLACK, CubeKind.PASS)), Result(WHITE, 1)), length=1)
    )

    assert made.games[0].actions == OPENING
    assert made.games[0].result.resigned
