"""Stars: whether what a file marks as a hit was one, and whether each hit has its mark.

Only for files that write stars at all: many programs write none, and SGF and XG have no sign for it. A step that joins
several dice has one mark for its end, so a hit on its way is not asked for (`24/14*` says nothing of 18).
"""

from __future__ import annotations

from games.records.findings import Finding
from games.records.model import OFF, Record, Roll, Step
from games.rules.plays import Reading, hit_steps
from games.rules.position import BAR, HALF, LOW, WIDTH, Position

CORRECT_STAR = "right"
_ON_BAR = WIDTH * BAR


def has_stars(record: Record) -> bool:
    """Whether there is a star anywhere in the record."""
    return any(
        step.hit
        for game in record.games
        for action in game.actions
        if isinstance(action, Roll)
        for step in action.steps
    )


def star_fault(before: Position, steps: tuple[Step, ...], reading: Reading) -> str:
    """What is wrong with the stars of a legal play: a code; `CORRECT_STAR` for a hit with its star, nothing for neither.

    `before` is seen by the player, as always. A point that several checkers reach has been hit once, and its star may stand with
    any of them (`8/5*(2)`).
    """
    marked = {step[1] for step in steps if step[2]}
    hit_one = ((reading.result & LOW) >> _ON_BAR) > (before >> HALF >> _ON_BAR)
    if not marked and not hit_one:
        return ""
    hits = {step.target for step in hit_steps(before, reading.steps)} if hit_one else set()
    if marked - hits or OFF in marked:
        return "star.false"
    if hits.intersection(step[1] for step in steps) - marked:
        return "star.missing"
    return CORRECT_STAR if marked else ""


def drop_missing_stars(findings: list[Finding], right: int) -> list[Finding]:
    """Without the stars that are missing, if most of the hits have none: then the file writes no stars, and the odd one is odd."""
    missing = sum(1 + found.params["more"] for found in findings if found.code == "star.missing")
    return [found for found in findings if found.code != "star.missing"] if missing > right else findings
