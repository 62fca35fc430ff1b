"""What the holder of a personal link sees: the entry's matches with the reports of both sides.

Only the two sides see these reports; the notes on them are for directors only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from django.db.models import Q

from tournaments.engine.matches.reporting import Reporter, can_report, claim_winner
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    OVER,
    STAGE_UNDER_WAY,
    EventStatus,
    MatchStatus,
    may_report,
)
from tournaments.engine.types import Claim, EntryId, ResultKind, Side
from tournaments.models import Entry, Match, MatchSlot, Objection, Report
from tournaments.selectors.draws import DrawnMatch, DrawnSide, drawn_match, match_with_slots
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.matches.claims import claim_from_report
from tournaments.selectors.matches.detail import matches_of_entry
from tournaments.selectors.matches.sheets import ScoreSheet, build_score_sheet

OwnPlayer: TypeAlias = tuple[str, int, bool, int | None]
CLAIMABLE_KINDS = tuple(kind for kind in ResultKind if can_report(kind, Reporter.SIDE_A))


@dataclass(frozen=True, slots=True)
class SideReport:
    """The unconfirmed report of one side.

    ``version``: its number; ``has_record``: it came with a game record; ``score_sheet``: its score sheet, if
    any.
    """

    version: int
    claim: Claim
    winner: Side | None
    has_record: bool = False
    record_doubtful: bool = False
    score_sheet: ScoreSheet | None = None


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match from the view of one of its entries, which is on ``side``."""

    match: Match
    row: DrawnMatch
    side: Side
    claims: "_EntryReports"

    @property
    def own_report(self) -> SideReport | None:
        """The unconfirmed report of this side, or None."""
        return self.claims.reports.get((self.match.pk, self.side))

    @property
    def opponent_report(self) -> SideReport | None:
        """The unconfirmed report of the other side, or None."""
        return self.claims.reports.get((self.match.pk, self.side.other))

    @property
    def has_correction_request(self) -> bool:
        """Whether this side has sent a correction request that is not settled."""
        return self.match.pk in self.claims.objected

    @property
    def has_games(self) -> bool:
        """Whether the match is confirmed and a game record that agrees with the result was submitted."""
        return self.match.pk in self.claims.with_games

    @property
    def own_side(self) -> DrawnSide:
        return self.row.sides[0 if self.side is Side.A else 1]

    @property
    def other(self) -> DrawnSide:
        return self.row.sides[1 if self.side is Side.A else 0]

    @property
    def can_report(self) -> bool:
        """Whether the result can be reported now: both sides are known and no result is confirmed.

        The service checks this again under the event's lock.
        """
        stage = self.match.stage
        return (
            may_report(self.row.status)
            and stage.status in STAGE_UNDER_WAY
            and stage.division.event.status == EventStatus.RUNNING
        )

    @property
    def over(self) -> bool:
        return self.row.status in OVER

    def points_own_first(self, claim: Claim) -> tuple[int, int]:
        """Return the points in a reported result, this side's points first."""
        return claim.score.of(self.side), claim.score.of(self.side.other)


@dataclass(frozen=True, slots=True)
class MyEvent:
    """What an entry's personal link shows of an event.

    ``open``: matches that can be reported; ``waiting``: matches without a known opponent; ``finished``:
    newest first; ``place``: the current or final place, or None; ``matches``: all matches, byes included.
    """

    entry: Entry
    open: tuple[MyMatch, ...]
    waiting: tuple[MyMatch, ...]
    finished: tuple[MyMatch, ...]
    place: Place | None
    matches: tuple[MyMatch, ...] = ()


def my_event(entry: Entry) -> MyEvent:
    """Return the matches and the place of ``entry``; at most eight queries."""
    matches = _build_my_matches(entry, matches_of_entry(entry))
    real_matches = [match for match in matches if not match.row.is_bye]
    places = places_by_stage({match.match.stage for match in matches})
    entry_places = [place[EntryId(entry.pk)] for place in places.values() if entry.pk in place]
    return MyEvent(
        entry=entry,
        open=tuple(match for match in real_matches if may_report(match.row.status)),
        waiting=tuple(match for match in real_matches if match.row.status is MatchStatus.WAITING),
        finished=tuple(
            reversed(
                [match for match in real_matches if match.over and match.own_side.former_lineup_id is None]
            )
        ),
        place=entry_places[-1] if entry_places else None,
        matches=tuple(matches),
    )


def own_players(entry: Entry) -> list[OwnPlayer]:
    """Return public id, version, whether listed, and account id (or None) of each player of ``entry``."""
    return list(entry.players.order_by("pk").values_list("public_id", "version", "listed", "user_id"))


def my_match(entry: Entry, public_id: str) -> MyMatch | None:
    """Return one match of ``entry``, or None if the entry is not in it; reports are loaded when accessed."""
    own_slot = Q(match__public_id=public_id, match__slots__entry=entry)
    match_and_slots = match_with_slots(own_slot & Q(match__stage__status__in=DRAW_PUBLIC))
    return (
        _build_my_match(entry, *match_and_slots, _EntryReports(entry, [match_and_slots[0]]))
        if match_and_slots is not None
        else None
    )


class _EntryReports:
    """Unconfirmed reports of both sides of an entry's matches, and the entry's correction requests.

    Each of these is loaded on first access, for all matches at once.
    """

    def __init__(self, entry: Entry, matches: Sequence[Match]) -> None:
        self._entry = entry
        self._matches = {match.pk: match for match in matches}

    @cached_property
    def reports(self) -> dict[tuple[int, str], SideReport]:
        """Unconfirmed reports, keyed by match id and side."""
        side_reports: dict[tuple[int, str], SideReport] = {}
        rows = Report.objects.filter(match__in=self._matches, state=Report.State.OPEN)
        for report in rows.order_by("version"):
            claim, match = claim_from_report(report), self._matches[report.match_id]
            winner = claim_winner(match.length, claim)
            side_reports[report.match_id, report.side] = SideReport(
                report.version,
                claim,
                winner,
                report.record_id is not None,
                report.record_doubtful,
                build_score_sheet(match, report.sheet, claim),
            )
        return side_reports

    @cached_property
    def objected(self) -> set[int]:
        """Ids of the matches about which the entry has an unsettled correction request."""
        rows = Objection.objects.filter(match__in=self._matches, entry=self._entry, settled_at=None)
        return set(rows.order_by().values_list("match_id", flat=True))

    @cached_property
    def with_games(self) -> set[int]:
        """Ids of the confirmed matches with a game record that agrees with the result."""
        rows = Report.objects.filter(match__in=self._matches, record_differs=False).exclude(record=None)
        rows = rows.filter(match__status=MatchStatus.CONFIRMED)
        return set(rows.order_by().values_list("match_id", flat=True))


def _build_my_matches(entry: Entry, matches: Sequence[Match]) -> list[MyMatch]:
    slots: dict[int, dict[Side, MatchSlot]] = {match.pk: {} for match in matches}
    for slot in (
        MatchSlot.objects.filter(match__in=slots).order_by().select_related("entry", "former", "source_match")
    ):
        slots[slot.match_id][Side(slot.side)] = slot
    claims = _EntryReports(entry, matches)
    return [_build_my_match(entry, match, slots[match.pk], claims) for match in matches]


def _build_my_match(
    entry: Entry, match: Match, slots: Mapping[Side, MatchSlot], claims: _EntryReports
) -> MyMatch:
    side = next(side for side, slot in slots.items() if slot.entry_id == entry.pk)
    return MyMatch(match, drawn_match(match, slots), side, claims)
