"""Actions for answers before a match: given through a personal link with one tap, dismissed by the staff."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError, Invalid, NotAllowed
from people.ids import PUBLIC_ID_LENGTH
from people.messages import describe
from people.selectors import refresh_row
from people.web.access import request_actor
from tournaments.engine.matches.answers import ReplyChoice
from tournaments.hall.web.board import get_match_or_404
from tournaments.matches.services.answers import answer_call, dismiss_answer
from tournaments.matches.web.director import match_url
from tournaments.matches.web.link_phones import (
    code_from_form,
    enter_typed_code,
    request_access_context,
    with_device,
)
from tournaments.matches.web.player import PHONE_FAULT_CODES, render_home
from tournaments.models import Event
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.phones import link_actor
from tournaments.selectors.matches.player import my_match
from tournaments.shared.frames.access import staff_action
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.player import secret_view

MAX_REASON_LENGTH = 1000


@secret_view
@require_POST
def save_answer(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Save a player's answer before a match, by personal link.

    Field ``coming``: the code of a `ReplyChoice` ("cannot play" needs ``reason``), or empty to remove the
    answer.
    """
    entry = entry_from_token(token)
    own_match = my_match(entry, match)
    if own_match is None:
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    reason = request.POST.get("reason", "").replace("\0", "")[:MAX_REASON_LENGTH]
    phone = current_device(request, request.POST.get("submission_key", ""))
    try:
        coming = _parse_coming(request.POST.get("coming", ""))
        if code_from_form(request):
            enter_typed_code(request, entry, phone)
        answer_call(
            actor=link_actor(entry),
            match_id=own_match.match.pk,
            entry=entry,
            coming=coming,
            reason=reason,
            phone=phone,
        )
    except CrawfordError as error:
        if error.code in PHONE_FAULT_CODES:
            access = request_access_context(request, entry, phone, error)
            response = render_home(
                request, token, entry, access=access, typed_reason=reason, status=error.status
            )
            return with_device(response, phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        refresh_row(entry.division.event)
        return render_home(
            request, token, entry, error_message=describe(error), typed_reason=reason, status=error.status
        )
    messages.success(
        request, _("The desk has been notified.") if coming is not None else _("Answer withdrawn.")
    )
    return with_device(redirect("player:home", token), phone)


@staff_action
def dismiss_player_answer(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Dismiss a player's answer before a match, as staff. Field ``entry``: public id of the entry."""
    loaded_match = get_match_or_404(event, match)
    try:
        dismiss_answer(
            actor=request_actor(request),
            event_id=event.pk,
            match_id=loaded_match.pk,
            entry_id=request.POST.get("entry", "").replace("\0", "")[:PUBLIC_ID_LENGTH],
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, loaded_match), match=loaded_match)
    messages.success(request, _("Done."))
    return redirect(match_url(event, loaded_match))


def _parse_coming(value: str) -> ReplyChoice | None:
    try:
        return ReplyChoice(value) if value else None
    except ValueError as error:
        raise Invalid("answer.unknown", field="coming") from error
