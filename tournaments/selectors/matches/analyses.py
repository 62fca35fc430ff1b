"""Engine analyses of matches, and who may see them; the only place that decides it.

The two players see them. They are public if both players agreed, or if the event requires consent of all
entries (``Event.requires``); if one player refused, they are not. The game record must be public as well.
Directors have no access by their role.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from games.models import RecordAnalysis
from games.selectors import best_analyses, best_analysis
from tournaments.engine.consents import NOT_ASKED, Consent, Replies, Reply, combine_replies
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Side
from tournaments.models import Match, MatchSlot
from tournaments.selectors.consents import replies_by_event
from tournaments.selectors.matches.records import (
    SubmittedRecord,
    counting_records,
    counting_reports,
    is_public,
)
from tournaments.selectors.seats import player_ids_by_seat, side_name


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """The game record that counts for a match, and its analysis, if there is one."""

    record: SubmittedRecord
    row: RecordAnalysis | None

    @property
    def done(self) -> bool:
        return self.row is not None and self.row.state == RecordAnalysis.State.DONE


@dataclass(frozen=True, slots=True)
class SidePlayers:
    """The players of one side of a match: the entry's id and displayed name, and its players' ids."""

    entry: int
    name: str
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VisibleAnalysis:
    """A finished analysis that the reader may see, with its match (event fetched) and the players by side."""

    match: Match
    record: SubmittedRecord
    row: RecordAnalysis
    players_by_side: Mapping[Side, SidePlayers] = field(default_factory=dict)


def analysis_of_match(match: Match) -> MatchAnalysis | None:
    """Return the game record that counts for a match, and its analysis if there is one.

    None if the result is not confirmed or no game record fits it.
    """
    if match.status != MatchStatus.CONFIRMED:
        return None
    row = counting_records(Match.objects.filter(pk=match.pk)).get(match.pk)
    return MatchAnalysis(row, best_analysis(row.record_id)) if row is not None else None


def records_to_analyse(limit: int) -> list[int]:
    """Return the ids of game records of confirmed matches without an analysis, newest first.

    At most ``limit``.
    """
    rows = counting_reports().filter(record__analyses=None)
    return list(rows.order_by("-record").values_list("record_id", flat=True).distinct()[:limit])


def public_analysis(match: Match) -> RecordAnalysis | None:
    """Return the finished analysis of a match if it is public, or None."""
    if match.status != MatchStatus.CONFIRMED:
        return None
    visible = visible_analyses(Match.objects.filter(pk=match.pk))
    return visible[0].row if visible else None


def visible_analyses(matches: QuerySet[Match], players: Collection[int] = ()) -> list[VisibleAnalysis]:
    """Return the finished analyses of these matches that the reader may see, oldest match first.

    ``players``: ids of the players that the reader is; of their own matches all analyses are included, of
    other matches only public ones. At most seven queries, whatever the number of matches.
    """
    analysed_matches = Match.objects.filter(
        pk__in=matches.order_by().values("pk"),
        reports__record__analyses__state=RecordAnalysis.State.DONE,
    )
    records = counting_records(analysed_matches)
    best_by_record = best_analyses({row.record_id for row in records.values()}) if records else {}
    done_by_match = {
        pk: (record, best_by_record[record.record_id])
        for pk, record in records.items()
        if record.record_id in best_by_record
        and best_by_record[record.record_id].state == RecordAnalysis.State.DONE
    }
    if not done_by_match:
        return []
    seats = side_players_by_match(done_by_match)
    rows = Match.objects.filter(pk__in=done_by_match).select_related("round", "stage__division__event")
    match_by_id = {row.pk: row for row in rows.order_by(Coalesce("played_at", "confirmed_at"), "pk")}
    all_players = {player for pair in seats.values() for seat in pair.values() for player in seat.players}
    replies = replies_by_event({row.stage.division.event_id for row in match_by_id.values()}, all_players)
    visible = []
    for pk, row in match_by_id.items():
        record, analysis = done_by_match[pk]
        match_seats = seats.get(pk, {})
        match_players = [player for seat in match_seats.values() for player in seat.players]
        player_replies = [
            replies.get((row.stage.division.event_id, player), NOT_ASKED) for player in match_players
        ]
        if _is_public(record, player_replies) or not set(players).isdisjoint(match_players):
            visible.append(VisibleAnalysis(row, record, analysis, match_seats))
    return visible


def _is_public(record: SubmittedRecord, player_replies: Collection[Replies]) -> bool:
    if not player_replies:
        return False
    analysis_reply = combine_replies(replies[Consent.ANALYSIS] for replies in player_replies)
    return analysis_reply is Reply.YES and is_public(
        record.shown, combine_replies(replies[Consent.RECORD] for replies in player_replies)
    )


def side_players_by_match(matches: Collection[int]) -> dict[int, dict[Side, SidePlayers]]:
    """Return the players of these matches: match id to a dictionary of side to players; three queries."""
    players = player_ids_by_seat(matches)
    slots = MatchSlot.objects.filter(match__in=matches).exclude(entry=None).order_by()
    seats: dict[int, dict[Side, SidePlayers]] = {}
    for match, side, entry, name in slots.values_list("match_id", "side", "entry_id", side_name()):
        seats.setdefault(match, {})[Side(side)] = SidePlayers(
            entry, name, players.get((match, Side(side)), ())
        )
    return seats
