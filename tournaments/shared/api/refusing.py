"""A refusal of the API that names who made it otherwise: after a conflict, to whoever directs or helps with the event."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse

from faults import Conflict, CrawfordError
from people.api.problems import ChangeMade, exception_handler
from tournaments.models import Entry, Event
from tournaments.selectors.access.phones import LINK_LABEL
from tournaments.selectors.access.visibility import helps_at, visible_event, visible_match
from tournaments.selectors.desk_notes import reads_all, rows_about
from tournaments.selectors.entries import entry_of_event
from tournaments.shared.frames.last_changes import shapes_of


def refuse(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """What REST framework asks for each exception in a view, as `people.api.problems.exception_handler`."""
    changes = _changes(exc, context) if isinstance(exc, Conflict) else None
    return exception_handler(exc, context, changes=changes)


def _changes(conflict: Conflict, context: Mapping[str, Any]) -> Sequence[ChangeMade] | None:
    """The last that was done to what the conflict is about, newest first; None for whoever may not know, or where nobody can say."""
    request, named = context.get("request"), context.get("kwargs") or {}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    try:
        event = _event_named(user, named)
    except CrawfordError:
        return None
    if event is None or not helps_at(user, event):
        return None
    about = conflict.touched
    if about is None and "match" in named:
        about = visible_match(user, named["match"]).match
    elif about is None and "entry" in named:
        about = _entry_named(event, named["entry"])
    rows = rows_about(event, about, helps=not reads_all(user, event))
    words = [one["words"] for one in shapes_of(tuple(rows), event)]
    return [
        ChangeMade(
            who=row.actor_label.removeprefix(LINK_LABEL), at=row.at, action=row.action, what=str(sentence)
        )
        for row, sentence in zip(rows, words, strict=True)
    ]


def _entry_named(event: Event, public_id: str) -> Entry | None:
    try:
        return entry_of_event(event, public_id)
    except CrawfordError:
        return None


def _event_named(user: Any, named: Mapping[str, Any]) -> Event | None:
    """The event of the address."""
    if "event" in named:
        return visible_event(user, named["event"]).event
    if "match" in named:
        return visible_match(user, named["match"]).match.stage.division.event
    return None
