"""Words and marks of everyday records: read, and no turn lost for them."""

import pytest

from games.records.analysis import Clock, Comment
from games.records.checking import check_record
from games.records.model import CubeAction, Roll, RollMark
from games.records.registry import detect_format, read_record
from games.records.replaying import End
from games.records.text_rows import split_remarks
from games.records.validation import VerdictDecision
from games.rules.sides import Side

ROWS = "  1) 31: 8/5 6/5                  64: 24/14"
WHITE, BLACK = Side.WHITE, Side.BLACK


def mat(*rows, length=" 5 point match"):
    return "\n".join([length, "", " Game 1", " Ada : 0                          Bo : 0", *rows, ""]).encode()


def read(*rows):
    result = read_record(mat(*rows))
    assert [found.code for found in result.findings] == []
    return result.record.games[0], result.analysis


def rolls(game):
    return [
        (each.side, each.dice, [tuple(step)[:2] for step in each.steps])
        for each in game.actions
        if isinstance(each, Roll)
    ]


def test_timeout_when_alone_then_that_side_has_lost():
    game, _ = read(ROWS, "  2) Timeout")

    assert rolls(game)[-1] == (BLACK, (6, 4), [(24, 14)])
    assert game.result.winner is BLACK


def test_timeout_when_a_winner_is_named_then_the_winner_counts():
    game, _ = read(ROWS, "  2)                               Timeout", "      Wins 3 points")

    assert (game.result.winner, game.result.points) == (WHITE, 3)


@pytest.mark.parametrize(
    "words", ["Timeout", "Time out", "Timed out", "Connection lost", "(connection lost)"]
)
def test_turn_when_left_after_rolling_then_unplayed(words):
    game, _ = read(ROWS, f"  2) 52: {words}", "                                   Wins 1 point")

    last = game.actions[-1]
    assert (last.side, last.dice, last.mark) == (WHITE, (5, 2), RollMark.UNPLAYED)
    verdict = check_record(
        mat(ROWS, f"  2) 52: {words}", "                                   Wins 1 point")
    ).verdict
    assert verdict.decision is not VerdictDecision.REJECT
    assert verdict.replay.games[0].ending.end is End.RESIGNED


def test_connection_lost_when_alone_then_nothing_else_is_lost():
    game, _ = read(
        ROWS,
        "  2) Connection lost               Connection lost",
        "  3) 52: 13/8 13/11                 Wins 1 point",
    )

    assert rolls(game)[-1] == (WHITE, (5, 2), [(13, 8), (13, 11)])
    assert game.result.winner is BLACK


@pytest.mark.parametrize(
    "words",
    ["(no move)", "No move", "(No legal move)", "Fan", "fans", "0/0", "(0/0)", "Dance", "(Cannot Move)"],
)
@pytest.mark.parametrize("colon", [":", ""])
def test_turn_when_nothing_moves_then_read_in_all_words(words, colon):
    if not colon and words in ("0/0", "(0/0)", "(Cannot Move)"):
        words = "Cannot Move"
    game, _ = read(ROWS, f"  2) 66{colon} {words:<26} 52: 13/8 6/4")

    assert rolls(game)[2:] == [(WHITE, (6, 6), []), (BLACK, (5, 2), [(13, 8), (6, 4)])]


@pytest.mark.parametrize(
    ("remark", "seconds"), [("{0:05:12}", 312), ("(1:59)", 119), ("{01:59.5}", 119.5), ("( 2:00:01 )", 7201)]
)  # fmt: skip
def test_clock_when_noted_beside_a_play_then_kept_and_the_play_is_read(remark, seconds):
    game, analysis = read(f"  1) 31: 8/5 6/5 {remark}                64: 24/14 {remark}")

    assert rolls(game) == [(WHITE, (3, 1), [(8, 5), (6, 5)]), (BLACK, (6, 4), [(24, 14)])]
    assert analysis.clocks == (Clock(1, 1, WHITE, seconds), Clock(1, 2, BLACK, seconds))


def test_clock_when_noted_before_the_play_then_of_that_play():
    game, analysis = read("  1) {1:59} 31: 8/5 6/5                64: {2:00} 24/14")

    assert len(rolls(game)) == 2
    assert [(clock.turn, clock.seconds) for clock in analysis.clocks] == [(1, 119), (2, 120)]


def test_words_in_braces_when_beside_a_play_then_a_comment():
    game, analysis = read("  1) 31: 8/5 6/5 {best, 64: is next}     64: 24/14")

    assert len(rolls(game)) == 2
    assert analysis.comments == (Comment(1, 1, "best, 64: is next"),)


@pytest.mark.parametrize("mark", ["?", "??", "!", "?!", "!!"])
def test_play_when_marked_as_good_or_bad_then_read(mark):
    game, _ = read(f"  1) 31: 8/5{mark} 6/5{mark}              64: 24/18*/14{mark}")

    assert rolls(game) == [(WHITE, (3, 1), [(8, 5), (6, 5)]), (BLACK, (6, 4), [(24, 18), (18, 14)])]


@pytest.mark.parametrize("arrow", ["→", "->", " → ", "–", "⇒", "=>"])
def test_play_when_written_with_arrows_then_read(arrow):
    game, _ = read(f"  1) 31: 8{arrow}5 6{arrow}5                64: 24{arrow}18{arrow}14")

    assert rolls(game) == [(WHITE, (3, 1), [(8, 5), (6, 5)]), (BLACK, (6, 4), [(24, 18), (18, 14)])]


@pytest.mark.parametrize(("one", "two"), [("31", "64"), ("3-1:", "6-4:"), ("31 :", "64 :"), ("3-1 :", "64")])
def test_dice_when_without_colon_or_with_a_dash_then_read(one, two):
    game, _ = read(
        f"  1) {one} 8/5 6/5                {two} 24/14",
        f"  2) {two} bar/21 bar/19               {one} 8/5 6/5",
    )

    assert rolls(game)[:2] == [(WHITE, (3, 1), [(8, 5), (6, 5)]), (BLACK, (6, 4), [(24, 14)])]
    assert len(rolls(game)) == 4


def test_numbers_of_a_cube_when_like_dice_then_stay_of_the_cube():
    game, _ = read(
        ROWS,
        "  2) Doubles => 2                    Takes",
        "  3) 52: 13/8 6/4                   Doubles => 64",
        "  4) Takes                          62 24/18 13/11",
    )

    assert [each.value for each in game.actions if isinstance(each, CubeAction)] == [2, None, 64, None]
    assert rolls(game)[-1] == (BLACK, (6, 2), [(24, 18), (13, 11)])


@pytest.mark.parametrize(
    "words",
    ["Match to 5", " 5pt match", "5 pts. match", "5-point match", "Match length: 5", "Match to 5 points"],
)
def test_length_when_in_other_words_then_read(words):
    data = mat(ROWS, length=words)

    assert detect_format(data) == "mat"
    assert read_record(data).record.length == 5


def test_comments_when_lines_of_their_own_then_kept_with_their_turn():
    data = b'; [Comment "Final"]\n' + mat(
        "; a long evening",
        ROWS,
        "; what a split",
        "; (left) better: 24/23",
        "      Wins 1 point",
        "; (left) no more",
    )

    assert read_record(data).analysis.comments == (
        Comment(0, 0, "Final"),
        Comment(1, 0, "a long evening"),
        Comment(1, 2, "what a split"),
        Comment(1, 1, "better: 24/23\nno more"),
    )


def test_remarks_when_taken_out_then_columns_stay():
    line = "  1) 31: 8/5 {a}(1:59) 64: 24/14(2) {"

    blank, remarks = split_remarks(line)

    assert len(blank) == len(line)
    assert blank.split() == ["1)", "31:", "8/5", "64:", "24/14(2)", "{"]
    assert [(each.text, each.seconds) for each in remarks] == [("a", None), ("1:59", 119.0)]
