"""When the event will be over, stage by stage, learned from its own matches.

What is played out in mind (``engine.hall.forecast``): the matches of every stage that is not over, drawn or not. A stage that is
not drawn yet counts with the entries that it would have now; of a Swiss or round robin the rounds to come count, each
after the last match of the one before. Tables are those in use. A match begins when it was started, or called; where
nobody calls matches at all, when it had both sides and a table.

**What it costs.** Five queries and one pass over the matches, whatever the size, once a minute at most: the answer is kept
under the event's version and the minute. Between two minutes every reader gets the same value, so a poll costs one
look into the cache.

**What pages show of it** is rounded up to full five minutes (``rounded``), and goes into their ETag as it is shown. A
forecast is an absolute time: as long as matches end when they were expected to, it does not move, and pages stay
unchanged. It moves with results (they change the version anyway) and when a match overruns, at most once a minute.

There is no forecast for an event that is not running, that lasts longer than a weekend, or that is long past: a
league's last match is a matter of weeks, not of minutes. Nor for what is played by arrangement, and what follows it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import count
from zoneinfo import ZoneInfo

from django.db.models import Count
from django.utils import timezone

from people.caching import cached, remember, remembered
from tournaments.engine.brackets.structure import Comes, SourceKind, comers
from tournaments.engine.hall.forecast import Finished, ToPlay, critical_paths, forecast, pace
from tournaments.engine.stages.feeding import feeding_rounds
from tournaments.engine.statuses import (
    IN_PLAY,
    OVER,
    UNSETTLED,
    EntryStatus,
    EventStatus,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.types import MatchNo, ResultKind, Side
from tournaments.models import Entry, Event, Match, MatchSlot, Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.hall.to_come import Starts, size_of, to_come

LONGEST_DAYS = 4
STEP = timedelta(minutes=5)
CACHE_SECONDS = 180
LARGE = 500  # matches to come: their end does not move by what one of them brings
LONG = Fraction(3, 2)  # a match is long when it takes half as much again as expected


@dataclass(frozen=True, slots=True)
class StageForecast:
    """``path``: the matches (by database id) that decide when the stage is over, the next one first."""

    ends: datetime
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EventForecast:
    """``begins`` by database id of the match; ``learned_from``: how many matches taught the pace.

    ``rounds``: when rounds begin that are in no database yet, by stage and number of the round.
    ``shown`` changes when a page changes that shows when a waiting match begins. ``ahead``: how long all of it takes,
    as long as nothing has begun; nobody knows yet when that will be.
    """

    ends: datetime
    seconds_a_point: int
    learned_from: int
    shown: str = ""
    stages: Mapping[int, StageForecast] = field(default_factory=dict)
    begins: Mapping[int, datetime] = field(default_factory=dict)
    rounds: Mapping[tuple[int, int], datetime] = field(default_factory=dict)
    ahead: timedelta | None = None

    def takes(self, length: int) -> timedelta:
        """How long a match to so many points is expected to take."""
        return timedelta(seconds=length * self.seconds_a_point)

    def long_after(self, length: int) -> timedelta:
        """After how long such a match is remarkably long."""
        return timedelta(seconds=int(length * self.seconds_a_point * LONG))


def rounded(at: datetime) -> datetime:
    """Up to the next full five minutes."""
    since = timedelta(minutes=at.minute % 5, seconds=at.second, microseconds=at.microsecond)
    return at + (STEP - since) % STEP


def forecast_of(event: Event, now: datetime | None = None) -> EventForecast | None:
    """The forecast of this minute, or None where there is nothing to forecast."""
    now = (now or timezone.now()).replace(second=0, microsecond=0)
    if not _in_days(event, now):
        return None
    parts = [event.public_id, event.version, int(now.timestamp()) // 60]
    return cached("forecast", parts, CACHE_SECONDS, lambda: worked_out(event, now))


def forecast_of_end(event: Event, now: datetime | None = None) -> EventForecast | None:
    """The forecast without its matches, for pages that name the end alone and for ETags: little, for every poll reads it.

    Of a large event it may be one of before the last results, of this minute: a page does not wait with each of them until all
    matches of all divisions are played through again.
    """
    now = (now or timezone.now()).replace(second=0, microsecond=0)
    if not _in_days(event, now):
        return None
    parts = [event.public_id, event.status, int(now.timestamp()) // 60]
    kept: EventForecast | None = remembered("forecast-of-end", parts)
    if kept is not None:
        return kept

    def little() -> tuple[EventForecast | None, bool]:
        found = forecast_of(event, now)
        if found is None:
            return None, False
        return replace(found, begins={}, stages={}, rounds={}), len(found.begins) >= LARGE

    found, large = cached("forecast-little", [*parts, event.version], CACHE_SECONDS, little)
    if large:
        remember("forecast-of-end", parts, CACHE_SECONDS, found)
    return found


def recent_forecast(event: Event, now: datetime | None = None) -> EventForecast | None:
    """The whole of it for readers: of a large event it may be one of before the last results, of this minute."""
    now = (now or timezone.now()).replace(second=0, microsecond=0)
    parts = [event.public_id, event.status, int(now.timestamp()) // 60]
    kept: EventForecast | None = remembered("forecast-recent", parts)
    if kept is not None:
        return kept
    found = forecast_of(event, now)
    if found is not None and len(found.begins) >= LARGE:
        remember("forecast-recent", parts, CACHE_SECONDS, found)
    return found


def shown_end(event: Event) -> str:
    """The end as a page shows it, for its ETag; empty without a forecast."""
    found = forecast_of_end(event)
    if found is None:
        return ""
    return f"{found.ahead}" if found.ahead is not None else rounded(found.ends).isoformat()


def shown_begins(event: Event) -> str:
    """When matches that wait for their sides begin, as pages show it, for their ETag."""
    found = forecast_of_end(event)
    return found.shown if found is not None else ""


def _in_days(event: Event, now: datetime) -> bool:
    today = now.astimezone(ZoneInfo(event.timezone)).date()
    return (
        event.status == EventStatus.RUNNING
        and (event.ends_on - event.starts_on).days < LONGEST_DAYS
        and event.starts_on - timedelta(days=1) <= today <= event.ends_on + timedelta(days=1)
    )


@dataclass(slots=True)
class _Row:
    """A match as the forecast needs it."""

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
    sources: list[int] = field(default_factory=list)
    comes: list[Comes] = field(default_factory=list)  # to each of its sides
    idle: bool = False  # who comes goes through without play
    entries: list[int] = field(default_factory=list)
    since: datetime | None = None  # when it had both its sides


def worked_out(event: Event, now: datetime) -> EventForecast | None:
    """The same without the cache."""
    stages = list(
        Stage.objects.filter(division__event=event)
        .exclude(system=Stage.System.MONEY)
        .select_related("division", "fed_by")
        .order_by("division__position", "position", "pk")
    )
    stages = _at_tables(stages)
    rows = _rows(event)
    nobody_calls = all(row.called_at is None and row.started_at is None for row in rows.values())
    _since(stages, rows)
    begun = {pk: at for pk, row in rows.items() if (at := _begun(row, nobody_calls=nobody_calls)) is not None}
    taught = [
        Finished(row.length, int((end - begun[pk]).total_seconds()))
        for pk, row in rows.items()
        if row.status is MatchStatus.CONFIRMED
        and row.kind == ResultKind.PLAYED
        and pk in begun
        and (end := _ended(row, begun[pk])) is not None
    ]
    seconds_a_point = pace(taught)
    to_play, ends_of, starts = _to_play(stages, rows, begun, now)
    if not to_play:
        return None
    tables = sum(number not in event.closed_tables for number in range(1, event.tables + 1))
    found = forecast(to_play, max(1, tables), seconds_a_point)
    moments = {match.number for match in to_play if not match.length}
    lasts = {
        stage: max(members, key=lambda number: (found.ends[number], number))
        for stage, members in ends_of.items()
    }
    paths = critical_paths(to_play, found, lasts.values())
    by_stage = {
        stage: StageForecast(
            now + timedelta(seconds=found.ends[last]),
            tuple(int(number) for number in paths[last] if number > 0 and number not in moments),
        )
        for stage, last in lasts.items()
    }
    ahead = None
    if nobody_calls and not any(row.played_at or row.confirmed_at for row in rows.values()):
        still = [replace(match, running_for=None) for match in to_play]
        ahead = timedelta(seconds=forecast(still, max(1, tables), seconds_a_point).over)
    begins = {int(n): now + timedelta(seconds=at) for n, at in found.begins.items() if n > 0}
    rounds = {
        key: now + timedelta(seconds=min(known))
        for key, own in starts.items()
        if (known := [found.begins[number] for number in own if number in found.begins])
    }
    waiting = [(pk, rounded(at)) for pk, at in begins.items() if rows[pk].status is MatchStatus.WAITING]
    return EventForecast(
        ends=now + timedelta(seconds=found.over),
        seconds_a_point=round(seconds_a_point),
        learned_from=len(taught),
        rounds=rounds,
        shown=hashlib.sha256(str([sorted(waiting), *map(rounded, rounds.values())]).encode()).hexdigest()[
            :12
        ],
        stages=by_stage,
        begins=begins,
        ahead=ahead,
    )


def _at_tables(stages: Sequence[Stage]) -> list[Stage]:
    """Without those played by arrangement, and those that wait for one of them to be over."""
    away: set[int] = set()
    for stage in stages:
        if stage.status != StageStatus.FINISHED and (stage.by_arrangement or stage.fed_by_id in away):
            away.add(stage.pk)
    return [stage for stage in stages if stage.pk not in away]


def _rows(event: Event) -> dict[int, _Row]:
    rows = {
        row[0]: _Row(row[0], row[1], row[2], row[3], MatchStatus(row[4]), *row[5:])
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
        )
    }
    slots = MatchSlot.objects.filter(match__stage__division__event=event)
    fields = ("match_id", "source_kind", "source_match_id", "entry_id", "by_hand")
    for match, kind, source, entry, by_hand in slots.values_list(*fields):
        known = entry is not None or source is None or by_hand or rows[source].status in OVER
        rows[match].comes.append(entry is not None if known else (SourceKind(kind), source))
        if source is not None:
            rows[match].sources.append(source)
        if entry is not None:
            rows[match].entries.append(entry)
    found = comers((pk, row.comes) for pk, row in rows.items())
    for pk, row in rows.items():
        row.idle = found[pk] < len(Side)
    return rows


def _since(stages: Sequence[Stage], rows: Mapping[int, _Row]) -> None:
    """When each match had both its sides: after the results that made it, or the round before, or the draw."""
    by_pk = {stage.pk: stage for stage in stages}
    latest: dict[tuple[int, int], datetime] = {}
    for row in rows.values():
        if row.confirmed_at is not None:
            key = (row.stage, row.round)
            latest[key] = max(latest.get(key, row.confirmed_at), row.confirmed_at)
    for row in rows.values():
        stage = by_pk.get(row.stage)
        fed = [at for source in row.sources if (at := rows[source].confirmed_at) is not None]
        before = latest.get((row.stage, row.round - 1)) if stage and stage.system in Stage.IN_ROUNDS else None
        known = [at for at in (*fed, before, stage.drawn_at if stage else None) if at is not None]
        row.since = max(known, default=None)


def _begun(row: _Row, *, nobody_calls: bool) -> datetime | None:
    if row.status is MatchStatus.ADJOURNED:
        return None
    begun = row.started_at or row.called_at
    if begun is None and nobody_calls and row.table is not None:
        return row.since
    return begun


def _ended(row: _Row, begun: datetime) -> datetime | None:
    """When play was over: with the first word about it, which comes before the confirmation."""
    if (
        row.played_at is not None
        and row.confirmed_at is not None
        and begun < row.played_at < row.confirmed_at
    ):
        return row.played_at
    return row.confirmed_at


def _to_play(
    stages: Sequence[Stage], rows: Mapping[int, _Row], begun: Mapping[int, datetime], now: datetime
) -> tuple[list[ToPlay], dict[int, list[MatchNo]], Starts]:
    """Everything that is not over, those at work first; by stage what has to be over for its end; rounds to come."""
    moments = count(-1, -1)
    entries = dict(
        Entry.objects.filter(division__in={stage.division_id for stage in stages}, status=EntryStatus.ACTIVE)
        .values_list("division")
        .annotate(times=Count("pk"))
        .order_by()
    )
    by_stage: dict[int, list[_Row]] = {stage.pk: [] for stage in stages}
    for row in rows.values():
        if row.stage in by_stage and row.status is not MatchStatus.VOID:
            by_stage[row.stage].append(row)
    found: list[ToPlay] = []
    members: dict[int, list[MatchNo]] = {}
    starts: Starts = {}
    over: dict[int, tuple[MatchNo, ...]] = {}
    for stage in stages:
        if stage.status == StageStatus.FINISHED:
            continue
        after = over.get(stage.fed_by_id or 0, ())
        if stage.fed_by is not None and not stage.settings.feed.by_result and by_stage.get(stage.fed_by.pk):
            after = _rounds_of_losers(stage, stage.fed_by, by_stage[stage.fed_by.pk])
        own = [
            _one(stage, row, by_stage[stage.pk], begun, now, after)
            for row in by_stage[stage.pk]
            if row.status not in OVER
        ]
        size = size_of(stage, entries.get(stage.division_id, 0))
        own += to_come(stage, by_stage[stage.pk], own, size, after, moments, starts)
        if own:
            end = ToPlay(MatchNo(next(moments)), 0, tuple(match.number for match in own))
            found += [*own, end]
            members[stage.pk] = [match.number for match in own]
            over[stage.pk] = (end.number,)
    first = {MatchNo(pk): (begun.get(pk) is None, row.since or now, row.round) for pk, row in rows.items()}
    found.sort(key=lambda match: first.get(match.number, (True, now + timedelta(days=1), 0)))
    return found, members, starts


def _rounds_of_losers(stage: Stage, source: Stage, rows: Sequence[_Row]) -> tuple[MatchNo, ...]:
    """What has still to be played in the rounds whose losers come in: they are not waited for longer."""
    numbers = set(feeding_rounds(draw_of(source).bracket(), stage.settings.feed, stage.takes))
    return tuple(MatchNo(row.pk) for row in rows if row.number in numbers and row.status not in OVER)


def _one(
    stage: Stage,
    row: _Row,
    others: Sequence[_Row],
    begun: Mapping[int, datetime],
    now: datetime,
    after: tuple[MatchNo, ...],
) -> ToPlay:
    if row.status in UNSETTLED:  # played, and to be settled: about as long as a point takes
        return ToPlay(MatchNo(row.pk), 1, running_for=0)
    if row.pk in begun and (row.status in IN_PLAY or row.table is not None):
        return ToPlay(
            MatchNo(row.pk), row.length, running_for=max(0, int((now - begun[row.pk]).total_seconds()))
        )
    sources = [MatchNo(source) for source in row.sources]
    if stage.system in Stage.IN_ROUNDS:  # rounds that are published together are played one after the other
        mine = set(row.entries)
        sources += [
            MatchNo(other.pk)
            for other in others
            if other.round < row.round and other.status not in OVER and not mine.isdisjoint(other.entries)
        ]
    return ToPlay(MatchNo(row.pk), 0 if row.idle else row.length, (*sources, *after))
