"""Actions on the board: call, start, return to queue, call the next match, assign and close tables."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.web.access import request_actor, request_user
from tournaments.hall.services.calling import call_next, move_match, set_table, undo_calls
from tournaments.hall.services.tables import set_table_use
from tournaments.hall.web.board import get_match_or_404
from tournaments.hall.web.narrowing import board_url
from tournaments.models import Event
from tournaments.selectors.hall.board import drawn_matches
from tournaments.selectors.hall.last_action import last_calls_row_id
from tournaments.shared.frames.access import staff_action
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.quick import success_response
from tournaments.shared.words.moves import MATCH_ACTION_TEXTS, action_slug

_ACTIONS = {action_slug(action): action for action in MATCH_ACTION_TEXTS}
MAX_NAMED_MATCHES = 8


@staff_action
def match_action(request: HttpRequest, event: Event, match: str, action: str) -> HttpResponse:
    """Call or start a match, or return it to the queue; ``action`` is part of the address."""
    if action not in _ACTIONS:
        raise Missing("match.action_unknown")
    match_step = _ACTIONS[action]
    match_row = get_match_or_404(event, match)
    back_url = return_url(request, event, match_public_id=match_row.public_id)
    try:
        move_match(actor=request_actor(request), event_id=event.pk, match_id=match_row.pk, action=match_step)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url, match=match_row)
    return success_response(
        request, str(MATCH_ACTION_TEXTS[match_step].done) % {"number": match_row.number}, back_url
    )


@staff_action
def call_matches(request: HttpRequest, event: Event) -> HttpResponse:
    """Call the next match; with field ``all``, every match for which there is a table.

    Field ``undo``: undo the last calls that this user made together.
    """
    back_url = return_url(request, event)
    if "undo" in request.POST:
        return _undo_calls(request, event, back_url)
    try:
        called = call_next(actor=request_actor(request), event_id=event.pk, everything="all" in request.POST)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    if len(called) > MAX_NAMED_MATCHES:
        message = ngettext("%(count)s match called.", "%(count)s matches called.", len(called))
        return success_response(request, message % {"count": len(called)}, back_url)
    labels = [
        _("%(names)s to table %(table)s")
        % {"names": " – ".join(side.name for side in match.sides), "table": match.table}
        for match in drawn_matches([row.pk for row in called])
    ]
    return success_response(request, _("Called: %(matches)s.") % {"matches": ", ".join(labels)}, back_url)


def _undo_calls(request: HttpRequest, event: Event, back_url: str) -> HttpResponse:
    try:
        row = last_calls_row_id(event, request_user(request))
        undone = undo_calls(actor=request_actor(request), event_id=event.pk, audit_id=row)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    message = ngettext("%(count)s call undone.", "%(count)s calls undone.", len(undone.matches))
    sentence = message % {"count": len(undone.matches)}
    if undone.kept:
        numbers = ", ".join(f"#{kept_match.match}" for kept_match in undone.kept)
        sentence += " " + _("Not changed, because these matches have moved on: %(matches)s.") % {
            "matches": numbers
        }
    return success_response(request, sentence, back_url)


@staff_action
def assign_table(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Assign a table to a match (field ``table``), or remove its table (empty)."""
    match_row = get_match_or_404(event, match)
    back_url = reverse("director:match", args=[event.public_id, match_row.public_id])
    text = request.POST.get("table", "").strip()
    number = None if not text else _table_number(text)
    try:
        set_table(actor=request_actor(request), event_id=event.pk, match_id=match_row.pk, table=number)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url, match=match_row)
    message = (
        _("Match %(number)s is now at table %(table)s.")
        if number
        else _("Match %(number)s no longer has a table.")
    )
    return success_response(request, message % {"number": match_row.number, "table": number}, back_url)


@staff_action
def change_table_use(request: HttpRequest, event: Event) -> HttpResponse:
    """Take a table out of use (field ``action``: ``close``), or put it back (``open``)."""
    action = request.POST.get("action", "")
    if action not in {"open", "close"}:
        raise Missing("table.action_unknown")
    back_url = return_url(request, event)
    number = _table_number((request.POST.get("table") or request.GET.get("table", "")).strip())
    try:
        set_table_use(actor=request_actor(request), event_id=event.pk, table=number, in_use=action == "open")
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    message = (
        _("Table %(table)s is back in use.") if action == "open" else _("Table %(table)s is out of use.")
    )
    return success_response(request, message % {"table": number}, back_url)


def _table_number(text: str) -> int:
    """Return the number of a table, or 0 for invalid text, so that the service's error lists valid tables."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def return_url(request: HttpRequest, event: Event, *, match_public_id: str = "") -> str:
    """Return the address of the event's page on which the button was pressed, or else of the board.

    On the board, the match with public id ``match_public_id`` is scrolled into view.
    """
    target = request.POST.get("back", "")
    board_path = board_url(event)
    if (
        target.startswith(reverse("director:event", args=[event.public_id]))
        and "//" not in target
        and "\\" not in target
    ):
        return (
            f"{target}#m-{match_public_id}"
            if match_public_id
            and target.startswith(board_path)
            and target[len(board_path) :][:1] in {"", "?"}
            else target
        )
    return board_url(event, match_public_id=match_public_id)
