"""Events for pages and API: one event with divisions, stages, draws and entries, and lists of events."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from people.caching import get_or_compute_many
from people.models import Club
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import DRAW_PUBLIC, EntryStatus, StageStatus
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Division, Entry, Event, Match, Stage
from tournaments.selectors.access.visibility import (
    FRONT_PAGE_EVENTS,
    front_page_events,
    listed_events,
    site_events,
)
from tournaments.selectors.arranged import prefetch_stage_entries
from tournaments.selectors.draws import Draw, load_draws
from tournaments.selectors.entries import EntryRow, entries_by_division
from tournaments.selectors.match_counts import stage_versions
from tournaments.selectors.money import PointsLeague, points_leagues
from tournaments.selectors.standings.tables import final_or_current_places
from tournaments.selectors.text_search import MAX_SEARCHED_ROWS, folded_words, matching_ids

PLACES_CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True)
class StageView:
    """A stage with its draw once that is public; a stage of money play with its sessions (``league``)."""

    stage: Stage
    draw: Draw | None
    league: PointsLeague | None = None

    @cached_property
    def places(self) -> Mapping[EntryId, Place]:
        """Current or final places, keyed by entry id; computed on first use."""
        if self.league is not None:
            return self.league.places()
        return final_or_current_places(self.draw) if self.draw is not None else {}


@dataclass(frozen=True, slots=True)
class DivisionView:
    """A division with its stages and entries."""

    division: Division
    stages: tuple[StageView, ...]
    entries: tuple[EntryRow, ...]

    @property
    def active_entries(self) -> tuple[EntryRow, ...]:
        return tuple(entry for entry in self.entries if not entry.withdrawn)


@dataclass(frozen=True, slots=True)
class EventLists:
    """Listed events, grouped by status."""

    running: tuple[Event, ...]
    upcoming: tuple[Event, ...]
    finished: tuple[Event, ...]


def event_lists(club: Club | None = None, *, limit: int = FRONT_PAGE_EVENTS) -> EventLists:
    """Return the running, upcoming and finished listed events of ``club`` or of all clubs.

    Each has ``entry_count``. ``limit``: maximum number of running events; of the others, half as many.
    """
    running, upcoming, finished = (
        tuple(events.select_related("club").annotate(entry_count=entry_count_expression()))
        for events in front_page_events(club, limit)
    )
    return EventLists(running, upcoming, finished)


def entry_count_expression(statuses: Collection[EntryStatus] = (EntryStatus.ACTIVE,)) -> Coalesce:
    """Return an expression for ``annotate`` that counts an event's entries with these ``statuses``.

    It is evaluated only for the rows that the query returns.
    """
    entries = Entry.objects.filter(division__event=OuterRef("pk"), status__in=statuses).order_by()
    counted = entries.values("division__event").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def stages_in(division: Division) -> list[Stage]:
    """Return the stages of ``division`` in order."""
    return list(division.stages.all())


def stages_by_number(event: Event) -> dict[tuple[int, int], Stage]:
    """Return the stages of ``event``, keyed by division number and stage number in it, both from 1.

    Two queries.
    """
    return {
        (number, place): stage
        for number, division in enumerate(event.divisions.prefetch_related("stages"), start=1)
        for place, stage in enumerate(division.stages.all(), start=1)
    }


def divisions_in(event: Event) -> list[Division]:
    """Return the divisions of ``event`` in order."""
    return list(event.divisions.all())


def all_stages(event: Event) -> list[Stage]:
    """Return all stages of ``event`` with their divisions, in order; one query."""
    stages = list(
        Stage.objects.filter(division__event=event)
        .select_related("division")
        .order_by("division__position", "division__pk", "position", "pk")
    )
    divisions: dict[int, Division] = {}
    for stage in stages:
        stage.division = divisions.setdefault(stage.division_id, stage.division)
        stage.division.event = event  # known already: nobody asks for it again
    return stages


def division_views(event: Event, *, with_entries: bool = True) -> tuple[DivisionView, ...]:
    """Load all divisions of ``event`` with stages, draws and entries; at most six queries.

    ``with_entries``: False leaves the entries out.
    """
    return views_of_stages(all_stages(event), with_entries=with_entries)


def views_of_stages(stages: Sequence[Stage], *, with_entries: bool = True) -> tuple[DivisionView, ...]:
    """Load the divisions of ``stages`` with their draws and entries; at most five queries.

    ``stages`` must be all stages of each division, with ``division`` fetched. ``with_entries``: False leaves the
    entries out.
    """
    divisions = {stage.division_id: stage.division for stage in stages}  # each has a stage
    public_stages = [stage for stage in stages if stage.status in DRAW_PUBLIC]
    draws = load_draws(public_stages)
    leagues = points_leagues(public_stages)
    rows = entries_by_division(divisions) if with_entries else {}
    if with_entries:  # whoever shows no entries shows no table
        prefetch_stage_entries(public_stages)
    return tuple(
        DivisionView(
            division=division,
            stages=tuple(
                StageView(stage, draws.get(stage.pk), leagues.get(stage.pk))
                for stage in stages
                if stage.division_id == division.pk
            ),
            entries=tuple(rows.get(division.pk, ())),
        )
        for division in divisions.values()
    )


def has_results(event: Event) -> bool:
    """Return whether the event has a result or a finished stage, so that ratings may have used it."""
    return bool(divisions_with_results(event))


def divisions_with_results(event: Event) -> set[int]:
    """Return the ids of the divisions with a result or a finished stage.

    Byes are no results; results that were cancelled after a withdrawal still count.
    """
    with_winner = Match.objects.filter(stage__division__event=event).exclude(winner_side="")
    played_in = (
        with_winner.exclude(result_kind=ResultKind.BYE).order_by().values_list("stage__division", flat=True)
    )
    finished_stages = Stage.objects.filter(division__event=event, status=StageStatus.FINISHED).order_by()
    return {*played_in.distinct(), *finished_stages.values_list("division", flat=True)}


def places_by_stage(stages: Iterable[Stage]) -> dict[int, Mapping[EntryId, Place]]:
    """Return the places of each public stage: stage id to a dictionary of entry id to place.

    Cached until the stage's division changes. ``division`` must be fetched with the stages.
    """
    public_stages = {stage.pk: stage for stage in stages if stage.status in DRAW_PUBLIC}

    def places(missing_ids: list[int]) -> dict[int, Mapping[EntryId, Place]]:
        missing_stages = [public_stages[pk] for pk in missing_ids]
        draws, leagues = load_draws(missing_stages), points_leagues(missing_stages)
        prefetch_stage_entries(missing_stages)
        return {
            pk: leagues[pk].places() if pk in leagues else final_or_current_places(draws[pk])
            for pk in missing_ids
        }

    return get_or_compute_many("places", stage_versions(public_stages.values()), PLACES_CACHE_SECONDS, places)


def browse_events(status: str = "", club: str = "", text: str = "") -> QuerySet[Event]:
    """Return listed events, newest first, filtered by status, club (public id) and words of ``text``.

    Each word must be in the name, place or club. Accents are ignored only among the newest
    ``MAX_SEARCHED_ROWS`` events.
    """
    events = listed_events().filter(club__public_id=club) if club else site_events()
    events = events.select_related("club").annotate(entry_count=entry_count_expression())
    if status:
        events = events.filter(status=status)
    events = events.order_by("-starts_on", "-pk")
    if not text.split():
        return events
    as_written = Q()
    for word in text.split():
        as_written &= Q(name__icontains=word) | Q(place__icontains=word) | Q(club__name__icontains=word)
    words = folded_words(text)
    newest_rows = events.values_list("pk", "name", "place", "club__name")[:MAX_SEARCHED_ROWS] if words else ()
    matched_ids = matching_ids(words, ((pk, " ".join(texts)) for pk, *texts in newest_rows))
    return events.filter(as_written | Q(pk__in=list(matched_ids)))
