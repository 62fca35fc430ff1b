"""Button and action that undo the last step that changed several entries."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError
from people.ids import parse_row_id
from people.web.access import request_actor
from tournaments.engine.trail.action import AuditAction, UnknownAction
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntriesWithdrawn,
)
from tournaments.entries.services.undo_together import undo_bulk_action
from tournaments.models import Division, Event
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.together import entries_of_action, entry_names_of_action, last_bulk_action
from tournaments.shared.frames.access import is_helper, staff_action
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.divisions import chosen_division


def bulk_undo_context(
    event: Event, division: Division | None, *, is_open: bool, helper: bool = False
) -> dict[str, Any]:
    """Return the template context of the button that undoes the last step with several entries.

    Empty if none can be undone.

    ``is_open``: whether entries can still change; payments can be undone later, too. ``helper``: the user is
    an assistant, who can undo approvals only.
    """
    last = last_bulk_action(event, division)
    if last is None:
        return {}
    row, action = last
    if (helper and not isinstance(action, EntriesApproved)) or not (
        is_open or isinstance(action, EntriesPaid)
    ):
        return {}
    count = len(entries_of_action(action))
    label = _undo_label(action, count) % {"count": count}
    return {"together": {"pk": row.pk, "words": label, "names": ", ".join(entry_names_of_action(action))}}


@staff_action
def undo(request: HttpRequest, event: Event) -> HttpResponse:
    """Undo the step of the audit log row ``row`` of the form, for the entries that have not changed since."""
    return_url = chosen_division(request, event, linked_stages(event)).page_url(event, "entries")
    return_url = reverse("director:expected", args=[event.public_id]) if is_helper(request) else return_url
    try:
        result = undo_bulk_action(
            actor=request_actor(request),
            event_id=event.pk,
            audit_id=parse_row_id(request.POST.get("row", "")),
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    template = ngettext("Undone for %(count)s entry.", "Undone for %(count)s entries.", len(result.entries))
    message = template % {"count": len(result.entries)}
    if result.kept:
        names = ", ".join(named_entry.name for named_entry in result.kept)
        message += " " + _("Not undone because they have changed since: %(names)s.") % {"names": names}
    messages.success(request, message)
    return redirect(return_url)


def _undo_label(action: AuditAction | UnknownAction, count: int) -> str:
    match action:
        case EntriesAdded():
            return ngettext("Undo: %(count)s entered", "Undo: %(count)s entered", count)
        case EntriesWithdrawn():
            return ngettext("Undo: %(count)s withdrawn", "Undo: %(count)s withdrawn", count)
        case EntriesMoved():
            return ngettext("Undo: %(count)s moved here", "Undo: %(count)s moved here", count)
        case EntriesApproved():
            return ngettext("Undo: %(count)s approved", "Undo: %(count)s approved", count)
        case EntriesPaid(paid=True):
            return ngettext("Undo: %(count)s marked as paid", "Undo: %(count)s marked as paid", count)
        case EntriesPaid():
            return ngettext("Undo: %(count)s marked as unpaid", "Undo: %(count)s marked as unpaid", count)
        case _:
            return ngettext("Undo: %(count)s seed changed", "Undo: %(count)s seeds changed", count)
