"""Sentences for audit actions about the players table, custom fields and rating limits."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.divisions import LimitSet
from tournaments.engine.trail.entries import (
    EntriesActionUndone,
    EntriesUnapproved,
    EntriesWithdrawn,
    EntryMovedBack,
    LimitOverruled,
)
from tournaments.engine.trail.events import CustomFieldsSet
from tournaments.engine.trail.matrix import PlayersTableSaved, PlayersTableUndone
from tournaments.site.web.trail_match_words import ActionMessage, names_summary


def _describe_saved(action: PlayersTableSaved, _subject: str) -> str:
    text = ngettext(
        "Players table: %(count)s change saved.",
        "Players table: %(count)s changes saved together.",
        action.cells,
    )
    return text % {"count": action.cells}


def _describe_undone(action: PlayersTableUndone, _subject: str) -> str:
    template = ngettext(
        "Players table: %(count)s change undone.",
        "Players table: %(count)s changes undone together.",
        action.cells,
    )
    text = template % {"count": action.cells}
    if not action.stayed:
        return text
    names = ", ".join(entry.name for entry in action.stayed)
    return text + " " + _("Unchanged: %(names)s.") % {"names": names}


def _describe_moved_back(action: EntryMovedBack, _subject: str) -> str:
    return _("Back on the waiting list: %(name)s.") % {"name": action.name}


def _describe_approval_undone(action: EntriesUnapproved, _subject: str) -> str:
    names = ", ".join(entry.name for entry in action.entries)
    return _("Approval undone: %(names)s.") % {"names": names}


def _describe_limit_overruled(action: LimitOverruled, _subject: str) -> str:
    params = {
        "names": ", ".join(entry.name for entry in action.entries),
        "division": action.division,
        "reason": action.reason,
    }
    return _("Added to %(division)s despite the rating limit: %(names)s. Reason: %(reason)s.") % params


def _describe_limit(action: LimitSet, _subject: str) -> str:
    if not action.source:
        return _("%(name)s is open to all ratings.") % {"name": action.name}
    params = {
        "name": action.name,
        "source": action.source,
        "least": f"{action.least:g}" if action.least is not None else "–",
        "most": f"{action.most:g}" if action.most is not None else "–",
    }
    text = _("%(name)s is limited to %(source)s ratings from %(least)s to %(most)s.") % params
    consequence = (
        _("Players outside the limit wait for approval.")
        if action.warns
        else _("Players outside the limit are rejected.")
    )
    return f"{text} {consequence}"


def _describe_custom_fields(action: CustomFieldsSet, _subject: str) -> str:
    if not action.after:
        return _("All custom fields removed.")
    return _("Custom fields: %(names)s.") % {"names": ", ".join(action.after)}


def _describe_withdrawn(action: EntriesWithdrawn, _subject: str) -> str:
    return _("Withdrawn in one step: %(names)s.") % {
        "names": names_summary([entry.name for entry in action.entries])
    }


def _describe_entries_undone(action: EntriesActionUndone, _subject: str) -> str:
    text = _("Undone for: %(names)s.") % {"names": names_summary([entry.name for entry in action.entries])}
    if not action.kept:
        return text
    unchanged = _("Unchanged: %(names)s.") % {"names": names_summary([entry.name for entry in action.kept])}
    return f"{text} {unchanged}"


PLAYERS_TABLE_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    PlayersTableSaved: _describe_saved,
    PlayersTableUndone: _describe_undone,
    CustomFieldsSet: _describe_custom_fields,
    EntryMovedBack: _describe_moved_back,
    EntriesUnapproved: _describe_approval_undone,
    EntriesWithdrawn: _describe_withdrawn,
    EntriesActionUndone: _describe_entries_undone,
    LimitOverruled: _describe_limit_overruled,
    LimitSet: _describe_limit,
}
