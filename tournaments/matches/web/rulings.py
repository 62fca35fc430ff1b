"""Rule on a match without ending it: points without a game, lateness, slow play, clocks, adjourn and resume."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.snapshot import snapshot
from people.web.access import actor_of
from people.web.faults import add_faults
from tournaments.engine.types import Side
from tournaments.hall.web.board import match_or_missing
from tournaments.hall.web.calling import came_from
from tournaments.matches.services.rulings import (
    adjourn_match,
    award_for_lateness,
    award_for_slow_play,
    award_points,
    put_clock_on,
    resume_match,
    take_back_award,
    take_clock_off,
)
from tournaments.matches.web.director import address, match_page, names_of
from tournaments.matches.web.ruling_forms import (
    AdjournForm,
    AwardForm,
    ClockForm,
    LateForm,
    SlowForm,
    rulings_of,
)
from tournaments.models import Event, Match
from tournaments.selectors.draws import drawn_match
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import INVALID, not_done


@event_action
def late(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Show what the schedule says; with ``apply`` give the points."""
    found = match_or_missing(event, match)
    form = LateForm(request.POST, match=found, names=names_of(drawn_match(found)))
    if form.is_valid() and "apply" not in request.POST:
        return _page(request, event, found, 200, late=form, preview=form.preview())

    def rule(known: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_lateness(
            **known, late=Side(data["late"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _ruled(request, event, found, "late", form, rule, _("Points awarded."))


@event_action
def award(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """A starting score or a penalty."""
    found = match_or_missing(event, match)
    form = AwardForm(request.POST, match=found, names=names_of(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return award_points(**known, award=form.award(), seen=form.cleaned_data["seen"])

    return _ruled(request, event, found, "award", form, rule, _("Points awarded."))


@event_action
def slow(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Points by the schedule for slow play."""
    found = match_or_missing(event, match)
    form = SlowForm(request.POST, match=found, names=names_of(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        data = form.cleaned_data
        return award_for_slow_play(
            **known, slow=Side(data["slow"]), minutes=data["minutes"], seen=data["seen"]
        )

    return _ruled(request, event, found, "slow", form, rule, _("Points awarded."))


@event_action
def clock(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """A clock is put on, if they say so at a score."""
    found = match_or_missing(event, match)
    form = ClockForm(request.POST, match=found, names=names_of(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return put_clock_on(**known, score=form.score(), seen=form.cleaned_data["seen"])

    words = _("Match %(number)s uses a clock from its next game.") % {"number": found.number}
    return _ruled(request, event, found, "clock", form, rule, words)


@event_action
def clock_off(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """The clock should not have been put on."""
    found = match_or_missing(event, match)
    seen = _number(request, "seen")
    words = _("Match %(number)s is played without a clock.") % {"number": found.number}
    return _done(request, event, found, lambda known: take_clock_off(**known, seen=seen), words)


@event_action
def take_back(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Points that were given by mistake."""
    found = match_or_missing(event, match)
    number, seen = _number(request, "number"), _number(request, "seen")
    return _done(
        request,
        event,
        found,
        lambda known: take_back_award(**known, number=number, seen=seen),
        _("Points removed."),
    )


@event_action
def adjourn(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Break the match off and write down where it goes on."""
    found = match_or_missing(event, match)
    form = AdjournForm(request.POST, match=found, names=names_of(drawn_match(found)))

    def rule(known: dict[str, Any]) -> Match:
        return adjourn_match(**known, adjourned=form.adjourned(), seen=form.cleaned_data["seen"])

    words = _("Match %(number)s adjourned.") % {"number": found.number}
    return _ruled(request, event, found, "adjourn", form, rule, words)


@event_action
def resume(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """The match goes on."""
    found = match_or_missing(event, match)
    seen = _number(request, "seen")
    words = _("Match %(number)s resumed. It is ready for a table.") % {"number": found.number}
    return _done(request, event, found, lambda known: resume_match(**known, seen=seen), words)


Rule = Callable[[dict[str, Any]], Match]


def _known(request: HttpRequest, event: Event, found: Match) -> dict[str, Any]:
    return {"actor": actor_of(request), "event_id": event.pk, "match_id": found.pk}


def _ruled(
    request: HttpRequest,
    event: Event,
    found: Match,
    name: str,
    form: LateForm | SlowForm | AwardForm | ClockForm | AdjournForm,
    rule: Rule,
    words: str,
) -> HttpResponse:
    """Carry out what the form says, or show it again with everything that is wrong."""
    if form.is_valid():
        back = came_from(request, event) if request.POST.get("back") else address(event, found)
        try:
            rule(_known(request, event, found))
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=back, match=found)
            add_faults(form, error)
        else:
            messages.success(request, words)
            return redirect(back)
    return _page(request, event, found, INVALID, **{name: form})


def _done(request: HttpRequest, event: Event, found: Match, rule: Rule, words: str) -> HttpResponse:
    try:
        rule(_known(request, event, found))
    except CrawfordError as error:
        return not_done(request, error, back=address(event, found), match=found)
    messages.success(request, words)
    return redirect(address(event, found))


@snapshot()
def _page(request: HttpRequest, event: Event, found: Match, status: int, **bound: Any) -> HttpResponse:
    names = names_of(drawn_match(found))
    return match_page(request, event, found, status=status, rulings=rulings_of(event, found, names, **bound))


def _number(request: HttpRequest, name: str) -> int:
    """A small number of a button's own; whatever else came is as good as gone."""
    given = request.POST.get(name, "")
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise Missing("award.unknown")
    return int(given)
