"""Notify players of something that follows from the clock or a forecast and not from an audit action.

Notifications that follow from an audit action are written by `store.notifying`.
"""

from collections.abc import Collection

from tournaments.engine.alerts import Alert
from tournaments.models import Event
from tournaments.store.notifying import write_notification


def notify(event: Event, alert: Alert, entries: Collection[int] = ()) -> None:
    """Write a notification for the recipients of its kind; it is sent after the caller's transaction commits.

    ``entries``: entry ids, only for a kind whose recipients are `ENTRIES`; raises ``ValueError`` for other
    kinds. A notification that no longer applies when it is due is not sent. A device shows only the latest
    notification of a topic, so call this again when the content changes.
    """
    write_notification(event, alert, entries)
