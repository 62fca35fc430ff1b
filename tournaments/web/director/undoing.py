"""Take the last repair back: one button in the audit trail and on the pages of the matches that it touched."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.models import AuditEntry
from people.web.access import actor_of
from people.web.trail import facts_of, sentence_of
from tournaments.models import Event, Match
from tournaments.selectors.matches import match_number
from tournaments.selectors.repairs import repair_of_match
from tournaments.services.undoing import undo_repair
from tournaments.web.director.access import event_action
from tournaments.web.director.calling import came_from
from tournaments.web.director.frame import not_done


@event_action
def undo(request: HttpRequest, event: Event, repair: int) -> HttpResponse:
    """Everything as it was before the repair."""
    back = reverse("director:audit", args=[event.public_id])
    if request.POST.get("back"):
        back = came_from(request, event)
    try:
        undo_repair(actor=actor_of(request), event_id=event.pk, audit_id=repair)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, _("Taken back. Everything is as it was before."))
    return redirect(back)


def repair_shape(event: Event, match: Match) -> dict[str, Any] | None:
    """The last repair that this match is part of, for its page."""
    row = repair_of_match(event, match)
    return _shape(row, match) if row is not None else None


def _shape(row: AuditEntry, match: Match) -> dict[str, Any]:
    subject = str(match.number) if row.subject_type == "tournaments.match" else str(row.data.get("name", ""))
    if row.subject_type == "tournaments.match" and row.subject_id is not None and row.subject_id != match.pk:
        subject = str(match_number(row.subject_id) or "")
    return {"pk": row.pk, "words": sentence_of(row.action, facts_of(row, subject))}
