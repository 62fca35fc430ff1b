"""League seasons: tables, promotion and relegation, adjacent seasons, champions.

A league is an event whose divisions each are one round robin, the first division at the top. The next season
is computed as a value (``plan_season``), which the director's preview shows and the service writes.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from django.db.models import Prefetch, Q

from tournaments.engine.standings.leaving import first_placed
from tournaments.engine.standings.promotion import break_ties, next_season, ties_at_borders
from tournaments.engine.statuses import DRAW_PUBLIC, OVER, EventStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Division, Event, Match, MatchSlot, Stage
from tournaments.selectors.access.visibility import is_listed
from tournaments.selectors.arranged import struck_entries
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, entries_by_division, withdrawn_without_prize
from tournaments.selectors.events.detail import DivisionView, division_views, places_by_stage
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.rounds.deadlines import event_today
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import standings_table

MAX_SEASONS = 60
LEAGUE_SYSTEMS = (Stage.System.ROUND_ROBIN, Stage.System.DOUBLE_ROUND_ROBIN)


class SeasonMove(StrEnum):
    """What happens to an entry after the season."""

    STAYS = "stays"
    UP = "up"
    DOWN = "down"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A division with its current places from the top, each with all entries that share it."""

    division: Division
    stage: Stage
    draw: Draw | None
    places: tuple[tuple[EntryId, ...], ...]
    entries: Mapping[EntryId, EntryRow]

    @property
    def rounds_to_publish(self) -> int:
        return rounds_left(self.stage, self.draw) if self.draw is not None else 0

    @property
    def is_over(self) -> bool:
        return self.stage.status == StageStatus.FINISHED


@dataclass(frozen=True, slots=True)
class Season:
    """A season with its divisions, the top one first."""

    event: Event
    divisions: tuple[SeasonTable, ...]

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self.divisions)

    @property
    def moving(self) -> tuple[int, ...]:
        """How many entries change places at each border, from the top."""
        return tuple(table.division.moving for table in self.divisions[:-1])

    @property
    def withdrawn(self) -> frozenset[EntryId]:
        return frozenset(entry for entry in self.ranked_entries if self.row(entry).withdrawn)

    @property
    def ranked_entries(self) -> tuple[EntryId, ...]:
        """All entries in the tables, from the top down."""
        return tuple(entry for table in self.divisions for shared in table.places for entry in shared)

    def row(self, entry: EntryId) -> EntryRow:
        return next(table.entries[entry] for table in self.divisions if entry in table.entries)


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry of the next season, and whether it moves."""

    entry: EntryId
    move: SeasonMove


@dataclass(frozen=True, slots=True)
class NextSeason:
    """The next season as planned. Not ready while there are ``undecided`` shared places."""

    divisions: tuple[tuple[PlacedEntry, ...], ...]
    undecided: tuple[tuple[EntryId, ...], ...]
    version: str


@dataclass(frozen=True, slots=True)
class UnplayedMatch:
    """A match of a published round without a result."""

    match: Match
    names: tuple[str, str]
    deadline: date | None
    overdue: bool


@dataclass(frozen=True, slots=True)
class Champions:
    """The winners of the divisions of one season by division, empty before they are decided."""

    event: Event
    winners: tuple[tuple[str, tuple[EntryRow, ...]], ...] = field(default=())


def is_league(stages: Iterable[Stage]) -> bool:
    """Return whether these are the stages of a league: one round robin without groups for each division."""
    found = list(stages)
    divisions = {stage.division_id for stage in found}
    return (
        bool(found)
        and len(divisions) == len(found)
        and all(stage.system in LEAGUE_SYSTEMS and stage.settings.swiss.group_count == 1 for stage in found)
    )


def load_season(event: Event) -> Season | None:
    """Load the season with its current tables, or None if the event is no league; eight queries at most."""
    views = division_views(event)
    if not is_league(view.stage for division in views for view in division.stages):
        return None
    tables = []
    for view in views:
        if not view.stages:
            return None
        stage, draw = view.stages[0].stage, view.stages[0].draw
        entries = {EntryId(entry.pk): entry for entry in view.entries}
        tables.append(SeasonTable(view.division, stage, draw, _table_places(draw, entries), entries))
    return Season(event, tuple(tables))


def plan_season(
    season: Season,
    *,
    moving: Sequence[int],
    leaving: Collection[EntryId] = (),
    higher: Mapping[EntryId, int] | None = None,
) -> NextSeason:
    """Plan the divisions of the next season, each in the order of seeding by the previous season.

    ``higher`` orders entries on a shared place: a smaller number ranks first. Raises the engine's
    ``BadInput`` if that many cannot move.
    """
    tables = [table.places for table in season.divisions]
    decided = dict(higher or {})
    undecided = tuple(
        shared
        for shared in ties_at_borders(tables, moving, leaving)
        if len({decided.get(e) for e in shared}) < len(shared)
    )
    in_order = [break_ties(table, decided) for table in tables]
    before = {entry: number for number, division in enumerate(in_order) for entry in division}
    rank = {entry: place for place, entry in enumerate(before)}
    placed = tuple(
        tuple(
            PlacedEntry(entry, _season_move(before[entry], number))
            for entry in sorted(division, key=rank.__getitem__)
        )
        for number, division in enumerate(next_season(in_order, moving, leaving))
    )
    parts = "|".join(",".join(str(one.entry) for one in division) for division in placed)
    return NextSeason(placed, undecided, hashlib.sha256(parts.encode()).hexdigest()[:16])


def unplayed_matches(event: Event) -> list[UnplayedMatch]:
    """Open matches of published rounds, earliest deadline first; two queries."""
    today = event_today(event)
    matches = (
        Match.objects.filter(stage__division__event=event, stage__status__in=DRAW_PUBLIC)
        .exclude(status__in=OVER)
        .select_related("round", "stage__division")
        .prefetch_related(Prefetch("slots", MatchSlot.objects.select_related("entry")))
    )
    rows = []
    for match in matches:
        sides = {slot.side: slot.entry for slot in match.slots.all()}
        first, second = sides.get("a"), sides.get("b")
        if first is None or second is None:
            continue
        deadline = match.round.deadline
        rows.append(
            UnplayedMatch(
                match, (first.name, second.name), deadline, deadline is not None and deadline < today
            )
        )
    last = date.max
    return sorted(
        rows,
        key=lambda row: (
            row.deadline or last,
            row.match.round.number,
            row.match.stage.division.position,
            row.match.number,
        ),
    )


def following_season(event: Event) -> Event | None:
    """The season made from this one that is not cancelled, or None."""
    return event.followed_by.exclude(status=EventStatus.CANCELLED).order_by("-pk").first()


def adjacent_seasons(event: Event, *, directs: bool) -> tuple[Event | None, Event | None]:
    """The previous and the next season, each None if the visitor may not see it."""
    before, after = event.follows, following_season(event)
    return (
        before if before is not None and (directs or is_listed(before)) else None,
        after if after is not None and (directs or is_listed(after)) else None,
    )


def league_seasons(event: Event, *, directs: bool) -> list[Event]:
    """All seasons of the league of ``event``, newest first; two queries.

    Other seasons are included if listed, for directors always.
    """
    linked = {
        one.pk: one
        for one in Event.objects.select_related("club")
        .filter(club=event.club_id)
        .filter(Q(follows__isnull=False) | Q(followed_by__isnull=False))
    }
    linked[event.pk] = event
    first = event
    seen = {first.pk}
    while (follows := first.follows_id) is not None and follows in linked and follows not in seen:
        first = linked[follows]
        seen.add(first.pk)
    after: dict[int, list[Event]] = {}
    for one in linked.values():
        if one.follows_id is not None:
            after.setdefault(one.follows_id, []).append(one)
    chain, at = [first], first
    while following := [one for one in after.get(at.pk, []) if one.status != EventStatus.CANCELLED]:
        at = max(following, key=lambda one: one.pk)
        chain.append(at)
    if event not in chain:
        chain.append(event)
    shown = [one for one in chain if one.pk == event.pk or directs or is_listed(one)]
    return shown[::-1][:MAX_SEASONS]


def season_champions(seasons: Sequence[Event]) -> list[Champions]:
    """The champions of each division of ``seasons``; a bounded number of queries for all."""
    stages = list(
        Stage.objects.filter(division__event__in=seasons)
        .select_related("division__event")
        .order_by("division__event", "division__position", "position")
    )
    first: dict[int, Stage] = {}
    for stage in stages:
        first.setdefault(stage.division_id, stage)
    places = places_by_stage(first.values())
    settled = {
        division: {
            entry: (place.first, place.last)
            for entry, place in places.get(stage.pk, {}).items()
            if place.settled
        }
        for division, stage in first.items()
    }
    rows = entries_by_division([division for division, ranges in settled.items() if ranges])
    winners = {
        division: first_placed(ranges, withdrawn_without_prize(first[division], rows.get(division, ())))
        for division, ranges in settled.items()
    }
    found: dict[int, list[tuple[str, tuple[EntryRow, ...]]]] = {}
    for division, stage in first.items():
        won = tuple(row for row in rows.get(division, ()) if row.pk in winners[division])
        found.setdefault(stage.division.event_id, []).append((stage.division.name, won))
    return [Champions(season, tuple(found.get(season.pk, ()))) for season in seasons]


def seasons_version(seasons: Sequence[Event]) -> list[object]:
    """The versions of ``seasons``, for the ETag of a page that shows them."""
    return [(season.pk, season.version) for season in seasons]


def promotion_zones(
    heads: Sequence[DivisionSummary], divisions: Sequence[DivisionView]
) -> dict[str, SeasonMove]:
    """Entries of ``divisions`` to be promoted or relegated by the current tables, by public id.

    Places shared across a border are left out. ``heads``: all divisions of the event, from the top.
    """
    if not is_league(stage for head in heads for stage in head.stages):
        return {}
    zones: dict[str, SeasonMove] = {}
    moving = [head.division.moving for head in heads]
    borders = {
        head.division.pk: (above, below)
        for head, above, below in zip(heads, [0, *moving], [*moving[:-1], 0], strict=False)
    }
    for division in divisions:
        above, below = borders[division.division.pk]
        draw = division.stages[0].draw
        names = {EntryId(entry.pk): entry.public_id for entry in division.entries}
        places = _table_places(draw, names) if draw is not None and draw.rounds else ()
        count = sum(map(len, places))
        done = 0
        for shared in places:
            first, done = done + 1, done + len(shared)
            if done <= above:
                zones |= {names[entry]: SeasonMove.UP for entry in shared}
            elif first > count - below:
                zones |= {names[entry]: SeasonMove.DOWN for entry in shared}
    return zones


def _season_move(before: int, after: int) -> SeasonMove:
    if after == before:
        return SeasonMove.STAYS
    return SeasonMove.UP if after < before else SeasonMove.DOWN


def _table_places(draw: Draw | None, entries: Collection[EntryId]) -> tuple[tuple[EntryId, ...], ...]:
    """The table's places, struck entries last; all share the first place before a round is published."""
    if draw is None:
        everybody = tuple(entries)
        return (everybody,) if everybody else ()
    shared: dict[int, list[EntryId]] = {}
    for row in standings_table(draw).rows:
        shared.setdefault(row.first, []).append(row.entry)
    struck = struck_entries(draw.stage)
    return (*(tuple(group) for group in shared.values()), *((struck,) if struck else ()))
