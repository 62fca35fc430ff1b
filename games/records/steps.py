"""Written plays: `24/18 13/11`, `8/5*(2)`, `bar/20/14*`, `13-8 bar-20`, `25/21`, `4/0`, `6/off` → steps, and back.

Here: words to steps in the mover's own numbering. Whether a step can be played is none of this module's business.

A numbering other than the mover's own (R5) is named by the caller; the words are turned into own numbers here, so that
everything behind this door counts alike.
"""

from __future__ import annotations

import re
from enum import StrEnum

from games.records.model import BAR, OFF, Step
from games.rules.sides import Side

MAX_STEPS = 16


class WrittenNumbering(StrEnum):
    """How a text counts the points (R5), each named by side and direction."""

    OWN = "own"  # both sides 24 down to 1 (sheets B C)
    WHITE_UP = "white-up"  # fixed: White runs 1 to 24, Black 24 to 1 (sheets D E)
    WHITE_DOWN = "white-down"  # fixed: White runs 24 to 1, Black 1 to 24
    HALVES = "halves"  # fixed 1–12 and 1A–12A, White runs 1A to 12A and 12 to 1 (sheet A)


_GROUP = re.compile(
    r"(?P<first>bar|b|\d{1,2}A?)\s?\*?(?P<rest>(?:\s?[/-]\s?(?:off|o|\d{1,2}A?)\s?\*?)+)(?:\s?\((?P<times>\d)\))?[,;]?\s*",
    re.IGNORECASE,
)
_LINK = re.compile(r"[/-]\s?(off|o|\d{1,2}A?)\s?(\*?)", re.IGNORECASE)


def _common_groups() -> dict[str, tuple[Step, ...]]:
    """The groups nearly every program writes, ready made: one step, one of the two names of bar and off."""
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
    """The words name no plays. `column` counts from 0 within the words."""

    def __init__(self, words: str, column: int) -> None:
        super().__init__(words)
        self.words = words
        self.column = column


def read_steps(
    text: str, side: Side = Side.WHITE, numbering: WrittenNumbering = WrittenNumbering.OWN
) -> tuple[Step, ...]:
    """All steps that a cell names, in the mover's own numbering."""
    if numbering is WrittenNumbering.OWN:
        steps: list[Step] = []
        for word in text.split():
            common = _COMMON.get(word)
            if common is None:
                break
            steps += common
        else:
            if len(steps) <= MAX_STEPS:
                return tuple(steps)
    return _read_slowly(text, side, numbering)


def _read_slowly(text: str, side: Side, numbering: WrittenNumbering) -> tuple[Step, ...]:
    steps: list[Step] = []
    at = len(text) - len(text.lstrip(" ,;"))
    end = len(text.rstrip(" ,;."))
    while at < end:
        group = _GROUP.match(text, at)
        if group is None:
            raise UnreadableSteps(text[at:end][:40], at)
        source = _point(group["first"], side, numbering)
        chain: list[Step] = []
        for word, star in _LINK.findall(group["rest"]):
            target = _point(word, side, numbering)
            if source is None or target is None or source == OFF or target == BAR:
                raise UnreadableSteps(group[0].strip(), at)
            chain.append(Step(source, target, bool(star)))
            source = target
        steps += chain * int(group["times"] or 1)
        if not chain or len(steps) > MAX_STEPS or group["times"] == "0":
            raise UnreadableSteps(group[0].strip(), at)
        at = group.end()
    return tuple(steps)


def _point(word: str, side: Side, numbering: WrittenNumbering) -> int | None:
    """A written point as own number, None where there is no such point."""
    lower = word.lower()
    if lower in ("bar", "b"):
        return BAR
    if lower in ("off", "o"):
        return OFF
    if numbering is WrittenNumbering.HALVES:
        number = int(lower.rstrip("a"))
        if not 1 <= number <= 12:
            return None
        # White's way is 1A … 12A, 12 … 1: own 24 … 13, 12 … 1.
        white = 25 - number if lower.endswith("a") else number
        return white if side is Side.WHITE else 25 - white
    if lower.endswith("a"):
        return None
    number = int(lower)
    if number > BAR:
        return None
    if numbering is WrittenNumbering.OWN or number in (OFF, BAR):
        return number
    counts_up = (numbering is WrittenNumbering.WHITE_UP) is (side is Side.WHITE)
    return 25 - number if counts_up else number


def write_steps(steps: tuple[Step, ...], *, bar: str = "bar", off: str = "off") -> str:
    """Steps in the usual words, one group for each: `bar/21 13/10* 6/off`."""
    return " ".join(
        f"{bar if step.source == BAR else step.source}/{off if step.target == OFF else step.target}{'*' if step.hit else ''}"
        for step in steps
    )
