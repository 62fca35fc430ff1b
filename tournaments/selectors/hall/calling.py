"""Matches that can be called, in order, and players who are busy elsewhere.

*Longest waiting first*: a match waits since the later of the two results that produced its players; a match
of a later round of a Swiss or round robin since the last result of the previous rounds; a match with players
from the draw or a bye since the draw; a match that returned to the queue or was adjourned since then. Ties
are sorted by round and position in the draw. Matches by arrangement (as in a league) are not called, unless
the director assigned a table.

A player is *busy* in a match that is called or being played, and in one that is reported or disputed as long
as it holds a table, in any section, division, stage or running event of the club. Players count, not entries:
a player of a team is busy for their own singles.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Max, Q, QuerySet

from tournaments.engine.hall.calling import MatchToCall
from tournaments.engine.statuses import PLAYERS_BUSY, STAGE_UNDER_WAY, UNSETTLED, EventStatus, MatchStatus
from tournaments.engine.types import ResultKind, TableNo
from tournaments.models import Entry, Event, MatchSlot, Round, Stage

MAX_LISTED_PEOPLE = 100  # so many people are looked up one by one: a full hall has thousands
LONG_AGO = datetime.min.replace(tzinfo=UTC)
BUSY_SLOTS_Q = Q(match__status__in=PLAYERS_BUSY) | Q(match__status__in=UNSETTLED, match__table__isnull=False)
TABLE_HELD_SLOTS_Q = Q(match__status=MatchStatus.READY, match__table__isnull=False)


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """A match that waits to be called.

    ``since``: from when it has waited; ``people``: ids of its players; ``table``: the table reserved for it.
    """

    pk: int
    number: int
    stage_id: int
    division_id: int
    table: TableNo | None
    since: datetime
    people: frozenset[int]

    @property
    def as_match_to_call(self) -> MatchToCall[int, int]:
        return MatchToCall(self.pk, self.people, self.table)


@dataclass(frozen=True, slots=True)
class BusyPlayer:
    """The match in which a player is busy, with the names of its stage, division and event."""

    player: str
    match_id: int
    number: int
    section: str
    stage: str
    division: str
    event_id: int
    event: str


def ready_matches(event: Event, *, without_table: bool = False) -> list[ReadyMatch]:
    """Return the matches of published draws that wait to be called, longest waiting first.

    At most two queries. ``without_table``: only matches without a reserved table.
    """
    slots = MatchSlot.objects.filter(
        Q(match__stage__by_arrangement=False) | Q(match__table__isnull=False),
        # Stages first: their matches are found by status in an index; those of an event need a scan.
        match__stage__in=Stage.objects.filter(division__event=event, status__in=STAGE_UNDER_WAY).order_by(),
        match__status=MatchStatus.READY,
    )
    if without_table:
        slots = slots.filter(match__table=None)
    rows = list(
        slots.order_by().values_list(
            "match_id",
            "match__number",
            "match__stage_id",
            "match__stage__division_id",
            "match__stage__system",
            "match__stage__drawn_at",
            "match__table",
            "match__round__number",
            "match__position",
            "match__sent_back_at",
            "source_match__confirmed_at",
            "source_match__result_kind",
            "entry__entry_players__player_id",
        )
    )
    later_stages = {row[2] for row in rows if row[7] > 1 and row[4] in Stage.IN_ROUNDS}
    start_times = _round_start_times(later_stages) if later_stages else {}
    match_by_id: dict[int, ReadyMatch] = {}
    order_by_id: dict[int, tuple[int, int, int]] = {}
    for row in rows:
        (
            pk,
            number,
            stage_id,
            division_id,
            _system,
            drawn_at,
            table,
            round_number,
            position,
            sent_back_at,
            source_confirmed_at,
            source_result,
            player_id,
        ) = row
        since = start_times.get((stage_id, round_number), drawn_at or LONG_AGO)
        if source_confirmed_at is not None and source_result != ResultKind.BYE:
            since = max(since, source_confirmed_at)
        if sent_back_at is not None:
            since = max(since, sent_back_at)
        players = frozenset() if player_id is None else frozenset((player_id,))
        previous = match_by_id.get(pk)
        if previous is not None:
            since, players = max(since, previous.since), players | previous.people
        reserved_table = None if table is None else TableNo(table)
        match_by_id[pk] = ReadyMatch(pk, number, stage_id, division_id, reserved_table, since, players)
        order_by_id[pk] = (round_number, position, pk)
    return sorted(match_by_id.values(), key=lambda match: (match.since, order_by_id[match.pk]))


def _round_start_times(stages: Collection[int]) -> dict[tuple[int, int], datetime]:
    """Return when rounds of a Swiss or round robin could begin: at the last result of earlier rounds.

    Keyed by stage id and round number; rounds without an earlier result are left out.
    """
    rows = (
        Round.objects.filter(stage__in=stages)
        .annotate(last=Max("matches__confirmed_at"))
        .order_by("stage_id", "number")
        .values_list("stage_id", "number", "last")
    )
    start_times: dict[tuple[int, int], datetime] = {}
    latest: dict[int, datetime] = {}
    for stage, number, last in rows:
        if stage in latest:
            start_times[stage, number] = latest[stage]
        if last is not None:
            latest[stage] = max(latest.get(stage, LONG_AGO), last)
    return start_times


def busy_players(event: Event, player_ids: Collection[int] | None = None) -> dict[int, BusyPlayer]:
    """Return where players are busy, keyed by player id; one query.

    ``player_ids``: ids of the players to look up (others may be included); None: all busy players of the club.
    """
    slots = _running_slots(event).filter(BUSY_SLOTS_Q)
    if player_ids is not None and len(player_ids) <= MAX_LISTED_PEOPLE:
        slots = slots.filter(entry__entry_players__player__in=player_ids)
    rows = slots.order_by("-match_id").values_list(
        "entry__entry_players__player_id",
        "entry__entry_players__player__name",
        "match_id",
        "match__number",
        "match__round__section",
        "match__stage__name",
        "match__stage__division__name",
        "match__stage__division__event_id",
        "match__stage__division__event__name",
    )
    return {row[0]: BusyPlayer(*row[1:]) for row in rows}


def is_busy(entry: Entry) -> bool:
    """Return whether a player of ``entry`` is busy in any running event of the club; one query."""
    slots = _running_slots(entry.division.event).filter(
        BUSY_SLOTS_Q, entry__entry_players__player__entry_players__entry=entry
    )
    return slots.exists()


def engaged_players(event: Event, player_ids: Collection[int]) -> set[int]:
    """Return the ids of players who are busy or have a table reserved in ``event``; one query.

    ``player_ids``: ids of the players to look up; other players may be included in the result.
    """
    holds_table = TABLE_HELD_SLOTS_Q & Q(match__stage__division__event=event)
    slots = _running_slots(event).filter(BUSY_SLOTS_Q | holds_table)
    if len(player_ids) <= MAX_LISTED_PEOPLE:
        slots = slots.filter(entry__entry_players__player__in=player_ids)
    return set(slots.order_by().values_list("entry__entry_players__player_id", flat=True))


def _running_slots(event: Event) -> QuerySet[MatchSlot]:
    """Return the match slots in the club's running events and in ``event``, whatever its status."""
    running = Q(match__stage__division__event=event) | Q(
        match__stage__division__event__club_id=event.club_id,
        match__stage__division__event__status=EventStatus.RUNNING,
    )
    return MatchSlot.objects.filter(
        running, match__stage__status__in=STAGE_UNDER_WAY, entry__entry_players__isnull=False
    )
