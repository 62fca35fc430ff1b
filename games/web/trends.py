"""Draw a player's performance rating over time as SVG: a dot for each match, and a line.

The line shows the rating of the latest matches together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

WIDTH: Final = 720
HEIGHT: Final = 210
LEFT: Final = 34
RIGHT: Final = 16
TOP: Final = 12
BOTTOM: Final = 26
RADIUS: Final = 5
SCALE_STEP: Final = 5
MIN_SCALE: Final = 10  # limits of the scale's end: a single match may be far beyond it
MAX_SCALE: Final = 30
MAX_DAY_LABELS: Final = 4  # labels below the picture
MAX_DOTS: Final = 120  # the latest matches that are drawn


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A match on the graph: its performance rating, date, address and label.

    ``running``: the rating of the latest matches up to it, None if they have too few decisions.
    """

    rating: float
    running: float | None
    day: str
    url: str
    words: str


def trend_svg(dots: Sequence[TrendPoint], title: str) -> SafeString:
    """Return the complete graph as SVG, oldest match first; empty for fewer than three matches."""
    dots = dots[-MAX_DOTS:]
    if len(dots) < 3:
        return mark_safe("")
    top = max(dot.rating for dot in dots)
    scale = min(max(-(-top // SCALE_STEP) * SCALE_STEP, MIN_SCALE), MAX_SCALE)
    count = len(dots)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="course" role="group"',
        f" aria-label={quoteattr(title)}>",
        *_background(scale, dots),
    ]
    line = [
        f"{_x(index, count)},{_y(dot.running, scale)}"
        for index, dot in enumerate(dots)
        if dot.running is not None
    ]
    if len(line) > 1:
        parts.append(f'<polyline class="course-line" points="{" ".join(line)}"/>')
    for index, dot in enumerate(dots):
        circle = (
            f'<circle class="trend-dot" cx="{_x(index, count)}" cy="{_y(dot.rating, scale)}" r="{RADIUS}">'
            f"<title>{escape(dot.words)}</title></circle>"
        )
        parts.append(f"<a href={quoteattr(dot.url)} aria-label={quoteattr(dot.words)}>{circle}</a>")
    return mark_safe("".join([*parts, "</svg>"]))  # noqa: S308 - every text in it is escaped


def _background(scale: float, dots: Sequence[TrendPoint]) -> list[str]:
    axis_y = HEIGHT - BOTTOM
    parts = [
        f'<rect class="course-field" x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{axis_y - TOP}"/>'
    ]
    for value in range(0, int(scale) + 1, SCALE_STEP):
        y = _y(value, scale)
        parts.append(f'<line class="course-rule" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>')
        parts.append(f'<text class="course-label is-share" x="{LEFT - 6}" y="{y + 4}">{value}</text>')
    last_index = len(dots) - 1
    labelled = sorted({round(last_index * index / (MAX_DAY_LABELS - 1)) for index in range(MAX_DAY_LABELS)})
    for number, index in enumerate(labelled):
        anchor = "start" if number == 0 else "end" if index == last_index else "middle"
        x = _x(index, len(dots))
        parts.append(
            f'<text class="course-label" text-anchor="{anchor}" x="{x}" y="{HEIGHT - 8}">{escape(dots[index].day)}</text>'
        )
    return parts


def _x(index: int, count: int) -> float:
    inner_width = WIDTH - LEFT - RIGHT - 4 * RADIUS
    return round(LEFT + 2 * RADIUS + inner_width * index / max(count - 1, 1), 1)


def _y(rating: float, scale: float) -> float:
    """Return the y coordinate of a rating; a value beyond the scale is drawn at its edge."""
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(rating, scale) / scale), 1)
