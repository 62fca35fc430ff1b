"""The interface of rating systems. PURE.

A *sequential* system changes two ratings after each match: it provides a ``Rate`` for its parameters, a plain
function that the replay calls once for each result, and a ``Working`` with the steps of the same computation.
A *periodic* system (Glicko-2) changes ratings at the close of a period and has no ``Rate``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from faults import Fault, Invalid

# (winner's rating, winner's experience, loser's rating, loser's experience, length, weight) → the two changes.
Rate = Callable[[float, int, float, int, int, float], tuple[float, float]]

# (place, number of players who share it, players in the field, weight) → points of each who has it.
PlaceRate = Callable[[int, int, int, float], float]


class BadParameters(Invalid):
    """Invalid parameters of a system; the field of each fault is the parameter's name."""


class ParameterKind(StrEnum):
    NUMBER = "number"
    WHOLE = "whole"
    CHOICE = "choice"
    SCHEDULE = "schedule"


MAX_EXPERIENCE = 1_000_000
Schedule = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a system, with its default and valid range."""

    name: str
    kind: ParameterKind
    default: Any
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()

    def read(self, value: Any) -> Any:
        """Return the value as the formula needs it. Raises ``ValueError`` with a machine code."""
        if self.kind is ParameterKind.CHOICE:
            if value not in self.choices:
                raise ValueError("rating.parameter.choice")
            return str(value)
        if self.kind is ParameterKind.SCHEDULE:
            return _read_schedule(value)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError("rating.parameter.number")  # noqa: TRY004 - one kind of error for all that is wrong
        try:
            number = float(value)
        except ValueError:
            raise ValueError("rating.parameter.number") from None
        if not self.low <= number <= self.high:  # also rejects nan
            raise ValueError("rating.parameter.range")
        if self.kind is ParameterKind.WHOLE:
            if number != int(number):
                raise ValueError("rating.parameter.number")
            return int(number)
        return number


def _read_schedule(value: Any) -> Schedule:
    """Parse ``[[experience, K], …]`` or ``"0:20, 400:4"``: rising experience from 0, all attainable."""
    pairs: list[tuple[float, float]] = []
    try:
        if isinstance(value, str):
            value = [part.split(":") for part in value.split(",")]
        for experience, factor in value:
            pairs.append((float(experience), float(factor)))
    except (TypeError, ValueError):
        raise ValueError("rating.parameter.schedule") from None
    is_rising = all(a[0] < b[0] for a, b in pairwise(pairs))
    is_in_range = all(
        experience <= MAX_EXPERIENCE and 0 < k <= 1000 for experience, k in pairs
    )  # also rejects nan
    if not pairs or pairs[0][0] != 0 or not is_rising or not is_in_range:
        raise ValueError("rating.parameter.schedule")
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Meeting:
    """The input of a formula for a match: both sides before it, and its length."""

    winner: float
    winner_experience: int
    loser: float
    loser_experience: int
    length: int
    weight: float = 1.0

    @property
    def difference(self) -> float:
        return self.winner - self.loser


@dataclass(frozen=True, slots=True)
class Working:
    """The steps of one change: everything needed to compute it again by hand."""

    meeting: Meeting
    difference: float  # D: winner's rating minus loser's
    stretch: float  # factor of the length: √n, n^e
    expected: float | None  # P of the winner, None where the system has none
    winner_k: float | None
    loser_k: float | None
    winner_change: float
    loser_change: float

    @property
    def surprise(self) -> float | None:
        """Return 1 - P of the winner: the share of K that is exchanged."""
        return None if self.expected is None else 1.0 - self.expected


@dataclass(frozen=True, slots=True)
class System:
    """A rating system: code, source, parameters and functions."""

    code: str
    source: str
    parameters: tuple[Parameter, ...]
    start: float
    periodic: bool = False
    weighted: bool = False  # points that are only earned; event and division weights matter
    judged: bool = False  # whether the better player (PR) matters; the weight is then ½ or 1
    rate: Callable[[Mapping[str, Any]], Rate] | None = None
    work: Callable[[Mapping[str, Any], Meeting], Working] | None = None
    expect: Callable[[Mapping[str, Any], float, float, int], float] | None = None
    place: Callable[[Mapping[str, Any]], PlaceRate] | None = None  # final places, where they count

    @property
    def uses_weights(self) -> bool:
        """Return whether results have weights that affect their changes."""
        return self.weighted or self.judged

    def place_rate_for(self, parameters: Mapping[str, Any]) -> PlaceRate | None:
        """Return the function that computes points of final places; None if they earn none."""
        return None if self.place is None else self.place(parameters)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters with defaults filled in. Raises ``BadParameters`` with all faults."""
        parameters_by_name = {p.name: p for p in self.parameters}
        faults = [
            Fault("rating.parameter.unknown", name, {"name": name})
            for name in given
            if name not in parameters_by_name
        ]
        values: dict[str, Any] = {}
        for name, parameter in parameters_by_name.items():
            try:
                values[name] = parameter.read(given.get(name, parameter.default))
            except ValueError as error:
                faults.append(Fault(str(error), name, {"name": name}))
        if faults:
            raise BadParameters(faults=faults)
        return values
