"""Template context for reinstating a withdrawn entry without a director."""

from collections.abc import Sequence

from faults import Conflict
from people.messages import describe
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Entry
from tournaments.selectors.returning import self_reinstatement_error
from tournaments.selectors.waiting import full_divisions
from tournaments.shared.fragments.cards import Context


def reinstatement_context(entry: Entry) -> Context:
    """Return whether a withdrawn player can re-enter without a director: ``may``, and ``why`` not.

    Empty for an entry that is not withdrawn.
    """
    if entry.status != EntryStatus.WITHDRAWN:
        return {}
    reason = self_reinstatement_error(entry.division.event, entry)
    return {"may": not reason, "why": describe(Conflict(reason)) if reason else ""}


def reinstatement_contexts(entries: Sequence[Entry]) -> list[Context]:
    """Return the template context of each entry for ``entries/_enter_again.html``.

    Keys: ``entry`` (its public id), ``full`` (a player who re-enters goes on the waiting list) and ``back``
    (the result of `reinstatement_context`).
    """
    full_ids = full_divisions({entry.division for entry in entries})
    return [
        {
            "entry": entry.public_id,
            "full": entry.division_id in full_ids,
            "back": reinstatement_context(entry),
        }
        for entry in entries
    ]
