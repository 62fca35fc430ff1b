"""What was done last to a match or a stage, for whoever was about to change it and is told that it is not as they saw it."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Model
from django.utils.translation import gettext as _

from people.models import AuditEntry
from people.web.trail import facts_of, sentence_of
from tournaments.engine.trail.action import TrailAction
from tournaments.engine.trail.divisions import ConductSet, DivisionUpdated, StageUpdated
from tournaments.engine.trail.events import EventUpdated
from tournaments.engine.trail.notices import AnnouncementChanged
from tournaments.engine.trail.prizes import PrizesSet
from tournaments.models import Event, Match
from tournaments.selectors.access.phones import LINK_LABEL
from tournaments.selectors.desk_notes import last_changes, names_in
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.words.names import day_and_time

# What saves settings: of a stage, a division, the event, its announcements, its prizes.
SETTINGS: Final = tuple(
    one.kind
    for one in (StageUpdated, ConductSet, DivisionUpdated, EventUpdated, AnnouncementChanged, PrizesSet)
)


def changes_of(match: Match) -> list[Shape]:
    """The last three rows of the trail about ``match``, newest first."""
    event = match.stage.division.event
    return _shapes(last_changes(event, match), event, str(match.number))


def saved_last(
    event: Event, about: Model | None = None, kind: type[TrailAction] | None = None
) -> list[Shape]:
    """Who saved settings last, and when: those of a stage or a division, of the event, or what is of this ``kind``."""
    rows = last_changes(event, about, kinds=[kind.kind] if kind is not None else SETTINGS, most=1)
    return _shapes(rows, event, str(about or event.name))


def shapes_of(touched: object, event: Event) -> list[Shape]:
    """Who did what, where ``touched`` (of a `faults.Conflict`) are rows of the trail; else nothing."""
    rows = [row for row in touched if isinstance(row, AuditEntry)] if isinstance(touched, tuple) else []
    names = names_in(rows)
    return [_shape(row, event, names.get(row.pk, event.name)) for row in rows]


def _shapes(rows: Sequence[AuditEntry], event: Event, subject: str) -> list[Shape]:
    return [_shape(row, event, subject) for row in rows]


def _shape(row: AuditEntry, event: Event, subject: str) -> Shape:
    parts: dict[str, Any] = {
        "words": sentence_of(row.action, facts_of(row, subject)),
        "when": day_and_time(row.at, event),
        "who": row.actor_label.removeprefix(LINK_LABEL),
    }
    line = _("%(name)s, %(when)s: %(what)s")
    return {**parts, "line": line % {"name": parts["who"], "when": parts["when"], "what": parts["words"]}}
