"""Public pages of an event: overview, draws and rounds, entries, rules, path of an entry."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language

from people.caching import get_or_compute
from tournaments.draws.web.public import draw_records_context
from tournaments.engine.statuses import EVENT_UPCOMING, EventStatus
from tournaments.leagues.web.public import add_zones, neighbour_links
from tournaments.notices.web.shown import notice_contexts
from tournaments.selectors.access.versions import division_page_version, event_topics, topics_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.entries import active_entry_counts, entries_by_division, get_entry
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.heads import DivisionSummary, division_summaries, views_of_summaries
from tournaments.selectors.hall.forecast import forecast_version, load_end_forecast, load_forecast
from tournaments.selectors.leagues import promotion_zones
from tournaments.selectors.matches.detail import players_of_entries
from tournaments.selectors.matches.moments import StageTimes, stage_times
from tournaments.selectors.matches.play import event_has_games
from tournaments.selectors.matches.player import my_event
from tournaments.selectors.matches.quiz import is_quiz_open
from tournaments.selectors.matches.way import stage_paths
from tournaments.selectors.waiting import waiting_names
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.editions import edition_descriptions
from tournaments.shared.fragments.points import find_master_points_list, place_points_url
from tournaments.shared.fragments.since import expected_end_label, expected_end_message
from tournaments.shared.fragments.way import path_contexts
from tournaments.shared.frames.public import is_listed, public_page, public_view, set_hall_audience
from tournaments.shared.words.consents import consent_names
from tournaments.shared.words.names import event_dates_label
from tournaments.site.web.entry_list import MAX_SEARCH_LENGTH, division_entries, page_of_rows
from tournaments.site.web.event_parts import (
    active_entry_count,
    chosen_stage_number,
    division_overview,
    draws_tab_kind,
    match_progress,
)
from tournaments.site.web.one_division import (
    chosen_division,
    division_choices,
    division_queries,
    query_number,
)
from tournaments.site.web.opening import (
    before_draw_context,
    entry_panel_context,
    has_no_draw_yet,
    info_context,
    rating_list_of,
)
from tournaments.site.web.stages import (
    DrawsQuery,
    editions_context,
    rules_context,
    stage_html,
    stage_title,
    stage_title_from_head,
)

Heads = Sequence[DivisionSummary]
MATCHES_SHOWN = 12
MATCHES_ON_DISPLAY = 48
DIVISIONS_ON_DISPLAY = 3  # a display shows up to so many divisions together, otherwise one
CACHE_SECONDS = 3600


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """Overview of an event: details, current matches and places of one division, summaries of the others."""
    visible = visible_event(request.user, event)
    is_display = request.GET.get("view") == "hall"
    limit = MATCHES_ON_DISPLAY if is_display else MATCHES_SHOWN
    points = None if is_display else find_master_points_list(visible.event)
    ratings = (
        None if is_display or visible.event.status not in EVENT_UPCOMING else rating_list_of(visible.event)
    )
    requested_division = query_number(request, "division")

    def shape(summaries: Heads) -> Context:
        number = chosen_division(summaries, requested_division)
        is_upcoming = not is_display and has_no_draw_yet(visible.event, summaries)
        shows_all = is_upcoming or (
            is_display and not requested_division and len(summaries) <= DIVISIONS_ON_DISPLAY
        )
        divisions = views_of_summaries(summaries if shows_all else summaries[number - 1 : number])
        drawn_stage_ids = [
            view.stage.pk for division in divisions for view in division.stages if view.draw is not None
        ]
        times = stage_times(drawn_stage_ids) if visible.event.status == EventStatus.RUNNING else StageTimes()
        contexts = [
            {
                **division_overview(visible, division, limit, times),
                "points_url": place_points_url(points, visible.event, division),
            }
            for division in divisions
        ]
        if is_upcoming:
            panel_context = before_draw_context(visible.event, divisions, summaries, ratings)
        else:
            panel_context = {
                "entry": entry_panel_context(
                    visible.event, [] if is_display else [(h.division, h.stages) for h in summaries]
                ),
                "entry_count": active_entry_count(divisions),
                "info": info_context(visible.event, divisions),
                **division_choices(summaries, number),
            }
        return {
            "is_opening": is_upcoming,
            "divisions": add_zones(contexts, summaries, divisions),
            **panel_context,
            **match_progress(divisions),
            "has_games": not is_display and event_has_games(visible.event),
            "on_wall": number if len(summaries) > DIVISIONS_ON_DISPLAY else None,
            "same": division_queries(summaries, requested_division and number),
        }

    cache_name = f"{'hall' if is_display else 'event'}:{requested_division}"
    version = [points and points.public_id, ratings and [ratings.public_id, ratings.version, ratings.name]]
    return _event_page(request, visible, cache_name, shape, version)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the published draws; ``?stage=2``: the second drawn stage; ``?round=3``: its third round."""
    visible = visible_event(request.user, event)
    set_hall_audience(request, visible.event)
    requested_stage, requested_round = query_number(request, "stage"), query_number(request, "round")

    def shape(summaries: Heads) -> Context:
        drawn_stages = [(summary, stage) for summary in summaries for stage in summary.shown]
        if not drawn_stages:
            return {"html": "", "choices": []}
        stage_number = chosen_stage_number(drawn_stages, requested_stage)
        summary, stage = drawn_stages[stage_number - 1]
        (division,) = views_of_summaries([summary])
        view = next(view for view in division.stages if view.stage.pk == stage.pk)
        choices = [
            {"number": number, "name": stage_title_from_head(*drawn_stage), "current": number == stage_number}
            for number, drawn_stage in enumerate(drawn_stages, start=1)
        ]
        return {
            "html": stage_html(
                division,
                view,
                event_today(visible.event),
                promotion_zones(summaries, [division]),
                DrawsQuery(requested_stage, requested_round),
            ),
            "entry_count": active_entry_count([division]),
            "chosen": stage_number if len(drawn_stages) > 1 else None,
            "title": stage_title(division, view) if len(drawn_stages) > 1 else "",
            "choices": choices if len(drawn_stages) > 1 else [],
            "same": {
                **division_queries(summaries, requested_stage and summaries.index(summary) + 1),
                "bracket": f"?stage={requested_stage}" if requested_stage else "",
            },
        }

    def alone(summaries: Heads) -> DivisionSummary | None:
        drawn_stages = [(summary, stage) for summary in summaries for stage in summary.shown]
        return (
            drawn_stages[chosen_stage_number(drawn_stages, requested_stage) - 1][0] if drawn_stages else None
        )

    return _event_page(
        request, visible, f"bracket:{requested_stage}:{requested_round}", shape, select_division=alone
    )


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Page of a division's entries and withdrawals; ``?q=`` searches by name, ``?letter=m`` by initial."""
    visible = visible_event(request.user, event)
    requested_division, text = (
        query_number(request, "division"),
        request.GET.get("q", "")[:MAX_SEARCH_LENGTH].strip(),
    )
    letter = "" if text else request.GET.get("letter", "")[:1].casefold()

    def shape(summaries: Heads) -> Context:
        number = chosen_division(summaries, requested_division)
        divisions = views_of_summaries(summaries[number - 1 : number])
        waiting = waiting_names([division.division.pk for division in divisions])
        return {
            "divisions": [
                division_entries(visible.event, division, waiting.get(division.division.pk, []), text, letter)
                for division in divisions
            ],
            "entry_count": active_entry_count(divisions),
            "text": text,
            "letter": letter,
            "same": division_queries(summaries, requested_division and number),
            **division_choices(summaries, number),
        }

    def page(part_context: Context) -> Context:
        """Return the requested page of the cached rows, and the query string for links to other pages."""
        divisions = [
            {**division, "page": page_of_rows(division["rows"], request.GET.get("page"))}
            for division in part_context["divisions"]
        ]
        query = {"division": requested_division, "q": text, "letter": letter}
        return {
            "divisions": divisions,
            "query": urlencode({name: value for name, value in query.items() if value}),
        }

    def alone(summaries: Heads) -> DivisionSummary | None:
        return summaries[chosen_division(summaries, requested_division) - 1] if summaries else None

    return _event_page(
        request,
        visible,
        f"entries:{requested_division}",
        shape,
        select_division=alone,
        use_cache=not (text or letter),
        select_rows=page,
    )


@public_view
def draws(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the records of a division's draws: commitments, and every draw that was made."""
    visible = visible_event(request.user, event)
    requested_division = query_number(request, "division")

    def shape(summaries: Heads) -> Context:
        number = chosen_division(summaries, requested_division)
        displayed = summaries[number - 1 : number]
        entry_lists = entries_by_division([summary.division.pk for summary in displayed])
        numbers = [
            {"number": entry.pk, "name": entry.name} for rows in entry_lists.values() for entry in rows
        ]
        lots = draw_records_context(
            visible.event, *(summary.division.pk for summary in displayed if len(summaries) > 1)
        )
        return {
            **lots,
            "numbers": numbers,
            **division_choices(summaries, number),
            "same": division_queries(summaries, requested_division and number),
        }

    return _event_page(request, visible, f"draws:{requested_division}", shape)


@public_view
def editions(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the standings of a division under each edition of the tie-break rules."""
    visible = visible_event(request.user, event)
    requested_division = query_number(request, "division")

    def shape(summaries: Heads) -> Context:
        number = chosen_division(summaries, requested_division)
        contexts = [
            editions_context(division, view)
            for division in views_of_summaries(summaries[number - 1 : number])
            for view in division.stages
        ]
        return {
            "editions": edition_descriptions(),
            "stages": [context for context in contexts if context is not None],
            **division_choices(summaries, number),
            "same": division_queries(summaries, requested_division and number),
        }

    return _event_page(request, visible, f"editions:{requested_division}", shape)


@public_view
def rules(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the rules of each stage of a division as text."""
    visible = visible_event(request.user, event)
    requested_division = query_number(request, "division")

    def shape(summaries: Heads) -> Context:
        number = chosen_division(summaries, requested_division)
        divisions = views_of_summaries(summaries[number - 1 : number])
        return {
            "stages": [rules_context(division, view) for division in divisions for view in division.stages],
            **division_choices(summaries, number),
            "same": division_queries(summaries, requested_division and number),
        }

    return _event_page(request, visible, f"rules:{requested_division}", shape)


@public_view
def entry_path(request: HttpRequest, event: str, entry: str) -> HttpResponse:
    """Page of an entry's path through the event: matches played, the next one, and those that may follow."""
    visible = visible_event(request.user, event)
    loaded_entry = get_entry(visible.event, entry, listed_only=True)
    loaded_entry.division.event = visible.event

    def shape(summaries: Heads) -> Context:
        own_event = my_event(loaded_entry)
        number = next(
            (
                n
                for n, summary in enumerate(summaries, start=1)
                if summary.division.pk == loaded_entry.division_id
            ),
            1,
        )
        pages = [
            player.public_id
            for player in players_of_entries([loaded_entry.pk]).get(loaded_entry.pk, ())
            if player.listed
        ]
        return {
            "entry": loaded_entry,
            "way": path_contexts(stage_paths(loaded_entry, own_event.matches), load_forecast(visible.event)),
            "place": str(own_event.place) if own_event.place is not None else "",
            "settled": own_event.place is not None and own_event.place.settled,
            "player_url": reverse("public:player", args=pages) if len(pages) == 1 else "",
            "same": division_queries(summaries, number if len(summaries) > 1 else 0),
        }

    def alone(summaries: Heads) -> DivisionSummary | None:
        return next(
            (summary for summary in summaries if summary.division.pk == loaded_entry.division_id), None
        )

    return _event_page(
        request, visible, f"way:{loaded_entry.public_id}", shape, select_division=alone, use_cache=False
    )


def _event_page(
    request: HttpRequest,
    visible: VisibleEvent,
    part: str,
    build_context: Callable[[Heads], Context],
    version: object = None,
    *,
    select_division: Callable[[Heads], DivisionSummary | None] | None = None,
    use_cache: bool = True,
    select_rows: Callable[[Context], Context] = dict,
) -> HttpResponse:
    """Render a tab (``part``) of the event's page, computed once per version and shared by all readers.

    ``version``: of other data on the tab. ``select_division``: returns the one division whose changes concern
    the tab, or None. ``use_cache``: False for what only one reader requests. ``select_rows``: returns changes
    of the cached context for this request.
    """
    part_key = [visible.event.public_id, part]
    load_summaries = cache(lambda: division_summaries(visible.event))

    def picked() -> int:
        summary = (
            select_division(load_summaries())
            if select_division is not None and len(load_summaries()) > 1
            else None
        )
        return summary.division.pk if summary is not None else 0

    versions = [
        version,
        topics_version(*event_topics(visible.event))
        if select_division is None
        else division_page_version(
            visible.event,
            lambda outline: get_or_compute("part-of-event", [*part_key, outline], CACHE_SECONDS, picked),
        ),
        visible.seasons_version,
        visible.notice_ends,
        visible.entries_end,
    ]
    view_name = part.partition(":")[0]
    tab = {"hall": "event"}.get(view_name, view_name)
    if tab in {"event", "way"}:
        versions.append(forecast_version(visible.event))
    elif tab == "bracket" and visible.event.status == EventStatus.RUNNING:
        versions.append(str(event_today(visible.event)))  # overdue matches change at midnight

    def shaped() -> Context:
        part_context = build_context(load_summaries())
        if len(load_summaries()) > 1:
            part_context["entry_count"] = sum(summary.entries for summary in load_summaries())
        elif "entry_count" not in part_context:
            part_context["entry_count"] = sum(active_entry_counts(visible.event).values())
        return {
            "draws_as": draws_tab_kind(load_summaries()),
            "ahead": view_name != "hall" and has_no_draw_yet(visible.event, load_summaries()),
            **part_context,
        }

    def context() -> dict[str, Any]:
        parts = [*part_key, get_language(), get_script_prefix(), *versions]
        part_context = get_or_compute("event-page", parts, CACHE_SECONDS, shaped) if use_cache else shaped()
        return {
            **part_context,
            **select_rows(part_context),
            "event": visible.event,
            "club": visible.event.club,
            "tab": tab,
            "notices": notice_contexts(visible.event),
            "when": event_dates_label(visible.event),
            "end": expected_end_message(load_end_forecast(visible.event), visible.event)
            if tab == "event"
            else "",
            "end_short": expected_end_label(load_end_forecast(visible.event), visible.event)
            if tab == "event"
            else "",
            "required": consent_names(visible.event.requires),
            "quiz": tab == "event" and is_quiz_open(visible.event),
            "seasons": neighbour_links(visible) if visible.seasons_version else None,
        }

    return public_page(
        request,
        f"site/public_{tab}.html",
        context,
        versions=versions,
        role=visible.role,
        listed=is_listed(visible),
    )
