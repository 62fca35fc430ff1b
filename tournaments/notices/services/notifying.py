"""Notify single people of what follows from no audit action, but from the clock or a forecast.

Notifications that follow from an audit action are written by `store.notifying`.
"""

from collections.abc import Collection

from tournaments.engine.alerts import Alert
from tournaments.models import Event
from tournaments.store.notifying import write_notification


def notify(event: Event, alert: Alert, entries: Collection[int] = ()) -> None:
    """Write a notification in the caller's transaction, for the recipients of its kind.

    It is sent after the commit. ``entries``: database ids, for a kind whose recipients are `ENTRIES`; raises ``ValueError`` for other
    kinds. A notification that is no longer true when it would be sent is dropped. Each phone shows one
    notification of a topic: notify again when it changes.
    """
    write_notification(event, alert, entries)
