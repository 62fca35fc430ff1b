"""Tell single people what follows from no action of the trail: the clock, or a forecast, says it.

What follows from an action is told by itself (`store.notifying`).
"""

from collections.abc import Collection

from tournaments.engine.alerts import Alert
from tournaments.models import Event
from tournaments.store.notifying import write_notification


def notify(event: Event, alert: Alert, entries: Collection[int] = ()) -> None:
    """``alert`` in the transaction of the caller: it is sent when that is committed, to whomever its kind says.

    ``entries``: their database ids, of a kind whose ``whom`` is `ENTRIES`; of another one none may be named (``ValueError``). What is not
    true any more when it would be sent falls away, and each phone shows one notice of a topic: notify again when it changes.
    """
    write_notification(event, alert, entries)
