"""The rating chart, drawn by pygal as one SVG without scripts. It follows the visitor's light or dark scheme by itself."""

import sys
from collections.abc import Sequence
from datetime import datetime
from xml.etree import ElementTree as ET

import pygal
from django.utils.formats import date_format
from django.utils.translation import gettext
from pygal.style import Style

# pygal adds an import hook for its map plugins, which we do not use; it is of a form that Python 3.12 has dropped and
# that makes every later import warn.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != pygal.__name__]

MOST = 400  # points drawn; a longer career is thinned out evenly, its ends kept

_LIGHT = Style(
    background="#fffdf8",
    plot_background="#fffdf8",
    foreground="#615646",
    foreground_strong="#231d17",
    foreground_subtle="#ddd2bf",
    colors=("#1d5b45",),
    opacity="1",
    transition="none",
    font_family="system-ui, sans-serif",
    label_font_size=13,
    major_label_font_size=13,
)
_DARK = """
@media (prefers-color-scheme: dark) {
  {{ id }}, {{ id }}.graph > .background, {{ id }}.plot > .background { background-color: #211c17; fill: #211c17; }
  {{ id }}.graph, {{ id }}.axis text, {{ id }}.axis text.major { fill: #b9ac98; }
  {{ id }}.axis .line, {{ id }}.axis .guide.line { stroke: #3b332a; }
  {{ id }}.color-0, {{ id }}.color-0 path { stroke: #86cba8; fill: #86cba8; }
  {{ id }}.line { fill: none; }
}
"""


def thin(points: Sequence[tuple[datetime, float]], most: int = MOST) -> list[tuple[datetime, float]]:
    """At most ``most`` of the points, evenly chosen, first and last among them."""
    if len(points) <= most:
        return list(points)
    step = (len(points) - 1) / (most - 1)
    return [points[round(i * step)] for i in range(most)]


def draw_chart(title: str, points: Sequence[tuple[datetime, float]]) -> bytes:
    """The rating over time as SVG."""
    chosen = thin(points)
    chart = pygal.DateTimeLine(
        style=_LIGHT,
        css=("file://style.css", "file://graph.css", "inline:" + _DARK.replace("{{ id }}", "")),
        js=(),
        no_prefix=True,
        disable_xml_declaration=True,
        show_legend=False,
        explicit_size=False,
        width=900,
        height=320,
        margin=12,
        dots_size=2 if len(chosen) <= 60 else 0.01,
        stroke_style={"width": 2.5},
        x_value_formatter=lambda at: date_format(at, "M Y"),
        value_formatter=lambda rating: f"{rating:.0f}",
        x_label_rotation=0,
        x_labels_major_count=6,
        show_minor_x_labels=False,
        truncate_label=-1,
        no_data_text=gettext("No rated match yet"),
    )
    if chosen:
        first, last = chosen[0][0], chosen[-1][0]
        chart.x_labels = [first + (last - first) * i / 5 for i in range(6)] if last > first else [first]
    chart.add(title, chosen)
    root = chart.render_tree()
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == "script":
                parent.remove(child)
        parent.attrib.pop("style", None)
    root.set("role", "img")
    root.find("title").text = gettext("Rating of %(name)s") % {"name": title}
    drawn: bytes = ET.tostring(root, encoding="utf-8")
    return drawn
