"""Check the hit marks (``*``) of a record against the hits of its plays.

Only for files that write such marks at all: many programs write none, and SGF and XG have no sign for them. A
step that joins several dice has one mark for its end, so a hit on the way needs none (``24/14*`` says nothing
about 18).
"""

from __future__ import annotations

from games.records.findings import Finding
from games.records.model import OFF, Record, Roll, Step
from games.rules.plays import Reading, hit_steps
from games.rules.position import BAR, HALF, LOW, WIDTH, Position

CORRECT_STAR = "right"
_ON_BAR = WIDTH * BAR


def has_stars(record: Record) -> bool:
    """Return whether the record marks any step as a hit."""
    return any(
        step.hit
        for game in record.games
        for action in game.actions
        if isinstance(action, Roll)
        for step in action.steps
    )


def star_fault(before: Position, steps: tuple[Step, ...], reading: Reading) -> str:
    """Return the code of what is wrong with the hit marks of a legal play.

    ``CORRECT_STAR`` if hit and mark agree, empty if there is neither. ``before`` is seen by the player. A
    point that several checkers reach has been hit once; the mark may be on any of them (``8/5*(2)``).
    """
    starred_targets = {step[1] for step in steps if step[2]}
    has_hit = ((reading.result & LOW) >> _ON_BAR) > (before >> HALF >> _ON_BAR)
    if not starred_targets and not has_hit:
        return ""
    hit_targets = {step.target for step in hit_steps(before, reading.steps)} if has_hit else set()
    if starred_targets - hit_targets or OFF in starred_targets:
        return "star.false"
    if hit_targets.intersection(step[1] for step in steps) - starred_targets:
        return "star.missing"
    return CORRECT_STAR if starred_targets else ""


def drop_missing_stars(findings: list[Finding], right_stars: int) -> list[Finding]:
    """Return the findings without those of missing marks, if these outnumber the correct marks.

    The file writes no marks then. ``right_stars``: the number of correct marks.
    """
    missing_stars = sum(1 + item.params["more"] for item in findings if item.code == "star.missing")
    return (
        [item for item in findings if item.code != "star.missing"]
        if missing_stars > right_stars
        else findings
    )
