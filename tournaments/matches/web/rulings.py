"""Rulings that do not end a match: awarded points, lateness, slow play, clocks, adjourn and resume."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.types import Side
from tournaments.hall.web.board import get_match_or_404
from tournaments.hall.web.calling import return_url
from tournaments.matches.services.rulings import (
    add_clock,
    adjourn_match,
    award_for_lateness,
    award_for_slow_play,
    award_points,
    remove_award,
    remove_clock,
    resume_match,
)
from tournaments.matches.web.director import match_page, match_url, side_labels
from tournaments.matches.web.ruling_forms import (
    AdjournForm,
    AwardForm,
    ClockForm,
    LateForm,
    SlowForm,
    rulings_panel,
)
from tournaments.models import Event, Match
from tournaments.selectors.draws import drawn_match
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import INVALID_STATUS, render_refused_action


@event_action
def penalize_lateness(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Preview the penalty of the schedule; with ``apply`` award the points."""
    found = get_match_or_404(event, match)
    form = LateForm(request.POST, match=found, names=side_labels(drawn_match(found)))
    if form.is_valid() and "apply" not in request.POST:
        return _page(request, event, found, 200, late=form, preview=form.preview())

    def rule(known: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_lateness(
            **known, late=Side(data["late"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _apply_form(request, event, found, "late", form, rule, _("Points awarded."))


@event_action
def award_match_points(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Award a starting score or a penalty."""
    found = get_match_or_404(event, match)
    form = AwardForm(request.POST, match=found, names=side_labels(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return award_points(**known, award=form.award(), seen=form.cleaned_data["seen"])

    return _apply_form(request, event, found, "award", form, rule, _("Points awarded."))


@event_action
def penalize_slow_play(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Award points by the schedule for slow play."""
    found = get_match_or_404(event, match)
    form = SlowForm(request.POST, match=found, names=side_labels(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_slow_play(
            **known, slow=Side(data["slow"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _apply_form(request, event, found, "slow", form, rule, _("Points awarded."))


@event_action
def clock_on(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Start a clock, with the score if given."""
    found = get_match_or_404(event, match)
    form = ClockForm(request.POST, match=found, names=side_labels(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return add_clock(**known, score=form.score(), seen=form.cleaned_data["seen"])

    words = _("Match %(number)s uses a clock from its next game.") % {"number": found.number}
    return _apply_form(request, event, found, "clock", form, rule, words)


@event_action
def clock_off(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Remove a clock that was started by mistake."""
    found = get_match_or_404(event, match)
    seen = _posted_number(request, "seen")
    words = _("Match %(number)s is played without a clock.") % {"number": found.number}
    return _apply_ruling(request, event, found, lambda known: remove_clock(**known, seen=seen), words)


@event_action
def delete_award(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Remove points that were awarded by mistake."""
    found = get_match_or_404(event, match)
    number, seen = _posted_number(request, "number"), _posted_number(request, "seen")
    return _apply_ruling(
        request,
        event,
        found,
        lambda known: remove_award(**known, number=number, seen=seen),
        _("Points removed."),
    )


@event_action
def adjourn(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Adjourn the match and save its state."""
    found = get_match_or_404(event, match)
    form = AdjournForm(request.POST, match=found, names=side_labels(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return adjourn_match(**known, adjourned=form.adjourned(), seen=form.cleaned_data["seen"])

    words = _("Match %(number)s adjourned.") % {"number": found.number}
    return _apply_form(request, event, found, "adjourn", form, rule, words)


@event_action
def resume(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Resume the match."""
    found = get_match_or_404(event, match)
    seen = _posted_number(request, "seen")
    words = _("Match %(number)s resumed. It is ready for a table.") % {"number": found.number}
    return _apply_ruling(request, event, found, lambda known: resume_match(**known, seen=seen), words)


RulingCall = Callable[[dict[str, Any]], Match]


def _service_arguments(request: HttpRequest, event: Event, found: Match) -> dict[str, Any]:
    return {"actor": request_actor(request), "event_id": event.pk, "match_id": found.pk}


def _apply_form(
    request: HttpRequest,
    event: Event,
    found: Match,
    name: str,
    form: LateForm | SlowForm | AwardForm | ClockForm | AdjournForm,
    rule: RulingCall,
    words: str,
) -> HttpResponse:
    """Carry out the ruling of the form, or redisplay it with its errors."""
    if form.is_valid():
        back = return_url(request, event) if request.POST.get("back") else match_url(event, found)
        try:
            rule(_service_arguments(request, event, found))
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=back, match=found)
            add_faults(form, error)
        else:
            messages.success(request, words)
            return redirect(back)
    return _page(request, event, found, INVALID_STATUS, **{name: form})


def _apply_ruling(
    request: HttpRequest, event: Event, found: Match, rule: RulingCall, words: str
) -> HttpResponse:
    try:
        rule(_service_arguments(request, event, found))
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, found), match=found)
    messages.success(request, words)
    return redirect(match_url(event, found))


@snapshot()
def _page(request: HttpRequest, event: Event, found: Match, status: int, **bound: Any) -> HttpResponse:
    names = side_labels(drawn_match(found))
    return match_page(
        request, event, found, status=status, rulings=rulings_panel(event, found, names, **bound)
    )


def _posted_number(request: HttpRequest, name: str) -> int:
    """Return the small number that a button sends. Raises ``Missing`` for anything else."""
    given = request.POST.get(name, "")
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise Missing("award.unknown")
    return int(given)
