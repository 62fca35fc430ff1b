"""The list of records on the pages of a match: what ``games/_match_records.html`` is given."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.records.registry import FORMATS
from tournaments.models import Match
from tournaments.selectors.matches.records import records_of


def record_links(match: Match, *, directs: bool) -> list[dict[str, Any]]:
    """One row for each record that the visitor may see."""
    rows = records_of(match, directs=directs)
    return [
        {
            "name": _("Game record") if len(rows) == 1 else _("Game record %(number)s") % {"number": number},
            "format": FORMATS[row.format].name if row.format in FORMATS else row.format,
            "size": row.size,
            "clean": row.clean,
            "differs": row.differs,
            "url": reverse("records:record", args=[match.public_id, row.version]),
            "original": reverse("records:original", args=[match.public_id, row.version]),
        }
        for number, row in enumerate(rows, 1)
    ]
