"""Draw the left player's winning chance through a match as SVG, with the errors of both players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

from games.records.performance import CoursePoint

WIDTH: Final = 720
HEIGHT: Final = 190
LEFT: Final = 40
RIGHT: Final = 8
TOP: Final = 10
BOTTOM: Final = 22
MARK_RADIUS: Final = 5


@dataclass(frozen=True, slots=True)
class ErrorMark:
    """An error on the graph: its turn, address and label.

    ``kind``: how serious, as a CSS class; ``right``: the right player made it.
    """

    game: int
    turn: int
    url: str
    words: str
    kind: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class GameStart:
    """The beginning of a game: its index in the record from 1, and its number as displayed."""

    game: int
    number: int


def course_svg(
    course: Sequence[CoursePoint],
    marks: Sequence[ErrorMark],
    games: Sequence[GameStart],
    title: str,
    current_turn: tuple[int, int] | None = None,
) -> SafeString:
    """Return the complete graph as SVG; empty for fewer than two points.

    ``current_turn``: (game, turn) that is marked.
    """
    if len(course) < 2:
        return mark_safe("")
    index_by_turn = {(moment.game, moment.turn): index for index, moment in enumerate(course)}
    turns = " ".join(f"{moment.game}:{moment.turn}" for moment in course)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="course" role="group"',
        f' data-turns="{turns}" aria-label={quoteattr(title)}>',
        *_background(len(course), [(index_by_turn.get((game.game, 1)), game.number) for game in games]),
        f'<polyline class="course-line" points="{" ".join(_point(course, index) for index in range(len(course)))}"/>',
    ]
    if current_turn is not None:  # the last moment that is not after it; js/viewer_analysis.js moves it on
        index = sum((moment.game, moment.turn) <= current_turn for moment in course)
        x = _x(max(index - 1, 0), len(course))
        parts.append(f'<line class="course-here" x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}"/>')
    for mark in marks:
        line_position = _mark_position(course, mark)
        if line_position is None:
            continue
        mark_x, mark_y = _point(course, line_position).split(",")
        kind = f"is-{mark.kind} is-right" if mark.right else f"is-{mark.kind}"
        circle = f'<circle class="course-mark {kind}" cx="{mark_x}" cy="{mark_y}" r="{MARK_RADIUS}"><title>{escape(mark.words)}</title></circle>'
        parts.append(
            f'<a href={quoteattr(mark.url)} data-jump="{mark.game}:{mark.turn}" aria-label={quoteattr(mark.words)}>{circle}</a>'
            if mark.url
            else circle
        )
    return mark_safe("".join([*parts, "</svg>"]))  # noqa: S308 - every text in it is escaped


def _background(count: int, games: Sequence[tuple[int | None, int]]) -> list[str]:
    axis_y, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [
        f'<rect class="course-field" x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{axis_y - TOP}"/>'
    ]
    for percent in (0, 50, 100):
        y = round(TOP + (axis_y - TOP) * (1 - percent / 100), 1)
        parts.append(f'<line class="course-rule" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>')
        parts.append(f'<text class="course-label is-share" x="{LEFT - 4}" y="{y + 4}">{percent}</text>')
    for index, number in games:
        if index is None:
            continue
        x = _x(index, count)
        parts.append(f'<line class="course-rule" x1="{x}" y1="{TOP}" x2="{x}" y2="{axis_y}"/>')
        parts.append(f'<text class="course-label" x="{x + 3}" y="{HEIGHT - 7}">{number}</text>')
    return parts


def _mark_position(course: Sequence[CoursePoint], mark: ErrorMark) -> float | None:
    """Return the index of an error among the points of the graph, None if beyond its end.

    Doubles and answers have no point: they are placed between the points before and after them in their game.
    """
    later_indexes = (
        course_index
        for course_index, point in enumerate(course)
        if point.game == mark.game and point.turn >= mark.turn
    )
    index = next(later_indexes, None)
    if index is None or not index or course[index - 1].game != mark.game:
        return index
    turn_before, turn_after = course[index - 1].turn, course[index].turn
    return index - 1 + (mark.turn - turn_before) / (turn_after - turn_before)


def _x(index: float, count: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * index / max(count - 1, 1), 1)


def _point(course: Sequence[CoursePoint], index: float) -> str:
    """Return the coordinates “x,y” of a point of the graph; a fraction lies between two points."""
    left_index, fraction = int(index), index % 1
    white = course[left_index].white
    if fraction:
        white += fraction * (course[left_index + 1].white - white)
    y = round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - white), 1)
    return f"{_x(index, len(course))},{y}"
