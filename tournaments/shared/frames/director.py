"""The frame of every page about an event: its bar, the places with their counts, and the tabs of the present place."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from faults import Conflict, CrawfordError, Missing, NotAllowed
from people.addresses import bare
from people.messages import describe_all
from people.selectors import fresh
from people.web.access import refused
from tournaments.models import Event, Match, Stage
from tournaments.models.choices import EVENT_STATUS, MATCH_STATUS, STAGE_STATUS
from tournaments.selectors.events.counts import EventCounts, event_counts
from tournaments.selectors.events.director import stage_to_enter, stages_of
from tournaments.selectors.leagues import is_league
from tournaments.selectors.money import is_money
from tournaments.shared.frames.access import helps
from tournaments.shared.frames.last_changes import changes_of, shapes_of
from tournaments.shared.frames.places import About, places
from tournaments.shared.frames.quick import is_quick, refused_in_a_line
from tournaments.shared.words.names import when_words

INVALID = 422
FULL = "entry.full"
_STATUS_WORDS = {**dict(MATCH_STATUS), **dict(EVENT_STATUS), **dict(STAGE_STATUS)}


def lengths_words(lengths: Sequence[int]) -> str:
    """“5, 5, 7, 9”, as the director gave them: the last one is the final's."""
    return ", ".join(str(length) for length in lengths)


def show(
    request: HttpRequest,
    template: str,
    event: Event,
    tab: str,
    context: Mapping[str, Any] | None = None,
    *,
    stages: list[Stage] | None = None,
    counts: EventCounts | None = None,
    status: int = 200,
) -> HttpResponse:
    """``template`` inside the frame of ``event``."""
    stages = stages if stages is not None else stages_of(event)
    counts = counts if counts is not None else event_counts(event)
    about = About(
        event=event,
        counts=counts,
        stage=stage_to_enter(stages),
        divisions=len({one.division_id for one in stages}),
        has_points=any(is_money(one) for one in stages),
        has_matches=not all(is_money(one) for one in stages),
        is_league=is_season(event, stages),
        helps=helps(request),
        tab=tab,
    )
    found = places(about)
    here = next((place for place in found if place.is_here), None)
    frame = {
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "tab": tab,
        "places": found,
        "place": here,
        "heading": next((one.name for one in here.tabs if one.code == tab), here.name)
        if here
        else event.name,
        "counts": counts,
        "stage": about.stage,
        "stages": stages,
        "has_matches": about.has_matches,
        "helps": about.helps,
        "skip_to": "work",  # over the places and tabs
    }
    return render(request, template, {**frame, **(context or {})}, status=status)


def is_season(event: Event, stages: list[Stage]) -> bool:
    """A league has a page for its seasons; a round robin of a single day needs none."""
    return is_league(stages) and (event.starts_on < event.ends_on or event.follows_id is not None)


def not_done(
    request: HttpRequest,
    error: CrawfordError,
    *,
    back: str,
    match: Match | None = None,
    event: Event | None = None,
) -> HttpResponse:
    """A refused action on an event: the reason in words and the state as it is now. With ``match``, or with the ``event`` where the refusal
    names rows of its trail, also who did what last. A full division is a question: the same form again with what is to be done.
    """
    present = dict(error.present) if isinstance(error, Conflict) else {}
    if error.code == FULL and request.method == "POST" and not is_quick(request):
        return _ask_if_full(request, error, present, back)
    now = present.get("status", "")
    if match is not None:
        now = fresh(match).status
    changes = changes_of(match) if isinstance(error, Conflict) and match is not None else []
    if isinstance(error, Conflict) and event is not None:
        changes = changes or shapes_of(error.touched, event)
    if is_quick(request) and not isinstance(error, Missing | NotAllowed):
        reasons = [*describe_all(error), *(change["line"] for change in changes[:1])]
        return refused_in_a_line(reasons, error.status, _now_words(str(now), match))
    return refused(
        request,
        error,
        back=back,
        template="shared/refused.html",
        now=_STATUS_WORDS.get(str(now), ""),
        match=match,
        changes=changes,
    )


def _ask_if_full(
    request: HttpRequest, error: CrawfordError, present: Mapping[str, Any], back: str
) -> HttpResponse:
    """How full a division is, and the same form with two ways to go on."""
    left_out = {"csrfmiddlewaretoken", "when_full"}
    context = {
        "sentences": describe_all(error),
        "division": present.get("division", ""),
        "may_wait": present.get("may_wait", False),
        "sent": [
            (name, value) for name, values in request.POST.lists() if name not in left_out for value in values
        ],
        "back": back,
    }
    return render(request, "shared/full.html", context, status=error.status)


def _now_words(status: str, match: Match | None) -> str:
    """“Confirmed, 7–4”: how a match stands whose result is another one by now."""
    words = str(_STATUS_WORDS.get(status, ""))
    if match is None or match.score_a is None:
        return words
    return f"{words}, {match.score_a}–{match.score_b}"


def absolute(request: HttpRequest, path: str) -> str:
    """``path`` as an address that works outside: on paper, in a mail, on another phone. It names no language: its reader has one."""
    site: str = settings.SITE_URL
    return f"{site}{bare(path)}" if site else request.build_absolute_uri(bare(path))
