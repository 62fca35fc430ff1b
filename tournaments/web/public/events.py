"""One event: overview, bracket, entries."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.engine.lengths import lengths_for_rounds
from tournaments.engine.lifecycle import EventStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events import DivisionView, StageView, divisions_of
from tournaments.selectors.pairings import planned_rounds
from tournaments.selectors.standings import in_rounds
from tournaments.selectors.versions import event_players_version
from tournaments.selectors.visibility import SeenEvent, event_seen_by
from tournaments.web.cards import (
    Shape,
    bracket_shape,
    entry_rows,
    match_card,
    place_rows,
    player_pages,
    still_in,
)
from tournaments.web.labels import format_sentence, round_name_of, when_words
from tournaments.web.public.frame import public_page, public_view
from tournaments.web.standings import (
    conditions,
    crosstable_shape,
    rounds_shape,
    schedule_shape,
    standings_shape,
)

NOW_SHOWN = 12
NOW_SHOWN_IN_HALL = 48
KEPT = 3600


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """What, when, where, by which rules; who plays now; who came where."""
    seen = event_seen_by(request.user, event)
    hall = request.GET.get("view") == "hall"
    limit = NOW_SHOWN_IN_HALL if hall else NOW_SHOWN

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        return {"divisions": [_overview(seen, division, limit) for division in divisions]}

    return _page(request, seen, "hall" if hall else "event", shape)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """The published draws, round by round."""
    seen = event_seen_by(request.user, event)

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        drawn = [_bracket(division, view) for division in divisions for view in division.stages]
        return {"brackets": [html for html in drawn if html]}

    return _page(request, seen, "bracket", shape)


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Who takes part, and who withdrew."""
    seen = event_seen_by(request.user, event)

    def shape(divisions: tuple[DivisionView, ...]) -> Shape:
        return {"divisions": [_entries(division) for division in divisions]}

    return _page(request, seen, "entries", shape)


def _page(
    request: HttpRequest, seen: SeenEvent, part: str, shape: Callable[[tuple[DivisionView, ...]], Shape]
) -> HttpResponse:
    """One part of the event. What it shows is worked out once for each version: a hall full of phones asks for the same."""
    versions = [seen.event.version, seen.event.club.version, event_players_version(seen.event)]
    tab = {"hall": "event"}.get(part, part)

    def context() -> dict[str, Any]:
        key = ":".join(
            map(str, ["event-page", seen.event.public_id, part, settings.RELEASE, get_language(), *versions])
        )
        shaped = cache.get(key)
        if shaped is None:
            divisions = divisions_of(seen.event)
            shaped = {**_counts(divisions), **shape(divisions)}
            cache.set(key, shaped, KEPT)
        return {
            **shaped,
            "event": seen.event,
            "club": seen.event.club,
            "directs": seen.directs,
            "tab": tab,
            "when": when_words(seen.event),
        }

    return public_page(
        request,
        f"public/{tab}.html",
        context,
        versions=versions,
        role=seen.role,
        listed=is_listed(seen),
    )


def is_listed(seen: SeenEvent) -> bool:
    """Whether search engines may keep the page."""
    return seen.event.visibility == "public" and seen.event.status != EventStatus.DRAFT


def _counts(divisions: tuple[DivisionView, ...]) -> Shape:
    played = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "entry_count": sum(len(division.taking_part) for division in divisions),
        "has_rounds": any(in_rounds(view.stage) for division in divisions for view in division.stages),
        "done": sum(done for done, _all in played),
        "to_play": sum(all_ for _done, all_ in played),
    }


def _entries(division: DivisionView) -> Shape:
    seeded = any(entry.seed is not None for entry in division.entries)
    return {
        "name": division.division.name,
        "seeded": seeded,
        "rows": entry_rows(division.taking_part, seeded=seeded),
        "withdrawn": [entry.name for entry in division.entries if entry.withdrawn],
    }


def _overview(seen: SeenEvent, division: DivisionView, limit: int) -> Shape:
    pages = player_pages(division.entries)
    return {
        "name": division.division.name,
        "stages": [_stage(seen, division, view, pages, limit) for view in division.stages],
    }


def _stage(
    seen: SeenEvent, division: DivisionView, view: StageView, pages: dict[int, str], limit: int
) -> Shape:
    stage, draw = view.stage, view.draw
    running = seen.event.status == EventStatus.RUNNING
    now = draw.now() if draw is not None and running else []
    champion = draw.champion if draw is not None else None
    if in_rounds(stage):
        return {**_shared(stage, division, view), **_swiss(division, view, now, pages, limit)}
    return {
        **_shared(stage, division, view),
        "seed": stage.draw_seed if draw is not None else "",
        "replay": _replay(stage, division.taking_part) if draw is not None else [],
        "now": [match_card(match, pages=pages) for match in now[:limit]],
        "more_now": max(0, len(now) - limit),
        "places": place_rows(division.entries, view.places),
        "still_in": still_in(division.entries, view.places) if running else [],
        "champion": {"name": champion.name, "url": pages.get(champion.entry_id or 0, "")}
        if champion
        else None,
    }


def _shared(stage: Stage, division: DivisionView, view: StageView) -> Shape:
    """How the stage is played, whatever its system."""
    return {
        "key": stage.pk,
        "system": str(stage.get_system_display()),
        "format": format_sentence(stage),
        "lengths": _lengths(view, len(division.taking_part)),
        "draw_method": str(stage.get_draw_method_display()),
        "policy": str(stage.get_report_policy_display()),
        "drawn": view.draw is not None,
    }


def _swiss(
    division: DivisionView, view: StageView, now: list[DrawnMatch], pages: dict[int, str], limit: int
) -> Shape:
    """The table in the place of who is still in; each round names its own seed where the rounds are shown."""
    final = view.stage.status == StageStatus.FINISHED
    first = [entry for entry in division.entries if _won(view, entry)]
    return {
        "conditions": conditions(view.stage),
        "now": [match_card(match, pages=pages) for match in now[:limit]],
        "more_now": max(0, len(now) - limit),
        "table": standings_shape(view.draw, division.entries, final=final) if view.draw is not None else None,
        "champion": {"name": first[0].name, "url": pages.get(first[0].pk, "")} if first else None,
    }


def _won(view: StageView, entry: EntryRow) -> bool:
    place = view.places.get(EntryId(entry.pk))
    return place is not None and place.settled and place.last == 1


def _lengths(view: StageView, count: int) -> list[tuple[str, int]]:
    """Round and match length: of the draw, or, before it, of the draw that so many entries would make."""
    if in_rounds(view.stage):
        all_rounds = planned_rounds(view.stage, count)
        given = lengths_for_rounds(tuple(view.stage.lengths), all_rounds)
        return [(round_name_of(f"round_{number}"), length) for number, length in enumerate(given, start=1)]
    if view.draw is not None:
        return [(round_name_of(r.code), r.length) for r in view.draw.rounds]
    rounds = max(1, (max(count, 2) - 1).bit_length())
    codes = {0: "final", 1: "semifinal", 2: "quarterfinal"}
    names = [round_name_of(codes.get(left, f"last_{2 ** (left + 1)}")) for left in reversed(range(rounds))]
    return list(zip(names, lengths_for_rounds(tuple(view.stage.lengths), rounds), strict=True))


def _replay(stage: Stage, entries: tuple[EntryRow, ...]) -> list[str]:
    """How anybody can repeat the draw from the seed alone, step by step."""
    first = _("Take the %(count)s entries in the order in which they were entered, 1 to %(count)s.") % {
        "count": len(entries)
    }
    if stage.draw_method == Stage.DrawMethod.SEEDED:
        first = _(
            "Take the entries without a seed in the order in which they were entered; seeded ones stand before them."
        )
    purpose = "blind draw" if stage.draw_method == Stage.DrawMethod.BLIND else "unseeded"
    return [
        first,
        _(
            "Numbers come from SHA-256 of “crawford-chance-1|%(purpose)s|%(seed)s|0”, then …|1, …|2 and so on: "
            "each gives four 64-bit numbers."
        )
        % {"purpose": purpose, "seed": stage.draw_seed},
        _(
            "Shuffle from the last place down (Fisher-Yates), swapping each place with a number drawn below it."
        ),
        _(
            "The first on the shuffled list stands as seed 1, the second as seed 2, with standard seeding and byes."
        ),
    ]


def _bracket(division: DivisionView, view: StageView) -> str:
    if view.draw is None:
        return ""
    if in_rounds(view.stage):
        final = view.stage.status == StageStatus.FINISHED
        shape = {
            "title": division.division.name,
            "table": standings_shape(view.draw, division.entries, final=final),
            "rounds": rounds_shape(view.draw, division.entries),
            "cross": crosstable_shape(view.draw, division.entries),
            "schedule": schedule_shape(view.stage, view.draw, division.entries),
        }
        return mark_safe(render_to_string("public/_rounds.html", shape))  # noqa: S308 (our own template escapes)
    champion = view.draw.champion
    url = player_pages(division.entries).get(champion.entry_id or 0, "") if champion is not None else ""
    title = division.division.name or _("Bracket")
    html = render_to_string("_bracket.html", {"bracket": bracket_shape(view.draw, title, champion_url=url)})
    return mark_safe(html)  # noqa: S308 (drawn by our own template, which escapes)
