"""What the holder of a personal link sees: the entry's matches with what both sides said about them.

Claims of both sides are shown to both sides, and to nobody else; notes are for the director alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournaments.engine.matches.reporting import Reporter, may_claim, winner_of
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import OVER, UNDER_WAY, EventStatus, MatchStatus, may_report
from tournaments.engine.types import Claim, EntryId, ResultKind, Side
from tournaments.models import Entry, Match, MatchSlot, Objection, Report
from tournaments.selectors.draws import DrawnMatch, DrawnSide, drawn_match
from tournaments.selectors.events.detail import places_in
from tournaments.selectors.matches.claims import claim_of
from tournaments.selectors.matches.detail import matches_of_entry

OwnPlayer: TypeAlias = tuple[str, int, bool, int | None]
PLAYERS_KINDS = tuple(kind for kind in ResultKind if may_claim(kind, Reporter.SIDE_A))


@dataclass(frozen=True, slots=True)
class SideReport:
    """A claim as one side made it."""

    version: int
    claim: Claim
    winner: Side | None


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match seen from ``side``."""

    match: Match
    row: DrawnMatch
    side: Side
    mine: SideReport | None
    theirs: SideReport | None
    objected: bool

    @property
    def me(self) -> DrawnSide:
        return self.row.sides[0 if self.side is Side.A else 1]

    @property
    def other(self) -> DrawnSide:
        return self.row.sides[1 if self.side is Side.A else 0]

    @property
    def can_report(self) -> bool:
        """Both are known and no result stands: the service decides again, under the event's lock."""
        stage = self.match.stage
        return (
            may_report(self.row.status)
            and stage.status in UNDER_WAY
            and stage.division.event.status == EventStatus.RUNNING
        )

    @property
    def over(self) -> bool:
        return self.row.status in OVER

    def own_first(self, claim: Claim) -> tuple[int, int]:
        """The points of a claim, mine first."""
        return claim.score.of(self.side), claim.score.of(self.side.other)


@dataclass(frozen=True, slots=True)
class MyEvent:
    """All of an entry's event that its link shows: matches to play, matches played, the place."""

    entry: Entry
    open: tuple[MyMatch, ...]
    waiting: tuple[MyMatch, ...]
    finished: tuple[MyMatch, ...]
    place: Place | None


def my_event(entry: Entry) -> MyEvent:
    """``entry``'s matches and place; eight queries at most."""
    matches = _seen_by(entry, matches_of_entry(entry))
    shown = [match for match in matches if not match.row.is_bye]
    places = places_in({match.match.stage for match in matches})
    found = [place[EntryId(entry.pk)] for place in places.values() if entry.pk in place]
    return MyEvent(
        entry=entry,
        open=tuple(match for match in shown if may_report(match.row.status)),
        waiting=tuple(match for match in shown if match.row.status is MatchStatus.WAITING),
        finished=tuple(reversed([match for match in shown if match.over])),
        place=found[-1] if found else None,
    )


def own_players(entry: Entry) -> list[OwnPlayer]:
    """Public id and version of the players of ``entry``, whether they have a page, and their account, if they have one."""
    return list(entry.players.order_by("pk").values_list("public_id", "version", "listed", "user_id"))


def my_match(entry: Entry, public_id: str) -> MyMatch | None:
    """One match of ``entry``, or None if it has no part in it."""
    rows = [match for match in matches_of_entry(entry) if match.public_id == public_id]
    return _seen_by(entry, rows)[0] if rows else None


def _seen_by(entry: Entry, matches: Sequence[Match]) -> list[MyMatch]:
    pks = [match.pk for match in matches]
    slots: dict[int, dict[Side, MatchSlot]] = {pk: {} for pk in pks}
    for slot in MatchSlot.objects.filter(match__in=pks).select_related("entry", "source_match"):
        slots[slot.match_id][Side(slot.side)] = slot
    by_pk = {match.pk: match for match in matches}
    reports: dict[tuple[int, str], SideReport] = {}
    for report in Report.objects.filter(match__in=pks, state=Report.State.OPEN).order_by("version"):
        claim = claim_of(report)
        winner = winner_of(by_pk[report.match_id].length, claim)
        reports[report.match_id, report.side] = SideReport(report.version, claim, winner)
    objected = set(
        Objection.objects.filter(match__in=pks, entry=entry, settled_at=None).values_list(
            "match_id", flat=True
        )
    )
    found = []
    for match in matches:
        side = next(side for side, slot in slots[match.pk].items() if slot.entry_id == entry.pk)
        found.append(
            MyMatch(
                match=match,
                row=drawn_match(match, slots[match.pk]),
                side=side,
                mine=reports.get((match.pk, side)),
                theirs=reports.get((match.pk, side.other)),
                objected=match.pk in objected,
            )
        )
    return found
