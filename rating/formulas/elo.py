"""Match-length Elo: FIBS with and without the experience ramp, and the general formula. PURE.

FIBS (``help formula`` of the First Internet Backgammon Server; Kevin Bastian, "The FIBS Rating System"):

    P(underdog) = 1 / (1 + 10^(D·√n / 2000))        change = 4 · K · √n · (1 - P of the winner)
    K = max(1, 5 - experience / 100)                 each player has their own K; start 1500, experience 0

Whether the match being rated already counts as experience differs between descriptions (macFIBS adds it), so
it is a parameter: two new players at 7 points exchange 26.4575 when it does not and 26.0871 when it does.

The general formula replaces 2000 by ``divisor``, √n by n^``exponent`` and 4·K by a schedule of K over
experience.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rating.formulas.base import (
    ChangeCalculation,
    Parameter,
    ParameterKind,
    Rate,
    RatedMatch,
    Schedule,
    System,
)

EXPERIENCE_BEFORE = "before"
EXPERIENCE_AFTER = "after"

_LENGTH_COUNT = 100


def lose_chance(difference: float, stretch: float, divisor: float) -> float:
    """Return the chance that a player who is ``difference`` points better does *not* win.

    ``stretch``: the factor of the match length, √n for FIBS. ``divisor``: 2000 for FIBS.
    """
    try:
        chance: float = 1.0 / (1.0 + 10.0 ** (difference * stretch / divisor))
    except OverflowError:  # beyond 10^308 the chance is 0
        return 0.0
    return chance


def fibs_k(experience: int) -> float:
    """Return the factor K of FIBS, max(1, 5 - experience/100).

    >>> fibs_k(0), fibs_k(200), fibs_k(1000)
    (5.0, 3.0, 1.0)
    """
    return max(1.0, 5.0 - experience / 100.0)


def schedule_k(schedule: Schedule, experience: float, shape: str) -> float:
    """Return the factor K at ``experience`` from a schedule of (experience, K) pairs.

    ``shape``: with ``"steps"`` K stays the same until the next pair; otherwise it is interpolated linearly.
    """
    current_step = schedule[0]
    for step in schedule:
        if step[0] > experience:
            if shape == "steps":
                return current_step[1]
            return current_step[1] + (step[1] - current_step[1]) * (experience - current_step[0]) / (
                step[0] - current_step[0]
            )
        current_step = step
    return current_step[1]


KFunction = Callable[[int], float]


def _elo_rate(divisor: float, exponent: float, k: KFunction, *, counts_itself: bool) -> Rate:
    stretches = [float(n) ** exponent for n in range(_LENGTH_COUNT)]

    def rate(
        winner: float,
        winner_experience: int,
        loser: float,
        loser_experience: int,
        length: int,
        _weight: float,
    ) -> tuple[float, float]:
        stretch = stretches[length]
        try:  # `lose_chance` inlined: this line runs once for every result of a list
            share = stretch * (1.0 / (1.0 + 10.0 ** ((winner - loser) * stretch / divisor)))
        except OverflowError:
            share = 0.0
        if counts_itself:
            winner_experience += length
            loser_experience += length
        return k(winner_experience) * share, -(k(loser_experience) * share)

    return rate


def _elo_work(
    meeting: RatedMatch, divisor: float, exponent: float, k: KFunction, *, counts_itself: bool
) -> ChangeCalculation:
    stretch = float(meeting.length) ** exponent
    added_length = meeting.length if counts_itself else 0
    rate = _elo_rate(divisor, exponent, k, counts_itself=counts_itself)
    winner_change, loser_change = rate(
        meeting.winner,
        meeting.winner_experience,
        meeting.loser,
        meeting.loser_experience,
        meeting.length,
        meeting.weight,
    )
    return ChangeCalculation(
        meeting=meeting,
        difference=meeting.difference,
        stretch=stretch,
        expected=1.0 - lose_chance(meeting.difference, stretch, divisor),
        winner_k=k(meeting.winner_experience + added_length),
        loser_k=k(meeting.loser_experience + added_length),
        winner_change=winner_change,
        loser_change=loser_change,
    )


_RAMP = [4.0 * fibs_k(experience) for experience in range(401)]  # K is constant from 400 on


def _ramp_k(experience: int) -> float:
    return _RAMP[experience] if experience < 400 else 4.0


def _flat_k(_experience: int) -> float:
    return 4.0


def _fibs_rate(parameters: Mapping[str, Any]) -> Rate:
    return _elo_rate(2000.0, 0.5, _ramp_k, counts_itself=parameters["experience"] == EXPERIENCE_AFTER)


def _fibs_work(parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return _elo_work(
        meeting, 2000.0, 0.5, _ramp_k, counts_itself=parameters["experience"] == EXPERIENCE_AFTER
    )


def _flat_rate(_parameters: Mapping[str, Any]) -> Rate:
    return _elo_rate(2000.0, 0.5, _flat_k, counts_itself=False)


def _flat_work(_parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return _elo_work(meeting, 2000.0, 0.5, _flat_k, counts_itself=False)


def _fibs_expect(
    _parameters: Mapping[str, Any], own_rating: float, other_rating: float, length: int
) -> float:
    return 1.0 - lose_chance(own_rating - other_rating, float(length) ** 0.5, 2000.0)


def _general_k(parameters: Mapping[str, Any]) -> KFunction:
    schedule: Schedule = parameters["schedule"]
    shape: str = parameters["shape"]
    return lambda experience: schedule_k(schedule, experience, shape)


def _general_rate(parameters: Mapping[str, Any]) -> Rate:
    return _elo_rate(
        parameters["divisor"],
        parameters["exponent"],
        _general_k(parameters),
        counts_itself=parameters["experience"] == EXPERIENCE_AFTER,
    )


def _general_work(parameters: Mapping[str, Any], meeting: RatedMatch) -> ChangeCalculation:
    return _elo_work(
        meeting,
        parameters["divisor"],
        parameters["exponent"],
        _general_k(parameters),
        counts_itself=parameters["experience"] == EXPERIENCE_AFTER,
    )


def _general_expect(
    parameters: Mapping[str, Any], own_rating: float, other_rating: float, length: int
) -> float:
    return 1.0 - lose_chance(
        own_rating - other_rating, float(length) ** parameters["exponent"], parameters["divisor"]
    )


_EXPERIENCE = Parameter(
    "experience", ParameterKind.CHOICE, EXPERIENCE_BEFORE, choices=(EXPERIENCE_BEFORE, EXPERIENCE_AFTER)
)

FIBS = System(
    code="fibs",
    source="FIBS `help formula`; K. Bastian, The FIBS Rating System; https://www.bkgm.com/rgb/rgb.cgi?view+1093",
    parameters=(_EXPERIENCE,),
    start=1500.0,
    rate=_fibs_rate,
    work=_fibs_work,
    expect=_fibs_expect,
)

FIBS_FLAT = System(
    code="fibs_flat",
    source="FIBS formula with K = 1 for everybody, so that nothing is won or lost in sum",
    parameters=(),
    start=1500.0,
    rate=_flat_rate,
    work=_flat_work,
    expect=_fibs_expect,
)

ELO = System(
    code="elo",
    source="Match-length Elo with divisor, exponent of the length and K schedule as parameters",
    parameters=(
        Parameter("divisor", ParameterKind.NUMBER, 2000.0, low=1.0, high=100_000.0),
        Parameter("exponent", ParameterKind.NUMBER, 0.5, low=0.0, high=2.0),
        Parameter("schedule", ParameterKind.SCHEDULE, ((0.0, 20.0), (400.0, 4.0))),
        Parameter("shape", ParameterKind.CHOICE, "line", choices=("line", "steps")),
        _EXPERIENCE,
    ),
    start=1500.0,
    rate=_general_rate,
    work=_general_work,
    expect=_general_expect,
)
