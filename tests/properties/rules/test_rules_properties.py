"""Properties of the rules over their whole range, against a second, simple opinion (tests/support/rules.py)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.errors import UnreadableId
from games.rules.ids import MatchId, PlayState
from games.rules.numbering import Numbering, label, point_from_label
from games.rules.plays import check_play, legal_plays, literal_result
from games.rules.position import BAR, CHECKERS, Position
from games.rules.sides import SIDES
from games.rules.xgid import XgId, XgidAction, board_from_xgid, board_to_xgid
from tests.support.rules import all_ways, board_of, dice_demanded, legal_results, legal_ways, positions, rolls

some = settings(max_examples=60, deadline=None)
many = settings(max_examples=150, deadline=None)


@many
@given(positions())
def test_position_id_is_an_exact_inverse(position):
    assert Position.from_id(position.id) == position
    assert len(position.id) == 14


@many
@given(positions())
def test_sides_change_and_change_back(position):
    other = position.swap()
    assert other.swap() == position
    assert (other.own, other.other) == (position.other, position.own)
    assert other.pips == position.other_pips
    assert hash(Position.from_counts(*board_of(position))) == hash(position)


@many
@given(positions())
def test_xgid_board_is_an_exact_inverse(position):
    assert board_from_xgid(board_to_xgid(position)) == position


@many
@given(
    st.builds(
        MatchId,
        cube=st.integers(0, 15).map(lambda power: 1 << power),
        owner=st.sampled_from([None, *SIDES]),
        roller=st.sampled_from(SIDES),
        crawford=st.booleans(),
        state=st.sampled_from(PlayState),
        turn=st.sampled_from(SIDES),
        doubled=st.booleans(),
        resigned=st.integers(0, 3),
        dice=st.tuples(st.integers(0, 6), st.integers(0, 6)),
        length=st.integers(0, (1 << 15) - 1),
        score=st.tuples(st.integers(0, (1 << 15) - 1), st.integers(0, (1 << 15) - 1)),
        jacoby=st.booleans(),
    )
)
def test_match_id_is_an_exact_inverse(match):
    assert MatchId.from_id(match.id) == match
    assert len(match.id) == 12


@st.composite
def xgids(draw):
    length = draw(st.integers(0, 99))
    dice = draw(st.none() | rolls)
    return XgId(
        position=draw(positions()),
        cube_log2=draw(st.integers(0, 30)),
        owner=draw(st.sampled_from([None, *SIDES])),
        turn=draw(st.sampled_from(SIDES)),
        dice=dice,
        action=XgidAction.TO_ROLL if dice else draw(st.sampled_from(XgidAction)),
        score=(draw(st.integers(0, 99)), draw(st.integers(0, 99))),
        rule=draw(st.integers(0, 1 if length else 3)),
        length=length,
        max_cube_log2=draw(st.integers(0, 30)),
    )


@many
@given(xgids())
def test_xgid_is_an_exact_inverse(xgid):
    assert XgId.from_id(xgid.id) == xgid
    assert XgId.from_id(xgid.id).id == xgid.id


@given(st.sampled_from(Numbering), st.sampled_from(SIDES), st.integers(0, 25))
def test_r5_every_label_names_its_point(numbering, side, point):
    assert point_from_label(numbering, side, label(numbering, side, point)) == point


@some
@given(positions(most=8), rolls)
def test_legal_plays_are_those_of_the_second_opinion(position, roll):
    results = [play.result for play in legal_plays(position, roll)]
    assert len(results) == len(set(results))
    assert set(results) == legal_results(board_of(position), roll)


@some
@given(positions(furthest=9), rolls)
def test_bearing_off_is_that_of_the_second_opinion(position, roll):
    if roll[0] == roll[1] and sum(position.own[1:]) > 8:
        roll = (roll[0], roll[0] % 6 + 1)
    assert {play.result for play in legal_plays(position, roll)} == legal_results(board_of(position), roll)


@some
@given(positions(most=6), rolls, st.randoms(use_true_random=False))
def test_every_way_of_saying_a_legal_play_is_accepted(position, roll, chance):
    for _, steps, after in chance.sample(ways := legal_ways(board_of(position), roll), min(len(ways), 12)):
        result = Position.from_counts(after[1], after[0])
        said = list(steps)
        chance.shuffle(said)
        for words in (steps, said, joined(steps)):
            verdict = check_play(position, roll, words)
            assert verdict.legal, (position, roll, words)
            assert result in {reading.result for reading in verdict.readings}


def joined(steps):
    """The same play with every checker's way named by its ends alone."""
    ends = []
    for origin, target in steps:
        for index, (first, last) in enumerate(ends):
            if last == origin:
                ends[index] = (first, target)
                break
        else:
            ends.append((origin, target))
    return ends


@many
@given(positions(most=7), rolls, st.lists(st.tuples(st.integers(0, 26), st.integers(-1, 25)), max_size=4))
def test_whatever_is_said_only_legal_results_are_accepted(position, roll, steps):
    verdict = check_play(position, roll, steps)
    if verdict.note == "R43":
        assert verdict.result.other_all_off
        return
    legal = legal_results(board_of(position), roll)
    assert {reading.result for reading in verdict.readings} <= legal
    if not verdict.legal:
        assert verdict.fault.rule
        assert {play.result for play in legal_plays(position, roll)} == legal


@some
@given(positions(most=6), rolls, st.randoms(use_true_random=False))
def test_r15_to_r18_a_play_that_stops_early_is_refused_unless_it_comes_out_the_same(position, roll, chance):
    board = board_of(position)
    legal = legal_results(board, roll)
    ways = all_ways(board, roll)
    for _, steps, _ in chance.sample(ways, min(len(ways), 8)):
        short = steps[: chance.randrange(len(steps) + 1)]
        verdict = check_play(position, roll, short)
        if verdict.legal and verdict.note != "R43":
            assert {reading.result for reading in verdict.readings} <= legal
        elif not verdict.legal:
            assert literal_result(position, short) not in legal
            assert verdict.fault.rule in {"R15", "R16", "R17", "R18"}


@some
@given(positions(), rolls)
def test_named_steps_lead_to_the_result_and_use_what_the_roll_demands(position, roll):
    demanded = dice_demanded(position, roll)
    for play in legal_plays(position, roll):
        assert len(play.steps) == demanded
        assert literal_result(position, play.steps) == play.result


@some
@given(positions(), rolls)
def test_no_play_loses_or_makes_checkers(position, roll):
    for play in legal_plays(position, roll):
        mover, waiting = play.result.other, play.result.own
        assert sum(mover) == sum(waiting) == CHECKERS
        assert mover[0] >= position.own_off  # R30
        assert waiting[0] == position.other[0]
        assert waiting[BAR] >= position.other[BAR]
        assert 0 <= position.pips - play.result.other_pips <= 24


@some
@given(st.text(max_size=20))
def test_no_text_breaks_the_readers(text):
    for reader in (
        Position.from_id,
        MatchId.from_id,
        XgId.from_id,
        lambda rest: XgId.from_id("XGID=" + rest),
    ):
        with pytest.raises(UnreadableId) as caught:
            reader(text)
        assert caught.value.place >= 0


BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@many
@given(st.text(BASE64, min_size=12, max_size=14))
def test_what_is_read_is_written_back_the_same(text):
    for reader in (Position.from_id, MatchId.from_id):
        try:
            read = reader(text)
        except UnreadableId:
            continue
        assert read.id == text
