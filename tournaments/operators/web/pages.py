"""Operators' pages: search, page of a subject with its actions, merging of players, audit log."""

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
    """Operators' home page: search, number of open reports, restricted subjects, latest actions."""
    text = request.GET.get("q", "")[:200]
    rows_by_kind = search_subjects(text)
    context = {
        "text": text,
        "found": [
            {
                "name": _("Content of this page") if kind == "page" else "",
                "rows": [subject_row(subject) for subject in rows],
            }
            for kind, rows in rows_by_kind.items()
        ],
        "open": open_page_report_count(),
        "shut": [
            {
                **subject_row(restricted.about),
                "reason": restricted.moderation.reason,
                "at": restricted.moderation.made_at,
            }
            for restricted in attach_subjects(active_moderations()[:PER_PAGE])
        ],
        "trail": [audit_row(row) for row in operator_audit_rows()[:LATEST_SHOWN]],
    }
    return render(request, "operators/home.html", context)


@operator_page
def audit_log(request: HttpRequest) -> HttpResponse:
    """Page with the audit log of all operators' actions."""
    audit_page = Paginator(operator_audit_rows(), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "operators/trail.html", {"page": audit_page, "trail": [audit_row(row) for row in audit_page]}
    )


@operator_page
def subject_page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Page of a subject with its state, the consequences of an action, and the available actions.

    A subject is an account, club, rating list, event, player or text, named by ``kind`` and public ``key``.
    """
    return _render_subject(request, get_subject(kind, key))


@operator_action
def apply_action(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Apply the posted action to a subject; shows its page with the error if it is refused."""
    subject = get_subject(kind, key)
    try:
        _call_service(request, subject, request.POST.get("action", ""))
    except CrawfordError as error:
        return _refusal_response(request, subject, error)
    if request.POST.get("action") == "erase":
        return redirect("operators:home")
    return redirect("operators:about", kind, key)


def _call_service(request: HttpRequest, subject: Subject, action: str) -> None:
    reason, actor = request.POST.get("reason", ""), request_actor(request)
    if action not in {available["action"] for available in actions_for(subject)} and (
        action,
        subject.kind,
    ) != (
        "erase",
        "player",
    ):
        raise Invalid("operator.stands")
    if subject.kind == "account":
        assert isinstance(subject.row, User)
        suspend_account(
            actor=actor, email=subject.row.email, lifts_suspension=action == "let_in", reason=reason
        )
        message = _("The account can sign in again.") if action == "let_in" else _("Account suspended.")
    elif action == "erase":
        if request.POST.get("sure") != "yes":
            raise Invalid("operator.not_sure")
        erase_with_reason(actor=actor, key=subject.key, reason=reason)
        message = _("Player erased.")
    else:
        state = "" if action == "restore" else action
        moderate(actor=actor, kind=subject.kind, key=subject.key, state=state, reason=reason)
        message = {
            "hidden": _("Hidden. It is no longer public."),
            "removed": _("Removed. Only operators can see it."),
            "": _("Restored."),
        }[state]
    messages.success(request, message)


@operator_action
def set_quota(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Set a custom limit for an account or club; an empty amount restores the default limit."""
    subject = get_subject(kind, key)
    amount = request.POST.get("amount", "").strip()
    try:
        if not isinstance(subject.row, User | Club):
            raise Missing("operator.unknown")
        set_allowance(
            actor=request_actor(request),
            owner=subject.row,
            quota=request.POST.get("quota", ""),
            amount=_parse_amount(amount) if amount else None,
            reason=request.POST.get("reason", ""),
        )
    except CrawfordError as error:
        return _refusal_response(request, subject, error)
    messages.success(request, _("Limit changed."))
    return redirect("operators:about", kind, key)


def _parse_amount(text: str) -> int:
    """Return the entered number, or -1, which the service rejects, if the text is not a number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


@operator_form
def merge(request: HttpRequest) -> HttpResponse:
    """Page that merges two players of any clubs, which are chosen by id or address, with a preview."""
    values = request.POST if request.method == "POST" else request.GET
    keep, duplicate = (_player_subject(values.get(name, "")) for name in ("keep", "duplicate"))
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
            {"one": opening, "field": ""}
            for opening in (merged_openings(keep.pk, duplicate.pk) if keep and duplicate else ())
        ],
        "given": {name: values.get(name, "")[:200] for name in ("keep", "duplicate")},
        "reason": request.POST.get("reason", "")[: 2 * REASON_LIMIT],
        "faults": faults,
    }
    return render(request, "operators/merge.html", context, status=status)


def _player_subject(text: str) -> Subject | None:
    """Return the player by public id or by the address of the player's page, or None."""
    key = text.strip().rstrip("/").rpartition("/")[2]
    try:
        return get_subject("player", key) if key else None
    except Missing:
        return None


def _subject_context(subject: Subject | None) -> dict[str, Any] | None:
    return None if subject is None else {**subject_row(subject), "lines": consequences(subject)}


@operator_action
def undo_merge(request: HttpRequest) -> HttpResponse:
    """Undo a merge of players that an operator made."""
    player_id = request.POST.get("merged", "")
    try:
        undo_merge_across_clubs(
            actor=request_actor(request),
            duplicate_id=parse_row_id(player_id),
            reason=request.POST.get("reason", ""),
        )
    except CrawfordError as error:
        for message in describe_all(error):
            messages.error(request, message)
    else:
        messages.success(request, _("Merge undone."))
    return redirect("operators:trail")


def _refusal_response(request: HttpRequest, subject: Subject, error: CrawfordError) -> HttpResponse:
    if isinstance(error, NotAllowed):
        raise error
    status = 404 if isinstance(error, Missing) else error.status
    return _render_subject(request, get_subject(subject.kind, subject.key), describe_all(error), status)


def _render_subject(
    request: HttpRequest, subject: Subject, faults: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    current = active_moderation(subject.kind, subject.pk) if subject.kind != "account" else None
    context = {
        "about": subject_row(subject),
        "kind_name": kind_name(subject.kind),
        "text": subject.text,
        "public": public_url(subject),
        "lines": consequences(subject),
        "actions": actions_for(subject),
        "why": current,
        "was": current.kept.get("text", "") if current is not None else "",
        "quotas": quota_rows(subject.row) if isinstance(subject.row, User | Club) else [],
        "texts": [subject_row(text_subject) for text_subject in text_subjects(subject)],
        "suspension": preview_suspension(subject.row.email) if isinstance(subject.row, User) else None,
        "leaving": _erasure_preview(subject),
        "trail": [audit_row(row) for row in audit_rows_about(subject)],
        "faults": faults,
        "reason": request.POST.get("reason", "")[: 2 * REASON_LIMIT],
        "reason_limit": REASON_LIMIT,
        "contact": settings.OPERATOR_CONTACT,
        "merge_url": f"{reverse('operators:merge')}?duplicate={subject.key}"
        if subject.kind == "player"
        else "",
    }
    return render(request, "operators/subject.html", context, status=status)


def _erasure_preview(subject: Subject) -> Any:
    """Return a summary of what erasing the player changes, or None for subjects other than players."""
    return erasure_summary(subject.row) if isinstance(subject.row, Player) else None
