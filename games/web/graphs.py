"""Draw the course of a match on the server: the left player's winning chance, with the errors of both."""

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
RADIUS: Final = 5


@dataclass(frozen=True, slots=True)
class ErrorMark:
    """An error on the line: its address, label, severity (a class), and whether the right player made it."""

    game: int
    turn: int
    url: str
    words: str
    kind: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class GameStart:
    """The beginning of a game, with its number as displayed."""

    game: int
    number: int


def course_svg(
    moments: Sequence[CoursePoint],
    marks: Sequence[ErrorMark],
    games: Sequence[GameStart],
    title: str,
    here: tuple[int, int] | None = None,
) -> SafeString:
    """Return the complete picture; empty for fewer than two moments.

    ``here``: game and turn shown beside it.
    """
    if len(moments) < 2:
        return mark_safe("")
    at = {(moment.game, moment.turn): index for index, moment in enumerate(moments)}
    turns = " ".join(f"{moment.game}:{moment.turn}" for moment in moments)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="course" role="group"',
        f' data-turns="{turns}" aria-label={quoteattr(title)}>',
        *_background(len(moments), [(at.get((game.game, 1)), game.number) for game in games]),
        f'<polyline class="course-line" points="{" ".join(_point(moments, index) for index in range(len(moments)))}"/>',
    ]
    if here is not None:  # the last moment that is not after it; js/viewer_analysis.js moves it on
        index = sum((moment.game, moment.turn) <= here for moment in moments)
        x = _x(max(index - 1, 0), len(moments))
        parts.append(f'<line class="course-here" x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}"/>')
    for mark in marks:
        place = _mark_position(moments, mark)
        if place is None:
            continue
        across, up = _point(moments, place).split(",")
        kind = f"is-{mark.kind} is-right" if mark.right else f"is-{mark.kind}"
        dot = f'<circle class="course-mark {kind}" cx="{across}" cy="{up}" r="{RADIUS}"><title>{escape(mark.words)}</title></circle>'
        parts.append(
            f'<a href={quoteattr(mark.url)} data-jump="{mark.game}:{mark.turn}" aria-label={quoteattr(mark.words)}>{dot}</a>'
            if mark.url
            else dot
        )
    return mark_safe("".join([*parts, "</svg>"]))  # noqa: S308 - every text in it is escaped


def _background(count: int, games: Sequence[tuple[int | None, int]]) -> list[str]:
    low, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [f'<rect class="course-field" x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{low - TOP}"/>']
    for share in (0, 50, 100):
        y = round(TOP + (low - TOP) * (1 - share / 100), 1)
        parts.append(f'<line class="course-rule" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>')
        parts.append(f'<text class="course-label is-share" x="{LEFT - 4}" y="{y + 4}">{share}</text>')
    for index, number in games:
        if index is None:
            continue
        x = _x(index, count)
        parts.append(f'<line class="course-rule" x1="{x}" y1="{TOP}" x2="{x}" y2="{low}"/>')
        parts.append(f'<text class="course-label" x="{x + 3}" y="{HEIGHT - 7}">{number}</text>')
    return parts


def _mark_position(moments: Sequence[CoursePoint], mark: ErrorMark) -> float | None:
    """The position of a mark on the line, None if beyond its end.

    Doubles and answers are no moments: they are placed between the moments before and after them in their
    game.
    """
    later = (at for at, one in enumerate(moments) if one.game == mark.game and one.turn >= mark.turn)
    index = next(later, None)
    if index is None or not index or moments[index - 1].game != mark.game:
        return index
    before, after = moments[index - 1].turn, moments[index].turn
    return index - 1 + (mark.turn - before) / (after - before)


def _x(index: float, count: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * index / max(count - 1, 1), 1)


def _point(moments: Sequence[CoursePoint], index: float) -> str:
    """Coordinates on the line at a moment, or between two."""
    before, part = int(index), index % 1
    white = moments[before].white
    if part:
        white += part * (moments[before + 1].white - white)
    y = round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - white), 1)
    return f"{_x(index, len(moments))},{y}"
