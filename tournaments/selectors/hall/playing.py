"""The input of the forecast: matches of all stages that are not over, and durations of finished ones.

A stage that is not drawn yet counts with its current entries; in a Swiss or round robin future rounds count,
each after the last match of the previous one. Tables are those in use. A match begins when it was started, or
called; if matches are not called, when it had both sides and a table. An adjourned match resumes at the
agreed time, with the remaining points. A player in two divisions plays in one at a time. Six queries and one
pass over the matches, whatever the size.
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

    ``to_play``: everything that is not over, running matches first. ``members``: by stage what has to be over
    for its end; ``moments``: that end, a moment of ``to_play``. ``rounds``: matches of rounds that are not
    stored, by stage and number. ``finished`` and ``running``: lengths and seconds. ``people``: players of
    entries, for those in several. ``over``: number of finished matches. ``begun``: whether anything is known
    to have begun.
    """

    to_play: tuple[ForecastMatch, ...]
    members: Mapping[int, Sequence[MatchNo]]
    moments: Mapping[int, MatchNo]
    rounds: MatchesByRound
    finished: tuple[tuple[int, float], ...]
    running: tuple[tuple[int, float], ...]
    people: Mapping[EntryId, Collection[int]]
    tables: int
    over: int
    begun: bool


@dataclass(slots=True)
class _MatchRow:
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
    adjourned: dict[str, Any]
    sources: list[int] = field(default_factory=list)
    seats: dict[str, SideOrigin] = field(default_factory=dict)
    comes: list[Arrival] = field(default_factory=list)  # to each of its sides
    idle: bool = False  # who comes goes through without play
    entries: list[int] = field(default_factory=list)
    since: datetime | None = None  # when it had both its sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Values instead of the settings: tables; entries by division; match lengths and rounds by stage.

    They apply only to stages that are not drawn.
    """

    tables: int
    entries: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, Sequence[int]] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)


def load_forecast_input(event: Event, now: datetime, assumed: Assumptions | None = None) -> ForecastInput:
    """Load ``event`` as it is, or with what is ``assumed``; seconds count from ``now``."""
    stages = _stages_at_tables(
        list(
            Stage.objects.filter(division__event=event)
            .exclude(system=Stage.System.MONEY)
            .select_related("division", "fed_by")
            .order_by("division__position", "position", "pk")
        )
    )
    if assumed is not None:
        _apply_assumptions(stages, assumed)
    rows = _match_rows(event)
    nobody_calls = all(row.called_at is None and row.started_at is None for row in rows.values())
    _set_since(stages, rows)
    begun = {
        pk: at for pk, row in rows.items() if (at := _begun_at(row, nobody_calls=nobody_calls)) is not None
    }
    nothing = event.status != EventStatus.RUNNING or (
        nobody_calls and not any(row.played_at or row.confirmed_at for row in rows.values())
    )
    entries = _entry_counts(stages) | (dict(assumed.entries) if assumed is not None else {})
    to_play, members, moments, rounds = _remaining_matches(
        event, stages, entries, rows, {} if nothing else begun, now
    )
    goes_on = {pk for pk in begun if rows[pk].status not in OVER and rows[pk].status not in UNSETTLED}
    return ForecastInput(
        to_play=tuple(to_play),
        members=members,
        moments=moments,
        rounds=rounds,
        finished=tuple(
            (row.length, (end - begun[pk]).total_seconds())
            for pk, row in rows.items()
            if row.status is MatchStatus.CONFIRMED
            and row.kind == ResultKind.PLAYED
            and not row.adjourned
            and pk in begun
            and (end := _ended_at(row, begun[pk])) is not None
        ),
        running=tuple(
            (match.length, float(match.running_seconds))
            for match in to_play
            if match.running_seconds is not None and int(match.number) in goes_on
        ),
        people=_shared_players(event),
        tables=assumed.tables if assumed is not None else tables_in_use(event),
        over=sum(row.status is MatchStatus.CONFIRMED and not row.idle for row in rows.values()),
        begun=not nothing,
    )


def tables_in_use(event: Event, tables: int | None = None) -> int:
    """Number of tables in use, at least one; ``tables`` replaces the event's number."""
    numbers = range(1, (event.tables if tables is None else tables) + 1)
    return max(1, sum(number not in event.closed_tables for number in numbers))


def _apply_assumptions(stages: Sequence[Stage], assumed: Assumptions) -> None:
    for stage in stages:
        if stage.status != StageStatus.SETUP:
            continue
        if (lengths := assumed.lengths.get(stage.pk)) is not None:
            stage.lengths = list(lengths)
        if (rounds := assumed.rounds.get(stage.pk)) is not None:
            stage.settings = replace(stage.settings, own=replace(stage.settings.swiss, rounds=rounds))


def _entry_counts(stages: Sequence[Stage]) -> dict[int, int]:
    """Active entries by division."""
    return dict(
        Entry.objects.filter(division__in={stage.division_id for stage in stages}, status=EntryStatus.ACTIVE)
        .values_list("division")
        .annotate(times=Count("pk"))
        .order_by()
    )


def _shared_players(event: Event) -> dict[EntryId, list[int]]:
    """Players by entry, only players with several entries."""
    entries: dict[int, set[int]] = {}
    for entry, player in EntryPlayer.objects.filter(
        division__event=event, entry__status=EntryStatus.ACTIVE
    ).values_list("entry_id", "player_id"):
        entries.setdefault(player, set()).add(entry)
    found: dict[EntryId, list[int]] = {}
    for player, own in entries.items():
        if len(own) > 1:
            for entry in own:
                found.setdefault(EntryId(entry), []).append(player)
    return found


def _stages_at_tables(stages: Sequence[Stage]) -> list[Stage]:
    """Stages without those played by arrangement and those that wait for one of them."""
    away: set[int] = set()
    for stage in stages:
        fed = any(before.pk in away for before, _source in feeds_among(stage, stages))
        if stage.status != StageStatus.FINISHED and (stage.by_arrangement or fed):
            away.add(stage.pk)
    return [stage for stage in stages if stage.pk not in away]


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
        known = entry is not None or source is None or by_hand or rows[source].status in OVER
        comes = entry is not None or (kind == SourceKind.HELD and not by_hand)  # held open: somebody may
        rows[match].comes.append(comes if known else (SourceKind(kind), source))
        if source is not None:
            rows[match].sources.append(source)
        if entry is not None:
            rows[match].entries.append(entry)
            rows[match].seats[side] = EntryId(entry)
        elif not known:
            rows[match].seats[side] = FeedingMatch(MatchNo(source), loser=kind == SourceKind.LOSER_OF)
    found = entrant_counts((pk, row.comes) for pk, row in rows.items())
    for pk, row in rows.items():
        row.idle = found[pk] < len(Side)
    return rows


def _set_since(stages: Sequence[Stage], rows: Mapping[int, _MatchRow]) -> None:
    """Set when each match had both sides: after its results, the previous round or the draw."""
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


def _begun_at(row: _MatchRow, *, nobody_calls: bool) -> datetime | None:
    if row.status is MatchStatus.ADJOURNED:
        return None
    begun = row.started_at or row.called_at
    if begun is None and nobody_calls and row.table is not None:
        return row.since
    return begun


def _ended_at(row: _MatchRow, begun: datetime) -> datetime | None:
    """When play ended: the first report, which precedes the confirmation."""
    if (
        row.played_at is not None
        and row.confirmed_at is not None
        and begun < row.played_at < row.confirmed_at
    ):
        return row.played_at
    return row.confirmed_at


def _remaining_matches(
    event: Event,
    stages: Sequence[Stage],
    entries: Mapping[int, int],
    rows: Mapping[int, _MatchRow],
    begun: Mapping[int, datetime],
    now: datetime,
) -> tuple[list[ForecastMatch], dict[int, list[MatchNo]], dict[int, MatchNo], MatchesByRound]:
    """Matches that are not over, running ones first; members and end by stage; future rounds."""
    moments = count(-1, -1)
    by_stage: dict[int, list[_MatchRow]] = {stage.pk: [] for stage in stages}
    for row in rows.values():
        if row.stage in by_stage and row.status is not MatchStatus.VOID:
            by_stage[row.stage].append(row)
    found: list[ForecastMatch] = []
    members: dict[int, list[MatchNo]] = {}
    starts: MatchesByRound = {}
    over: dict[int, tuple[MatchNo, ...]] = {}
    planned: dict[int, PlannedBracket] = {}
    for stage in stages:
        if stage.status == StageStatus.FINISHED:
            continue
        after = tuple(
            chain.from_iterable(
                _required_matches(part, by_stage, over, planned) for part in feeds_among(stage, stages)
            )
        )
        own = [
            _forecast_match(stage, row, by_stage[stage.pk], begun, now, after)
            for row in by_stage[stage.pk]
            if row.status not in OVER
        ]
        for row in by_stage[stage.pk]:
            if row.status is MatchStatus.ADJOURNED and (wait := _seconds_until_resumed(event, row, now)):
                until = ForecastMatch(MatchNo(next(moments)), 0, waits=wait)
                own = [
                    replace(match, after=(*match.after, until.number)) if match.number == row.pk else match
                    for match in own
                ]
                found.append(until)
        size = expected_entries(stage, entries.get(stage.division_id, 0))
        own += planned_matches(stage, by_stage[stage.pk], own, size, after, moments, starts, planned)
        if own:
            end = ForecastMatch(MatchNo(next(moments)), 0, tuple(match.number for match in own))
            found += [*own, end]
            members[stage.pk] = [match.number for match in own]
            over[stage.pk] = (end.number,)
    first = {MatchNo(pk): (begun.get(pk) is None, row.since or now, row.round) for pk, row in rows.items()}
    found.sort(key=lambda match: first.get(match.number, (True, now + timedelta(days=1), 0)))
    return found, members, {stage: end for stage, (end,) in over.items()}, starts


def _required_matches(
    part: Feed,
    by_stage: Mapping[int, Sequence[_MatchRow]],
    over: Mapping[int, tuple[MatchNo, ...]],
    planned: Mapping[int, PlannedBracket],
) -> tuple[MatchNo, ...]:
    """Matches to be played before the entries of a feed are known: all, or the rounds whose losers come."""
    rows = by_stage.get(part.stage.pk)
    plan = planned.get(part.stage.pk)
    if not part.source.by_result and not rows and plan is not None:
        idle = opening_state(plan.bracket).matches
        feeding = feeding_matches(plan.bracket, part.source)
        return tuple(plan.names[number] for number in feeding if idle[number].outcome is None)
    if part.source.by_result or not rows:
        return over.get(part.stage.pk, ())
    numbers = set(feeding_matches(load_draw(part.stage).bracket(), part.source))
    return tuple(MatchNo(row.pk) for row in rows if row.number in numbers and row.status not in OVER)


def _forecast_match(
    stage: Stage,
    row: _MatchRow,
    others: Sequence[_MatchRow],
    begun: Mapping[int, datetime],
    now: datetime,
    after: tuple[MatchNo, ...],
) -> ForecastMatch:
    if row.status in UNSETTLED:  # played, and to be settled: about as long as a point takes
        return ForecastMatch(
            MatchNo(row.pk), 1, running_seconds=0, a=row.seats.get(Side.A), b=row.seats.get(Side.B)
        )
    if row.pk in begun and (row.status in PLAYERS_BUSY or row.table is not None):
        return ForecastMatch(
            MatchNo(row.pk),
            row.length,
            running_seconds=max(0, int((now - begun[row.pk]).total_seconds())),
            a=row.seats.get(Side.A),
            b=row.seats.get(Side.B),
        )
    sources = [MatchNo(source) for source in row.sources]
    if stage.system in Stage.IN_ROUNDS:  # rounds that are published together are played one after the other
        mine = set(row.entries)
        sources += [
            MatchNo(other.pk)
            for other in others
            if other.round < row.round and other.status not in OVER and not mine.isdisjoint(other.entries)
        ]
    a, b = row.seats.get(Side.A), row.seats.get(Side.B)
    again = isinstance(a, FeedingMatch) and isinstance(b, FeedingMatch) and a.match == b.match
    length = 0 if row.idle else row.length
    if row.status is MatchStatus.ADJOURNED and (left := Adjournment.of(row.adjourned)) is not None:
        length = max(1, row.length - (left.score.a + left.score.b) // 2)
    return ForecastMatch(MatchNo(row.pk), length, (*sources, *after), a=a, b=b, maybe=again)


def _seconds_until_resumed(event: Event, row: _MatchRow, now: datetime) -> int:
    """Seconds until an adjourned match resumes; 0: at once, or no day is agreed."""
    left = Adjournment.of(row.adjourned)
    if left is None or left.resumes_on is None:
        return 0
    at = datetime.combine(
        left.resumes_on, left.resumes_at or event.opens_at or DEFAULT_OPENING, ZoneInfo(event.timezone)
    )
    return max(0, int((at - now).total_seconds()))
