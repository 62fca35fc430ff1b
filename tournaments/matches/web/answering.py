"""Answers before a match: by the holder of a personal link with one tap, and seen to by the desk."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError, Invalid, NotAllowed
from people.ids import LENGTH
from people.messages import describe
from people.selectors import fresh
from people.web.access import actor_of
from tournaments.engine.matches.answers import Coming
from tournaments.hall.web.board import match_or_missing
from tournaments.matches.services.answers import answer_call, set_aside_answer
from tournaments.matches.web.director import address
from tournaments.matches.web.link_phones import enter, shut_out, typed_code, with_device
from tournaments.matches.web.player import OF_PHONES, draw_home
from tournaments.models import Event
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.access.phones import link_actor
from tournaments.selectors.matches.player import my_match
from tournaments.shared.frames.access import desk_action
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.director import not_done
from tournaments.shared.frames.player import secret_view

TYPED_LIMIT = 1000


@secret_view
@require_POST
def answer(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Coming, 5 minutes, cannot play (with the reason); an empty word takes it back."""
    entry = entry_of_token(token)
    mine = my_match(entry, match)
    if mine is None:
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    reason = request.POST.get("reason", "").replace("\0", "")[:TYPED_LIMIT]
    phone = phone_of(request, request.POST.get("submission_key", ""))
    try:
        coming = _coming(request.POST.get("coming", ""))
        if typed_code(request):
            enter(request, entry, phone)
        answer_call(
            actor=link_actor(entry),
            match_id=mine.match.pk,
            entry=entry,
            coming=coming,
            reason=reason,
            phone=phone,
        )
    except CrawfordError as error:
        if error.code in OF_PHONES:
            door = shut_out(request, entry, phone, error)
            page = draw_home(request, token, entry, door=door, typed=reason, status=error.status)
            return with_device(page, phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        fresh(entry.division.event)
        return draw_home(request, token, entry, refused=describe(error), typed=reason, status=error.status)
    messages.success(
        request, _("The desk has been notified.") if coming is not None else _("Answer withdrawn.")
    )
    return with_device(redirect("player:home", token), phone)


@desk_action
def set_aside(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """The desk has seen to an answer."""
    found = match_or_missing(event, match)
    try:
        set_aside_answer(
            actor=actor_of(request),
            event_id=event.pk,
            match_id=found.pk,
            entry_id=request.POST.get("entry", "").replace("\0", "")[:LENGTH],
        )
    except CrawfordError as error:
        return not_done(request, error, back=address(event, found), match=found)
    messages.success(request, _("Done."))
    return redirect(address(event, found))


def _coming(word: str) -> Coming | None:
    try:
        return Coming(word) if word else None
    except ValueError as unknown:
        raise Invalid("answer.unknown", field="coming") from unknown
