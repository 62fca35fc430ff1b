"""Last changes to a match, a stage or settings, shown when an action conflicts with them."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Model
from django.utils.translation import gettext as _

from people.models import AuditEntry
from people.web.trail import action_sentence, sentence_facts
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.divisions import ConductSet, DivisionUpdated, StageUpdated
from tournaments.engine.trail.events import EventUpdated
from tournaments.engine.trail.notices import AnnouncementChanged
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.models import Event, Match
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.desk_notes import entry_names_by_row, last_changes
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import date_and_time

# Actions that save settings of a stage, a division, the event, its announcements or its prizes.
SETTINGS_ACTION_KINDS: Final = tuple(
    action_class.kind
    for action_class in (
        StageUpdated,
        ConductSet,
        DivisionUpdated,
        EventUpdated,
        AnnouncementChanged,
        PrizesSet,
    )
)


def last_match_changes(match: Match) -> list[Context]:
    """Return the template contexts of the last three audit log rows about ``match``, newest first."""
    event = match.stage.division.event
    return _change_contexts_for(last_changes(event, match), event, str(match.number))


def last_saved_settings(
    event: Event, subject: Model | None = None, kind: type[AuditAction] | None = None
) -> list[Context]:
    """Return the template context of the audit log row that last saved settings: who, when and what.

    Empty list if none.

    ``subject``: stage or division whose settings are meant, by default any of the event; ``kind``: only this
    class of audit actions.
    """
    rows = last_changes(
        event, subject, kinds=[kind.kind] if kind is not None else SETTINGS_ACTION_KINDS, limit=1
    )
    return _change_contexts_for(rows, event, str(subject or event.name))


def change_contexts(touched: object, event: Event) -> list[Context]:
    """Return the template contexts of the audit log rows in ``touched``, which comes from a ``Conflict``.

    Empty if ``touched`` is not a tuple of such rows.
    """
    rows = [row for row in touched if isinstance(row, AuditEntry)] if isinstance(touched, tuple) else []
    names = entry_names_by_row(rows)
    return [_change_context(row, event, names.get(row.pk, event.name)) for row in rows]


def _change_contexts_for(rows: Sequence[AuditEntry], event: Event, subject: str) -> list[Context]:
    return [_change_context(row, event, subject) for row in rows]


def _change_context(row: AuditEntry, event: Event, subject: str) -> Context:
    parts: dict[str, Any] = {
        "words": action_sentence(row.action, sentence_facts(row, subject)),
        "when": date_and_time(row.at, event),
        "who": row.actor_label.removeprefix(LINK_LABEL_PREFIX),
    }
    line = _("%(name)s, %(when)s: %(what)s")
    return {**parts, "line": line % {"name": parts["who"], "when": parts["when"], "what": parts["words"]}}
