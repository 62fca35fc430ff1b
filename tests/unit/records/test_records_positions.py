"""Positions as people paste them: identifiers of four programs, alone or inside the text that a program copied."""

from random import Random

import pytest

from games.records.errors import UnreadableRecord
from games.records.positions import contains_position, read_position
from games.rules.ids import MatchId
from games.rules.position import Position
from games.rules.sides import Side
from games.rules.xgid import XgId, XgidAction

START = "XGID=-b----E-C---eE---c-e----B-"
# Drawn by BGBlitz 6.9, with both kinds of identifier below the board; what it thinks of it is left out.
BGBLITZ = """ +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Grün  52
 |    X           X |   | X  O  O  O  O  O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Rot  111

 Position-ID: b9sBCIC5bYDQAA    Match-ID: QYnoAGAAGAAE
{} Green - 6 Red - 3 in a 7 point match.
 Red to move 1-2

  1.   0.124 mwp /  -0.492            19/18, 14/12
"""
XGID = " XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10\n"
XG = """XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10

X:Ada   O:Bo
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
X to play 52
"""
GNUBG = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAA
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
"""


def read(text):
    return read_position(text).id


def test_xgid_when_alone_named_or_in_a_text_then_read():
    bare = START.removeprefix("XGID=") + ":0:0:1:52:0:0:3:0:10"

    assert read(bare) == read(f"XGID={bare}") == read(f"  xg: XGID: {bare}.") == read(XG) == f"XGID={bare}"


def test_text_of_bgblitz_when_read_then_by_either_identifier_the_same_board():
    by_xgid, by_ids = read_position(BGBLITZ.format(XGID)), read_position(BGBLITZ.format(""))

    assert by_xgid.position == by_ids.position
    assert (by_ids.length, sorted(by_ids.score), sorted(by_ids.dice), by_ids.cube) == (7, [3, 6], [1, 2], 2)
    assert (by_xgid.score[by_xgid.turn.column], by_ids.score[by_ids.turn.column]) == (3, 3)
    assert by_xgid.owner is by_xgid.turn.other
    assert by_ids.owner is by_ids.turn.other


def test_identifiers_of_gnu_backgammon_when_alone_joined_or_named_then_read():
    assert read("4HPwATDgc/ABMA") == f"{START}:0:0:1:00:0:0:0:0:10"
    assert read_position(GNUBG).position == Position.start()
    assert read_position("4HPwATDgc/ABMA:cAkAAAAAAAAA").turn is MatchId.from_id("cAkAAAAAAAAA").roller


def test_match_id_when_doubled_then_the_doubler_keeps_the_turn():
    match = MatchId(
        cube=2, owner=Side.BLACK, roller=Side.BLACK, turn=Side.WHITE, doubled=True, length=7, score=(3, 4)
    )

    shown = read_position(f"{Position.start().id}:{match.id}")

    assert (shown.turn, shown.action, shown.dice, shown.cube, shown.owner) == (
        Side.BLACK,
        XgidAction.DOUBLED,
        None,
        2,
        Side.BLACK,
    )
    assert (shown.length, shown.score) == (7, (3, 4))


@pytest.mark.parametrize(
    ("text", "turn", "dice", "doing"),
    [
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:3:0", Side.WHITE, (4, 6), XgidAction.TO_ROLL),
        ("17ccccghhhjjjjj:66666888dddddoo:N0N:46:W:R:0:0:3:1", Side.BLACK, (4, 6), XgidAction.TO_ROLL),
        ("OGID=cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", Side.BLACK, None, XgidAction.DOUBLED),
        ("see OGID=ccccchhhjjjllmm:24455566699ddkk:N0O::W:D:1:1:3:10 here", Side.WHITE, None, XgidAction.DOUBLED),
    ],
)  # fmt: skip
def test_ogid_when_read_then_on_roll_is_who_has_not_acted_or_has_doubled(text, turn, dice, doing):
    shown = read_position(text)

    assert (shown.turn, shown.dice, shown.action, shown.length) == (turn, dice, doing, 3)
    assert sum(shown.position.own[1:]) == sum(shown.position.other[1:]) == 15


def test_ogid_of_the_start_when_read_then_the_start():
    assert read_position("11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:3:0").position == Position.start()


def test_ogid_when_cube_is_owned_then_by_that_side():
    shown = read_position("17ccccghhhjjjjj:66666888dddddoo:W1N:46:W:R:0:0:3C:1")

    assert (shown.cube, shown.owner, shown.crawford) == (2, Side.WHITE, True)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position.none"),
        ("24/18 13/11", "position.none"),
        ("http://example.org/4HPwATDgc/ABMAxx", "position.none"),
        ("XGID=-b----E-C---eE---c-e----Z-:0:0:1:52:0:0:3:0:10", "position.none"),
        ("XGID=-b----E-C---eE---c-e----O-:0:0:1:52:0:0:3:0:10", "position.impossible"),
        (f"{START}:0:0:7:52:0:0:3:0:10", "position.impossible"),
        (f"{START}:99:0:1:52:0:0:3:0:10", "position.cube"),
        ("4HPwATDgc/ABMA:////////////", "position.impossible"),
        ("//////////////", "position.impossible"),
        ("11ccccchhhjjjjj:16666888dddddoo:N0N:46:B:IB:0:0:3:0", "position.impossible"),
        ("111111111111111111:66:N0N:46:B:IB:0:0:3:0", "position.none"),
        ("p:66:N0N:46:B:IB:0:0:3:0", "position.impossible"),
        ("1:66:N9N:46:B:IB:0:0:3:0", "position.impossible"),
    ],
)
def test_text_when_it_names_no_possible_position_then_refused(text, code):
    with pytest.raises(UnreadableRecord) as refused:
        read_position(text)
    assert refused.value.code == code


def test_text_when_a_match_then_holds_no_position():
    assert not contains_position(" 7 point match\n\n Game 1\n Ada : 0    Bo : 0\n  1) 31: 8/5 6/5\n")
    assert contains_position(XG)


def test_xgids_by_chance_when_pasted_then_read_exactly():
    rng = Random(7)
    for _ in range(200):
        own = [0] * 26
        for _ in range(rng.randint(0, 15)):
            own[rng.randint(0, 25)] += 1
        shown = XgId(
            Position.from_counts([0, *own[1:]], [0] * 26),
            cube_log2=rng.randint(0, 10),
            turn=rng.choice(list(Side)),
            dice=(rng.randint(1, 6), rng.randint(1, 6)),
            score=(rng.randint(0, 6), rng.randint(0, 6)),
            length=7,
        )
        assert read_position(f"text {shown.id} text") == shown
