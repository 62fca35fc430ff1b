"""Public page of the head of an event's audit log: one hash that covers all its rows."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from tournaments.selectors.access.trail import audit_log_size, commitments_head
from tournaments.selectors.access.visibility import visible_event
from tournaments.shared.frames.public import is_listed, public_page, public_view
from tournaments.shared.words.names import date_and_time


@public_view
def audit_log_head(request: HttpRequest, event: str) -> HttpResponse:
    """Page of the audit log head, to be printed or photographed and compared later."""
    visible = visible_event(request.user, event)

    def context() -> dict[str, Any]:
        row_count, last_at = audit_log_size(visible.event)
        return {
            "event": visible.event,
            "head": visible.event.trail_head,
            "committing": commitments_head(visible.event),
            "rows": row_count,
            "last": date_and_time(last_at, visible.event),
        }

    return public_page(
        request,
        "site/trail_head.html",
        context,
        versions=[visible.event.version],
        role=visible.role,
        listed=is_listed(visible),
    )
