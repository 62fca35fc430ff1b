"""What was done about check-ins in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.check_in import HereWay
from tournaments.engine.trail.action import Named, TrailAction
from tournaments.engine.trail.check_in import (
    CheckInRemoved,
    CheckInSet,
    EntriesHere,
    EntriesNotHere,
    HereTakenBack,
    WasHere,
)
from tournaments.models import Here
from tournaments.site.web.trail_match_words import Words

NAMED: Final = 8  # more than so many are counted


def _set(action: CheckInSet, _subject: str) -> str:
    words = {"day": date_format(action.day), "from": _time(action.after, "opens_at")}
    until = _time(action.after, "closes_at")
    if not until:
        return _("Check-in on %(day)s: open from %(from)s.") % words
    return _("Check-in on %(day)s: from %(from)s to %(until)s.") % {**words, "until": until}


def _removed(action: CheckInRemoved, _subject: str) -> str:
    return _("Check-in on %(day)s removed; %(here)s had checked in.") % {
        "day": date_format(action.day),
        "here": action.here,
    }


def _here(action: EntriesHere, _subject: str) -> str:
    way = str(Here.Way(action.way).label) if action.way in set(HereWay) else action.way
    return _("Checked in (%(way)s): %(names)s.") % {"way": way, "names": _names(action.entries)}


def _not_here(action: EntriesNotHere, _subject: str) -> str:
    return _("Not here: %(names)s.") % {"names": _names(action.entries)}


def _back(action: HereTakenBack, _subject: str) -> str:
    words = ngettext(
        "Check-in of %(entries)s entry undone.",
        "Check-in of %(entries)s entries undone.",
        action.entries,
    )
    return words % {"entries": action.entries}


def _names(entries: Sequence[Named | WasHere]) -> str:
    if len(entries) > NAMED:
        return ngettext("%(count)s entry", "%(count)s entries", len(entries)) % {"count": len(entries)}
    return ", ".join(one.name for one in entries)


def _time(moments: Mapping[str, str], name: str) -> str:
    """As it was where the event takes place: the moment is kept with its offset."""
    at = moments.get(name, "")
    return time_format(datetime.fromisoformat(at), "H:i") if at else ""


CHECK_IN_WORDS: Final[Mapping[type[TrailAction], Words]] = {
    CheckInSet: _set,
    CheckInRemoved: _removed,
    EntriesHere: _here,
    EntriesNotHere: _not_here,
    HereTakenBack: _back,
}
