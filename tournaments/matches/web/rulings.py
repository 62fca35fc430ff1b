"""Actions for rulings that do not end a match.

These are awarded points, lateness, slow play, clocks, adjourn and resume.
"""

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
    LatenessForm,
    SlowPlayForm,
    rulings_panel,
)
from tournaments.models import Event, Match
from tournaments.selectors.draws import drawn_match
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import INVALID_STATUS, render_refused_action


@event_action
def penalize_lateness(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Preview the schedule's penalty for lateness; with field ``apply``, award the points."""
    loaded_match = get_match_or_404(event, match)
    form = LatenessForm(request.POST, match=loaded_match, names=side_labels(drawn_match(loaded_match)))
    if form.is_valid() and "apply" not in request.POST:
        return _page(request, event, loaded_match, 200, late=form, preview=form.preview())

    def rule(service_args: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_lateness(
            **service_args, late=Side(data["late"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _apply_form(request, event, loaded_match, "late", form, rule, _("Points awarded."))


@event_action
def award_match_points(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Award a starting score or penalty points."""
    loaded_match = get_match_or_404(event, match)
    form = AwardForm(request.POST, match=loaded_match, names=side_labels(drawn_match(loaded_match)))

    def rule(service_args: dict[str, Any]) -> Match:
        return award_points(**service_args, award=form.award(), seen=form.cleaned_data["seen"])

    return _apply_form(request, event, loaded_match, "award", form, rule, _("Points awarded."))


@event_action
def penalize_slow_play(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Award the points of the stage's schedule for slow play."""
    loaded_match = get_match_or_404(event, match)
    form = SlowPlayForm(request.POST, match=loaded_match, names=side_labels(drawn_match(loaded_match)))

    def rule(service_args: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_slow_play(
            **service_args, slow=Side(data["slow"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _apply_form(request, event, loaded_match, "slow", form, rule, _("Points awarded."))


@event_action
def add_match_clock(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Record that a match is played with a clock from the next game on; the current score is optional."""
    loaded_match = get_match_or_404(event, match)
    form = ClockForm(request.POST, match=loaded_match, names=side_labels(drawn_match(loaded_match)))

    def rule(service_args: dict[str, Any]) -> Match:
        return add_clock(**service_args, score=form.score(), seen=form.cleaned_data["seen"])

    message = _("Match %(number)s uses a clock from its next game.") % {"number": loaded_match.number}
    return _apply_form(request, event, loaded_match, "clock", form, rule, message)


@event_action
def remove_match_clock(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Remove a clock that was added by mistake."""
    loaded_match = get_match_or_404(event, match)
    expected_version = _posted_number(request, "seen")
    message = _("Match %(number)s is played without a clock.") % {"number": loaded_match.number}
    return _apply_ruling(
        request,
        event,
        loaded_match,
        lambda service_args: remove_clock(**service_args, seen=expected_version),
        message,
    )


@event_action
def delete_award(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Remove points that were awarded by mistake. Field ``number``: index of the award."""
    loaded_match = get_match_or_404(event, match)
    number, expected_version = _posted_number(request, "number"), _posted_number(request, "seen")
    return _apply_ruling(
        request,
        event,
        loaded_match,
        lambda service_args: remove_award(**service_args, number=number, seen=expected_version),
        _("Points removed."),
    )


@event_action
def adjourn(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Adjourn the match and save its state."""
    loaded_match = get_match_or_404(event, match)
    form = AdjournForm(request.POST, match=loaded_match, names=side_labels(drawn_match(loaded_match)))

    def rule(service_args: dict[str, Any]) -> Match:
        return adjourn_match(**service_args, adjourned=form.adjourned(), seen=form.cleaned_data["seen"])

    message = _("Match %(number)s adjourned.") % {"number": loaded_match.number}
    return _apply_form(request, event, loaded_match, "adjourn", form, rule, message)


@event_action
def resume(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Resume an adjourned match: it waits for a table."""
    loaded_match = get_match_or_404(event, match)
    expected_version = _posted_number(request, "seen")
    message = _("Match %(number)s resumed. It is ready for a table.") % {"number": loaded_match.number}
    return _apply_ruling(
        request,
        event,
        loaded_match,
        lambda service_args: resume_match(**service_args, seen=expected_version),
        message,
    )


RulingCall = Callable[[dict[str, Any]], Match]


def _service_arguments(request: HttpRequest, event: Event, loaded_match: Match) -> dict[str, Any]:
    return {"actor": request_actor(request), "event_id": event.pk, "match_id": loaded_match.pk}


def _apply_form(
    request: HttpRequest,
    event: Event,
    loaded_match: Match,
    name: str,
    form: LatenessForm | SlowPlayForm | AwardForm | ClockForm | AdjournForm,
    ruling_call: RulingCall,
    message: str,
) -> HttpResponse:
    """Carry out the ruling of the form, or redisplay the form with its errors."""
    if form.is_valid():
        back_url = return_url(request, event) if request.POST.get("back") else match_url(event, loaded_match)
        try:
            ruling_call(_service_arguments(request, event, loaded_match))
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=back_url, match=loaded_match)
            add_faults(form, error)
        else:
            messages.success(request, message)
            return redirect(back_url)
    return _page(request, event, loaded_match, INVALID_STATUS, **{name: form})


def _apply_ruling(
    request: HttpRequest, event: Event, loaded_match: Match, ruling_call: RulingCall, message: str
) -> HttpResponse:
    try:
        ruling_call(_service_arguments(request, event, loaded_match))
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, loaded_match), match=loaded_match)
    messages.success(request, message)
    return redirect(match_url(event, loaded_match))


@snapshot()
def _page(request: HttpRequest, event: Event, found: Match, status: int, **bound: Any) -> HttpResponse:
    names = side_labels(drawn_match(found))
    return match_page(
        request, event, found, status=status, rulings=rulings_panel(event, found, names, **bound)
    )


def _posted_number(request: HttpRequest, name: str) -> int:
    """Return the small whole number in a POST field. Raises ``Missing`` for anything else."""
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Missing("award.unknown")
    return int(text)
