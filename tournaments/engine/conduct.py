"""What federation rules say about lateness and clocks, as settings and arithmetic (F10 F11 F15).

The clock on the wall and who is late are the caller's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.errors import BadInput
from tournaments.engine.types import Score


@dataclass(frozen=True, slots=True)
class LatenessRule:
    """F15, with its usual values: a point for each full step of minutes after the grace."""

    grace: int = 5
    step: int = 5
    points: int = 1

    def __post_init__(self) -> None:
        if self.grace < 0 or self.step < 1 or self.points < 0:
            raise BadInput(
                "lateness.no_rule", {"grace": self.grace, "step": self.step, "points": self.points}
            )


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points for the one who was there; `lost`: they pass half the length, the match is a walk-over."""

    points: int
    lost: bool


def lateness_penalty(length: int, minutes: int, rule: LatenessRule) -> Penalty:
    """What so many minutes cost in a match of this length. Points never exceed the length."""
    steps = max(minutes - rule.grace, 0) // rule.step
    points = min(steps * rule.points, length)
    return Penalty(points, lost=2 * points > length)


@dataclass(frozen=True, slots=True)
class ClockRule:
    """F11: seconds of delay a move, and of reserve a point of the length; a minute less a point already scored."""

    delay: int = 12
    reserve_a_point: int = 120
    less_a_scored_point: int = 60


SINGLES = ClockRule()
TEAMS = ClockRule(delay=18, reserve_a_point=150)


def reserve(length: int, rule: ClockRule, scored: Score) -> int:
    """Seconds of reserve for each side; `scored` matters only where a clock is brought in in mid-match."""
    return max(length * rule.reserve_a_point - (scored.a + scored.b) * rule.less_a_scored_point, 0)
