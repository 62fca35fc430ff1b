"""Whether a player who withdrew can come back without a director, as pages say it."""

from collections.abc import Sequence

from faults import Conflict
from people.messages import describe
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Entry
from tournaments.selectors.returning import why_not_by_oneself
from tournaments.selectors.waiting import full_divisions
from tournaments.shared.fragments.cards import Shape


def way_back(entry: Entry) -> Shape:
    """Of a withdrawn entry: whether its player can enter again by themselves, and what to do if not."""
    if entry.status != EntryStatus.WITHDRAWN:
        return {}
    reason = why_not_by_oneself(entry.division.event, entry)
    return {"may": not reason, "why": describe(Conflict(reason)) if reason else ""}


def ways_back(entries: Sequence[Entry]) -> list[Shape]:
    """The same of several, for `entries/_enter_again.html`; ``full``: they would wait for a place."""
    full = full_divisions({entry.division for entry in entries})
    return [
        {"entry": entry.public_id, "full": entry.division_id in full, "back": way_back(entry)}
        for entry in entries
    ]
