"""The rating chart, drawn by pygal as an SVG without scripts that follows the visitor's colour scheme."""

import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pygal
from django.utils.formats import date_format
from django.utils.translation import gettext
from pygal.style import Style

# pygal adds an import hook for its map plugins, which are not used here; its form is obsolete in Python 3.12 and
# makes every later import warn.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != pygal.__name__]

Point = tuple[Any, ...]  # a time, and one or two numbers
FLAT_AFTER = timedelta(days=7)
EVENING_GAP = timedelta(hours=12)  # without a match: another evening begins
MAX_POINTS = 400  # points drawn; a longer career is thinned out evenly

_STYLE = Style(
    opacity="1",
    transition="none",
    font_family="system-ui, sans-serif",
    label_font_size=13,
    major_label_font_size=13,
)

# (background, text, guides, line): the design system's surface, muted ink, line and accent.
_LIGHT = ("#fffdf8", "#615646", "#e6ddcc", "#1d5b45")
_DARK = ("#211c17", "#b9ac98", "#3b332a", "#86cba8")


def _css(colours: tuple[str, str, str, str], *, band: bool) -> str:
    background, text, guides, line = colours
    band_css = (
        f" .series.serie-0 path.line {{ stroke: none !important; fill: {line} !important; fill-opacity: 0.16 !important; }}"
        if band
        else ""
    )
    return (
        f"svg, rect.background {{ fill: {background} !important; background-color: {background} !important; }}"
        f" text {{ fill: {text} !important; }}"
        f" path.guide, path.line {{ stroke: {guides} !important; stroke-dasharray: none !important; }}"
        f" .series path.line {{ stroke: {line} !important; stroke-width: 2.5 !important; fill: none !important;"
        " stroke-linejoin: round; }"
        f" .series .dot {{ fill: {line} !important; stroke: none !important; }}{band_css}"
    )


def spread_evenings(points: Sequence[Point]) -> list[Point]:
    """Return ``points`` with the matches of one evening side by side instead of above each other.

    An evening gets up to a twentieth of the whole time, or the time until the next evening.
    """
    if len(points) < 2:
        return list(points)
    starts = [
        0,
        *(index for index in range(1, len(points)) if points[index][0] - points[index - 1][0] > EVENING_GAP),
    ]
    max_width = (points[-1][0] - points[0][0]) / 20
    spread: list[Point] = []
    for start, end in zip(starts, [*starts[1:], len(points)], strict=True):
        first = points[start][0]
        last = points[end - 1][0]
        available = (points[end][0] - last) * 0.8 if end < len(points) else max_width
        width = max(last - first, min(max_width, available))
        step = width / (end - start)
        spread += [(first + step * (index - start), *points[index][1:]) for index in range(start, end)]
    return spread


def add_flat_steps(points: Sequence[Point]) -> list[Point]:
    """Return ``points`` with level lines added: after a week without a match the rating stays level."""
    stepped: list[Point] = []
    for moment, *values in points:
        if stepped and moment - stepped[-1][0] >= FLAT_AFTER:
            stepped.append((moment, *stepped[-1][1:]))
        stepped.append((moment, *values))
    return stepped


def thin_points(points: Sequence[Point], limit: int = MAX_POINTS) -> list[Point]:
    """Return at most ``limit`` points, evenly chosen, with both ends and those around the longest pauses."""
    if len(points) <= limit:
        return list(points)
    pauses = [
        index for index in range(1, len(points)) if points[index][0] - points[index - 1][0] >= FLAT_AFTER
    ]
    pauses.sort(key=lambda index: points[index - 1][0] - points[index][0])
    kept_indexes = {
        neighbour
        for index in pauses[: limit // 6]
        for neighbour in (index - 1, index, index + 1)
        if neighbour < len(points)
    }
    remaining = limit - len(kept_indexes)
    step = (len(points) - 1) / (remaining - 1)
    return [points[index] for index in sorted(kept_indexes | {round(i * step) for i in range(remaining)})]


def draw_chart(
    title: str, points: Sequence[Point], *, band: Sequence[Point] = (), narrow: bool = False
) -> bytes:
    """Return the rating over time as an SVG image; ``narrow``: True for small screens, with legible labels.

    ``points``: (time, rating). ``band``: (time, low, high) of the uncertainty, drawn behind the line.
    """
    thinned = thin_points(add_flat_steps(spread_evenings(points)))
    dark_css = f"@media (prefers-color-scheme: dark) {{ {_css(_DARK, band=bool(band))} }}"
    is_long = bool(thinned) and thinned[-1][0] - thinned[0][0] > timedelta(days=400)
    chart = pygal.DateTimeLine(
        style=_STYLE,
        css=(
            "file://style.css",
            "file://graph.css",
            f"inline:{_css(_LIGHT, band=bool(band))} {dark_css}",
        ),
        js=(),
        no_prefix=True,
        disable_xml_declaration=True,
        show_legend=False,
        explicit_size=False,
        width=420 if narrow else 1200,
        height=300 if narrow else 340,
        margin=12,
        margin_right=40,
        dots_size=2 if len(thinned) <= 60 else 0.01,
        x_value_formatter=lambda moment: date_format(moment, "M Y" if is_long else "j M"),
        value_formatter=lambda rating: f"{rating:.0f}",
        x_label_rotation=0,
        y_labels_major_count=5,
        show_minor_y_labels=False,
        truncate_label=-1,
        no_data_text=gettext("No rated matches yet"),
    )
    if thinned:
        first, last = thinned[0][0], thinned[-1][0]
        # No day (in a long career no month) is written twice.
        interval_count = min(2 if narrow else 5, (last - first).days // (31 if is_long else 1))
        chart.x_labels = (
            [first + (last - first) * i / interval_count for i in range(interval_count + 1)]
            if interval_count
            else [first]
        )
    if band:
        band_points = thin_points(spread_evenings(band))
        outline = [(moment, high) for moment, _low, high in band_points] + [
            (moment, low) for moment, low, _high in reversed(band_points)
        ]
        chart.add(gettext("Uncertainty range"), outline, fill=True, show_dots=False)
    chart.add(title, thinned)
    root = chart.render_tree()
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == "script":
                parent.remove(child)
        parent.attrib.pop("style", None)
    root.set("role", "img")
    template = gettext("Rating of %(name)s with uncertainty range") if band else gettext("Rating of %(name)s")
    root.find("title").text = template % {"name": title}
    svg: bytes = ET.tostring(root, encoding="utf-8")
    return svg
