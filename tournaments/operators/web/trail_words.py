"""Template contexts of entries of the operators' audit log."""

from typing import Any

from people.models import AuditEntry
from people.web.operators import KIND_LABELS, action_from_entry, operator_action_sentence
from tournaments.selectors.operators.subjects import Subject, find_subject_by_pk


def audit_row(row: AuditEntry) -> dict[str, Any]:
    """Return the context of an entry of the operators' audit log for `operators/_trail.html`.

    ``merged``: database id of a merged player, whose merge can be undone, or None.
    """
    subject = _subject_of(row)
    action = action_from_entry(row)
    return {
        "row": row,
        "words": operator_action_sentence(row, subject.name if subject is not None else ""),
        "reason": action.reason,
        "about": subject,
        "merged": action.pk if action.is_merge else None,
    }


def _subject_of(row: AuditEntry) -> Subject | None:
    action = action_from_entry(row)
    pk = action.keep if action.keep is not None else action.pk
    return (
        find_subject_by_pk(action.kind, pk)
        if action.kind in KIND_LABELS and action.kind != "report" and pk is not None
        else None
    )
