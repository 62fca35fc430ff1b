"""Series of a club: their events, winners, and the table of points for places in finished events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from faults import Missing
from people.caching import get_or_compute_many
from people.models import Club, Player, Restriction
from people.permissions import Visitor, may_direct
from people.rows import one_or_none
from tournaments.engine.series.points import EarnedPoints, EventPlace, PointsRule, points_table
from tournaments.engine.standings.finals import final_places
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, EntryStatus, EventStatus
from tournaments.engine.types import EntryId
from tournaments.models import ClubTemplate, Division, Entry, EntryPlayer, Event, Series
from tournaments.selectors.access.visibility import listed_events
from tournaments.selectors.events.detail import entry_count_expression
from tournaments.selectors.standings.finals import final_stages, stage_places

CACHE_SECONDS: Final = 7 * 24 * 3600
MAX_EVENTS: Final = 400


@dataclass(frozen=True, slots=True)
class VisibleSeries:
    """A series that a visitor may see. ``can_direct``: the visitor may direct it.

    ``is_staff_only``: only directors can see it, because none of its events is listed or the club is
    restricted.
    """

    series: Series
    can_direct: bool
    is_staff_only: bool


class SeriesEvent(NamedTuple):
    """An event of a series.

    ``winners``: names of the entries in first place, empty until the event is over.
    """

    event: Event
    winners: tuple[str, ...]


class TableRow(NamedTuple):
    """A player's row in the table of a series.

    ``points_by_event``: the points from each event, which is given as its index in ``SeriesTable.counted``.
    """

    rank: int
    player: Player
    total: Fraction
    points_by_event: tuple[EarnedPoints, ...]


class SeriesTable(NamedTuple):
    """The table of a series: rows sorted by rank, and within a rank by name.

    ``counted``: the events from which points count, earliest first.
    """

    counted: tuple[Event, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class SeriesView:
    """A series with its events and its table.

    ``coming``: the next event first; ``running``, ``over``: the latest first; ``counted``: the events from
    which points count, earliest first; ``table``: the rows of the table.
    """

    series: Series
    coming: tuple[SeriesEvent, ...]
    running: tuple[SeriesEvent, ...]
    over: tuple[SeriesEvent, ...]
    counted: tuple[Event, ...]
    table: tuple[TableRow, ...]

    @property
    def next(self) -> Event | None:
        """The next upcoming event that is public, or None."""
        return next(
            (
                series_event.event
                for series_event in self.coming
                if series_event.event.status == EventStatus.OPEN
            ),
            None,
        )


class _FinalPlace(NamedTuple):
    """An entry with its final place and the ids of its players.

    ``tied``: number of entries that share the place; ``won``: the entry counts as a winner.
    """

    entry: int
    players: tuple[int, ...]
    place: int
    tied: int
    won: bool = False


def today_in_zone(zone: str) -> date:
    """Return today's date in the time zone of this name."""
    return timezone.now().astimezone(ZoneInfo(zone)).date()


def active_series(club: Club) -> list[Series]:
    """Return the series of ``club`` that are not archived, sorted by name, for its directors."""
    return list(Series.objects.filter(club=club, archived=False))


def club_series(club: Club) -> list[Series]:
    """Return all series of ``club``, sorted by name, archived ones last."""
    return list(Series.objects.filter(club=club).order_by("archived", "name", "pk"))


def public_series(club: Club) -> list[Series]:
    """Return the public series of ``club``: not archived, and with a listed event."""
    listed_in_series = listed_events().filter(series=OuterRef("pk"))
    return list(Series.objects.filter(Exists(listed_in_series), club=club, archived=False))


def get_public_series(club: Club, public_id: str) -> Series:
    """Return the public series of ``club`` with this public id; raise ``Missing`` if there is none."""
    series = next((candidate for candidate in public_series(club) if candidate.public_id == public_id), None)
    if series is None:
        raise Missing("series.unknown")
    return series


def club_templates(club: Club, *, archived: bool = False) -> list[ClubTemplate]:
    """Return the event templates of ``club``, sorted by name; ``archived``: also archived ones, last."""
    templates = ClubTemplate.objects.filter(club=club).order_by("archived", "name", "pk")
    return list(templates if archived else templates.filter(archived=False))


def get_club_template(club: Club, public_id: str) -> ClubTemplate:
    """Return the event template of ``club`` with this public id; raise ``Missing`` if there is none."""
    template = one_or_none(ClubTemplate.objects.select_related("club").filter(club=club, public_id=public_id))
    if template is None:
        raise Missing("template.unknown")
    return template


def get_series(club: Club, public_id: str) -> Series:
    """Return the series of ``club`` with this public id; raise ``Missing`` if there is none."""
    series = one_or_none(Series.objects.select_related("club").filter(club=club, public_id=public_id))
    if series is None:
        raise Missing("series.unknown")
    return series


def visible_series(visitor: Visitor, public_id: str) -> VisibleSeries:
    """Return the series with this public id; raise ``Missing`` unless the visitor may see it."""
    series = one_or_none(Series.objects.select_related("club").filter(public_id=public_id))
    if series is None or series.club.shut == Restriction.REMOVED:
        raise Missing("series.unknown")
    can_direct = may_direct(visitor, series.club)
    is_staff_only = bool(series.club.shut) or not listed_events().filter(series=series).exists()
    if is_staff_only and not can_direct:
        raise Missing("series.unknown")
    return VisibleSeries(series, can_direct, is_staff_only)


def series_view(series: Series, *, directing: bool = False) -> SeriesView:
    """Load a series with its events and its table, as the public sees it: listed events and players.

    ``directing``: all events and players, for its directors. At most the latest ``MAX_EVENTS`` events.
    """
    rows = (
        Event.objects.exclude(shut=Restriction.REMOVED).filter(series=series)
        if directing
        else _listed_events(series)
    )
    events = list(
        _newest_first(rows).annotate(
            entry_count=entry_count_expression(),
            **({"expected_count": entry_count_expression(ENTRY_UNCONFIRMED)} if directing else {}),
        )[:MAX_EVENTS]
    )
    finished = _finished_events(events)
    places_by_event = _places_by_event(finished, series.rule)
    all_series_events = _series_events(events, places_by_event)
    table = _build_table(finished, places_by_event, series.rule, directing=directing)

    def with_status(*statuses: EventStatus) -> tuple[SeriesEvent, ...]:
        return tuple(
            series_event for series_event in all_series_events if series_event.event.status in statuses
        )

    return SeriesView(
        series,
        coming=with_status(EventStatus.DRAFT, EventStatus.OPEN)[::-1],
        running=with_status(EventStatus.RUNNING),
        over=with_status(EventStatus.FINISHED, EventStatus.CANCELLED),
        counted=table.counted,
        table=table.rows,
    )


class SeriesEvents(Sequence[SeriesEvent]):
    """All listed events of a series, the latest first, as a sequence for pagination.

    Winners are loaded only for the requested slice.
    """

    def __init__(self, series: Series) -> None:
        self._rule, self._found = series.rule, _newest_first(_listed_events(series))

    def __len__(self) -> int:
        return self._found.count()

    def __getitem__(self, part: Any) -> Any:
        events = list(self._found[part])
        return _series_events(events, _places_by_event(_finished_events(events), self._rule))


def series_table(series: Series) -> SeriesTable:
    """Return the public table of a series, as in ``series_view``."""
    finished = _finished_events(_newest_first(_listed_events(series))[:MAX_EVENTS])
    return _build_table(finished, _places_by_event(finished, series.rule), series.rule, directing=False)


def series_events(series: Series) -> list[Event]:
    """Return the listed events of a series, the earliest first, including finished and cancelled ones.

    At most the latest ``MAX_EVENTS``.
    """
    return list(_newest_first(_listed_events(series))[:MAX_EVENTS])[::-1]


def _listed_events(series: Series) -> QuerySet[Event]:
    return listed_events().filter(series=series)


def _newest_first(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.select_related("club").order_by("-starts_on", "-pk")


def _finished_events(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.status == EventStatus.FINISHED]


def _series_events(
    events: Iterable[Event], places_by_event: Mapping[int, Sequence[_FinalPlace]]
) -> list[SeriesEvent]:
    names = _entry_names(
        final_place.entry for rows in places_by_event.values() for final_place in rows if final_place.won
    )
    return [
        SeriesEvent(
            event,
            tuple(
                names.get(final_place.entry, "")
                for final_place in places_by_event.get(event.pk, ())
                if final_place.won
            ),
        )
        for event in events
    ]


def _build_table(
    finished: Sequence[Event],
    places_by_event: Mapping[int, Sequence[_FinalPlace]],
    rule: PointsRule,
    *,
    directing: bool,
) -> SeriesTable:
    """Build the table of ``finished`` events (the latest first).

    ``directing``: include unlisted players, for directors. As in rating lists, ranks are counted without
    them.
    """
    counted_events = [event for event in reversed(finished) if places_by_event[event.pk]]
    finishes_by_event = [
        {
            player: EventPlace(final_place.place, final_place.tied)
            for final_place in places_by_event[event.pk]
            for player in final_place.players
        }
        for event in counted_events
    ]
    player_ids = {player for finishes in finishes_by_event for player in finishes}
    players: QuerySet[Player] = Player.objects.filter(pk__in=player_ids)
    if not directing:
        players = players.filter(listed=True)
    player_by_id = {player.pk: player for player in players}
    rows = points_table(finishes_by_event, rule, player_ids - player_by_id.keys())
    table = [TableRow(row.rank, player_by_id[row.who], row.total, row.earned) for row in rows]
    sorted_rows = sorted(table, key=lambda row: (row.rank, row.player.name, row.player.pk))
    return SeriesTable(tuple(counted_events), tuple(sorted_rows))


def _places_by_event(events: Sequence[Event], rule: PointsRule) -> Mapping[int, tuple[_FinalPlace, ...]]:
    """Return the final places in each event, keyed by event id; cached by the versions of event and rule."""
    event_by_id = {event.pk: event for event in events}
    return get_or_compute_many(
        "series_places",
        {event.pk: (event.pk, event.version, rule.division) for event in events},
        CACHE_SECONDS,
        lambda event_ids: {pk: _final_places(event_by_id[pk], rule.division) for pk in event_ids},
    )


def _final_places(event: Event, division_name: str) -> tuple[_FinalPlace, ...]:
    divisions = list(Division.objects.filter(event=event))
    division = next(
        (
            candidate
            for candidate in divisions
            if not division_name or candidate.name.casefold() == division_name.casefold()
        ),
        None,
    )
    if division is None:
        return ()
    division.event = event
    teams: dict[int, list[int]] = {}
    rows = EntryPlayer.objects.filter(division=division).order_by("entry_id", "position")
    for entry, player in rows.values_list("entry_id", "player_id"):
        teams.setdefault(entry, []).append(player)
    # Re-entries are one participant, identified by the first of the players.
    player_by_entry = {EntryId(entry): players[0] for entry, players in teams.items()}
    entry_by_player = {players[0]: entry for entry, players in reversed(teams.items())}
    places = final_places([stage_places(stage) for stage in final_stages(division)], player_by_entry)
    withdrawn_ids = set[int]()
    if division.withdrawn != WithdrawnRights.KEEP:
        withdrawn_entries = Entry.objects.filter(division=division, status=EntryStatus.WITHDRAWN)
        withdrawn_ids = set(withdrawn_entries.values_list("pk", flat=True))
    best_place = min(
        (
            final_place.place
            for final_place in places
            if entry_by_player[final_place.person] not in withdrawn_ids
        ),
        default=0,
    )
    return tuple(
        _FinalPlace(
            entry_by_player[final_place.person],
            tuple(teams[entry_by_player[final_place.person]]),
            final_place.place,
            final_place.tied,
            final_place.place == best_place and entry_by_player[final_place.person] not in withdrawn_ids,
        )
        for final_place in places
    )


def _entry_names(entries: Iterable[int]) -> dict[int, str]:
    """Return the current names of entries, keyed by entry id; not cached."""
    return dict(Entry.objects.filter(pk__in=list(entries)).values_list("pk", "name"))
