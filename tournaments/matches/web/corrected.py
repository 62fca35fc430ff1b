"""Pages of a game record with proposed corrections, and the action that makes a corrected copy.

For the staff, and by personal link for players, who also see the copies here. Public pages of copies:
`matches.web.records`.
"""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from faults import CrawfordError, Missing, NotAllowed
from games.web.repairing import stored_change_lines
from games.web.showing import viewer_context
from games.web.viewing import build_record_view
from people.messages import describe
from people.web.access import request_actor
from tournaments.engine.types import Side
from tournaments.hall.web.board import get_match_or_404
from tournaments.matches.services.corrected import (
    check_report_record,
    check_stored_record,
    correct_record,
    permitted_report,
)
from tournaments.matches.services.records import redacted_record
from tournaments.matches.web.link_phones import request_access_context, with_device
from tournaments.matches.web.player import PHONE_FAULT_CODES
from tournaments.models import Entry, Event, Match, RecordCopy, Report
from tournaments.models.report import PROPOSAL_LIMIT
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.phones import link_actor
from tournaments.selectors.matches.player import MyMatch, my_match
from tournaments.selectors.matches.records import get_record_copy, record_copies
from tournaments.shared.frames.access import is_helper, staff_form, staff_page
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.player import secret_view


@staff_form
def staff_record(request: HttpRequest, event: Event, match: str, version: int) -> HttpResponse:
    """Page of the game record of a report, for the staff; a POST makes a corrected copy.

    Field ``key``: the proposed correction.
    """
    loaded_match = get_match_or_404(event, match)
    actor = request_actor(request)
    report = permitted_report(actor=actor, match=loaded_match, entry=None, version=version)
    if request.method != "POST":
        match_label = _("Match %(number)s") % {"number": loaded_match.number}
        back_url = reverse("director:match", args=[event.public_id, loaded_match.public_id])
        copies = [
            {"number": copy.number, "url": _copy_url(request, event, loaded_match, version, copy.number)}
            for copy in record_copies(loaded_match, version)
        ]
        return _render_record(
            request, loaded_match, report, back_url=back_url, match_label=match_label, copies=copies
        )
    try:
        copy, is_new = correct_record(
            actor=actor, match_id=loaded_match.pk, entry=None, version=version, key=_proposal_key(request)
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=request.path, match=loaded_match)
    _add_message(request, is_new=is_new)
    return redirect(_copy_url(request, event, loaded_match, version, copy.number))


@staff_page
def staff_record_copy(
    request: HttpRequest, event: Event, match: str, version: int, number: int
) -> HttpResponse:
    """Page of a corrected copy, for directors and assistants.

    ``version``: version of the report; ``number``: number of the copy.
    """
    loaded_match = get_match_or_404(event, match)
    report = permitted_report(actor=request_actor(request), match=loaded_match, entry=None, version=version)
    context = copy_context(request, loaded_match, get_record_copy(loaded_match, report.version, number))
    context |= {
        "match_url": reverse("director:match", args=[event.public_id, loaded_match.public_id]),
        "match_words": _("Match %(number)s") % {"number": loaded_match.number},
        "original_record": reverse("director:record-copies", args=[event.public_id, match, version]),
    }
    return render(request, "games/viewer.html", context)


def _copy_url(request: HttpRequest, event: Event, match: Match, version: int, number: int) -> str:
    """Return the address of a copy for the staff: assistants may not open public pages of hidden records."""
    if is_helper(request):
        return reverse("director:record-copy", args=[event.public_id, match.public_id, version, number])
    return reverse("records:copy", args=[match.public_id, version, number])


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def player_record(request: HttpRequest, token: str, match: str, version: int) -> HttpResponse:
    """Page of the game record of a report, for a player of the match; a POST makes a corrected copy."""
    entry = entry_from_token(token)
    own_match = _own_match(entry, match)
    actor = link_actor(entry)
    report = permitted_report(actor=actor, match=own_match.match, entry=entry, version=version)
    if request.method != "POST":
        return _own_page(request, token, own_match, report)
    phone = current_device(request, new_submission_key())
    try:
        copy, is_new = correct_record(
            actor=actor,
            match_id=own_match.match.pk,
            entry=entry,
            version=version,
            key=_proposal_key(request),
            phone=phone,
        )
    except CrawfordError as error:
        if isinstance(error, NotAllowed) and error.code not in PHONE_FAULT_CODES:
            raise PermissionDenied(describe(error)) from error
        if error.code in PHONE_FAULT_CODES:
            request_access_context(request, entry, phone, error)
        response = _own_page(
            request, token, own_match, report, error_message=describe(error), status=error.status
        )
        return with_device(response, phone)
    _add_message(request, is_new=is_new)
    return with_device(redirect("player:record-copy", token, match, version, copy.number), phone)


@secret_view
@require_safe
def player_record_copy(
    request: HttpRequest, token: str, match: str, version: int, number: int
) -> HttpResponse:
    """Page of a corrected copy, for a player of the match; ``version``: the report, ``number``: the copy."""
    entry = entry_from_token(token)
    own_match = _own_match(entry, match)
    report = permitted_report(actor=link_actor(entry), match=own_match.match, entry=entry, version=version)
    copy = get_record_copy(own_match.match, report.version, number)
    context = copy_context(request, own_match.match, copy)
    context |= {
        "match_url": reverse("player:home", args=[token]),
        "match_words": entry.name,
        "original_record": reverse("player:record-copies", args=[token, match, version]),
    }
    return render(request, "games/viewer.html", context)


def copy_context(request: HttpRequest, match: Match, copy: RecordCopy) -> dict[str, Any]:
    """Return the template context of the viewer for a corrected copy, with the list of changed turns."""
    check_result = check_stored_record(copy.record, match)
    left = _left_side(copy.report)
    if check_result.record is not None:
        check_result = replace(check_result, record=redacted_record(match, check_result.record, left))
    record_view = build_record_view(check_result)
    if record_view is None or check_result.record is None:
        raise Missing("record.unknown")
    return {
        **viewer_context(request, check_result, record_view),
        "record": check_result.record,
        "dark": "white" if left is Side.A else "black",
        "copy": {"number": copy.number, "lines": stored_change_lines(copy.changes, record_view)},
    }


def _own_match(entry: Entry, match: str) -> MyMatch:
    own_match = my_match(entry, match)
    if own_match is None:
        raise Missing("match.unknown")
    return own_match


def _own_page(
    request: HttpRequest,
    token: str,
    own_match: MyMatch,
    report: Report,
    *,
    error_message: str = "",
    status: int = 200,
) -> HttpResponse:
    copies = [
        {
            "number": copy.number,
            "url": reverse(
                "player:record-copy", args=[token, own_match.match.public_id, report.version, copy.number]
            ),
        }
        for copy in record_copies(own_match.match, report.version)
    ]
    return _render_record(
        request,
        own_match.match,
        report,
        back_url=reverse("player:home", args=[token]),
        match_label=own_match.own_side.name,
        copies=copies,
        error_message=error_message,
        status=status,
    )


def _render_record(
    request: HttpRequest,
    match: Match,
    report: Report,
    *,
    back_url: str,
    match_label: str,
    copies: list[dict[str, Any]],
    error_message: str = "",
    status: int = 200,
) -> HttpResponse:
    check_result = check_report_record(report, match)
    left = _left_side(report)
    if check_result.record is not None:
        check_result = replace(check_result, record=redacted_record(match, check_result.record, left))
    record_view = build_record_view(check_result)
    if record_view is None:
        raise Missing("record.unknown")
    context = {
        **viewer_context(request, check_result, record_view),
        "dark": "white" if left is Side.A else "black",
        "match_url": back_url,
        "match_words": match_label,
        "copies": copies,
        "copies_url": request.path,
        "refused": error_message,
    }
    return render(request, "games/viewer.html", context, status=status)


def _left_side(report: Report) -> Side | None:
    return Side(report.record_left) if report.record_left else None


def _proposal_key(request: HttpRequest) -> str:
    return request.POST.get("key", "")[:PROPOSAL_LIMIT]


def _add_message(request: HttpRequest, *, is_new: bool) -> None:
    if is_new:
        messages.success(request, _("Corrected copy created. The original record stays unchanged."))
    else:
        messages.info(request, _("This corrected copy already exists."))
