"""Operators' pages: search, look at a subject, act with a reason, read the audit log."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Invalid, Missing, NotAllowed
from people.ids import parse_row_id
from people.messages import describe_all
from people.models import Club, Player, User
from people.selectors import active_moderation
from people.services.accounts import preview_suspension, suspend_account
from people.services.operators import REASON_LIMIT
from people.services.quotas import set_allowance
from people.web.access import request_actor
from people.web.operators import kind_name
from rating.selectors.merging import merged_openings
from tournaments.operators.services.merging import (
    erase_with_reason,
    merge_across_clubs,
    undo_merge_across_clubs,
)
from tournaments.operators.services.moderating import moderate
from tournaments.operators.web.access import operator_action, operator_form, operator_page
from tournaments.operators.web.shapes import actions_for, consequences, public_url, quota_rows, subject_row
from tournaments.operators.web.trail_words import audit_row
from tournaments.selectors.forgetting import erasure_summary
from tournaments.selectors.operators.lists import (
    active_moderations,
    attach_subjects,
    audit_rows_about,
    open_page_report_count,
    operator_audit_rows,
)
from tournaments.selectors.operators.subjects import Subject, get_subject, search_subjects, text_subjects

PER_PAGE = 30
LATEST_SHOWN = 8


@operator_page
def home(request: HttpRequest) -> HttpResponse:
    """Search, open page reports, restricted subjects and latest actions."""
    text = request.GET.get("q", "")[:200]
    found = search_subjects(text)
    context = {
        "text": text,
        "found": [
            {
                "name": _("Content of this page") if kind == "page" else "",
                "rows": [subject_row(one) for one in rows],
            }
            for kind, rows in found.items()
        ],
        "open": open_page_report_count(),
        "shut": [
            {**subject_row(one.about), "reason": one.moderation.reason, "at": one.moderation.made_at}
            for one in attach_subjects(active_moderations()[:PER_PAGE])
        ],
        "trail": [audit_row(row) for row in operator_audit_rows()[:LATEST_SHOWN]],
    }
    return render(request, "operators/home.html", context)


@operator_page
def audit_log(request: HttpRequest) -> HttpResponse:
    """The audit log of all operators' actions."""
    found = Paginator(operator_audit_rows(), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "operators/trail.html", {"page": found, "trail": [audit_row(row) for row in found]}
    )


@operator_page
def subject_page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """A subject with its state, the consequences of an action, and the available actions."""
    return _render_subject(request, get_subject(kind, key))


@operator_action
def apply_action(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Apply an action to a subject."""
    found = get_subject(kind, key)
    try:
        _call_service(request, found, request.POST.get("action", ""))
    except CrawfordError as error:
        return _refusal_response(request, found, error)
    if request.POST.get("action") == "erase":
        return redirect("operators:home")
    return redirect("operators:about", kind, key)


def _call_service(request: HttpRequest, found: Subject, action: str) -> None:
    reason, actor = request.POST.get("reason", ""), request_actor(request)
    if action not in {one["action"] for one in actions_for(found)} and (action, found.kind) != (
        "erase",
        "player",
    ):
        raise Invalid("operator.stands")
    if found.kind == "account":
        assert isinstance(found.row, User)
        suspend_account(actor=actor, email=found.row.email, lift=action == "let_in", reason=reason)
        words = _("The account can sign in again.") if action == "let_in" else _("Account suspended.")
    elif action == "erase":
        if request.POST.get("sure") != "yes":
            raise Invalid("operator.not_sure")
        erase_with_reason(actor=actor, key=found.key, reason=reason)
        words = _("Player erased.")
    else:
        state = "" if action == "restore" else action
        moderate(actor=actor, kind=found.kind, key=found.key, state=state, reason=reason)
        words = {
            "hidden": _("Hidden. It is no longer public."),
            "removed": _("Removed. Only operators can see it."),
            "": _("Restored."),
        }[state]
    messages.success(request, words)


@operator_action
def set_quota(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Set a custom limit for an account or club."""
    found = get_subject(kind, key)
    amount = request.POST.get("amount", "").strip()
    try:
        if not isinstance(found.row, User | Club):
            raise Missing("operator.unknown")
        set_allowance(
            actor=request_actor(request),
            owner=found.row,
            quota=request.POST.get("quota", ""),
            amount=_parse_amount(amount) if amount else None,
            reason=request.POST.get("reason", ""),
        )
    except CrawfordError as error:
        return _refusal_response(request, found, error)
    messages.success(request, _("Limit changed."))
    return redirect("operators:about", kind, key)


def _parse_amount(text: str) -> int:
    """Return the number, or -1 if the text is not one, which the service rejects."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


@operator_form
def merge(request: HttpRequest) -> HttpResponse:
    """Merge two players of any clubs: chosen by ids or addresses, previewed, confirmed."""
    given = request.POST if request.method == "POST" else request.GET
    keep, duplicate = (_player_subject(given.get(name, "")) for name in ("keep", "duplicate"))
    faults: Sequence[str] = ()
    status = 200
    if request.method == "POST" and keep is not None and duplicate is not None:
        try:
            merge_across_clubs(
                actor=request_actor(request),
                keep=keep.key,
                duplicate=duplicate.key,
                reason=request.POST.get("reason", ""),
            )
        except CrawfordError as error:
            if isinstance(error, NotAllowed):
                raise
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _("Players merged. You can undo this in the operators’ audit log."))
            return redirect("operators:about", "player", keep.key)
    context = {
        "keep": _subject_context(keep),
        "duplicate": _subject_context(duplicate),
        "merged_openings": [
            {"one": one, "field": ""}
            for one in (merged_openings(keep.pk, duplicate.pk) if keep and duplicate else ())
        ],
        "given": {name: given.get(name, "")[:200] for name in ("keep", "duplicate")},
        "reason": request.POST.get("reason", "")[: 2 * REASON_LIMIT],
        "faults": faults,
    }
    return render(request, "operators/merge.html", context, status=status)


def _player_subject(text: str) -> Subject | None:
    """Return the player by id or by the address of their page, or None."""
    key = text.strip().rstrip("/").rpartition("/")[2]
    try:
        return get_subject("player", key) if key else None
    except Missing:
        return None


def _subject_context(found: Subject | None) -> dict[str, Any] | None:
    return None if found is None else {**subject_row(found), "lines": consequences(found)}


@operator_action
def undo_merge(request: HttpRequest) -> HttpResponse:
    """Undo a merge by an operator."""
    number = request.POST.get("merged", "")
    try:
        undo_merge_across_clubs(
            actor=request_actor(request),
            duplicate_id=parse_row_id(number),
            reason=request.POST.get("reason", ""),
        )
    except CrawfordError as error:
        for words in describe_all(error):
            messages.error(request, words)
    else:
        messages.success(request, _("Merge undone."))
    return redirect("operators:trail")


def _refusal_response(request: HttpRequest, found: Subject, error: CrawfordError) -> HttpResponse:
    if isinstance(error, NotAllowed):
        raise error
    status = 404 if isinstance(error, Missing) else error.status
    return _render_subject(request, get_subject(found.kind, found.key), describe_all(error), status)


def _render_subject(
    request: HttpRequest, found: Subject, faults: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    current = active_moderation(found.kind, found.pk) if found.kind != "account" else None
    context = {
        "about": subject_row(found),
        "kind_name": kind_name(found.kind),
        "text": found.text,
        "public": public_url(found),
        "lines": consequences(found),
        "actions": actions_for(found),
        "why": current,
        "was": current.kept.get("text", "") if current is not None else "",
        "quotas": quota_rows(found.row) if isinstance(found.row, User | Club) else [],
        "texts": [subject_row(one) for one in text_subjects(found)],
        "suspension": preview_suspension(found.row.email) if isinstance(found.row, User) else None,
        "leaving": _erasure_preview(found),
        "trail": [audit_row(row) for row in audit_rows_about(found)],
        "faults": faults,
        "reason": request.POST.get("reason", "")[: 2 * REASON_LIMIT],
        "reason_limit": REASON_LIMIT,
        "contact": settings.OPERATOR_CONTACT,
        "merge_url": f"{reverse('operators:merge')}?duplicate={found.key}" if found.kind == "player" else "",
    }
    return render(request, "operators/subject.html", context, status=status)


def _erasure_preview(found: Subject) -> Any:
    """Summary of what erasing the player changes; None for other subjects."""
    return erasure_summary(found.row) if isinstance(found.row, Player) else None
