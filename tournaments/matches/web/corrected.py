"""Pages of a record with proposals where it cannot be right, and one tap that makes a corrected copy.

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
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.player import secret_view


@staff_form
def staff_record(request: HttpRequest, event: Event, match: str, version: int) -> HttpResponse:
    """The record of a report, for the staff."""
    found = get_match_or_404(event, match)
    actor = request_actor(request)
    report = permitted_report(actor=actor, match=found, entry=None, version=version)
    if request.method != "POST":
        words = _("Match %(number)s") % {"number": found.number}
        back = reverse("director:match", args=[event.public_id, found.public_id])
        copies = [
            {"number": copy.number, "url": _copy_url(request, event, found, version, copy.number)}
            for copy in record_copies(found, version)
        ]
        return _render_record(request, found, report, back=back, words=words, copies=copies)
    try:
        copy, made = correct_record(
            actor=actor, match_id=found.pk, entry=None, version=version, key=_proposal_key(request)
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=request.path, match=found)
    _add_message(request, made=made)
    return redirect(_copy_url(request, event, found, version, copy.number))


@staff_page
def staff_copy(request: HttpRequest, event: Event, match: str, version: int, number: int) -> HttpResponse:
    """A corrected copy, for directors and assistants."""
    found = get_match_or_404(event, match)
    report = permitted_report(actor=request_actor(request), match=found, entry=None, version=version)
    context = copy_context(request, found, get_record_copy(found, report.version, number))
    context |= {
        "match_url": reverse("director:match", args=[event.public_id, found.public_id]),
        "match_words": _("Match %(number)s") % {"number": found.number},
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
def by_link(request: HttpRequest, token: str, match: str, version: int) -> HttpResponse:
    """The record of a report, for a player of the match."""
    entry = entry_from_token(token)
    mine = _own_match(entry, match)
    actor = link_actor(entry)
    report = permitted_report(actor=actor, match=mine.match, entry=entry, version=version)
    if request.method != "POST":
        return _own_page(request, token, mine, report)
    phone = phone_of(request, new_submission_key())
    try:
        copy, made = correct_record(
            actor=actor,
            match_id=mine.match.pk,
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
        again = _own_page(request, token, mine, report, refused=describe(error), status=error.status)
        return with_device(again, phone)
    _add_message(request, made=made)
    return with_device(redirect("player:record-copy", token, match, version, copy.number), phone)


@secret_view
@require_safe
def own_copy(request: HttpRequest, token: str, match: str, version: int, number: int) -> HttpResponse:
    """A corrected copy, for a player of the match."""
    entry = entry_from_token(token)
    mine = _own_match(entry, match)
    report = permitted_report(actor=link_actor(entry), match=mine.match, entry=entry, version=version)
    copy = get_record_copy(mine.match, report.version, number)
    context = copy_context(request, mine.match, copy)
    context |= {
        "match_url": reverse("player:home", args=[token]),
        "match_words": entry.name,
        "original_record": reverse("player:record-copies", args=[token, match, version]),
    }
    return render(request, "games/viewer.html", context)


def copy_context(request: HttpRequest, match: Match, copy: RecordCopy) -> dict[str, Any]:
    """Return the viewer's context of a corrected copy, with its changes."""
    checked = check_stored_record(copy.record, match)
    left = _left_side(copy.report)
    if checked.record is not None:
        checked = replace(checked, record=redacted_record(match, checked.record, left))
    viewing = build_record_view(checked)
    if viewing is None or checked.record is None:
        raise Missing("record.unknown")
    return {
        **viewer_context(request, checked, viewing),
        "record": checked.record,
        "dark": "white" if left is Side.A else "black",
        "copy": {"number": copy.number, "lines": stored_change_lines(copy.changes, viewing)},
    }


def _own_match(entry: Entry, match: str) -> MyMatch:
    mine = my_match(entry, match)
    if mine is None:
        raise Missing("match.unknown")
    return mine


def _own_page(
    request: HttpRequest, token: str, mine: MyMatch, report: Report, *, refused: str = "", status: int = 200
) -> HttpResponse:
    copies = [
        {
            "number": copy.number,
            "url": reverse(
                "player:record-copy", args=[token, mine.match.public_id, report.version, copy.number]
            ),
        }
        for copy in record_copies(mine.match, report.version)
    ]
    return _render_record(
        request,
        mine.match,
        report,
        back=reverse("player:home", args=[token]),
        words=mine.me.name,
        copies=copies,
        refused=refused,
        status=status,
    )


def _render_record(
    request: HttpRequest,
    match: Match,
    report: Report,
    *,
    back: str,
    words: str,
    copies: list[dict[str, Any]],
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    checked = check_report_record(report, match)
    left = _left_side(report)
    if checked.record is not None:
        checked = replace(checked, record=redacted_record(match, checked.record, left))
    viewing = build_record_view(checked)
    if viewing is None:
        raise Missing("record.unknown")
    context = {
        **viewer_context(request, checked, viewing),
        "dark": "white" if left is Side.A else "black",
        "match_url": back,
        "match_words": words,
        "copies": copies,
        "copies_url": request.path,
        "refused": refused,
    }
    return render(request, "games/viewer.html", context, status=status)


def _left_side(report: Report) -> Side | None:
    return Side(report.record_left) if report.record_left else None


def _proposal_key(request: HttpRequest) -> str:
    return request.POST.get("key", "")[:PROPOSAL_LIMIT]


def _add_message(request: HttpRequest, *, made: bool) -> None:
    if made:
        messages.success(request, _("Corrected copy created. The original record stays unchanged."))
    else:
        messages.info(request, _("This corrected copy already exists."))
