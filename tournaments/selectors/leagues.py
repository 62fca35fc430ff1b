"""League seasons: where a season stands, who goes up and down after it, which season came before and after, who won.

A league is an event whose divisions each are one round robin, the first division at the top. The next season as it would
be is a value (``plan_season``) that the director's preview shows and the service writes: both ask here.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from django.db.models import Prefetch, Q

from tournaments.engine.standings.leaving import winners_of
from tournaments.engine.standings.promotion import next_season, open_ties, ranked
from tournaments.engine.statuses import DRAW_SHOWN, OVER, EventStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Division, Event, Match, MatchSlot, Stage
from tournaments.selectors.access.visibility import is_listed
from tournaments.selectors.arranged import struck_in
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, entries_of, out_of
from tournaments.selectors.events.detail import DivisionView, divisions_of, places_in
from tournaments.selectors.events.heads import DivisionHead
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import table_of

SEASONS_SHOWN = 60
OF_A_LEAGUE = (Stage.System.ROUND_ROBIN, Stage.System.DOUBLE_ROUND_ROBIN)


class Move(StrEnum):
    """What becomes of an entry after the season."""

    STAYS = "stays"
    UP = "up"
    DOWN = "down"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A division at this moment: its entries place by place from the top, each place with all who share it."""

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
        """How many change places at each border, from the top."""
        return tuple(table.division.moving for table in self.divisions[:-1])

    @property
    def withdrawn(self) -> frozenset[EntryId]:
        return frozenset(entry for entry in self.in_it if self.row(entry).withdrawn)

    @property
    def in_it(self) -> tuple[EntryId, ...]:
        """Everybody who stands in a table, from the top down."""
        return tuple(entry for table in self.divisions for shared in table.places for entry in shared)

    def row(self, entry: EntryId) -> EntryRow:
        return next(table.entries[entry] for table in self.divisions if entry in table.entries)


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry of the next season: where it comes from, where it goes."""

    entry: EntryId
    move: Move


@dataclass(frozen=True, slots=True)
class NextSeason:
    """The next season as it would be. With ``undecided`` places it is not ready: the director says who stands higher."""

    divisions: tuple[tuple[Placed, ...], ...]
    undecided: tuple[tuple[EntryId, ...], ...]
    version: str


@dataclass(frozen=True, slots=True)
class UnplayedMatch:
    """A match of a published round that has no result."""

    match: Match
    names: tuple[str, str]
    deadline: date | None
    overdue: bool


@dataclass(frozen=True, slots=True)
class Champions:
    """Who won the divisions of one season: names by division, empty before it is decided."""

    event: Event
    winners: tuple[tuple[str, tuple[EntryRow, ...]], ...] = field(default=())


def is_league(stages: Iterable[Stage]) -> bool:
    """Whether these are the stages of a league: one round robin without groups for each division."""
    found = list(stages)
    divisions = {stage.division_id for stage in found}
    return (
        bool(found)
        and len(divisions) == len(found)
        and all(stage.system in OF_A_LEAGUE and stage.settings.swiss.group_count == 1 for stage in found)
    )


def season_of(event: Event) -> Season | None:
    """The season with its tables as they stand, or None for an event that is no league; eight queries at most."""
    views = divisions_of(event)
    if not is_league(view.stage for division in views for view in division.stages):
        return None
    tables = []
    for view in views:
        if not view.stages:
            return None
        stage, draw = view.stages[0].stage, view.stages[0].draw
        entries = {EntryId(entry.pk): entry for entry in view.entries}
        tables.append(SeasonTable(view.division, stage, draw, _places(draw, entries), entries))
    return Season(event, tuple(tables))


def plan_season(
    season: Season,
    *,
    moving: Sequence[int],
    leaving: Collection[EntryId] = (),
    higher: Mapping[EntryId, int] | None = None,
) -> NextSeason:
    """Who plays where next, each division in the order of the season before from the top, in which it will be seeded.

    ``higher`` numbers those on a shared place: a smaller number stands first.

    Raises the engine's ``BadInput`` where so many cannot move.
    """
    tables = [table.places for table in season.divisions]
    decided = dict(higher or {})
    undecided = tuple(
        shared
        for shared in open_ties(tables, moving, leaving)
        if len({decided.get(e) for e in shared}) < len(shared)
    )
    in_order = [ranked(table, decided) for table in tables]
    before = {entry: number for number, division in enumerate(in_order) for entry in division}
    rank = {entry: place for place, entry in enumerate(before)}
    placed = tuple(
        tuple(Placed(entry, _move(before[entry], number)) for entry in sorted(division, key=rank.__getitem__))
        for number, division in enumerate(next_season(in_order, moving, leaving))
    )
    parts = "|".join(",".join(str(one.entry) for one in division) for division in placed)
    return NextSeason(placed, undecided, hashlib.sha256(parts.encode()).hexdigest()[:16])


def unplayed_matches(event: Event) -> list[UnplayedMatch]:
    """What is not over in the published rounds, the earliest deadline first; two queries."""
    today = today_at(event)
    matches = (
        Match.objects.filter(stage__division__event=event, stage__status__in=DRAW_SHOWN)
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


def season_after(event: Event) -> Event | None:
    """The season that was made from this one and is not called off."""
    return event.followed_by.exclude(status=EventStatus.CANCELLED).order_by("-pk").first()


def neighbours_of(event: Event, *, directs: bool) -> tuple[Event | None, Event | None]:
    """The season before and the one after, as far as the visitor may be told of them."""
    before, after = event.follows, season_after(event)
    return (
        before if before is not None and (directs or is_listed(before)) else None,
        after if after is not None and (directs or is_listed(after)) else None,
    )


def seasons_of(event: Event, *, directs: bool) -> list[Event]:
    """All seasons of the league that ``event`` belongs to, the newest first; two queries.

    Others than ``event`` itself are told to everybody if they stand in lists, and to directors always.
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
    return shown[::-1][:SEASONS_SHOWN]


def champions_of(seasons: Sequence[Event]) -> list[Champions]:
    """Who won each division of ``seasons``; a bounded number of queries for all of them."""
    stages = list(
        Stage.objects.filter(division__event__in=seasons)
        .select_related("division__event")
        .order_by("division__event", "division__position", "position")
    )
    first: dict[int, Stage] = {}
    for stage in stages:
        first.setdefault(stage.division_id, stage)
    places = places_in(first.values())
    settled = {
        division: {
            entry: (place.first, place.last)
            for entry, place in places.get(stage.pk, {}).items()
            if place.settled
        }
        for division, stage in first.items()
    }
    rows = entries_of([division for division, ranges in settled.items() if ranges])
    winners = {
        division: winners_of(ranges, out_of(first[division], rows.get(division, ())))
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


def zones_of(heads: Sequence[DivisionHead], divisions: Sequence[DivisionView]) -> dict[str, Move]:
    """Who of ``divisions`` goes up or down as the tables stand, by the entry's public id; a place shared over a border says nothing.

    ``heads``: all divisions of the event, from the top.
    """
    if not is_league(stage for head in heads for stage in head.stages):
        return {}
    zones: dict[str, Move] = {}
    moving = [head.division.moving for head in heads]
    borders = {
        head.division.pk: (above, below)
        for head, above, below in zip(heads, [0, *moving], [*moving[:-1], 0], strict=False)
    }
    for division in divisions:
        above, below = borders[division.division.pk]
        draw = division.stages[0].draw
        names = {EntryId(entry.pk): entry.public_id for entry in division.entries}
        places = _places(draw, names) if draw is not None and draw.rounds else ()
        count = sum(map(len, places))
        done = 0
        for shared in places:
            first, done = done + 1, done + len(shared)
            if done <= above:
                zones |= {names[entry]: Move.UP for entry in shared}
            elif first > count - below:
                zones |= {names[entry]: Move.DOWN for entry in shared}
    return zones


def _move(before: int, after: int) -> Move:
    if after == before:
        return Move.STAYS
    return Move.UP if after < before else Move.DOWN


def _places(draw: Draw | None, entries: Collection[EntryId]) -> tuple[tuple[EntryId, ...], ...]:
    """The table's places, last of all who left and was struck from it; before anything is published all share the first."""
    if draw is None:
        everybody = tuple(entries)
        return (everybody,) if everybody else ()
    shared: dict[int, list[EntryId]] = {}
    for row in table_of(draw).rows:
        shared.setdefault(row.first, []).append(row.entry)
    struck = struck_in(draw.stage)
    return (*(tuple(group) for group in shared.values()), *((struck,) if struck else ()))
