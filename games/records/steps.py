"""Parse and write plays such as `24/18 13/11`, `8/5*(2)`, `bar/20/14*`, `24→18?`, `25/21`, `4/0`, `6/off`.

Text becomes steps in the mover's own numbering; another numbering (rule R5) is named by the caller and
converted here. Whether a step can be played is not checked.
"""

from __future__ import annotations

import re

from games.records.model import BAR, OFF, Step
from games.rules.errors import RuleError
from games.rules.numbering import Numbering, point_from_label
from games.rules.sides import Side

MAX_STEPS = 16


_TO = "(?:[-=]>|[/\u2192\u21d2\u2013-])"  # 8/5 8-5 8->5 8=>5, an arrow, a dash of print
_GROUP = re.compile(
    rf"(?P<first>bar|b|\d{{1,2}}A?)\s?\*?(?P<rest>(?:\s?{_TO}\s?(?:off|o|\d{{1,2}}A?)\s?\*?)+)"
    r"(?:\s?\((?P<times>\d)\))?[?!]{0,4}[,;]?\s*",  # with a mark of whoever thought it good or bad
    re.IGNORECASE,
)
_LINK = re.compile(rf"{_TO}\s?(off|o|\d{{1,2}}A?)\s?(\*?)", re.IGNORECASE)


def _common_groups() -> dict[str, tuple[Step, ...]]:
    """Return the steps of texts with one step, in the usual names of bar and off, keyed by text."""
    table: dict[str, tuple[Step, ...]] = {}
    for source in range(1, BAR + 1):
        for target in range(OFF, min(source, BAR)):
            sources = ("25", "bar", "Bar") if source == BAR else (str(source),)
            targets = ("0", "off", "Off") if target == OFF else (str(target),)
            for first in sources:
                for last in targets:
                    table[f"{first}/{last}"] = (Step(source, target),)
                    table[f"{first}/{last}*"] = (Step(source, target, True),)
    return table


_COMMON = _common_groups()


class UnreadableSteps(ValueError):
    """The text is no play. `words`: the part that is wrong; `column` counts from 0 within the text."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(text)
        self.words = text
        self.column = column


def read_steps(text: str, side: Side = Side.WHITE, numbering: Numbering = Numbering.OWN) -> tuple[Step, ...]:
    """Return all steps of a play, in the mover's own numbering. Raises `UnreadableSteps`.

    ``side`` and ``numbering``: who moves, and how the text numbers the points.

    >>> [tuple(step) for step in read_steps("13/7*(2) bar/23")]
    [(13, 7, True), (13, 7, True), (25, 23, False)]
    """
    if numbering is Numbering.OWN:
        steps: list[Step] = []
        for word in text.split():
            common_steps = _COMMON.get(word)
            if common_steps is None:
                break
            steps += common_steps
        else:
            if len(steps) <= MAX_STEPS:
                return tuple(steps)
    return _read_slowly(text, side, numbering)


def _read_slowly(text: str, side: Side, numbering: Numbering) -> tuple[Step, ...]:
    steps: list[Step] = []
    offset = len(text) - len(text.lstrip(" ,;"))
    end = len(text.rstrip(" ,;."))
    while offset < end:
        group = _GROUP.match(text, offset)
        if group is None:
            raise UnreadableSteps(text[offset:end][:40], offset)
        source = _point(group["first"], side, numbering)
        chain: list[Step] = []
        for word, star in _LINK.findall(group["rest"]):
            target = _point(word, side, numbering)
            if source is None or target is None or source == OFF or target == BAR:
                raise UnreadableSteps(group[0].strip(), offset)
            chain.append(Step(source, target, bool(star)))
            source = target
        steps += chain * int(group["times"] or 1)
        if not chain or len(steps) > MAX_STEPS or group["times"] == "0":
            raise UnreadableSteps(group[0].strip(), offset)
        offset = group.end()
    return tuple(steps)


def _point(word: str, side: Side, numbering: Numbering) -> int | None:
    """Return a written point in the mover's own numbering, None if invalid.

    In every numbering 25 and 0 are also the bar and off.
    """
    lower = word.lower()
    if lower in ("bar", "b", "25"):
        return BAR
    if lower in ("off", "o", "0"):
        return OFF
    try:
        return point_from_label(numbering, side, lower.lstrip("0"))
    except RuleError:
        return None


def write_steps(steps: tuple[Step, ...], *, bar: str = "bar", off: str = "off") -> str:
    """Return steps as text in the usual notation, a group for each: `bar/21 13/10* 6/off`.

    >>> write_steps(read_steps("24/18 18/14"))
    '24/18 18/14'
    """
    return " ".join(
        f"{bar if step.source == BAR else step.source}/{off if step.target == OFF else step.target}{'*' if step.hit else ''}"
        for step in steps
    )
