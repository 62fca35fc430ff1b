"""Rating limits of divisions: which ratings a division admits, and which division a player belongs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from faults import Fault

MIN_LIMIT_RATING: Final = -100_000.0
MAX_LIMIT_RATING: Final = 100_000.0
MAX_SOURCE_LENGTH: Final = 60
MAX_REASON_LENGTH: Final = 200
RATING_MAX_AGE: Final = timedelta(days=365)  # older ratings are not reliable
OWN_LIST_PREFIX: Final = "list:"  # before the public id of a rating list of this site


@dataclass(frozen=True, slots=True)
class RatingLimit:
    """The ratings that a division admits: from ``least`` to ``most``, both included (None: unlimited).

    ``source``: whose ratings count: `OWN_LIST_PREFIX` with the public id of a rating list, or the name of
    another body. ``rejects_outsiders``: players outside of the limit are rejected; else they wait for a
    director's approval.
    """

    source: str
    least: float | None = None
    most: float | None = None
    rejects_outsiders: bool = True

    @property
    def own_list_id(self) -> str:
        """Public id of the rating list of this site whose ratings count; empty if another body rates."""
        return self.source.removeprefix(OWN_LIST_PREFIX) if self.source.startswith(OWN_LIST_PREFIX) else ""


class LimitComparison(StrEnum):
    """How a player's rating compares with a limit; ``UNKNOWN``: the player has no rating from its source."""

    INSIDE = "inside"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "unknown"


OUTSIDE_LIMIT: Final = frozenset({LimitComparison.ABOVE, LimitComparison.BELOW})


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating from one source.

    ``on``: its date; None for a current rating from a list of this site.
    """

    value: float
    on: date | None = None

    def is_old(self, today: date) -> bool:
        """Return whether the rating is more than a year old.

        >>> Rating(1650.0, date(2025, 1, 1)).is_old(date(2026, 1, 2))
        True
        """
        return self.on is not None and today - self.on > RATING_MAX_AGE


@dataclass(frozen=True, slots=True)
class LimitVerdict:
    """Whether a player fits a rating limit.

    ``rating``: the rating that was compared; ``is_rating_old``: that rating is more than a year old.
    """

    fit: LimitComparison
    rating: Rating | None = None
    is_rating_old: bool = False


def limit_verdict(limit: RatingLimit, rating: Rating | None, today: date) -> LimitVerdict:
    """Return how a rating compares with ``limit``, and whether the rating is too old to rely on.

    >>> limit_verdict(RatingLimit("USBGF", most=1500), Rating(1500.0), date(2026, 1, 1)).fit
    <LimitComparison.INSIDE: 'inside'>
    """
    if rating is None:
        return LimitVerdict(LimitComparison.UNKNOWN)
    fit = LimitComparison.INSIDE
    if limit.least is not None and rating.value < limit.least:
        fit = LimitComparison.BELOW
    elif limit.most is not None and rating.value > limit.most:
        fit = LimitComparison.ABOVE
    return LimitVerdict(fit, rating, rating.is_old(today))


def check_rating_limit(source: str, least: float | None, most: float | None) -> list[Fault]:
    """Return the errors of a rating limit as entered in the form of a division; empty if it is valid.

    A division without a limit, where everything is empty, is valid.
    """
    faults: list[Fault] = []
    if len(source) > MAX_SOURCE_LENGTH:
        faults.append(Fault("division.limit_source_long", "limit_source", {"limit": MAX_SOURCE_LENGTH}))
    if not source and (least is not None or most is not None):
        faults.append(Fault("division.limit_source_missing", "limit_source"))
    if source and least is None and most is None:
        faults.append(Fault("division.limit_empty", "limit_most"))
    faults += [
        Fault("division.limit_odd", field, {"least": MIN_LIMIT_RATING, "most": MAX_LIMIT_RATING})
        for field, value in (("limit_least", least), ("limit_most", most))
        if value is not None and not MIN_LIMIT_RATING <= value <= MAX_LIMIT_RATING
    ]
    if not faults and least is not None and most is not None and least > most:
        faults.append(Fault("division.limit_turned", "limit_most"))
    return faults


@dataclass(frozen=True, slots=True)
class LimitStanding:
    """How a person's rating fits the limit of a division, and whether the person is in that division.

    ``there``: the person has a place in the division or waits for one; ``can_change``: that can still be
    changed.
    """

    verdict: LimitVerdict
    there: bool
    can_change: bool


@dataclass(frozen=True, slots=True)
class DivisionProposal:
    """The division that a player should enter, and the divisions to leave, each as a key of the caller.

    ``target_division`` None: no division to enter. ``is_rating_unknown``, ``is_rating_old``: the proposal is
    uncertain, as the player has no rating, or an old one.
    """

    target_division: int | None = None
    left_divisions: tuple[int, ...] = ()
    is_rating_unknown: bool = False
    is_rating_old: bool = False


def propose_division(standings: Mapping[int, LimitStanding], order: Sequence[int]) -> DivisionProposal:
    """Return the division that a player should enter, chosen among those in ``order`` that have limits.

        ``standings``: the player's standing in each division with a limit, by the caller's key. The first
        division that fits is proposed, unless the player already has a place in one that fits. Divisions are left
        only if the rating is certainly outside their limit, and only for one that fits.

    155 +156,2 @@ def propose_division(standings: Mapping[int, LimitStanding], order: Sequence[int
        >>> low, high = LimitVerdict(LimitComparison.ABOVE, Rating(1700.0)), LimitVerdict(LimitComparison.INSIDE, Rating(1700.0))
        >>> propose_division({1: LimitStanding(low, True, True), 2: LimitStanding(high, False, True)}, [1, 2])
        DivisionProposal(target_division=2, left_divisions=(1,), is_rating_unknown=False, is_rating_old=False)
    """
    limited = [key for key in order if key in standings]
    unknown = bool(limited) and all(standings[key].verdict.fit is LimitComparison.UNKNOWN for key in limited)
    fitting = [key for key in limited if standings[key].verdict.fit is LimitComparison.INSIDE]
    entered = [key for key in fitting if standings[key].there]
    into = None if entered else next((key for key in fitting if standings[key].can_change), None)
    old = any(standings[key].verdict.is_rating_old for key in limited)
    if not entered and into is None:
        return DivisionProposal(is_rating_unknown=unknown, is_rating_old=old)
    leaving = tuple(
        key
        for key in limited
        if standings[key].there and standings[key].can_change and standings[key].verdict.fit in OUTSIDE_LIMIT
    )
    return DivisionProposal(into, leaving, unknown, old)
