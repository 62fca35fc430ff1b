"""Template context of the game records of a match, for ``games/_match_records.html``."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.records.registry import FORMATS
from tournaments.engine.consents import Reply
from tournaments.models import Match
from tournaments.selectors.matches.records import SubmittedRecord, is_public, record_copies, visible_records


def record_links(match: Match, *, directs: bool, reply: Reply | None = None) -> list[dict[str, Any]]:
    """Return a context for each game record of the match that the visitor may see, with its corrected copies.

    ``directs``: whether the visitor is a director. ``reply``: the players' consent to publication; if given,
    the context also has whether the record is public, and the address for making a corrected copy.
    """
    rows = visible_records(match, can_direct=directs)
    copies = record_copies(match) if rows else []
    return [
        {
            "name": _("Game record") if len(rows) == 1 else _("Game record %(number)s") % {"number": number},
            "format": FORMATS[row.format].name if row.format in FORMATS else row.format,
            "size": row.size,
            "clean": row.has_no_problems,
            "doubtful": row.is_doubtful,
            "differs": row.contradicts_result,
            "report": row.version,
            "public": None if reply is None else is_public(row.shown, reply),
            "url": reverse("records:record", args=[match.public_id, row.version]),
            "repair": _repair_url(match, row) if reply is not None and not row.has_no_problems else "",
            "copies": [
                {
                    "number": copy.number,
                    "url": reverse("records:copy", args=[match.public_id, row.version, copy.number]),
                }
                for copy in copies
                if copy.report.version == row.version
            ],
            "original": reverse("records:original", args=[match.public_id, row.version]),
        }
        for number, row in enumerate(rows, 1)
    ]


def _repair_url(match: Match, row: SubmittedRecord) -> str:
    event = match.stage.division.event
    return reverse("director:record-copies", args=[event.public_id, match.public_id, row.version])
