"""Exception handler of the API that adds recent changes to conflicts, for staff of the event."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse

from faults import Conflict, CrawfordError
from people.api.problems import ChangeMade, exception_handler
from tournaments.models import Entry, Event
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.access.visibility import is_event_staff, visible_event, visible_match
from tournaments.selectors.desk_notes import audit_rows_about, can_read_all_notes
from tournaments.selectors.entries import get_entry
from tournaments.shared.frames.last_changes import change_contexts


def api_exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Handle an exception of a view for REST framework, as `people.api.problems.exception_handler` does."""
    changes = _recent_changes(exc, context) if isinstance(exc, Conflict) else None
    return exception_handler(exc, context, changes=changes)


def _recent_changes(conflict: Conflict, context: Mapping[str, Any]) -> Sequence[ChangeMade] | None:
    """Return the last changes to the subject of the conflict, newest first.

    None if the user may not see them or the subject is unknown.
    """
    request, named = context.get("request"), context.get("kwargs") or {}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    try:
        event = _event_from_url(user, named)
    except CrawfordError:
        return None
    if event is None or not is_event_staff(user, event):
        return None
    about = conflict.touched
    if about is None and "match" in named:
        about = visible_match(user, named["match"]).match
    elif about is None and "entry" in named:
        about = _entry_from_url(event, named["entry"])
    rows = audit_rows_about(event, about, helps=not can_read_all_notes(user, event))
    words = [one["words"] for one in change_contexts(tuple(rows), event)]
    return [
        ChangeMade(
            who=row.actor_label.removeprefix(LINK_LABEL_PREFIX),
            at=row.at,
            action=row.action,
            what=str(sentence),
        )
        for row, sentence in zip(rows, words, strict=True)
    ]


def _entry_from_url(event: Event, public_id: str) -> Entry | None:
    try:
        return get_entry(event, public_id)
    except CrawfordError:
        return None


def _event_from_url(user: Any, named: Mapping[str, Any]) -> Event | None:
    """Return the event that the address names, directly or by a match; None if it names neither."""
    if "event" in named:
        return visible_event(user, named["event"]).event
    if "match" in named:
        return visible_match(user, named["match"]).match.stage.division.event
    return None
