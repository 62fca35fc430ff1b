"""What surrounds every director's page of an event: navigation with counts, tabs and heading."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from faults import Conflict, CrawfordError, Missing, NotAllowed
from people.addresses import without_language
from people.messages import describe_all
from people.selectors import refresh_row
from people.web.access import render_refusal
from tournaments.models import Event, Match, Stage
from tournaments.models.choices import EVENT_STATUS_CHOICES, MATCH_STATUS_CHOICES, STAGE_STATUS_CHOICES
from tournaments.selectors.events.counts import EventCounts, event_counts
from tournaments.selectors.events.director import first_stage, linked_stages
from tournaments.selectors.leagues import is_league
from tournaments.selectors.money import is_money
from tournaments.shared.frames.access import is_helper
from tournaments.shared.frames.last_changes import change_contexts, last_match_changes
from tournaments.shared.frames.places import EventNavigation, navigation_sections
from tournaments.shared.frames.quick import is_script_request, refusal_response
from tournaments.shared.words.names import event_dates_label

INVALID_STATUS = 422
DIVISION_FULL_CODE = "entry.full"
_STATUS_LABELS = {**dict(MATCH_STATUS_CHOICES), **dict(EVENT_STATUS_CHOICES), **dict(STAGE_STATUS_CHOICES)}


def render_event_page(
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
    """Render ``template`` within the navigation of a director's pages of ``event``.

    ``tab``: code of the current page in the navigation. ``stages`` and ``counts`` are loaded if not given.
    """
    stages = stages if stages is not None else linked_stages(event)
    counts = counts if counts is not None else event_counts(event)
    navigation = EventNavigation(
        event=event,
        counts=counts,
        stage=first_stage(stages),
        divisions=len({stage.division_id for stage in stages}),
        has_points=any(is_money(stage) for stage in stages),
        has_matches=not all(is_money(stage) for stage in stages),
        is_league=has_season_page(event, stages),
        helps=is_helper(request),
        current_tab_code=tab,
    )
    sections = navigation_sections(navigation)
    current_section = next((section for section in sections if section.is_here), None)
    base_context = {
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "tab": tab,
        "places": sections,
        "place": current_section,
        "heading": next(
            (tab_item.name for tab_item in current_section.tabs if tab_item.code == tab), current_section.name
        )
        if current_section
        else event.name,
        "counts": counts,
        "stage": navigation.stage,
        "stages": stages,
        "has_matches": navigation.has_matches,
        "helps": navigation.helps,
        "skip_to": "work",  # past sections and tabs
    }
    return render(request, template, {**base_context, **(context or {})}, status=status)


def has_season_page(event: Event, stages: list[Stage]) -> bool:
    """Return whether the event has a page for its seasons.

    It has one if it is a league that is longer than a day or continues an earlier event.
    """
    return is_league(stages) and (event.starts_on < event.ends_on or event.follows_id is not None)


def render_refused_action(
    request: HttpRequest,
    error: CrawfordError,
    *,
    back: str,
    match: Match | None = None,
    event: Event | None = None,
) -> HttpResponse:
    """Return the response to a refused action on an event: the reason, the current state and a link ``back``.

    For a conflict, the last changes of ``match`` are also shown or, with ``event``, the audit log rows that
    the error names. For a full division, the same form is shown again with the choice to add a place or to
    wait. A script gets JSON.
    """
    present = dict(error.present) if isinstance(error, Conflict) else {}
    if error.code == DIVISION_FULL_CODE and request.method == "POST" and not is_script_request(request):
        return _render_when_full(request, error, present, back)
    status_now = present.get("status", "")
    if match is not None:
        status_now = refresh_row(match).status
    changes = last_match_changes(match) if isinstance(error, Conflict) and match is not None else []
    if isinstance(error, Conflict) and event is not None:
        changes = changes or change_contexts(error.touched, event)
    if is_script_request(request) and not isinstance(error, Missing | NotAllowed):
        reasons = [*describe_all(error), *(change["line"] for change in changes[:1])]
        return refusal_response(reasons, error.status, _current_state_label(str(status_now), match))
    return render_refusal(
        request,
        error,
        back_url=back,
        template="shared/refused.html",
        now=_STATUS_LABELS.get(str(status_now), ""),
        match=match,
        changes=changes,
    )


def _render_when_full(
    request: HttpRequest, error: CrawfordError, present: Mapping[str, Any], back: str
) -> HttpResponse:
    """Return a page that says how full the division is, with the same form and a choice: add or wait."""
    excluded_names = {"csrfmiddlewaretoken", "when_full"}
    context = {
        "sentences": describe_all(error),
        "division": present.get("division", ""),
        "may_wait": present.get("may_wait", False),
        "sent": [
            (name, value)
            for name, values in request.POST.lists()
            if name not in excluded_names
            for value in values
        ],
        "back": back,
    }
    return render(request, "shared/full.html", context, status=error.status)


def _current_state_label(status: str, match: Match | None) -> str:
    """Return “Confirmed, 7–4”: the name of the status ``status`` and, of a match with a result, the score."""
    label = str(_STATUS_LABELS.get(status, ""))
    if match is None or match.score_a is None:
        return label
    return f"{label}, {match.score_a}–{match.score_b}"


def absolute_url(request: HttpRequest, path: str) -> str:
    """Return ``path`` as an absolute address without language prefix, for paper, mail or another device."""
    site: str = settings.SITE_URL
    return f"{site}{without_language(path)}" if site else request.build_absolute_uri(without_language(path))
