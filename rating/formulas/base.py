"""The interface of rating systems. PURE.

A *sequential* system changes two ratings after each match: it provides a ``Rate`` for its parameters, a plain
function that the replay calls once for each result, and a ``ChangeCalculation`` with the steps of the same computation.
A *periodic* system (Glicko-2) changes ratings only when a rating period ends and has no ``Rate``.
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
    """Parameters of a rating system are invalid; the field of each fault is the parameter's name."""


class ParameterKind(StrEnum):
    NUMBER = "number"
    WHOLE = "whole"
    CHOICE = "choice"
    SCHEDULE = "schedule"


MAX_EXPERIENCE = 1_000_000
Schedule = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a rating system, with its default and valid range.

    ``low`` and ``high``: smallest and largest valid number. ``choices``: the valid values of a ``CHOICE``.
    """

    name: str
    kind: ParameterKind
    default: Any
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()

    def read(self, value: Any) -> Any:
        """Return a given value in the type that the formula needs.

        Raises ``ValueError`` with an error code such as ``rating.parameter.range`` if the value is invalid.
        """
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
    """Parse a schedule of K: ``[[experience, K], …]`` or ``"0:20, 400:4"``.

    Experience has to begin at 0 and rise, at most to ``MAX_EXPERIENCE``; K is above 0 and at most 1000.
    Raises ``ValueError`` with the code ``rating.parameter.schedule`` otherwise.
    """
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
class RatedMatch:
    """The input of a formula for a match: both players before the match, and its length."""

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
class ChangeCalculation:
    """The steps of one rating change: everything needed to compute the change again by hand."""

    meeting: RatedMatch
    difference: float  # D: winner's rating minus loser's
    stretch: float  # factor of the length: √n, n^e
    expected: float | None  # P of the winner, None where the system has none
    winner_k: float | None
    loser_k: float | None
    winner_change: float
    loser_change: float

    @property
    def surprise(self) -> float | None:
        """Return 1 minus the winner's chance, the share of K that is exchanged; None without a chance."""
        return None if self.expected is None else 1.0 - self.expected


@dataclass(frozen=True, slots=True)
class System:
    """A rating system: its code, source, parameters, a new player's rating (``start``) and functions.

    Each function first takes the parameters. ``rate`` returns the function that rates a match, ``work`` the
    steps of one change, ``expect`` the chance to win (own rating, other rating, length), ``place`` the
    function that computes points of final places. None: the system has no such function.
    """

    code: str
    source: str
    parameters: tuple[Parameter, ...]
    start: float
    is_periodic: bool = False
    is_points_system: bool = False  # points that are only earned; event and division weights matter
    uses_pr: bool = False  # whether the better player (PR) matters; the weight is then ½ or 1
    rate: Callable[[Mapping[str, Any]], Rate] | None = None
    work: Callable[[Mapping[str, Any], RatedMatch], ChangeCalculation] | None = None
    expect: Callable[[Mapping[str, Any], float, float, int], float] | None = None
    place: Callable[[Mapping[str, Any]], PlaceRate] | None = None  # final places, where they count

    @property
    def uses_weights(self) -> bool:
        """Return whether results have a weight that affects how much they change ratings."""
        return self.is_points_system or self.uses_pr

    def place_rate_for(self, parameters: Mapping[str, Any]) -> PlaceRate | None:
        """Return the function that computes points of final places; None if final places earn no points."""
        return None if self.place is None else self.place(parameters)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters as a dictionary keyed by name, with defaults where ``given`` has no value.

        Raises ``BadParameters`` with every unknown or invalid parameter.
        """
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
