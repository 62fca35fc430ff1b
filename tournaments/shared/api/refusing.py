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
    """Return the error response for an exception of an API view, as the exception handler of REST framework.

    A ``Conflict`` in an event also lists the last changes for directors and assistants. The rest is done by
    `people.api.problems.exception_handler`.
    """
    changes = _recent_changes(exc, context) if isinstance(exc, Conflict) else None
    return exception_handler(exc, context, changes=changes)


def _recent_changes(conflict: Conflict, context: Mapping[str, Any]) -> Sequence[ChangeMade] | None:
    """Return the last changes to what the conflict is about, newest first.

    None if the user is not staff of the event, or if the address names no event or match.
    """
    request, url_kwargs = context.get("request"), context.get("kwargs") or {}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    try:
        event = _event_from_url(user, url_kwargs)
    except CrawfordError:
        return None
    if event is None or not is_event_staff(user, event):
        return None
    subject = conflict.touched
    if subject is None and "match" in url_kwargs:
        subject = visible_match(user, url_kwargs["match"]).match
    elif subject is None and "entry" in url_kwargs:
        subject = _entry_from_url(event, url_kwargs["entry"])
    rows = audit_rows_about(event, subject, for_assistant=not can_read_all_notes(user, event))
    sentences = [change["words"] for change in change_contexts(tuple(rows), event)]
    return [
        ChangeMade(
            who=row.actor_label.removeprefix(LINK_LABEL_PREFIX),
            at=row.at,
            action=row.action,
            what=str(sentence),
        )
        for row, sentence in zip(rows, sentences, strict=True)
    ]


def _entry_from_url(event: Event, public_id: str) -> Entry | None:
    try:
        return get_entry(event, public_id)
    except CrawfordError:
        return None


def _event_from_url(user: Any, url_kwargs: Mapping[str, Any]) -> Event | None:
    """Return the event whose id, or the id of one of its matches, is in the address; None if neither is.

    Raises ``Missing`` if the user may not see the event or match.
    """
    if "event" in url_kwargs:
        return visible_event(user, url_kwargs["event"]).event
    if "match" in url_kwargs:
        return visible_match(user, url_kwargs["match"]).match.stage.division.event
    return None
