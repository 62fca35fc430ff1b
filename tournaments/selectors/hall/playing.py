"""The input of the forecast: unfinished matches of all stages, and durations of finished matches.

A stage that is not drawn yet counts with its current entries; in a Swiss or round robin future rounds count,
each after the last match of the previous round. Tables are those in use. A match begins when it was started
or called; in an event without calls, when it had both sides and a table. An adjourned match resumes at the
agreed time, with the remaining points. A player in two divisions plays one match at a time. Six queries and
one pass over the matches, whatever the size.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, count
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count

from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.brackets.structure import Arrival, SourceKind, entrant_counts
from tournaments.engine.hall.forecast import FeedingMatch, ForecastMatch, SideOrigin
from tournaments.engine.hall.hours import DEFAULT_OPENING
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.stages.feeding import feeding_matches
from tournaments.engine.statuses import (
    OVER,
    PLAYERS_BUSY,
    UNSETTLED,
    EntryStatus,
    EventStatus,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.types import EntryId, MatchNo, ResultKind, Side
from tournaments.models import Entry, EntryPlayer, Event, Match, MatchSlot, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.hall.to_come import (
    MatchesByRound,
    PlannedBracket,
    expected_entries,
    planned_matches,
)
from tournaments.selectors.standings.sources import Feed, feeds_among


@dataclass(frozen=True, slots=True)
class ForecastInput:
    """The known state of an event at one moment.

    ``to_play``: all matches that are not over, running matches first, and helper items without length for
    ends of stages and the like; ``members``: stage id to the matches that end it; ``end_by_stage``: stage id
    to the helper item of its end; ``rounds``: matches of rounds that are not stored; ``finished`` and
    ``running``: lengths and seconds; ``people``: players by entry, only players with several entries;
    ``over``: number of finished matches; ``has_begun``: play is known to have begun.
    """

    to_play: tuple[ForecastMatch, ...]
    members: Mapping[int, Sequence[MatchNo]]
    end_by_stage: Mapping[int, MatchNo]
    rounds: MatchesByRound
    finished: tuple[tuple[int, float], ...]
    running: tuple[tuple[int, float], ...]
    people: Mapping[EntryId, Collection[int]]
    tables: int
    over: int
    has_begun: bool


@dataclass(slots=True)
class _MatchRow:
    """The columns of a match that the forecast needs."""

    pk: int
    stage: int
    number: int
    length: int
    status: MatchStatus
    table: int | None
    kind: str
    called_at: datetime | None
    started_at: datetime | None
    played_at: datetime | None
    confirmed_at: datetime | None
    round: int
    adjourned: dict[str, Any]
    sources: list[int] = field(default_factory=list)
    seats: dict[str, SideOrigin] = field(default_factory=dict)
    arrivals: list[Arrival] = field(default_factory=list)  # to each of its sides
    is_not_played: bool = False  # who comes goes through without play
    entries: list[int] = field(default_factory=list)
    since: datetime | None = None  # when it had both its sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Values that replace settings: tables; entries by division id; lengths and rounds by stage id.

    Entries, lengths and rounds apply only to stages that are not drawn.
    """

    tables: int
    entries: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, Sequence[int]] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)


def load_forecast_input(event: Event, now: datetime, assumptions: Assumptions | None = None) -> ForecastInput:
    """Load the forecast's input, with ``assumptions`` in place of settings; seconds count from ``now``."""
    stages = _stages_at_tables(
        list(
            Stage.objects.filter(division__event=event)
            .exclude(system=Stage.System.MONEY)
            .select_related("division", "fed_by")
            .order_by("division__position", "position", "pk")
        )
    )
    if assumptions is not None:
        _apply_assumptions(stages, assumptions)
    rows = _match_rows(event)
    is_calling_unused = all(row.called_at is None and row.started_at is None for row in rows.values())
    _set_ready_times(stages, rows)
    begun_at_by_match = {
        pk: at
        for pk, row in rows.items()
        if (at := _begun_at(row, is_calling_unused=is_calling_unused)) is not None
    }
    is_not_begun = event.status != EventStatus.RUNNING or (
        is_calling_unused and not any(row.played_at or row.confirmed_at for row in rows.values())
    )
    entries = _entry_counts(stages) | (dict(assumptions.entries) if assumptions is not None else {})
    to_play, members, end_numbers, rounds = _remaining_matches(
        event, stages, entries, rows, {} if is_not_begun else begun_at_by_match, now
    )
    running_ids = {
        pk for pk in begun_at_by_match if rows[pk].status not in OVER and rows[pk].status not in UNSETTLED
    }
    return ForecastInput(
        to_play=tuple(to_play),
        members=members,
        end_by_stage=end_numbers,
        rounds=rounds,
        finished=tuple(
            (row.length, (end - begun_at_by_match[pk]).total_seconds())
            for pk, row in rows.items()
            if row.status is MatchStatus.CONFIRMED
            and row.kind == ResultKind.PLAYED
            and not row.adjourned
            and pk in begun_at_by_match
            and (end := _ended_at(row, begun_at_by_match[pk])) is not None
        ),
        running=tuple(
            (match.length, float(match.running_seconds))
            for match in to_play
            if match.running_seconds is not None and int(match.number) in running_ids
        ),
        people=_shared_players(event),
        tables=assumptions.tables if assumptions is not None else tables_in_use(event),
        over=sum(row.status is MatchStatus.CONFIRMED and not row.is_not_played for row in rows.values()),
        has_begun=not is_not_begun,
    )


def tables_in_use(event: Event, tables: int | None = None) -> int:
    """Return the number of tables in use, at least 1; ``tables`` replaces the event's number of tables."""
    numbers = range(1, (event.tables if tables is None else tables) + 1)
    return max(1, sum(number not in event.closed_tables for number in numbers))


def _apply_assumptions(stages: Sequence[Stage], assumptions: Assumptions) -> None:
    for stage in stages:
        if stage.status != StageStatus.SETUP:
            continue
        if (lengths := assumptions.lengths.get(stage.pk)) is not None:
            stage.lengths = list(lengths)
        if (rounds := assumptions.rounds.get(stage.pk)) is not None:
            stage.settings = replace(stage.settings, own=replace(stage.settings.swiss, rounds=rounds))


def _entry_counts(stages: Sequence[Stage]) -> dict[int, int]:
    """Return the numbers of active entries, keyed by division id."""
    return dict(
        Entry.objects.filter(division__in={stage.division_id for stage in stages}, status=EntryStatus.ACTIVE)
        .values_list("division")
        .annotate(times=Count("pk"))
        .order_by()
    )


def _shared_players(event: Event) -> dict[EntryId, list[int]]:
    """Return the players who have several active entries, as entry id to ids of these players."""
    entries_by_player: dict[int, set[int]] = {}
    for entry, player in EntryPlayer.objects.filter(
        division__event=event, entry__status=EntryStatus.ACTIVE
    ).values_list("entry_id", "player_id"):
        entries_by_player.setdefault(player, set()).add(entry)
    players_by_entry: dict[EntryId, list[int]] = {}
    for player, entry_ids in entries_by_player.items():
        if len(entry_ids) > 1:
            for entry in entry_ids:
                players_by_entry.setdefault(EntryId(entry), []).append(player)
    return players_by_entry


def _stages_at_tables(stages: Sequence[Stage]) -> list[Stage]:
    """Return the stages that are played at tables and do not depend on a stage played by arrangement."""
    arranged_ids: set[int] = set()
    for stage in stages:
        is_fed = any(
            previous_stage.pk in arranged_ids for previous_stage, _source in feeds_among(stage, stages)
        )
        if stage.status != StageStatus.FINISHED and (stage.by_arrangement or is_fed):
            arranged_ids.add(stage.pk)
    return [stage for stage in stages if stage.pk not in arranged_ids]


def _match_rows(event: Event) -> dict[int, _MatchRow]:
    rows = {
        row[0]: _MatchRow(row[0], row[1], row[2], row[3], MatchStatus(row[4]), *row[5:])
        for row in Match.objects.filter(stage__division__event=event)
        .order_by("stage_id", "number")
        .values_list(
            "pk",
            "stage_id",
            "number",
            "length",
            "status",
            "table",
            "result_kind",
            "called_at",
            "started_at",
            "played_at",
            "confirmed_at",
            "round__number",
            "adjourned",
        )
    }
    slots = MatchSlot.objects.filter(match__stage__division__event=event)
    fields = ("match_id", "side", "source_kind", "source_match_id", "entry_id", "by_hand")
    for match, side, kind, source, entry, by_hand in slots.values_list(*fields):
        is_known = entry is not None or source is None or by_hand or rows[source].status in OVER
        may_have_entry = entry is not None or (
            kind == SourceKind.HELD and not by_hand
        )  # held open: somebody may
        rows[match].arrivals.append(may_have_entry if is_known else (SourceKind(kind), source))
        if source is not None:
            rows[match].sources.append(source)
        if entry is not None:
            rows[match].entries.append(entry)
            rows[match].seats[side] = EntryId(entry)
        elif not is_known:
            rows[match].seats[side] = FeedingMatch(MatchNo(source), loser=kind == SourceKind.LOSER_OF)
    counts_by_match = entrant_counts((pk, row.arrivals) for pk, row in rows.items())
    for pk, row in rows.items():
        row.is_not_played = counts_by_match[pk] < len(Side)
    return rows


def _set_ready_times(stages: Sequence[Stage], rows: Mapping[int, _MatchRow]) -> None:
    """Set when each match had both sides: the time of the last source result, previous round or draw."""
    by_pk = {stage.pk: stage for stage in stages}
    latest: dict[tuple[int, int], datetime] = {}
    for row in rows.values():
        if row.confirmed_at is not None:
            key = (row.stage, row.round)
            latest[key] = max(latest.get(key, row.confirmed_at), row.confirmed_at)
    for row in rows.values():
        stage = by_pk.get(row.stage)
        source_times = [at for source in row.sources if (at := rows[source].confirmed_at) is not None]
        previous_round_end = (
            latest.get((row.stage, row.round - 1)) if stage and stage.system in Stage.IN_ROUNDS else None
        )
        ready_times = [
            at
            for at in (*source_times, previous_round_end, stage.drawn_at if stage else None)
            if at is not None
        ]
        row.since = max(ready_times, default=None)


def _begun_at(row: _MatchRow, *, is_calling_unused: bool) -> datetime | None:
    if row.status is MatchStatus.ADJOURNED:
        return None
    begun_at = row.started_at or row.called_at
    if begun_at is None and is_calling_unused and row.table is not None:
        return row.since
    return begun_at


def _ended_at(row: _MatchRow, begun_at: datetime) -> datetime | None:
    """Return when play ended: at the first report if that came before the confirmation."""
    if (
        row.played_at is not None
        and row.confirmed_at is not None
        and begun_at < row.played_at < row.confirmed_at
    ):
        return row.played_at
    return row.confirmed_at


def _remaining_matches(
    event: Event,
    stages: Sequence[Stage],
    entries: Mapping[int, int],
    rows: Mapping[int, _MatchRow],
    begun_at_by_match: Mapping[int, datetime],
    now: datetime,
) -> tuple[list[ForecastMatch], dict[int, list[MatchNo]], dict[int, MatchNo], MatchesByRound]:
    """Return the unfinished matches, matches and end item by stage, and the matches of future rounds."""
    helper_numbers = count(-1, -1)
    by_stage: dict[int, list[_MatchRow]] = {stage.pk: [] for stage in stages}
    for row in rows.values():
        if row.stage in by_stage and row.status is not MatchStatus.VOID:
            by_stage[row.stage].append(row)
    to_play: list[ForecastMatch] = []
    members: dict[int, list[MatchNo]] = {}
    starts_by_round: MatchesByRound = {}
    end_by_stage: dict[int, tuple[MatchNo, ...]] = {}
    planned_brackets: dict[int, PlannedBracket] = {}
    for stage in stages:
        if stage.status == StageStatus.FINISHED:
            continue
        feed_matches = tuple(
            chain.from_iterable(
                _required_matches(feed, by_stage, end_by_stage, planned_brackets)
                for feed in feeds_among(stage, stages)
            )
        )
        stage_matches = [
            _forecast_match(stage, row, by_stage[stage.pk], begun_at_by_match, now, feed_matches)
            for row in by_stage[stage.pk]
            if row.status not in OVER
        ]
        for row in by_stage[stage.pk]:
            if row.status is MatchStatus.ADJOURNED and (
                wait_seconds := _seconds_until_resumed(event, row, now)
            ):
                resumption = ForecastMatch(MatchNo(next(helper_numbers)), 0, waits=wait_seconds)
                stage_matches = [
                    replace(match, after=(*match.after, resumption.number))
                    if match.number == row.pk
                    else match
                    for match in stage_matches
                ]
                to_play.append(resumption)
        entry_count = expected_entries(stage, entries.get(stage.division_id, 0))
        stage_matches += planned_matches(
            stage,
            by_stage[stage.pk],
            stage_matches,
            entry_count,
            feed_matches,
            helper_numbers,
            starts_by_round,
            planned_brackets,
        )
        if stage_matches:
            end = ForecastMatch(
                MatchNo(next(helper_numbers)), 0, tuple(match.number for match in stage_matches)
            )
            to_play += [*stage_matches, end]
            members[stage.pk] = [match.number for match in stage_matches]
            end_by_stage[stage.pk] = (end.number,)
    sort_key_by_match = {
        MatchNo(pk): (begun_at_by_match.get(pk) is None, row.since or now, row.round)
        for pk, row in rows.items()
    }
    to_play.sort(key=lambda match: sort_key_by_match.get(match.number, (True, now + timedelta(days=1), 0)))
    return to_play, members, {stage: end for stage, (end,) in end_by_stage.items()}, starts_by_round


def _required_matches(
    feed: Feed,
    by_stage: Mapping[int, Sequence[_MatchRow]],
    end_by_stage: Mapping[int, tuple[MatchNo, ...]],
    planned_brackets: Mapping[int, PlannedBracket],
) -> tuple[MatchNo, ...]:
    """Return the matches to be played before the entries of a feed are known: all, or certain rounds."""
    rows = by_stage.get(feed.stage.pk)
    plan = planned_brackets.get(feed.stage.pk)
    if not feed.source.by_result and not rows and plan is not None:
        opening = opening_state(plan.bracket).matches
        feeding_numbers = feeding_matches(plan.bracket, feed.source)
        return tuple(plan.names[number] for number in feeding_numbers if opening[number].outcome is None)
    if feed.source.by_result or not rows:
        return end_by_stage.get(feed.stage.pk, ())
    numbers = set(feeding_matches(load_draw(feed.stage).bracket(), feed.source))
    return tuple(MatchNo(row.pk) for row in rows if row.number in numbers and row.status not in OVER)


def _forecast_match(
    stage: Stage,
    row: _MatchRow,
    stage_rows: Sequence[_MatchRow],
    begun_at_by_match: Mapping[int, datetime],
    now: datetime,
    feed_matches: tuple[MatchNo, ...],
) -> ForecastMatch:
    if row.status in UNSETTLED:  # played, and to be settled: about as long as a point takes
        return ForecastMatch(
            MatchNo(row.pk), 1, running_seconds=0, a=row.seats.get(Side.A), b=row.seats.get(Side.B)
        )
    if row.pk in begun_at_by_match and (row.status in PLAYERS_BUSY or row.table is not None):
        return ForecastMatch(
            MatchNo(row.pk),
            row.length,
            running_seconds=max(0, int((now - begun_at_by_match[row.pk]).total_seconds())),
            a=row.seats.get(Side.A),
            b=row.seats.get(Side.B),
        )
    sources = [MatchNo(source) for source in row.sources]
    if stage.system in Stage.IN_ROUNDS:  # rounds that are published together are played one after the other
        entry_ids = set(row.entries)
        sources += [
            MatchNo(stage_row.pk)
            for stage_row in stage_rows
            if stage_row.round < row.round
            and stage_row.status not in OVER
            and not entry_ids.isdisjoint(stage_row.entries)
        ]
    a, b = row.seats.get(Side.A), row.seats.get(Side.B)
    is_same_pair = isinstance(a, FeedingMatch) and isinstance(b, FeedingMatch) and a.match == b.match
    length = 0 if row.is_not_played else row.length
    if row.status is MatchStatus.ADJOURNED and (adjournment := Adjournment.of(row.adjourned)) is not None:
        length = max(1, row.length - (adjournment.score.a + adjournment.score.b) // 2)
    return ForecastMatch(
        MatchNo(row.pk), length, (*sources, *feed_matches), a=a, b=b, is_second_final=is_same_pair
    )


def _seconds_until_resumed(event: Event, row: _MatchRow, now: datetime) -> int:
    """Return the seconds until an adjourned match resumes; 0 if at once or if no date is agreed."""
    adjournment = Adjournment.of(row.adjourned)
    if adjournment is None or adjournment.resumes_on is None:
        return 0
    resumes_at = datetime.combine(
        adjournment.resumes_on,
        adjournment.resumes_at or event.opens_at or DEFAULT_OPENING,
        ZoneInfo(event.timezone),
    )
    return max(0, int((resumes_at - now).total_seconds()))
