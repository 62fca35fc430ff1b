"""Frames, numberings and the drawn board."""

import re
from random import Random

import pytest

from games.records.checking import check_record
from games.records.performance import CoursePoint
from games.records.registry import write_record
from games.rules.formats import MatchFormat
from games.rules.numbering import Numbering
from games.rules.position import Position
from games.rules.sides import Side
from games.rules.xgid import XgId
from games.web.drawing import BOTTOM, TOP, BoardDrawing, board_svg, checker_center, place_coordinates
from games.web.graphs import ErrorMark, course_svg
from games.web.showing import check_context
from games.web.viewing import BoardOptions, build_record_view, frame_sentence, renumber_play, view_as_data
from tests.support.fuzzed_records import inputs
from tests.support.random_matches import random_match
from tests.support.records import a_record


def viewing(content):
    found = build_record_view(check_record(content))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def chance():
    """A match by chance: hits, cube, bearing off."""
    return viewing(write_record(random_match(Random(5), MatchFormat(length=7)), "mat").data)


def test_every_frame_agrees_with_its_own_identifiers(chance):
    frames = [frame for game in chance.games for frame in game.frames]
    assert len(frames) > 100
    for frame in frames:
        xgid = XgId.from_id(frame.xgid)
        white = xgid.position if xgid.turn is Side.WHITE else xgid.position.swap()
        assert white == frame.board
        own = Position.from_id(frame.position_id)
        assert own in (frame.board, frame.board.swap())
        assert frame.pips == (frame.board.pips, frame.board.other_pips)


def test_each_frame_follows_from_the_one_before(chance):
    """Moving the checkers along a frame's steps gives the next frame's board."""
    for game in chance.games:
        for frame, after in zip(game.frames, game.frames[1:], strict=False):
            if frame.kind != "play":
                continue
            own, other = (
                (list(frame.board.own), list(frame.board.other))
                if frame.side is Side.WHITE
                else (list(frame.board.other), list(frame.board.own))
            )
            for source, target, _hit in frame.steps:
                own[source] -= 1
                own[target] += 1
                if 0 < target < 25 and other[25 - target]:
                    other[25 - target] -= 1
                    other[25] += 1
            board = Position.from_counts(own, other)
            assert (board if frame.side is Side.WHITE else board.swap()) == after.board


def test_data_holds_every_board_whole(chance):
    for game in view_as_data(chance)["games"]:
        for row in game["frames"]:
            assert len(row["b"]) == 26
            assert sum(count for count in row["b"] if count > 0) <= 15


@pytest.mark.parametrize(
    ("numbering", "white", "black"),
    [
        (Numbering.OWN, "bar/22 13/11*(2) 6/off", "bar/22 13/11*(2) 6/off"),
        (Numbering.WHITE_UP, "bar/3 12/14*(2) 19/off", "bar/22 13/11*(2) 6/off"),
        (Numbering.BLACK_UP, "bar/22 13/11*(2) 6/off", "bar/3 12/14*(2) 19/off"),
        (Numbering.WHITE_FROM_1A, "bar/3A 12A/11*(2) 6/off", "bar/3 12/11A*(2) 6A/off"),
    ],
)
def test_play_in_another_numbering(numbering, white, black):
    words = "bar/22 13/11*(2) 6/off"
    assert renumber_play(words, Side.WHITE, numbering) == white
    assert renumber_play(words, Side.BLACK, numbering) == black


def test_sentence_of_each_kind_names_the_player():
    found = viewing(a_record("Ann", "Bob", 3, "lrll"))
    game = found.games[0]
    words = [frame_sentence(frame, game, found.players, BoardOptions()) for frame in game.frames]
    assert words == [
        "Ann rolls 3-1 and plays 8/5 6/5.",
        "Bob rolls 4-2 and plays 8/4 6/4.",
        "Ann rolls 6-2 and plays 24/18 13/11.",
        words[3],
        "Ann wins 1 point (resigned).",
    ]


def test_course_when_errors_are_about_the_cube_then_marked_between_the_rolls_and_the_place_is_the_last_one_passed():
    moments = [CoursePoint(1, 1, 0.5), CoursePoint(1, 2, 0.5), CoursePoint(1, 5, 0.8), CoursePoint(2, 1, 0.6)]
    marks = [ErrorMark(*at, "#viewer", "wrong", "error") for at in ((1, 2), (1, 3), (1, 4), (2, 1), (3, 1))]
    picture = course_svg(moments, marks, [], "Ann", (1, 4))
    across = [float(x) for x in re.findall(r'<circle[^>]* cx="([\d.]+)"', picture)]
    assert len(across) == 4
    assert across == sorted(set(across))
    (here,) = re.findall(r'class="course-here" x1="([\d.]+)"', picture)
    assert float(here) == across[0]
    assert 'data-turns="1:1 1:2 1:5 2:1"' in picture


@pytest.mark.parametrize("bottom", list(Side))
@pytest.mark.parametrize("home_left", [False, True])
def test_every_point_has_a_place_of_its_own(bottom, home_left):
    look = BoardOptions(bottom, home_left)
    places = {place_coordinates(look, bottom, point) for point in range(1, 25)}
    assert len(places) == 24
    for point in range(1, 25):
        assert place_coordinates(look, bottom, point) == place_coordinates(look, bottom.other, 25 - point)
    ace, lower = place_coordinates(look, bottom, 1)
    assert lower
    assert (ace < 320) is home_left


def test_checkers_stay_on_the_board():
    for side in Side:
        for place in range(26):
            for index in range(15):
                _x, y = checker_center(BoardOptions(), side, place, index)
                assert TOP <= y <= BOTTOM


def test_picture_escapes_its_title():
    picture = board_svg(
        BoardDrawing(Position.start()), BoardOptions(), '"><script>x</script>', standalone=True
    )
    assert "<script>" not in picture
    assert not re.search(r"style=|<style|\bon\w+=", picture)


def test_broken_records_are_shown_as_far_as_they_go():
    shown = sum(
        check_context(check_record(data), BoardOptions())["viewing"] is not None for data in inputs(77, 300)
    )
    assert shown > 100
