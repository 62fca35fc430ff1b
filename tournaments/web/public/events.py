"""One event: overview, bracket, entries."""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.engine.lengths import lengths_for_rounds
from tournaments.engine.lifecycle import EventStatus
from tournaments.models import Stage
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events import DivisionView, StageView, divisions_of
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
from tournaments.web.labels import format_sentence, lengths_words, round_name_of, when_words
from tournaments.web.public.frame import public_page, public_view

NOW_SHOWN = 12
NOW_SHOWN_IN_HALL = 48
BRACKETS_KEPT = 3600


@public_view
def event(request: HttpRequest, event: str) -> HttpResponse:
    """What, when, where, by which rules; who plays now; who came where."""
    seen = event_seen_by(request.user, event)
    limit = NOW_SHOWN_IN_HALL if request.GET.get("view") == "hall" else NOW_SHOWN

    def context() -> dict[str, Any]:
        divisions = divisions_of(seen.event)
        return {
            **_head(seen, "overview", divisions),
            "divisions": [_overview(seen, division, limit) for division in divisions],
        }

    return _page(request, "public/event.html", seen, context)


@public_view
def bracket(request: HttpRequest, event: str) -> HttpResponse:
    """The published draws, round by round."""
    seen = event_seen_by(request.user, event)
    versions = _versions(seen)

    def context() -> dict[str, Any]:
        divisions = divisions_of(seen.event)
        # Drawn once for each version of the event: a hall full of phones asks for the same picture.
        key = ":".join(map(str, ["bracket", seen.event.public_id, settings.RELEASE, get_language(), *versions]))
        drawn = cache.get(key)
        if drawn is None:
            drawn = [_bracket(division, view) for division in divisions for view in division.stages]
            cache.set(key, drawn, BRACKETS_KEPT)
        return {**_head(seen, "bracket", divisions), "brackets": [html for html in drawn if html]}

    return _page(request, "public/bracket.html", seen, context, versions)


@public_view
def entries(request: HttpRequest, event: str) -> HttpResponse:
    """Who takes part, and who withdrew."""
    seen = event_seen_by(request.user, event)

    def context() -> dict[str, Any]:
        divisions = divisions_of(seen.event)
        shown = []
        for division in divisions:
            seeded = any(entry.seed is not None for entry in division.entries)
            shown.append(
                {
                    "name": division.division.name,
                    "seeded": seeded,
                    "rows": entry_rows(division.taking_part, seeded=seeded),
                    "withdrawn": [entry.name for entry in division.entries if entry.withdrawn],
                }
            )
        return {**_head(seen, "entries", divisions), "divisions": shown}

    return _page(request, "public/entries.html", seen, context)


def _versions(seen: SeenEvent) -> list[object]:
    return [seen.event.version, seen.event.club.version, event_players_version(seen.event)]


def _page(
    request: HttpRequest,
    template: str,
    seen: SeenEvent,
    context: Callable[[], dict[str, Any]],
    versions: Sequence[object] = (),
) -> HttpResponse:
    return public_page(
        request,
        template,
        context,
        versions=versions or _versions(seen),
        role=seen.role,
        listed=is_listed(seen),
    )


def is_listed(seen: SeenEvent) -> bool:
    """Whether search engines may keep the page."""
    return seen.event.visibility == "public" and seen.event.status != EventStatus.DRAFT


def _head(seen: SeenEvent, tab: str, divisions: tuple[DivisionView, ...]) -> Shape:
    played = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "event": seen.event,
        "club": seen.event.club,
        "directs": seen.directs,
        "tab": tab,
        "when": when_words(seen.event),
        "entry_count": sum(len(division.taking_part) for division in divisions),
        "has_draw": bool(played),
        "done": sum(done for done, _all in played),
        "to_play": sum(all_ for _done, all_ in played),
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
    return {
        "stage": stage,
        "system": stage.get_system_display(),
        "format": format_sentence(stage),
        "lengths": _lengths(view, len(division.taking_part)),
        "lengths_given": lengths_words(stage.lengths),
        "draw_method": stage.get_draw_method_display(),
        "policy": stage.get_report_policy_display(),
        "drawn": draw is not None,
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


def _lengths(view: StageView, count: int) -> list[tuple[str, int]]:
    """Round and match length: of the draw, or, before it, of the draw that so many entries would make."""
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
    champion = view.draw.champion
    url = player_pages(division.entries).get(champion.entry_id or 0, "") if champion is not None else ""
    title = division.division.name or _("Bracket")
    html = render_to_string("_bracket.html", {"bracket": bracket_shape(view.draw, title, champion_url=url)})
    return mark_safe(html)  # noqa: S308 (drawn by our own template, which escapes)
