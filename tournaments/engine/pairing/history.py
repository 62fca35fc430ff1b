"""The contenders of a Swiss before its next round, computed from the rounds played.

Everything is computed from the rounds each time, so corrected results, late entries and entries that left and
returned need no special treatment: no entry gets a second bye by leaving in between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.swiss import Contender
from tournaments.engine.types import EntryId

FULL_POINT: Final = 2  # half points: matches are not drawn, but a bye or an adjournment may be worth half
HALF_POINT: Final = 1
ZERO_POINTS: Final = 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant of a Swiss, with the data that does not change from round to round.

    `rank`: the starting order, 1 is the strongest; `apart`: codes of clubs, countries and travel groups.
    """

    entry: EntryId
    rank: int
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PairedMatch:
    """A pair of one round with its result.

    `points_a`, `points_b`: half points in the table; `played`: False for a walkover, double or single;
    `score_a`, `score_b`: the points of the match itself, for tie-breaks; `length` caps these (rule F1).
    """

    a: EntryId
    b: EntryId
    points_a: int
    points_b: int
    played: bool = True
    score_a: int = 0
    score_b: int = 0
    length: int | None = None


@dataclass(frozen=True, slots=True)
class RestingEntry:
    """An entry without an opponent in a round.

    `points`: half points that the entry gets; `is_allotted`: the entry has the bye; otherwise it asked for a
    bye or was absent.
    """

    entry: EntryId
    points: int
    is_allotted: bool = False


@dataclass(frozen=True, slots=True)
class SwissRound:
    meetings: tuple[PairedMatch, ...]
    rests: tuple[RestingEntry, ...] = ()

    @property
    def bye(self) -> EntryId | None:
        return next((rest.entry for rest in self.rests if rest.is_allotted), None)


@dataclass(slots=True)
class _RunningTotals:
    """Totals of one entry while rounds are added up, used inside one call only."""

    points: int = 0
    byes: int = 0
    floats_down: int = 0
    floats_up: int = 0
    met: set[EntryId] = field(default_factory=set)


def contenders_after(
    rounds: Sequence[SwissRound],
    entrants: Collection[Entrant],
    playing: Collection[EntryId] | None = None,
    *,
    floats: int = 0,
) -> tuple[Contender, ...]:
    """Return the contenders of the next round, with their totals from these rounds.

    `playing`: the entries that play the round, all entrants if None. `floats`: only floats in so many last
    rounds count (FIDE Handbook C.04.3: two), each more than those of all rounds before it together, and
    points without play count as a float down. 0: floats in all rounds count alike, also in walkovers.

    A full point without play counts as a bye, also a walkover won: entries with either do not get the next
    bye (FIDE Handbook C.04.1, Basic Rules for Swiss Systems). The bye is a float down. Raises ``BadInput`` if
    a round contains an entry that is not an entrant.
    """
    accounts = {entrant.entry: _RunningTotals() for entrant in entrants}
    try:
        for rounds_back, swiss_round in zip(range(len(rounds), 0, -1), rounds, strict=True):
            if not floats:
                _record_floats(swiss_round, accounts)
            elif rounds_back <= floats:
                _record_weighted_floats(
                    swiss_round, accounts, (2 * len(accounts) + 1) ** (floats - rounds_back)
                )
            _record_round(swiss_round, accounts)
    except KeyError as error:
        raise BadInput("swiss.not_entered", entry=error.args[0]) from None
    playing_entries = accounts.keys() if playing is None else set(playing)
    return tuple(_contender(e, accounts[e.entry]) for e in entrants if e.entry in playing_entries)


def remaining_lives(
    rounds: Sequence[SwissRound], entries: Collection[EntryId], lives: int
) -> dict[EntryId, int]:
    """Return the number of lives left of each entry that has any, in a Swiss with lives, keyed by entry id.

    Every lost match costs one of the `lives`, also a lost walkover; half a point and a round without an
    opponent do not. Raises ``BadInput`` if a round contains an unknown entry.
    """
    lives_left = dict.fromkeys(entries, lives)
    for meeting in (meeting for swiss_round in rounds for meeting in swiss_round.meetings):
        for entry, points in ((meeting.a, meeting.points_a), (meeting.b, meeting.points_b)):
            if entry not in lives_left:
                raise BadInput("swiss.not_entered", entry=entry)
            lives_left[entry] -= points == ZERO_POINTS
    return {entry: count for entry, count in lives_left.items() if count > 0}


def _contender(entrant: Entrant, account: _RunningTotals) -> Contender:
    return Contender(
        entrant.entry,
        entrant.rank,
        account.points,
        frozenset(account.met),
        account.byes,
        account.floats_down,
        account.floats_up,
        entrant.apart,
    )


def _record_floats(swiss_round: SwissRound, accounts: dict[EntryId, _RunningTotals]) -> None:
    """Add the floats of one round to the totals, by the points before the round.

    Walkovers count as if they had been played.
    """
    for meeting in swiss_round.meetings:
        _record_uneven_meeting(meeting, accounts, 1)
    for rest in swiss_round.rests:
        accounts[rest.entry].floats_down += rest.is_allotted


def _record_weighted_floats(
    swiss_round: SwissRound, accounts: dict[EntryId, _RunningTotals], weight: int
) -> None:
    """Add the floats of one round to the totals as FIDE defines them, times ``weight``.

    Points without play are a float down; otherwise a walkover counts for no float.
    """
    for meeting in swiss_round.meetings:
        if meeting.played:
            _record_uneven_meeting(meeting, accounts, weight)
            continue
        for entry, points in ((meeting.a, meeting.points_a), (meeting.b, meeting.points_b)):
            accounts[entry].floats_down += weight * (points > ZERO_POINTS)
    for rest in swiss_round.rests:
        accounts[rest.entry].floats_down += weight * (rest.points > ZERO_POINTS or rest.is_allotted)


def _record_uneven_meeting(
    meeting: PairedMatch, accounts: dict[EntryId, _RunningTotals], weight: int
) -> None:
    a, b = accounts[meeting.a], accounts[meeting.b]
    if a.points != b.points:
        upper, lower = (a, b) if a.points > b.points else (b, a)
        upper.floats_down += weight
        lower.floats_up += weight


def _record_round(swiss_round: SwissRound, accounts: dict[EntryId, _RunningTotals]) -> None:
    """Add points, opponents and byes of one round to the totals.

    Floats depend on the points before the round, so they are recorded first.
    """
    for meeting in swiss_round.meetings:
        for entry, opponent, points in (
            (meeting.a, meeting.b, meeting.points_a),
            (meeting.b, meeting.a, meeting.points_b),
        ):
            account = accounts[entry]
            account.points += points
            if meeting.played:
                account.met.add(opponent)
            elif points >= FULL_POINT:
                account.byes += 1
    for rest in swiss_round.rests:
        account = accounts[rest.entry]
        account.points += rest.points
        account.byes += rest.is_allotted or rest.points >= FULL_POINT
