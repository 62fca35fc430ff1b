"""Load series of a club.

Events, winners, and the table by points for places, computed from finished events.
"""

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
from tournaments.engine.series.points import EarnedPoints, Finish, PointsRule, points_table
from tournaments.engine.standings.finals import final_places
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, EntryStatus, EventStatus
from tournaments.engine.types import EntryId
from tournaments.models import ClubTemplate, Division, Entry, EntryPlayer, Event, Series
from tournaments.selectors.access.visibility import listed_events
from tournaments.selectors.events.detail import entry_count
from tournaments.selectors.standings.finals import final_stages, stage_places

CACHE_SECONDS: Final = 7 * 24 * 3600
MAX_EVENTS: Final = 400


@dataclass(frozen=True, slots=True)
class VisibleSeries:
    """A series as a visitor may see it.

    ``inside``: visible to its directors only, as none of its events is listed or the club is restricted.
    """

    series: Series
    directs: bool
    inside: bool


class SeriesEvent(NamedTuple):
    """An event of a series; ``winners``: names of the entries in first place, empty until it is over."""

    event: Event
    winners: tuple[str, ...]


class TableRow(NamedTuple):
    """A player's row in the table of a series.

    ``earned`` refers to events by index in ``SeriesTable.counted``.
    """

    rank: int
    player: Player
    total: Fraction
    earned: tuple[EarnedPoints, ...]


class SeriesTable(NamedTuple):
    """Points from the ``counted`` events (earliest first), by rank, within a rank by name."""

    counted: tuple[Event, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class SeriesView:
    """A series with its events, the latest first, and the table of the ``counted`` ones (earliest first)."""

    series: Series
    coming: tuple[SeriesEvent, ...]
    running: tuple[SeriesEvent, ...]
    over: tuple[SeriesEvent, ...]
    counted: tuple[Event, ...]
    table: tuple[TableRow, ...]

    @property
    def next(self) -> Event | None:
        """The next event that is public, if any."""
        return next((one.event for one in self.coming if one.event.status == EventStatus.OPEN), None)


class _FinalPlace(NamedTuple):
    """An entry with its final place and the ids of its players.

    ``won``: shares first place and counts as a winner.
    """

    entry: int
    players: tuple[int, ...]
    place: int
    tied: int
    won: bool = False


def today_in_zone(zone: str) -> date:
    """The present date in the time zone."""
    return timezone.now().astimezone(ZoneInfo(zone)).date()


def active_series(club: Club) -> list[Series]:
    """Series of ``club`` that are not archived, by name, for its directors."""
    return list(Series.objects.filter(club=club, archived=False))


def club_series(club: Club) -> list[Series]:
    """All series of ``club`` by name, archived ones last."""
    return list(Series.objects.filter(club=club).order_by("archived", "name", "pk"))


def public_series(club: Club) -> list[Series]:
    """Series of ``club`` that are public: not archived and with a listed event."""
    of_it = listed_events().filter(series=OuterRef("pk"))
    return list(Series.objects.filter(Exists(of_it), club=club, archived=False))


def get_public_series(club: Club, public_id: str) -> Series:
    """Return one of ``public_series``; raises ``Missing`` otherwise."""
    found = next((one for one in public_series(club) if one.public_id == public_id), None)
    if found is None:
        raise Missing("series.unknown")
    return found


def club_templates(club: Club, *, archived: bool = False) -> list[ClubTemplate]:
    """The templates of ``club`` by name; with ``archived`` also archived ones, last."""
    found = ClubTemplate.objects.filter(club=club).order_by("archived", "name", "pk")
    return list(found if archived else found.filter(archived=False))


def get_club_template(club: Club, public_id: str) -> ClubTemplate:
    """Return the template; raises ``Missing`` if there is none."""
    found = one_or_none(ClubTemplate.objects.select_related("club").filter(club=club, public_id=public_id))
    if found is None:
        raise Missing("template.unknown")
    return found


def get_series(club: Club, public_id: str) -> Series:
    """Return the series of ``club``; raises ``Missing`` if there is none."""
    found = one_or_none(Series.objects.select_related("club").filter(club=club, public_id=public_id))
    if found is None:
        raise Missing("series.unknown")
    return found


def visible_series(visitor: Visitor, public_id: str) -> VisibleSeries:
    """Return the series; raises ``Missing`` if there is none or the visitor may not see it."""
    found = one_or_none(Series.objects.select_related("club").filter(public_id=public_id))
    if found is None or found.club.shut == Restriction.REMOVED:
        raise Missing("series.unknown")
    directs = may_direct(visitor, found.club)
    inside = bool(found.club.shut) or not listed_events().filter(series=found).exists()
    if inside and not directs:
        raise Missing("series.unknown")
    return VisibleSeries(found, directs, inside)


def series_view(series: Series, *, directing: bool = False) -> SeriesView:
    """Return ``series`` as the public sees it: listed events and listed players.

    ``directing``: all events and players, for its directors.
    """
    rows = (
        Event.objects.exclude(shut=Restriction.REMOVED).filter(series=series)
        if directing
        else _listed_events(series)
    )
    events = list(
        _newest_first(rows).annotate(
            entry_count=entry_count(),
            **({"expected_count": entry_count(ENTRY_UNCONFIRMED)} if directing else {}),
        )[:MAX_EVENTS]
    )
    finished = _finished_events(events)
    placed = _places_by_event(finished, series.rule)
    evenings = _series_events(events, placed)
    table = _build_table(finished, placed, series.rule, directing=directing)

    def those(*statuses: EventStatus) -> tuple[SeriesEvent, ...]:
        return tuple(one for one in evenings if one.event.status in statuses)

    return SeriesView(
        series,
        coming=those(EventStatus.DRAFT, EventStatus.OPEN)[::-1],
        running=those(EventStatus.RUNNING),
        over=those(EventStatus.FINISHED, EventStatus.CANCELLED),
        counted=table.counted,
        table=table.rows,
    )


class SeriesEvents(Sequence[SeriesEvent]):
    """All listed events of a series, the latest first, for pagination.

    Winners are loaded for the slice only.
    """

    def __init__(self, series: Series) -> None:
        self._rule, self._found = series.rule, _newest_first(_listed_events(series))

    def __len__(self) -> int:
        return self._found.count()

    def __getitem__(self, part: Any) -> Any:
        events = list(self._found[part])
        return _series_events(events, _places_by_event(_finished_events(events), self._rule))


def series_table(series: Series) -> SeriesTable:
    """Return the public table as in ``series_view``, without the events."""
    finished = _finished_events(_newest_first(_listed_events(series))[:MAX_EVENTS])
    return _build_table(finished, _places_by_event(finished, series.rule), series.rule, directing=False)


def series_events(series: Series) -> list[Event]:
    """Return the listed events, the earliest first, including finished and cancelled ones.

    At most the latest ``MAX_EVENTS``.
    """
    return list(_newest_first(_listed_events(series))[:MAX_EVENTS])[::-1]


def _listed_events(series: Series) -> QuerySet[Event]:
    return listed_events().filter(series=series)


def _newest_first(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.select_related("club").order_by("-starts_on", "-pk")


def _finished_events(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.status == EventStatus.FINISHED]


def _series_events(events: Iterable[Event], placed: Mapping[int, Sequence[_FinalPlace]]) -> list[SeriesEvent]:
    names = _entry_names(one.entry for rows in placed.values() for one in rows if one.won)
    return [
        SeriesEvent(event, tuple(names.get(one.entry, "") for one in placed.get(event.pk, ()) if one.won))
        for event in events
    ]


def _build_table(
    finished: Sequence[Event],
    placed: Mapping[int, Sequence[_FinalPlace]],
    rule: PointsRule,
    *,
    directing: bool,
) -> SeriesTable:
    """Build the table of ``finished`` events, the latest first.

    Unlisted players are shown to directors only; as in rating lists, ranks are counted without them.
    """
    counted = [event for event in reversed(finished) if placed[event.pk]]
    by_player = [
        {player: Finish(one.place, one.tied) for one in placed[event.pk] for player in one.players}
        for event in counted
    ]
    everybody = {player for evening in by_player for player in evening}
    players: QuerySet[Player] = Player.objects.filter(pk__in=everybody)
    if not directing:
        players = players.filter(listed=True)
    shown = {player.pk: player for player in players}
    rows = points_table(by_player, rule, everybody - shown.keys())
    table = [TableRow(row.rank, shown[row.who], row.total, row.earned) for row in rows]
    order = sorted(table, key=lambda row: (row.rank, row.player.name, row.player.pk))
    return SeriesTable(tuple(counted), tuple(order))


def _places_by_event(events: Sequence[Event], rule: PointsRule) -> Mapping[int, tuple[_FinalPlace, ...]]:
    """Final places by event id, cached by the versions of event and rule."""
    by_id = {event.pk: event for event in events}
    return get_or_compute_many(
        "series_places",
        {event.pk: (event.pk, event.version, rule.division) for event in events},
        CACHE_SECONDS,
        lambda wanted: {pk: _final_places(by_id[pk], rule.division) for pk in wanted},
    )


def _final_places(event: Event, name: str) -> tuple[_FinalPlace, ...]:
    divisions = list(Division.objects.filter(event=event))
    found = next((one for one in divisions if not name or one.name.casefold() == name.casefold()), None)
    if found is None:
        return ()
    found.event = event
    teams: dict[int, list[int]] = {}
    rows = EntryPlayer.objects.filter(division=found).order_by("entry_id", "position")
    for entry, player in rows.values_list("entry_id", "player_id"):
        teams.setdefault(entry, []).append(player)
    # Re-entries are one participant, identified by the first of the players.
    people = {EntryId(entry): players[0] for entry, players in teams.items()}
    first = {players[0]: entry for entry, players in reversed(teams.items())}
    places = final_places([stage_places(stage) for stage in final_stages(found)], people)
    out = set[int]()
    if found.withdrawn != WithdrawnRights.KEEP:
        gone = Entry.objects.filter(division=found, status=EntryStatus.WITHDRAWN)
        out = set(gone.values_list("pk", flat=True))
    best = min((one.place for one in places if first[one.who] not in out), default=0)
    return tuple(
        _FinalPlace(
            first[one.who],
            tuple(teams[first[one.who]]),
            one.place,
            one.tied,
            one.place == best and first[one.who] not in out,
        )
        for one in places
    )


def _entry_names(entries: Iterable[int]) -> dict[int, str]:
    """Current names by entry id, not cached."""
    return dict(Entry.objects.filter(pk__in=list(entries)).values_list("pk", "name"))
