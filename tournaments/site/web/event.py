"""One event: overview, draws and rounds, entries."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from people.caching import cached
from tournaments.draws.web.public import lots_shape
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.leagues.web.public import neighbour_links, with_zones
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.versions import event_players_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.entries import waiting_names
from tournaments.selectors.events.detail import DivisionView, StageView, divisions_of
from tournaments.selectors.hall.forecast import forecast_of, shown_end
from tournaments.selectors.leagues import zones_of
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape, entry_rows
from tournaments.shared.fragments.points import places_url, points_list_of
from tournaments.shared.fragments.since import end_words
from tournaments.shared.frames.public import for_hall, is_listed, public_page, public_view
from tournaments.shared.words.names import when_words
from tournaments.site.web.stages import in_full, overview, stage_title

NOW_SHOWN = 12
NOW_SHOWN_IN_HALL = 48
CACHE_SECONDS = 3600


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """What, when, where, by which rules; who plays now; who came where."""
    visible = visible_event(request.user, event)
    hall = request.GET.get("view") == "hall"
    limit = NOW_SHOWN_IN_HALL if hall else NOW_SHOWN
    points = None if hall else points_list_of(visible.event)

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        shapes = [
            {**_overview(visible, division, limit), "points_url": places_url(points, visible.event, division)}
            for division in divisions
        ]
        return {"divisions": with_zones(shapes, divisions)}

    return _page(request, visible, "hall" if hall else "event", shape, points and points.public_id)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """The published draws and rounds; ``?stage=2`` of the second stage that has any."""
    visible = visible_event(request.user, event)
    for_hall(request, visible.event)
    given = request.GET.get("stage", "")
    asked = int(given) if given.isascii() and given.isdecimal() and len(given) < 4 else 0

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        drawn = _drawn(divisions)
        if not drawn:
            return {"html": "", "choices": []}
        chosen = asked if 1 <= asked <= len(drawn) else _going_on(drawn)
        division, view = drawn[chosen - 1]
        choices = [
            {"number": number, "name": stage_title(*one), "current": number == chosen}
            for number, one in enumerate(drawn, start=1)
        ]
        return {
            "html": in_full(division, view, today_at(visible.event), zones_of(divisions)),
            "chosen": chosen if len(drawn) > 1 else None,
            "title": stage_title(division, view) if len(drawn) > 1 else "",
            "choices": choices if len(drawn) > 1 else [],
        }

    return _page(request, visible, f"bracket:{asked}", shape)


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Who takes part, and who withdrew."""
    visible = visible_event(request.user, event)

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        waiting = waiting_names([division.division.pk for division in divisions])
        return {
            "divisions": [_entries(division, waiting.get(division.division.pk, [])) for division in divisions]
        }

    return _page(request, visible, "entries", shape)


@public_view
def draws(request: HttpRequest, event: str) -> HttpResponse:
    """How each stage was drawn: what was promised, and every draw that was made."""
    visible = visible_event(request.user, event)

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        entries = sorted((entry for division in divisions for entry in division.entries), key=lambda e: e.pk)
        numbers = [{"number": entry.pk, "name": entry.name} for entry in entries]
        return {**lots_shape(visible.event), "numbers": numbers}

    return _page(request, visible, "draws", shape)


def _page(
    request: HttpRequest,
    visible: VisibleEvent,
    part: str,
    shape: Callable[[tuple[DivisionView, ...]], Shape],
    version: object = None,
) -> HttpResponse:
    """One part of the event. What it shows is worked out once for each version: a hall full of phones asks for the same.

    ``version``: of what else it shows.
    """
    versions = [
        version,
        *(visible.event.version, visible.event.club.version, event_players_version(visible.event)),
        visible.seasons,
        visible.notice_ends,
    ]
    tab = {"hall": "event"}.get(part, part.partition(":")[0])
    if tab == "event":
        versions.append(shown_end(visible.event))
    elif tab == "bracket" and visible.event.status == EventStatus.RUNNING:
        versions.append(str(today_at(visible.event)))  # what is overdue changes at midnight

    def shaped() -> Shape:
        divisions = divisions_of(visible.event)
        return {**_counts(divisions), **shape(divisions)}

    def context() -> dict[str, Any]:
        parts = [visible.event.public_id, part, get_language(), *versions]
        return {
            **cached("event-page", parts, CACHE_SECONDS, shaped),
            "event": visible.event,
            "club": visible.event.club,
            "directs": visible.directs,
            "tab": tab,
            "notices": notice_shapes(visible.event),
            "when": when_words(visible.event),
            "end": end_words(forecast_of(visible.event), visible.event) if tab == "event" else "",
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


def _counts(divisions: tuple[DivisionView, ...]) -> Shape:
    played = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "entry_count": sum(len(division.taking_part) for division in divisions),
        "draws_as": _draws_as(divisions),
        "done": sum(done for done, _all in played),
        "to_play": sum(all_ for _done, all_ in played),
        "more_to_come": any(_has_more(view) for d in divisions for view in d.stages),
    }


def _has_more(view: StageView) -> bool:
    """Whether matches follow that nobody knows yet: of a stage that is not drawn, of a round that is not published."""
    if view.draw is None:
        return not is_money(view.stage)
    return in_rounds(view.stage) and rounds_left(view.stage, view.draw) > 0


def _draws_as(divisions: tuple[DivisionView, ...]) -> str:
    """What the tab of draws and rounds is called: by the kind of all stages, if they have one."""
    kinds = {
        "rounds" if in_rounds(view.stage) else "points" if is_money(view.stage) else "bracket"
        for division in divisions
        for view in division.stages
    }
    return kinds.pop() if len(kinds) == 1 else "draws"


def _entries(division: DivisionView, waiting: Sequence[str]) -> Shape:
    seeded = any(entry.seed is not None for entry in division.entries)
    return {
        "name": division.division.name,
        "seeded": seeded,
        "rows": entry_rows(division.taking_part, seeded=seeded),
        "withdrawn": [entry.name for entry in division.entries if entry.withdrawn],
        "waiting": waiting,
    }


def _overview(visible: VisibleEvent, division: DivisionView, limit: int) -> Shape:
    return {
        "key": f"division-{division.division.pk}",
        "name": division.division.name,
        "entry_count": len(division.taking_part),
        "stages": [overview(visible, division, view, limit) for view in division.stages],
    }


def _drawn(divisions: tuple[DivisionView, ...]) -> list[tuple[DivisionView, StageView]]:
    """The stages that have something to show behind the tab, in order."""
    return [(division, view) for division in divisions for view in division.stages if view.draw is not None]


def _going_on(drawn: list[tuple[DivisionView, StageView]]) -> int:
    """The place, from 1, of the first stage that is not over."""
    going_on = (
        number
        for number, (_division, view) in enumerate(drawn, start=1)
        if view.stage.status != StageStatus.FINISHED
    )
    return next(going_on, 1)
