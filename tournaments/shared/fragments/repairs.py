"""Template context of the last repair of a match: a correction, late entry, withdrawal or similar change."""

from typing import Any

from people.models import AuditEntry
from people.web.trail import action_sentence, sentence_facts
from tournaments.engine.trail.repairs import EntryWithdrawnAfterDraw, LateEntryPlaced
from tournaments.models import Event, Match
from tournaments.models.trail import parse_row
from tournaments.selectors.matches.detail import match_number
from tournaments.selectors.repairs.undo import repair_of_match


def repair_context(event: Event, match: Match) -> dict[str, Any] | None:
    """Return the last repair that changed this match: ``pk`` of its audit row, and ``words``; or None."""
    row = repair_of_match(event, match)
    return _row_context(row, match) if row is not None else None


def _row_context(row: AuditEntry, match: Match) -> dict[str, Any]:
    action = parse_row(row)
    subject = action.name if isinstance(action, LateEntryPlaced | EntryWithdrawnAfterDraw) else ""
    if row.subject_type == "tournaments.match":
        subject = str(match.number)
    if row.subject_type == "tournaments.match" and row.subject_id is not None and row.subject_id != match.pk:
        subject = str(match_number(row.subject_id) or "")
    return {"pk": row.pk, "words": action_sentence(row.action, sentence_facts(row, subject))}
