"""Rulings by federation rules: points without play, lateness, slow play, clocks, errors at the board.

Rules F7, F10, F11, F15 and F16. Settings and arithmetic only; measuring time and deciding who is late or slow
is up to the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from faults import Fault
from games.rules.policies import DEFAULT_SLIPS, SlipRules
from tournaments.engine.errors import BadInput
from tournaments.engine.types import ResultKind, Score, Side

MAX_NOTE_LENGTH: Final = 200
MAX_MINUTES: Final = 600
MAX_SECONDS: Final = 3600


class AwardReason(StrEnum):
    """Why a side gets points without a game."""

    START = "start"  # a starting score: a handicap, a bonus (F10)
    LATE = "late"  # the other side came late (F15)
    SLOW = "slow"  # the other side plays slowly (F15)
    PENALTY = "penalty"  # the other side is penalised (F10)


@dataclass(frozen=True, slots=True)
class AwardRule:
    """The rule for awarding points for one reason.

    `rule`: its number in the rules; `least`: minimum points. A new reason needs a code, its rule here, and
    its messages (`shared/words/rulings`).
    """

    rule: str
    least: int = 0  # points
    is_cumulative: bool = False  # added to earlier ones; else it replaces the former one
    needs_reason: bool = False
    is_by_schedule: bool = False  # points follow from minutes; not given by hand, and recorded even if none
    is_allowed_mid_match: bool = (
        False  # given while games are played, so that a record of them cannot know the score
    )


AWARD_RULES: Final[Mapping[AwardReason, AwardRule]] = {
    AwardReason.START: AwardRule("F10"),
    AwardReason.LATE: AwardRule("F15", is_by_schedule=True),
    AwardReason.SLOW: AwardRule("F15", is_by_schedule=True, is_allowed_mid_match=True),
    AwardReason.PENALTY: AwardRule(
        "F10", least=1, is_cumulative=True, needs_reason=True, is_allowed_mid_match=True
    ),
}
MANUAL_REASONS: Final = tuple(reason for reason, row in AWARD_RULES.items() if not row.is_by_schedule)


@dataclass(frozen=True, slots=True)
class Award:
    """Points that one side gets without play.

    `to`: that side; `why`: the reason; `minutes`: how late the other side was, or by how much the match is
    over time.
    """

    to: Side
    points: int
    why: AwardReason
    minutes: int | None = None
    note: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Award:
        return cls(Side(data["to"]), data["points"], AwardReason(data["why"]), data["minutes"], data["note"])

    def data(self) -> dict[str, Any]:
        return asdict(self)


def awards_from_json(stored: Iterable[Mapping[str, Any]]) -> tuple[Award, ...]:
    """Return the awards that are stored with a match."""
    return tuple(Award.of(data) for data in stored)


def with_award(awards: Sequence[Award], new: Award) -> tuple[Award, ...]:
    """Return the awards with a new one added.

    Penalties add up; an award for another reason replaces the side's former award for that reason, and one of
    no points only removes it, unless it follows from minutes.
    """
    row = AWARD_RULES[new.why]
    kept_awards = [
        award for award in awards if row.is_cumulative or (award.to, award.why) != (new.to, new.why)
    ]
    return (*kept_awards, new) if new.points or row.is_by_schedule else tuple(kept_awards)


def starting_score(awards: Iterable[Award]) -> Score:
    """Return the points that both sides get by these awards (rule F10)."""
    points = dict.fromkeys(Side, 0)
    for award in awards:
        points[award.to] += award.points
    return Score(points[Side.A], points[Side.B])


def check_award(length: int, awards: Sequence[Award], new: Award) -> tuple[Fault, ...]:
    """Return all errors of a further award in a match of this length; empty if it is valid.

    `awards`: those that the match has already.
    """
    faults, row = [], AWARD_RULES[new.why]
    if new.points < row.least:
        faults.append(Fault("award.points_odd", "points"))
    elif starting_score(with_award(awards, new)).of(new.to) >= length:
        faults.append(Fault("award.ends_match", "points", {"length": length}))
    if len(new.note) > MAX_NOTE_LENGTH:
        faults.append(Fault("award.note_long", "note", {"limit": MAX_NOTE_LENGTH}))
    if row.needs_reason and not new.note:
        faults.append(Fault("award.reason_missing", "note"))
    if row.is_by_schedule and not 0 <= (new.minutes or 0) <= MAX_MINUTES:
        faults.append(Fault("award.minutes_odd", "minutes", {"limit": MAX_MINUTES}))
    return tuple(faults)


@dataclass(frozen=True, slots=True)
class LatenessRule:
    """How lateness is penalised in a stage (rule F15); times are minutes.

    The present side gets `points` for each full `step` after the `grace` period; a side loses the match, as a
    result of kind `lost_as`, once its penalty exceeds half the match length.
    """

    grace: int = 5
    step: int = 5
    points: int = 1
    lost_as: ResultKind = ResultKind.WALKOVER

    def __post_init__(self) -> None:
        fits = 0 <= self.grace <= MAX_MINUTES and 1 <= self.step <= MAX_MINUTES and 0 <= self.points <= 99
        if not fits or self.lost_as not in {ResultKind.WALKOVER, ResultKind.FORFEIT}:
            raise BadInput("lateness.no_rule")


@dataclass(frozen=True, slots=True)
class Penalty:
    """What lateness costs: points for the side that was there.

    `lost`: the points exceed half the match length, so the late side loses without play.
    """

    points: int
    lost: bool


def lateness_penalty(length: int, minutes: int, rule: LatenessRule) -> Penalty:
    """Return the penalty for ``minutes`` of lateness in a match of this length (rule F15).

    The points are at most the length. A match to 7 by the default schedule, a point for each full 5 minutes
    after the first 5:

    >>> lateness_penalty(7, 17, LatenessRule())
    Penalty(points=2, lost=False)
    >>> minutes_until_loss(7, LatenessRule())
    25
    """
    steps = max(minutes - rule.grace, 0) // rule.step
    points = min(steps * rule.points, length)
    return Penalty(points, lost=2 * points > length)


def minutes_until_loss(length: int, rule: LatenessRule) -> int | None:
    """Return after how many minutes a late side loses the match; None if lateness costs nothing."""
    if not rule.points:
        return None
    return rule.grace + rule.step * (length // 2 // rule.points + 1)


@dataclass(frozen=True, slots=True)
class SlowPlayRule:
    """How slow play is penalised in a stage (rule F15); times are minutes.

    The other side gets `points` for each full `step` by which the match exceeds its time, after the `grace`
    period. A match exceeds its time once it counts as long (``selectors.hall.forecast.OVERLONG_FACTOR``).
    """

    grace: int = 5
    step: int = 5
    points: int = 1

    def __post_init__(self) -> None:
        if not (0 <= self.grace <= MAX_MINUTES and 1 <= self.step <= MAX_MINUTES and 0 <= self.points <= 99):
            raise BadInput("slow_play.no_rule")


def slow_play_points(length: int, minutes: int, rule: SlowPlayRule) -> int:
    """Return the penalty points for a match that is ``minutes`` over its time (rule F15).

    They are at most half the length, so that no side loses by them alone.

    >>> slow_play_points(7, 17, SlowPlayRule()), slow_play_points(7, 60, SlowPlayRule())
    (2, 3)
    """
    return min(max(minutes - rule.grace, 0) // rule.step * rule.points, length // 2)


class ClockUse(StrEnum):
    """Which matches use clocks in a stage that has clocks.

    A director can start a clock in any match (US Clock Rules 1.1).
    """

    REQUIRED = "required"  # in all matches, from their beginning
    PREFERRED = "preferred"  # if one player wants one
    OPTIONAL = "optional"  # if both players want one


@dataclass(frozen=True, slots=True)
class ClockRule:
    """Clock settings (rule F11), in seconds.

    `delay`: for each move; `reserve_a_point`: reserve of each side for each point of the match length,
    reduced by `less_a_scored_point` for each point already scored; `overtime`: what a side gets once when its
    reserve is used up, before it loses on time; some events give a minute.
    """

    delay: int = 12
    reserve_a_point: int = 120
    less_a_scored_point: int = 60
    overtime: int = 0

    def __post_init__(self) -> None:
        if not all(0 <= seconds <= MAX_SECONDS for seconds in asdict(self).values()):
            raise BadInput("clocks.no_rule", limit=MAX_SECONDS)


SINGLES_CLOCK = ClockRule()
TEAM_CLOCK = ClockRule(delay=18, reserve_a_point=150)


@dataclass(frozen=True, slots=True)
class MatchConditions:
    """Match conditions of a stage: lateness, slow play, clocks, and errors at the board.

    They do not depend on the stage's system. Rules F7, F11, F15 and F16. `clocks`: null if matches are played
    without clocks unless a director starts one; otherwise `clock_use` states which matches use them. `rated`:
    whether the director lets results be rated; this can only exclude results (rule F12). `slips`: until when
    errors at the board are corrected. `holland`: after the Crawford game, neither side may double until both
    have rolled twice (rule F3).
    """

    lateness: LatenessRule = LatenessRule()
    clocks: ClockRule | None = None
    rated: bool = True
    clock_use: ClockUse = ClockUse.REQUIRED
    slow: SlowPlayRule = SlowPlayRule()
    slips: SlipRules = DEFAULT_SLIPS
    holland: bool = False


DEFAULT_MATCH_CONDITIONS: Final = MatchConditions()


def reserve_seconds(length: int, rule: ClockRule, scored: Score) -> int:
    """Return the reserve of each side in seconds (rule F11).

    `scored`: the score at which the clock starts; it matters only if that is during the match.
    """
    return max(length * rule.reserve_a_point - (scored.a + scored.b) * rule.less_a_scored_point, 0)


@dataclass(frozen=True, slots=True)
class ClockStart:
    """A clock that a director started in a match (rule F11): when, and at which score if that is known."""

    at: datetime
    score: Score | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ClockStart | None:
        """Return the clock start that the stored JSON contains; None if no clock was started."""
        if not stored:
            return None
        score = Score(stored["a"], stored["b"]) if stored["a"] is not None else None
        return cls(datetime.fromisoformat(stored["at"]), score)

    def data(self) -> dict[str, Any]:
        score = self.score
        return {"at": self.at.isoformat(), "a": score.a if score else None, "b": score.b if score else None}


def check_clock_start(length: int, start: Score, score: Score | None) -> tuple[Fault, ...]:
    """Return the errors of the score at which a clock is started; empty if it is valid or not given.

    `start`: the score at which the match began; `length`: its length.
    """
    if score is None or all(start.of(side) <= score.of(side) < length for side in Side):
        return ()
    return (Fault("clock.score_odd", "score_a", {"length": length, "a": start.a, "b": start.b}),)


def clock_rule_for(conduct: MatchConditions, team_size: int) -> ClockRule:
    """Return the clock settings of a stage: its own, else the default for singles or for teams."""
    return conduct.clocks or (SINGLES_CLOCK if team_size == 1 else TEAM_CLOCK)
