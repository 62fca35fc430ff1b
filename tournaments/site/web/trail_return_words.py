"""Sentences for audit actions about re-entries and about places given in a full division."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.entries import EntryReturned, PlacesExceeded
from tournaments.site.web.trail_match_words import ActionMessage


def _describe_returned(action: EntryReturned, _subject: str) -> str:
    if action.waits:
        return _("Reinstated at the end of the waiting list: %(name)s.") % {"name": action.name}
    return _("Reinstated: %(name)s.") % {"name": action.name}


def _describe_places_exceeded(action: PlacesExceeded, subject: str) -> str:
    template = ngettext(
        "%(count)s entry added to %(division)s, where %(have)s of %(places)s places were taken.",
        "%(count)s entries added to %(division)s, where %(have)s of %(places)s places were taken.",
        action.count,
    )
    params = {"count": action.count, "have": action.have, "places": action.places}
    text = template % {**params, "division": action.division or subject}
    if not action.waiting:
        return text
    skipped_text = ngettext(
        "%(count)s entry on the waiting list was skipped.",
        "%(count)s entries on the waiting list were skipped.",
        action.waiting,
    )
    return f"{text} {skipped_text % {'count': action.waiting}}"


RETURN_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    EntryReturned: _describe_returned,
    PlacesExceeded: _describe_places_exceeded,
}
