"""One event: overview, draws and rounds, entries."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language

from people.caching import cached
from tournaments.draws.web.public import lots_shape
from tournaments.engine.statuses import EVENT_AHEAD, EventStatus, StageStatus
from tournaments.leagues.web.public import neighbour_links, with_zones
from tournaments.models import Stage
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.versions import topics_of_event, version_of, version_of_part
from tournaments.selectors.access.visibility import VisibleEvent, visible_event
from tournaments.selectors.entries import active_counts, entries_of, entry_of_event
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.events.heads import DivisionHead, heads_of, in_view
from tournaments.selectors.hall.forecast import forecast_of, forecast_of_end, shown_forecast
from tournaments.selectors.leagues import zones_of
from tournaments.selectors.matches.detail import players_of_entries
from tournaments.selectors.matches.moments import Moments, moments_of
from tournaments.selectors.matches.play import games_in_event
from tournaments.selectors.matches.player import my_event
from tournaments.selectors.matches.quiz import is_shown
from tournaments.selectors.matches.way import ways_of
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import in_rounds
from tournaments.selectors.waiting import waiting_names
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.editions import explained
from tournaments.shared.fragments.points import places_url, points_list_of
from tournaments.shared.fragments.since import end_short, end_words
from tournaments.shared.fragments.way import way_shapes
from tournaments.shared.frames.public import for_hall, is_listed, public_page, public_view
from tournaments.shared.words.consents import names_of
from tournaments.shared.words.limits import limit_rows
from tournaments.shared.words.names import when_words
from tournaments.site.web.entry_list import LONGEST_SEARCH, division_entries, page_of_rows
from tournaments.site.web.one_division import asked_number, chosen_division, division_choices, same_division
from tournaments.site.web.opening import (
    entry_shape,
    info_shape,
    is_ahead,
    opening_shape,
    rating_list_of,
)
from tournaments.site.web.stages import (
    Asked,
    editions_of,
    in_full,
    overview,
    rules_shape,
    stage_title,
    title_of,
)

Heads = Sequence[DivisionHead]
NOW_SHOWN = 12
NOW_SHOWN_IN_HALL = 48
ON_ONE_WALL = 3  # so many divisions stand on a projector together; of more it shows one
CACHE_SECONDS = 3600


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """What, when, where, by which rules; who plays now; who came where: of one division, with a summary of the others."""
    visible = visible_event(request.user, event)
    hall = request.GET.get("view") == "hall"
    limit = NOW_SHOWN_IN_HALL if hall else NOW_SHOWN
    points = None if hall else points_list_of(visible.event)
    ratings = None if hall or visible.event.status not in EVENT_AHEAD else rating_list_of(visible.event)
    asked = asked_number(request, "division")

    def shape(heads: Heads) -> Shape:
        number = chosen_division(heads, asked)
        ahead = not hall and is_ahead(visible.event, heads)
        together = ahead or (hall and not asked and len(heads) <= ON_ONE_WALL)
        divisions = in_view(heads if together else heads[number - 1 : number])
        drawn = [view.stage.pk for one in divisions for view in one.stages if view.draw is not None]
        moments = moments_of(drawn) if visible.event.status == EventStatus.RUNNING else Moments()
        shapes = [
            {
                **_overview(visible, division, limit, moments),
                "points_url": places_url(points, visible.event, division),
            }
            for division in divisions
        ]
        if ahead:
            shown = opening_shape(visible.event, divisions, heads, ratings)
        else:
            shown = {
                "entry": entry_shape(visible.event, [] if hall else [(h.division, h.stages) for h in heads]),
                "entry_count": _taking_part(divisions),
                "info": info_shape(visible.event, divisions),
                **division_choices(heads, number),
            }
        return {
            "is_opening": ahead,
            "divisions": with_zones(shapes, heads, divisions),
            **shown,
            **_progress(divisions),
            "has_games": not hall and games_in_event(visible.event),
            "on_wall": number if len(heads) > ON_ONE_WALL else None,
            "same": same_division(heads, asked and number),
        }

    part = f"{'hall' if hall else 'event'}:{asked}"
    version = [points and points.public_id, ratings and [ratings.public_id, ratings.version, ratings.name]]
    return _page(request, visible, part, shape, version)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """The published draws and rounds; ``?stage=2`` of the second stage that has any, ``?round=3`` of its rounds the third."""
    visible = visible_event(request.user, event)
    for_hall(request, visible.event)
    asked, turn = asked_number(request, "stage"), asked_number(request, "round")

    def shape(heads: Heads) -> Shape:
        drawn = [(head, stage) for head in heads for stage in head.shown]
        if not drawn:
            return {"html": "", "choices": []}
        chosen = _drawn_number(drawn, asked)
        head, stage = drawn[chosen - 1]
        (division,) = in_view([head])
        view = next(view for view in division.stages if view.stage.pk == stage.pk)
        choices = [
            {"number": number, "name": title_of(*one), "current": number == chosen}
            for number, one in enumerate(drawn, start=1)
        ]
        return {
            "html": in_full(
                division, view, today_at(visible.event), zones_of(heads, [division]), Asked(asked, turn)
            ),
            "entry_count": _taking_part([division]),
            "chosen": chosen if len(drawn) > 1 else None,
            "title": stage_title(division, view) if len(drawn) > 1 else "",
            "choices": choices if len(drawn) > 1 else [],
            "same": {
                **same_division(heads, asked and heads.index(head) + 1),
                "bracket": f"?stage={asked}" if asked else "",
            },
        }

    def alone(heads: Heads) -> DivisionHead | None:
        drawn = [(head, stage) for head in heads for stage in head.shown]
        return drawn[_drawn_number(drawn, asked) - 1][0] if drawn else None

    return _page(request, visible, f"bracket:{asked}:{turn}", shape, alone=alone)


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Who takes part in a division, and who withdrew; of many a page, those of a name, and those with a letter (``?letter=m``)."""
    visible = visible_event(request.user, event)
    asked, text = asked_number(request, "division"), request.GET.get("q", "")[:LONGEST_SEARCH].strip()
    letter = "" if text else request.GET.get("letter", "")[:1].casefold()

    def shape(heads: Heads) -> Shape:
        number = chosen_division(heads, asked)
        divisions = in_view(heads[number - 1 : number])
        waiting = waiting_names([division.division.pk for division in divisions])
        return {
            "divisions": [
                division_entries(visible.event, division, waiting.get(division.division.pk, []), text, letter)
                for division in divisions
            ],
            "entry_count": _taking_part(divisions),
            "text": text,
            "letter": letter,
            "same": same_division(heads, asked and number),
            **division_choices(heads, number),
        }

    def page(shown: Shape) -> Shape:
        """The page that was asked for, out of all rows that are kept."""
        cut = [
            {**one, "page": page_of_rows(one["rows"], request.GET.get("page"))} for one in shown["divisions"]
        ]
        query = {"division": asked, "q": text, "letter": letter}
        return {"divisions": cut, "query": urlencode({name: value for name, value in query.items() if value})}

    def alone(heads: Heads) -> DivisionHead | None:
        return heads[chosen_division(heads, asked) - 1] if heads else None

    return _page(
        request, visible, f"entries:{asked}", shape, alone=alone, keep=not (text or letter), cut=page
    )


@public_view
def draws(request: HttpRequest, event: str) -> HttpResponse:
    """How each stage of a division was drawn: what was promised, and every draw that was made."""
    visible = visible_event(request.user, event)
    asked = asked_number(request, "division")

    def shape(heads: Heads) -> Shape:
        number = chosen_division(heads, asked)
        shown = heads[number - 1 : number]
        named = entries_of([head.division.pk for head in shown])
        numbers = [{"number": one.pk, "name": one.name} for rows in named.values() for one in rows]
        lots = lots_shape(visible.event, *(head.division.pk for head in shown if len(heads) > 1))
        return {
            **lots,
            "numbers": numbers,
            **division_choices(heads, number),
            "same": same_division(heads, asked and number),
        }

    return _page(request, visible, f"draws:{asked}", shape)


@public_view
def editions(request: HttpRequest, event: str) -> HttpResponse:
    """Who of a division would stand where under another edition of the tie-break rules."""
    visible = visible_event(request.user, event)
    asked = asked_number(request, "division")

    def shape(heads: Heads) -> Shape:
        number = chosen_division(heads, asked)
        found = [
            editions_of(division, view)
            for division in in_view(heads[number - 1 : number])
            for view in division.stages
        ]
        return {
            "editions": explained(),
            "stages": [one for one in found if one is not None],
            **division_choices(heads, number),
            "same": same_division(heads, asked and number),
        }

    return _page(request, visible, f"editions:{asked}", shape)


@public_view
def rules(request: HttpRequest, event: str) -> HttpResponse:
    """Which rules hold in each stage of a division, in words."""
    visible = visible_event(request.user, event)
    asked = asked_number(request, "division")

    def shape(heads: Heads) -> Shape:
        number = chosen_division(heads, asked)
        divisions = in_view(heads[number - 1 : number])
        return {
            "stages": [rules_shape(division, view) for division in divisions for view in division.stages],
            **division_choices(heads, number),
            "same": same_division(heads, asked and number),
        }

    return _page(request, visible, f"rules:{asked}", shape)


@public_view
def way(request: HttpRequest, event: str, entry: str) -> HttpResponse:
    """One entry's way through the event: what it played, what is next, what can follow."""
    visible = visible_event(request.user, event)
    found = entry_of_event(visible.event, entry, listed=True)
    found.division.event = visible.event

    def shape(heads: Heads) -> Shape:
        own = my_event(found)
        number = next(
            (n for n, head in enumerate(heads, start=1) if head.division.pk == found.division_id), 1
        )
        pages = [
            player.public_id for player in players_of_entries([found.pk]).get(found.pk, ()) if player.listed
        ]
        return {
            "entry": found,
            "way": way_shapes(ways_of(found, own.matches), forecast_of(visible.event)),
            "place": str(own.place) if own.place is not None else "",
            "settled": own.place is not None and own.place.settled,
            "player_url": reverse("public:player", args=pages) if len(pages) == 1 else "",
            "same": same_division(heads, number if len(heads) > 1 else 0),
        }

    def alone(heads: Heads) -> DivisionHead | None:
        return next((head for head in heads if head.division.pk == found.division_id), None)

    return _page(request, visible, f"way:{found.public_id}", shape, alone=alone, keep=False)


def _page(
    request: HttpRequest,
    visible: VisibleEvent,
    part: str,
    shape: Callable[[Heads], Shape],
    version: object = None,
    *,
    alone: Callable[[Heads], DivisionHead | None] | None = None,
    keep: bool = True,
    cut: Callable[[Shape], Shape] = dict,
) -> HttpResponse:
    """One part of the event. What it shows is worked out once for each version: a hall full of phones asks for the same.

    ``version``: of what else it shows. ``alone``: of which division it shows something, where it shows nothing of the others but what
    stands in the outline of the event; None of an event that shows none. Not to ``keep``: what a single reader asks for. ``cut``: what one page shows of it.
    """
    named = [visible.event.public_id, part]
    heads = cache(lambda: heads_of(visible.event))

    def picked() -> int:
        found = alone(heads()) if alone is not None and len(heads()) > 1 else None
        return found.division.pk if found is not None else 0

    versions = [
        version,
        version_of(*topics_of_event(visible.event))
        if alone is None
        else version_of_part(
            visible.event, lambda outline: cached("part-of-event", [*named, outline], CACHE_SECONDS, picked)
        ),
        visible.seasons,
        visible.notice_ends,
        visible.entries_end,
    ]
    view = part.partition(":")[0]
    tab = {"hall": "event"}.get(view, view)
    if tab in {"event", "way"}:
        versions.append(shown_forecast(visible.event))
    elif tab == "bracket" and visible.event.status == EventStatus.RUNNING:
        versions.append(str(today_at(visible.event)))  # what is overdue changes at midnight

    def shaped() -> Shape:
        shown = shape(heads())
        if len(heads()) > 1:
            shown["entry_count"] = sum(head.entries for head in heads())
        elif "entry_count" not in shown:
            shown["entry_count"] = sum(active_counts(visible.event).values())
        return {
            "draws_as": _draws_as(heads()),
            "ahead": view != "hall" and is_ahead(visible.event, heads()),
            **shown,
        }

    def context() -> dict[str, Any]:
        parts = [*named, get_language(), get_script_prefix(), *versions]
        shown = cached("event-page", parts, CACHE_SECONDS, shaped) if keep else shaped()
        return {
            **shown,
            **cut(shown),
            "event": visible.event,
            "club": visible.event.club,
            "tab": tab,
            "notices": notice_shapes(visible.event),
            "when": when_words(visible.event),
            "end": end_words(forecast_of_end(visible.event), visible.event) if tab == "event" else "",
            "end_short": end_short(forecast_of_end(visible.event), visible.event) if tab == "event" else "",
            "required": names_of(visible.event.requires),
            "quiz": tab == "event" and is_shown(visible.event),
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


def _taking_part(divisions: Sequence[DivisionView]) -> int:
    return sum(len(division.taking_part) for division in divisions)


def _progress(divisions: Sequence[DivisionView]) -> Shape:
    """How many matches of these divisions are over, and whether others follow."""
    played = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "done": sum(done for done, _all in played),
        "to_play": sum(all_ for _done, all_ in played),
        "more_to_come": any(_has_more(view) for d in divisions for view in d.stages),
    }


def _has_more(view: StageView) -> bool:
    """Whether matches follow that nobody knows yet: of a stage that is not drawn, of a round that is not published."""
    if view.draw is None:
        return not is_money(view.stage)
    return in_rounds(view.stage) and rounds_left(view.stage, view.draw) > 0


def _draws_as(heads: Heads) -> str:
    """What the tab of draws and rounds is called: by the kind of all stages, if they have one."""
    kinds = {
        "rounds" if in_rounds(stage) else "points" if is_money(stage) else "bracket"
        for head in heads
        for stage in head.stages
    }
    return kinds.pop() if len(kinds) == 1 else "draws"


def _overview(visible: VisibleEvent, division: DivisionView, limit: int, moments: Moments) -> Shape:
    return {
        "key": f"division-{division.division.pk}",
        "name": division.division.name,
        "entry_count": len(division.taking_part),
        "limit": limit_rows(division.division),
        "stages": [overview(visible, division, view, limit, moments) for view in division.stages],
    }


def _drawn_number(drawn: Sequence[tuple[DivisionHead, Stage]], asked: int) -> int:
    """The number of the stage to show: the one that was asked for, else the first that is not over."""
    if 1 <= asked <= len(drawn):
        return asked
    going_on = (
        number for number, (_head, one) in enumerate(drawn, start=1) if one.status != StageStatus.FINISHED
    )
    return next(going_on, 1)
