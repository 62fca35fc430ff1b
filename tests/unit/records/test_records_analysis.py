"""What files know beside the record: what programs think of the plays, clocks, comments."""

import os
import struct
import zlib
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from games.records.analysis import (
    Analysis,
    Chances,
    Clock,
    Comment,
    CubeEquities,
    DecisionKind,
    is_counted_double,
    is_counted_play,
    is_counted_take,
)
from games.records.canonical import canonical
from games.records.model import Roll
from games.records.registry import read_record, write_record
from games.records.xg_analysis import level_name, plain_text
from games.rules.formats import MatchFormat
from games.rules.sides import Side
from tests.support.analyses import random_analysis
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.08.003]MI[length:{length}][game:0][ws:0][bs:0]PW[Ada]PB[Bo]RU[Crawford]{more}\n"
PLAYS = (
    ";W[31hefe]A[1][hefe E ver 3 0.55 0.17 0.01 0.12 0.005 0.16 2C 0 1 0.000000 1]"
    "[xumj X ver 3 Score 0.1 0.1 Trials 1296 Output 0.51 0.13 0.01 0.14 0.01 0.02 0.11 StdDev 0 RC]LU[0.25]C[Why not \\[3\\]?]WL[61.5]BL[120]\n"
)


def known(length, *nodes, more=""):
    return read_record((HEAD.format(length=length, more=more) + "".join(nodes) + ")").encode()).analysis


def evaluated(none, taken):
    numbers = "0.6 0.2 0.01 0.1 0.005 0.3"
    return f"DA[E ver 3 2C 1 0.000000 1 {numbers} {none:.6f} {numbers} {taken:.6f}]"


@pytest.mark.parametrize(("form", "seed"), [(MatchFormat(length=5), 3), (MatchFormat(beavers=True), 4)])
def test_xg_file_when_analysed_then_everything_is_read_back(form, seed):
    rng = Random(seed)
    record = random_match(rng, form, games=2, quick=0)
    analysis = random_analysis(rng, record)

    read = read_record(xg_file(record, analysis)).analysis

    assert read.decisions == analysis.decisions
    assert set(read.comments) == set(analysis.comments)
    assert read.engine == "eXtreme Gammon"


def test_xg_file_when_not_analysed_then_knows_nothing():
    record = random_match(Random(1), MatchFormat(length=1))

    assert read_record(xg_file(record)).analysis == Analysis()
    assert not read_record(xg_file(record)).analysis


def test_xg_file_when_clock_ran_then_seconds_of_both_before_the_turn():
    data = bytearray(xg_file(random_match(Random(2), MatchFormat(length=1)), None))
    cut = data.index(b"\xff\xd9") + 2
    body = bytearray(zlib.decompressobj().decompress(bytes(data[cut:])))
    cube = bytearray(2560)
    cube[8] = 2
    struct.pack_into("<6i", cube, 12, 1, 0, -1, -1, -1, 0)
    struct.pack_into("<i", cube, 292, -1)
    struct.pack_into("<2I", cube, 304, 600, 590)
    body[2 * 2560 : 2 * 2560] = cube

    read = read_record(bytes(data[:cut]) + zlib.compress(bytes(body))).analysis

    assert read.clocks == (Clock(1, 1, Side.WHITE, 600.0), Clock(1, 1, Side.BLACK, 590.0))


@pytest.mark.parametrize(
    "tail", [b"", b"\xff" * 40, struct.pack("<6i12x", 0, 2, 1, 10**6, 10**6, 1), b"\x01\x00\x00\x00" * 9]
)
def test_xg_file_when_its_index_is_broken_then_plays_are_read_without_comments(tail):
    rng = Random(5)
    record = random_match(rng, MatchFormat(length=1))
    analysis = random_analysis(rng, record)

    read = read_record(xg_file(record, analysis)[:-36] + tail).analysis

    assert read.decisions == analysis.decisions
    assert read.comments == ()


def test_sgf_when_analysed_then_plays_luck_clocks_and_comment():
    (decision,) = (analysis := known(7, PLAYS)).decisions

    assert analysis.engine == "GNU Backgammon 1.08.003"
    assert (decision.game, decision.turn, decision.kind, decision.side) == (
        1,
        1,
        DecisionKind.CHECKER,
        Side.WHITE,
    )
    assert (decision.lost, decision.luck, decision.played, decision.counts) == (0.05, 0.25, 1, True)
    assert decision.plays[0].chances == Chances(0.55, 0.17, 0.01, 0.12, 0.005)
    assert [[tuple(step[:2]) for step in play.steps] for play in decision.plays] == [
        [(8, 5), (6, 5)],
        [(24, 21), (13, 10)],
    ]
    assert [(play.equity, play.level) for play in decision.plays] == [(0.16, "2-ply"), (0.11, "Rollout")]
    assert analysis.clocks == (Clock(1, 1, Side.WHITE, 61.5), Clock(1, 1, Side.BLACK, 120.0))
    assert analysis.comments == (Comment(1, 1, "Why not [3]?"),)


def test_sgf_when_money_then_numbers_of_the_cube_are_equities():
    analysis = known(0, ";W[31hefe]", f";B[double]{evaluated(0.5, 0.4)}", f";W[take]{evaluated(0.5, 0.4)}")

    double, take = analysis.decisions
    assert (double.side, double.kind, double.turn, double.lost) == (Side.BLACK, DecisionKind.DOUBLE, 2, 0.1)
    assert double.cube == CubeEquities(0.5, 0.4, 1.0)
    assert (take.side, take.kind, take.turn, take.lost, take.counts) == (
        Side.WHITE,
        DecisionKind.TAKE,
        3,
        0.0,
        True,
    )


def test_sgf_when_match_then_chances_to_win_it_become_equities():
    # Kazaross-XG2 at 5 away, 5 away: a point won makes 0.57732, a point lost 0.42268; the middle between them is equity 0.
    analysis = known(5, ";W[31hefe]", f";B[42lptp]{evaluated(0.57732, 0.5)}")

    (double,) = analysis.decisions
    assert (double.turn, double.side, double.kind) == (2, Side.BLACK, DecisionKind.DOUBLE)
    assert double.cube == CubeEquities(1.0, 0.0, 1.0)
    assert (double.lost, double.counts) == (0.0, False)


def test_sgf_when_double_was_missed_or_passed_wrongly_then_what_it_cost():
    missed = known(0, ";W[31hefe]", f";B[42lptp]{evaluated(0.5, 0.7)}").decisions[0]
    passed = known(
        0, ";W[31hefe]", f";B[double]{evaluated(0.5, 0.7)}", f";W[drop]{evaluated(0.5, 0.7)}"
    ).decisions[1]

    assert (missed.lost, missed.counts) == (0.2, True)
    assert (passed.lost, passed.counts, passed.side) == (0.3, True, Side.WHITE)


@pytest.mark.parametrize(
    "node",
    [";W[31hefe]A[9][hefe E ver 3 nan]", ";W[31hefe]A[x]LU[nan]WL[-1]", ";W[31hefe]LU[]BL[1e400]", ";W[31hefe]DA[E 2C]A[]", ";W[31hefe]A[0]"],
)  # fmt: skip
def test_sgf_when_annotations_are_broken_then_left_out(node):
    assert known(7, node) == Analysis()


def test_sgf_when_program_played_a_play_it_does_not_list_then_no_loss():
    (decision,) = known(7, PLAYS.replace("A[1]", "A[5]")).decisions

    assert (decision.lost, decision.played, decision.counts, decision.luck) == (None, None, False, 0.25)


@pytest.mark.parametrize(
    ("equities", "counts"), [([0.2, 0.1], True), ([0.2, 0.19995], False), ([0.2], False), ([], False), ([-0.1, 0.1], True)]
)  # fmt: skip
def test_play_when_choice_makes_a_difference_then_counts(equities, counts):
    assert is_counted_play(equities) is counts


@pytest.mark.parametrize(
    ("cube", "lost", "counts"),
    [
        ((0.5, 0.45), 0, True),
        ((0.5, 0.5004), 0, False),  # the same
        ((0.5, 0.2), 0, False),  # far from a double
        ((0.5, 0.2), 0.3, True),  # far from one, and doubled all the same
        ((1.3, 2.0), 0, False),  # too good by far
        ((-0.95, -0.99), 0, False),  # lost
    ],
)
def test_double_when_obvious_then_does_not_count_unless_it_went_wrong(cube, lost, counts):
    assert is_counted_double(CubeEquities(*cube), lost) is counts


def test_take_when_both_are_the_same_then_does_not_count():
    assert is_counted_take(CubeEquities(0.5, 0.9))
    assert not is_counted_take(CubeEquities(0.5, 1.0004))


@pytest.mark.parametrize(
    ("rich", "plain"),
    [
        ("no rich text, \\par or not", "no rich text, \\par or not"),
        ("{\\rtf1{\\fonttbl{\\f0 Arial;}{\\f1 Times;}}{\\*\\generator Riched20;}\\pard Two\\par\r\nlines\\par}", "Two\nlines"),
        ("{\\rtf1 \\u8364?5 \\{a\\} b\\~c \\'e9}", "€5 {a} b c é"),
        ("{\\rtf1 \\u-10179?\\u-8704? ok}", "😀 ok"),
        ("{\\rtf1 open { and open", "open  and open"),
    ],
)  # fmt: skip
def test_rich_text_when_read_then_its_words(rich, plain):
    assert plain_text(rich) == plain


def test_levels_when_named_then_as_xg_shows_them():
    assert [level_name(code) for code in (0, 2, 12, 100, 999, 1000, 1001, 1002, 55)] == [
        "1-ply", "3-ply", "3-ply red", "Rollout", "Opening book", "XG Roller", "XG Roller+", "XG Roller++", "",
    ]  # fmt: skip


CORPUS = Path(os.environ.get("CRAWFORD_CORPUS", "nowhere"), "xg_desktop")


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="CRAWFORD_CORPUS names no folder of records")
def test_match_when_analysed_by_two_programs_then_they_nearly_agree():
    ours, theirs = (
        {
            (each.game, each.turn, each.kind): each
            for each in read_record((CORPUS / name).read_bytes()).analysis.decisions
        }
        for name in ("a.xg", "a.sgf")
    )
    both = ours.keys() & theirs.keys()

    assert len(both) > 500
    doubles = [key for key in both if ours[key].cube and theirs[key].cube]
    assert mean(abs(ours[key].cube.no_double - theirs[key].cube.no_double) for key in doubles) < 0.03
    plays = [key for key in both if ours[key].lost is not None and theirs[key].lost is not None]
    assert mean(abs(ours[key].lost - theirs[key].lost) for key in plays) < 0.02
    assert mean(ours[key].counts == theirs[key].counts for key in plays) > 0.97


@pytest.mark.parametrize("code", ["mat", "sgf"])
def test_comments_when_written_then_read_back_with_their_turns(code):
    rng = Random(9)
    record = canonical(random_match(rng, MatchFormat(length=3), quick=0.05))
    turn = next(turn for turn, action in enumerate(record.games[0].actions, 1) if isinstance(action, Roll))
    hostile = Comment(
        1, turn, 'well: 42: 8/4 "so" ] \\ ; [Event "x"]\n3) 31: 8/5\nWins 3 points\n' + "y" * 1_000
    )
    known = {(each.game, each.turn): each for each in (*random_analysis(rng, record).comments, hostile)}
    comments = tuple(known.values())

    read = read_record(write_record(record, code, Analysis(comments=comments)).data)

    assert canonical(read.record) == record
    assert set(read.analysis.comments) == set(comments)
    assert read.findings == ()


def test_clocks_when_written_as_sgf_then_read_back():
    record = canonical(random_match(Random(10), MatchFormat(length=1)))
    clocks = (Clock(1, 1, Side.WHITE, 61.5), Clock(1, 1, Side.BLACK, 120.0))

    assert read_record(write_record(record, "sgf", Analysis(clocks=clocks)).data).analysis.clocks == clocks


def test_match_text_when_it_holds_comments_then_all_stand_above_the_first_game():
    record = canonical(random_match(Random(11), MatchFormat(length=1)))

    text = write_record(record, "mat", Analysis(comments=(Comment(1, 2, "42: 8/4"),))).data.decode()

    assert text.index('; [Comment 1.2 "42: 8/4"]') < text.index("1 point match")


@pytest.mark.parametrize(
    ("form", "level"), [(MatchFormat(length=5), "2-ply"), (MatchFormat(), "Rollout"), (MatchFormat(length=3), "XG Roller++")]
)  # fmt: skip
def test_analysis_when_written_as_sgf_then_read_back_with_engine_and_level(form, level):
    rng = Random(12)
    record = canonical(random_match(rng, form, games=2, quick=0.02))
    analysis = random_analysis(rng, record, level=level)

    read = read_record(write_record(record, "sgf", analysis).data)

    assert canonical(read.record) == record
    assert read.analysis.decisions == analysis.decisions
    assert read.analysis.engine == "eXtreme Gammon"
