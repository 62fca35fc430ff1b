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
from tournaments.selectors.arranged import entries_with_cancelled_results
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow, entries_by_division, withdrawn_without_prize
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.detail import DivisionView, division_views, places_by_stage
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import standings_table

MAX_SEASONS = 60
LEAGUE_SYSTEMS = (Stage.System.ROUND_ROBIN, Stage.System.DOUBLE_ROUND_ROBIN)


class SeasonMove(StrEnum):
    """What happens to an entry after the season: it stays, is promoted or relegated, or is new."""

    STAYS = "stays"
    UP = "up"
    DOWN = "down"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A division of a season with its current table.

    ``places``: the places from the top, each with all entries that share it.
    """

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
    """A season of a league with its divisions, the top division first."""

    event: Event
    divisions: tuple[SeasonTable, ...]

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self.divisions)

    @property
    def moving(self) -> tuple[int, ...]:
        """How many entries move up and down between each division and the next, from the top."""
        return tuple(table.division.moving for table in self.divisions[:-1])

    @property
    def withdrawn(self) -> frozenset[EntryId]:
        return frozenset(entry for entry in self.ranked_entries if self.row(entry).withdrawn)

    @property
    def ranked_entries(self) -> tuple[EntryId, ...]:
        """Ids of all entries in the tables, from the top down."""
        return tuple(entry for table in self.divisions for shared in table.places for entry in shared)

    def row(self, entry: EntryId) -> EntryRow:
        return next(table.entries[entry] for table in self.divisions if entry in table.entries)


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry in its division of the next season, and whether it was promoted or relegated."""

    entry: EntryId
    move: SeasonMove


@dataclass(frozen=True, slots=True)
class NextSeason:
    """The next season as planned: the entries of each division, from the top.

    ``undecided_ties``: groups of entries that share a place at a border; while there are any, the season
    cannot be created. ``version``: a hash of the plan.
    """

    divisions: tuple[tuple[PlacedEntry, ...], ...]
    undecided_ties: tuple[tuple[EntryId, ...], ...]
    version: str


@dataclass(frozen=True, slots=True)
class UnplayedMatch:
    """A match of a published round that is not over. ``names``: names of the two entries."""

    match: Match
    names: tuple[str, str]
    deadline: date | None
    overdue: bool


@dataclass(frozen=True, slots=True)
class Champions:
    """The champions of the divisions of one season.

    ``winners``: pairs of a division's name and its champions, who are empty before they are decided.
    """

    event: Event
    winners: tuple[tuple[str, tuple[EntryRow, ...]], ...] = field(default=())


def is_league(stages: Iterable[Stage]) -> bool:
    """Return whether the stages form a league: each division has one stage, a round robin without groups."""
    stage_list = list(stages)
    divisions = {stage.division_id for stage in stage_list}
    return (
        bool(stage_list)
        and len(divisions) == len(stage_list)
        and all(
            stage.system in LEAGUE_SYSTEMS and stage.settings.swiss.group_count == 1 for stage in stage_list
        )
    )


def load_season(event: Event) -> Season | None:
    """Load the season with its current tables, or None if the event is not a league.

    At most eight queries.
    """
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
    moving_counts: Sequence[int],
    leaving_entries: Collection[EntryId] = (),
    priorities: Mapping[EntryId, int] | None = None,
) -> NextSeason:
    """Plan the divisions of the next season, each seeded in the order of the previous season.

    ``moving_counts``: number of entries that change at each border; ``leaving_entries``: entries that do not
    return; ``priorities``: decides between entries on a shared place, the smaller number ranks first. Raises
    the engine's ``BadInput`` if that many entries cannot move.
    """
    tables = [table.places for table in season.divisions]
    tie_breaks = dict(priorities or {})
    undecided = tuple(
        shared
        for shared in ties_at_borders(tables, moving_counts, leaving_entries)
        if len({tie_breaks.get(entry) for entry in shared}) < len(shared)
    )
    ordered_tables = [break_ties(table, tie_breaks) for table in tables]
    division_by_entry = {
        entry: number for number, division in enumerate(ordered_tables) for entry in division
    }
    rank_by_entry = {entry: place for place, entry in enumerate(division_by_entry)}
    next_divisions = tuple(
        tuple(
            PlacedEntry(entry, _season_move(division_by_entry[entry], number))
            for entry in sorted(division, key=rank_by_entry.__getitem__)
        )
        for number, division in enumerate(next_season(ordered_tables, moving_counts, leaving_entries))
    )
    version_text = "|".join(
        ",".join(str(placed_entry.entry) for placed_entry in division) for division in next_divisions
    )
    return NextSeason(next_divisions, undecided, hashlib.sha256(version_text.encode()).hexdigest()[:16])


def unplayed_matches(event: Event) -> list[UnplayedMatch]:
    """Return the matches of published rounds that are not over, earliest deadline first; two queries.

    Matches with only one known side are left out.
    """
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
    """Return the season created from this one, or None; a cancelled season does not count."""
    return event.followed_by.exclude(status=EventStatus.CANCELLED).order_by("-pk").first()


def adjacent_seasons(event: Event, *, can_direct: bool) -> tuple[Event | None, Event | None]:
    """Return the previous and the next season, each None if there is none or the visitor may not see it.

    ``can_direct``: the visitor directs the event, and may see unlisted seasons.
    """
    before, after = event.follows, following_season(event)
    return (
        before if before is not None and (can_direct or is_listed(before)) else None,
        after if after is not None and (can_direct or is_listed(after)) else None,
    )


def league_seasons(event: Event, *, can_direct: bool) -> list[Event]:
    """Return all seasons of the league of ``event``, newest first; two queries, at most ``MAX_SEASONS``.

    ``can_direct``: the visitor directs the event, and sees unlisted seasons, too.
    """
    season_by_id = {
        season.pk: season
        for season in Event.objects.select_related("club")
        .filter(club=event.club_id)
        .filter(Q(follows__isnull=False) | Q(followed_by__isnull=False))
    }
    season_by_id[event.pk] = event
    first = event
    seen_ids = {first.pk}
    while (
        (previous_id := first.follows_id) is not None
        and previous_id in season_by_id
        and previous_id not in seen_ids
    ):
        first = season_by_id[previous_id]
        seen_ids.add(first.pk)
    followers_by_season: dict[int, list[Event]] = {}
    for season in season_by_id.values():
        if season.follows_id is not None:
            followers_by_season.setdefault(season.follows_id, []).append(season)
    chain, last_season = [first], first
    while following := [
        season
        for season in followers_by_season.get(last_season.pk, [])
        if season.status != EventStatus.CANCELLED
    ]:
        last_season = max(following, key=lambda season: season.pk)
        chain.append(last_season)
    if event not in chain:
        chain.append(event)
    visible_seasons = [season for season in chain if season.pk == event.pk or can_direct or is_listed(season)]
    return visible_seasons[::-1][:MAX_SEASONS]


def season_champions(seasons: Sequence[Event]) -> list[Champions]:
    """Return the champions of each of ``seasons``; the number of queries does not depend on their number."""
    stages = list(
        Stage.objects.filter(division__event__in=seasons)
        .select_related("division__event")
        .order_by("division__event", "division__position", "position")
    )
    first_stages: dict[int, Stage] = {}
    for stage in stages:
        first_stages.setdefault(stage.division_id, stage)
    places = places_by_stage(first_stages.values())
    settled_ranges = {
        division: {
            entry: (place.first, place.last)
            for entry, place in places.get(stage.pk, {}).items()
            if place.settled
        }
        for division, stage in first_stages.items()
    }
    rows = entries_by_division([division for division, ranges in settled_ranges.items() if ranges])
    winners = {
        division: first_placed(
            ranges, withdrawn_without_prize(first_stages[division], rows.get(division, ()))
        )
        for division, ranges in settled_ranges.items()
    }
    winners_by_event: dict[int, list[tuple[str, tuple[EntryRow, ...]]]] = {}
    for division, stage in first_stages.items():
        division_winners = tuple(row for row in rows.get(division, ()) if row.pk in winners[division])
        winners_by_event.setdefault(stage.division.event_id, []).append(
            (stage.division.name, division_winners)
        )
    return [Champions(season, tuple(winners_by_event.get(season.pk, ()))) for season in seasons]


def seasons_version(seasons: Sequence[Event]) -> list[object]:
    """Return the versions of ``seasons``, for the ETag of a page that shows them."""
    return [(season.pk, season.version) for season in seasons]


def promotion_zones(
    summaries: Sequence[DivisionSummary], divisions: Sequence[DivisionView]
) -> dict[str, SeasonMove]:
    """Return which entries would be promoted or relegated by the current tables, keyed by public id.

    Places shared across a border are left out. ``summaries``: all divisions of the event, from the top;
    ``divisions``: those to look at. Empty if the event is not a league.
    """
    if not is_league(stage for summary in summaries for stage in summary.stages):
        return {}
    zones: dict[str, SeasonMove] = {}
    moving = [summary.division.moving for summary in summaries]
    borders = {
        summary.division.pk: (above, below)
        for summary, above, below in zip(summaries, [0, *moving], [*moving[:-1], 0], strict=False)
    }
    for division in divisions:
        above, below = borders[division.division.pk]
        draw = division.stages[0].draw
        public_id_by_entry = {EntryId(entry.pk): entry.public_id for entry in division.entries}
        places = _table_places(draw, public_id_by_entry) if draw is not None and draw.rounds else ()
        count = sum(map(len, places))
        last_place = 0
        for shared in places:
            first_place, last_place = last_place + 1, last_place + len(shared)
            if last_place <= above:
                zones |= {public_id_by_entry[entry]: SeasonMove.UP for entry in shared}
            elif first_place > count - below:
                zones |= {public_id_by_entry[entry]: SeasonMove.DOWN for entry in shared}
    return zones


def _season_move(old_division: int, new_division: int) -> SeasonMove:
    if new_division == old_division:
        return SeasonMove.STAYS
    return SeasonMove.UP if new_division < old_division else SeasonMove.DOWN


def _table_places(draw: Draw | None, entries: Collection[EntryId]) -> tuple[tuple[EntryId, ...], ...]:
    """Return the table's places, each with the entries that share it; entries that were struck are last.

    Without a draw, all entries share the first place.
    """
    if draw is None:
        all_entries = tuple(entries)
        return (all_entries,) if all_entries else ()
    shared: dict[int, list[EntryId]] = {}
    for row in standings_table(draw).rows:
        shared.setdefault(row.first, []).append(row.entry)
    struck_ids = entries_with_cancelled_results(draw.stage)
    return (*(tuple(group) for group in shared.values()), *((struck_ids,) if struck_ids else ()))
