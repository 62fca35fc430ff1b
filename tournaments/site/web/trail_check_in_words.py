"""Sentences for audit actions about check-ins."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.check_in import CheckInMethod
from tournaments.engine.trail.action import AuditAction, NamedEntry
from tournaments.engine.trail.check_in import (
    CheckedInEntry,
    CheckInRemoved,
    CheckInSet,
    CheckInUndone,
    EntriesCheckedIn,
    EntriesCheckedOut,
)
from tournaments.models import Here
from tournaments.site.web.trail_match_words import ActionMessage

MAX_NAMED: Final = 8  # more names are only counted


def _describe_set(action: CheckInSet, _subject: str) -> str:
    params = {"day": date_format(action.day), "from": _time_text(action.after, "opens_at")}
    closing_time = _time_text(action.after, "closes_at")
    if not closing_time:
        return _("Check-in on %(day)s: open from %(from)s.") % params
    return _("Check-in on %(day)s: from %(from)s to %(until)s.") % {**params, "until": closing_time}


def _describe_removed(action: CheckInRemoved, _subject: str) -> str:
    return _("Check-in on %(day)s removed; %(here)s had checked in.") % {
        "day": date_format(action.day),
        "here": action.here,
    }


def _describe_checked_in(action: EntriesCheckedIn, _subject: str) -> str:
    way_label = str(Here.Way(action.way).label) if action.way in set(CheckInMethod) else action.way
    return _("Checked in (%(way)s): %(names)s.") % {"way": way_label, "names": _entry_names(action.entries)}


def _describe_checked_out(action: EntriesCheckedOut, _subject: str) -> str:
    return _("Not here: %(names)s.") % {"names": _entry_names(action.entries)}


def _describe_undone(action: CheckInUndone, _subject: str) -> str:
    text = ngettext(
        "Check-in of %(entries)s entry undone.",
        "Check-in of %(entries)s entries undone.",
        action.entries,
    )
    return text % {"entries": action.entries}


def _entry_names(entries: Sequence[NamedEntry | CheckedInEntry]) -> str:
    if len(entries) > MAX_NAMED:
        return ngettext("%(count)s entry", "%(count)s entries", len(entries)) % {"count": len(entries)}
    return ", ".join(entry.name for entry in entries)


def _time_text(times: Mapping[str, str], name: str) -> str:
    """Return the local time of day of the event; empty if not set. The stored time has its UTC offset."""
    moment = times.get(name, "")
    return time_format(datetime.fromisoformat(moment), "H:i") if moment else ""


CHECK_IN_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    CheckInSet: _describe_set,
    CheckInRemoved: _describe_removed,
    EntriesCheckedIn: _describe_checked_in,
    EntriesCheckedOut: _describe_checked_out,
    CheckInUndone: _describe_undone,
}
