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
from tournaments.engine.statuses import EVENT_UPCOMING, EventStatus, StageStatus
from tournaments.leagues.web.public import add_zones, neighbour_links
from tournaments.models import Stage
from tournaments.notices.web.shown import notice_contexts
from tournaments.selectors.access.versions import division_page_version, event_topics, topics_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.entries import active_entry_counts, entries_by_division, get_entry
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.events.heads import DivisionSummary, division_summaries, views_of_summaries
from tournaments.selectors.hall.forecast import forecast_version, load_end_forecast, load_forecast
from tournaments.selectors.leagues import promotion_zones
from tournaments.selectors.matches.detail import players_of_entries
from tournaments.selectors.matches.moments import StageTimes, stage_times
from tournaments.selectors.matches.play import event_has_games
from tournaments.selectors.matches.player import my_event
from tournaments.selectors.matches.quiz import is_quiz_open
from tournaments.selectors.matches.way import stage_paths
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import event_today
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import is_round_based
from tournaments.selectors.waiting import waiting_names
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.editions import edition_descriptions
from tournaments.shared.fragments.points import places_url, points_list_of
from tournaments.shared.fragments.since import expected_end_label, expected_end_message
from tournaments.shared.fragments.way import path_contexts
from tournaments.shared.frames.public import is_listed, public_page, public_view, set_hall_audience
from tournaments.shared.words.consents import consent_names
from tournaments.shared.words.limits import limit_rows
from tournaments.shared.words.names import event_dates_label
from tournaments.site.web.entry_list import MAX_SEARCH_LENGTH, division_entries, page_of_rows
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
    stage_overview,
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
    hall = request.GET.get("view") == "hall"
    limit = MATCHES_ON_DISPLAY if hall else MATCHES_SHOWN
    points = None if hall else points_list_of(visible.event)
    ratings = None if hall or visible.event.status not in EVENT_UPCOMING else rating_list_of(visible.event)
    asked = query_number(request, "division")

    def shape(heads: Heads) -> Context:
        number = chosen_division(heads, asked)
        ahead = not hall and has_no_draw_yet(visible.event, heads)
        together = ahead or (hall and not asked and len(heads) <= DIVISIONS_ON_DISPLAY)
        divisions = views_of_summaries(heads if together else heads[number - 1 : number])
        drawn = [view.stage.pk for one in divisions for view in one.stages if view.draw is not None]
        moments = stage_times(drawn) if visible.event.status == EventStatus.RUNNING else StageTimes()
        shapes = [
            {
                **_division_overview(visible, division, limit, moments),
                "points_url": places_url(points, visible.event, division),
            }
            for division in divisions
        ]
        if ahead:
            shown = before_draw_context(visible.event, divisions, heads, ratings)
        else:
            shown = {
                "entry": entry_panel_context(
                    visible.event, [] if hall else [(h.division, h.stages) for h in heads]
                ),
                "entry_count": _active_entry_count(divisions),
                "info": info_context(visible.event, divisions),
                **division_choices(heads, number),
            }
        return {
            "is_opening": ahead,
            "divisions": add_zones(shapes, heads, divisions),
            **shown,
            **_match_progress(divisions),
            "has_games": not hall and event_has_games(visible.event),
            "on_wall": number if len(heads) > DIVISIONS_ON_DISPLAY else None,
            "same": division_queries(heads, asked and number),
        }

    part = f"{'hall' if hall else 'event'}:{asked}"
    version = [points and points.public_id, ratings and [ratings.public_id, ratings.version, ratings.name]]
    return _event_page(request, visible, part, shape, version)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """The published draws and rounds; ``?stage=2``: the second drawn stage; ``?round=3``: its third round."""
    visible = visible_event(request.user, event)
    set_hall_audience(request, visible.event)
    asked, turn = query_number(request, "stage"), query_number(request, "round")

    def shape(heads: Heads) -> Context:
        drawn = [(head, stage) for head in heads for stage in head.shown]
        if not drawn:
            return {"html": "", "choices": []}
        chosen = _chosen_stage_number(drawn, asked)
        head, stage = drawn[chosen - 1]
        (division,) = views_of_summaries([head])
        view = next(view for view in division.stages if view.stage.pk == stage.pk)
        choices = [
            {"number": number, "name": stage_title_from_head(*one), "current": number == chosen}
            for number, one in enumerate(drawn, start=1)
        ]
        return {
            "html": stage_html(
                division,
                view,
                event_today(visible.event),
                promotion_zones(heads, [division]),
                DrawsQuery(asked, turn),
            ),
            "entry_count": _active_entry_count([division]),
            "chosen": chosen if len(drawn) > 1 else None,
            "title": stage_title(division, view) if len(drawn) > 1 else "",
            "choices": choices if len(drawn) > 1 else [],
            "same": {
                **division_queries(heads, asked and heads.index(head) + 1),
                "bracket": f"?stage={asked}" if asked else "",
            },
        }

    def alone(heads: Heads) -> DivisionSummary | None:
        drawn = [(head, stage) for head in heads for stage in head.shown]
        return drawn[_chosen_stage_number(drawn, asked) - 1][0] if drawn else None

    return _event_page(request, visible, f"bracket:{asked}:{turn}", shape, alone=alone)


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Entries and withdrawals of a division, paginated; ``?q=``: search by name; ``?letter=m``: by letter."""
    visible = visible_event(request.user, event)
    asked, text = query_number(request, "division"), request.GET.get("q", "")[:MAX_SEARCH_LENGTH].strip()
    letter = "" if text else request.GET.get("letter", "")[:1].casefold()

    def shape(heads: Heads) -> Context:
        number = chosen_division(heads, asked)
        divisions = views_of_summaries(heads[number - 1 : number])
        waiting = waiting_names([division.division.pk for division in divisions])
        return {
            "divisions": [
                division_entries(visible.event, division, waiting.get(division.division.pk, []), text, letter)
                for division in divisions
            ],
            "entry_count": _active_entry_count(divisions),
            "text": text,
            "letter": letter,
            "same": division_queries(heads, asked and number),
            **division_choices(heads, number),
        }

    def page(shown: Context) -> Context:
        """Return the requested page out of all cached rows."""
        cut = [
            {**one, "page": page_of_rows(one["rows"], request.GET.get("page"))} for one in shown["divisions"]
        ]
        query = {"division": asked, "q": text, "letter": letter}
        return {"divisions": cut, "query": urlencode({name: value for name, value in query.items() if value})}

    def alone(heads: Heads) -> DivisionSummary | None:
        return heads[chosen_division(heads, asked) - 1] if heads else None

    return _event_page(
        request, visible, f"entries:{asked}", shape, alone=alone, keep=not (text or letter), cut=page
    )


@public_view
def draws(request: HttpRequest, event: str) -> HttpResponse:
    """How each stage of a division was drawn: its commitments, and every draw that was made."""
    visible = visible_event(request.user, event)
    asked = query_number(request, "division")

    def shape(heads: Heads) -> Context:
        number = chosen_division(heads, asked)
        shown = heads[number - 1 : number]
        named = entries_by_division([head.division.pk for head in shown])
        numbers = [{"number": one.pk, "name": one.name} for rows in named.values() for one in rows]
        lots = draw_records_context(visible.event, *(head.division.pk for head in shown if len(heads) > 1))
        return {
            **lots,
            "numbers": numbers,
            **division_choices(heads, number),
            "same": division_queries(heads, asked and number),
        }

    return _event_page(request, visible, f"draws:{asked}", shape)


@public_view
def editions(request: HttpRequest, event: str) -> HttpResponse:
    """The standings of a division under each edition of the tie-break rules."""
    visible = visible_event(request.user, event)
    asked = query_number(request, "division")

    def shape(heads: Heads) -> Context:
        number = chosen_division(heads, asked)
        found = [
            editions_context(division, view)
            for division in views_of_summaries(heads[number - 1 : number])
            for view in division.stages
        ]
        return {
            "editions": edition_descriptions(),
            "stages": [one for one in found if one is not None],
            **division_choices(heads, number),
            "same": division_queries(heads, asked and number),
        }

    return _event_page(request, visible, f"editions:{asked}", shape)


@public_view
def rules(request: HttpRequest, event: str) -> HttpResponse:
    """The rules of each stage of a division as text."""
    visible = visible_event(request.user, event)
    asked = query_number(request, "division")

    def shape(heads: Heads) -> Context:
        number = chosen_division(heads, asked)
        divisions = views_of_summaries(heads[number - 1 : number])
        return {
            "stages": [rules_context(division, view) for division in divisions for view in division.stages],
            **division_choices(heads, number),
            "same": division_queries(heads, asked and number),
        }

    return _event_page(request, visible, f"rules:{asked}", shape)


@public_view
def entry_path(request: HttpRequest, event: str, entry: str) -> HttpResponse:
    """The path of an entry through the event: matches played, the next one, and those that may follow."""
    visible = visible_event(request.user, event)
    found = get_entry(visible.event, entry, listed=True)
    found.division.event = visible.event

    def shape(heads: Heads) -> Context:
        own = my_event(found)
        number = next(
            (n for n, head in enumerate(heads, start=1) if head.division.pk == found.division_id), 1
        )
        pages = [
            player.public_id for player in players_of_entries([found.pk]).get(found.pk, ()) if player.listed
        ]
        return {
            "entry": found,
            "way": path_contexts(stage_paths(found, own.matches), load_forecast(visible.event)),
            "place": str(own.place) if own.place is not None else "",
            "settled": own.place is not None and own.place.settled,
            "player_url": reverse("public:player", args=pages) if len(pages) == 1 else "",
            "same": division_queries(heads, number if len(heads) > 1 else 0),
        }

    def alone(heads: Heads) -> DivisionSummary | None:
        return next((head for head in heads if head.division.pk == found.division_id), None)

    return _event_page(request, visible, f"way:{found.public_id}", shape, alone=alone, keep=False)


def _event_page(
    request: HttpRequest,
    visible: VisibleEvent,
    part: str,
    shape: Callable[[Heads], Context],
    version: object = None,
    *,
    alone: Callable[[Heads], DivisionSummary | None] | None = None,
    keep: bool = True,
    cut: Callable[[Context], Context] = dict,
) -> HttpResponse:
    """Render a part of the event's public page, computed once per version and shared by all readers.

    ``version``: of other data that the part shows. ``alone``: returns the one division that the part depends
    on, besides the outline of the event, or None. ``keep``: False for what only one reader requests. ``cut``:
    selects from the cached context what this page shows.
    """
    named = [visible.event.public_id, part]
    heads = cache(lambda: division_summaries(visible.event))

    def picked() -> int:
        found = alone(heads()) if alone is not None and len(heads()) > 1 else None
        return found.division.pk if found is not None else 0

    versions = [
        version,
        topics_version(*event_topics(visible.event))
        if alone is None
        else division_page_version(
            visible.event,
            lambda outline: get_or_compute("part-of-event", [*named, outline], CACHE_SECONDS, picked),
        ),
        visible.seasons,
        visible.notice_ends,
        visible.entries_end,
    ]
    view = part.partition(":")[0]
    tab = {"hall": "event"}.get(view, view)
    if tab in {"event", "way"}:
        versions.append(forecast_version(visible.event))
    elif tab == "bracket" and visible.event.status == EventStatus.RUNNING:
        versions.append(str(event_today(visible.event)))  # overdue matches change at midnight

    def shaped() -> Context:
        shown = shape(heads())
        if len(heads()) > 1:
            shown["entry_count"] = sum(head.entries for head in heads())
        elif "entry_count" not in shown:
            shown["entry_count"] = sum(active_entry_counts(visible.event).values())
        return {
            "draws_as": _draws_tab_kind(heads()),
            "ahead": view != "hall" and has_no_draw_yet(visible.event, heads()),
            **shown,
        }

    def context() -> dict[str, Any]:
        parts = [*named, get_language(), get_script_prefix(), *versions]
        shown = get_or_compute("event-page", parts, CACHE_SECONDS, shaped) if keep else shaped()
        return {
            **shown,
            **cut(shown),
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
            "seasons": neighbour_links(visible) if visible.seasons else None,
        }

    return public_page(
        request,
        f"site/public_{tab}.html",
        context,
        versions=versions,
        role=visible.role,
        listed=is_listed(visible),
    )


def _active_entry_count(divisions: Sequence[DivisionView]) -> int:
    return sum(len(division.active_entries) for division in divisions)


def _match_progress(divisions: Sequence[DivisionView]) -> Context:
    """Numbers of finished and of all matches of these divisions, and whether more will follow."""
    played = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "done": sum(done for done, _all in played),
        "to_play": sum(all_ for _done, all_ in played),
        "more_to_come": any(_has_more(view) for d in divisions for view in d.stages),
    }


def _has_more(view: StageView) -> bool:
    """Whether matches follow that are not known yet: the stage is not drawn, or a round not published."""
    if view.draw is None:
        return not is_money(view.stage)
    return is_round_based(view.stage) and rounds_left(view.stage, view.draw) > 0


def _draws_tab_kind(heads: Heads) -> str:
    """Kind of all stages, which labels the tab of draws: rounds, points or bracket; draws if they differ."""
    kinds = {
        "rounds" if is_round_based(stage) else "points" if is_money(stage) else "bracket"
        for head in heads
        for stage in head.stages
    }
    return kinds.pop() if len(kinds) == 1 else "draws"


def _division_overview(
    visible: VisibleEvent, division: DivisionView, limit: int, moments: StageTimes
) -> Context:
    return {
        "key": f"division-{division.division.pk}",
        "name": division.division.name,
        "entry_count": len(division.active_entries),
        "limit": limit_rows(division.division),
        "stages": [stage_overview(visible, division, view, limit, moments) for view in division.stages],
    }


def _chosen_stage_number(drawn: Sequence[tuple[DivisionSummary, Stage]], asked: int) -> int:
    """Return the number of the requested stage, or of the first unfinished one."""
    if 1 <= asked <= len(drawn):
        return asked
    going_on = (
        number for number, (_head, one) in enumerate(drawn, start=1) if one.status != StageStatus.FINISHED
    )
    return next(going_on, 1)
