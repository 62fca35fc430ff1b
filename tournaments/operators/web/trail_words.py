"""Rows of the operators' audit log with their subjects."""

from typing import Any

from people.models import AuditEntry
from people.web.operators import KIND_LABELS, action_from_entry, operator_action_sentence
from tournaments.selectors.operators.subjects import Subject, find_subject_by_pk


def audit_row(row: AuditEntry) -> dict[str, Any]:
    """Context of a row of the operators' audit log for `operators/_trail.html`."""
    about = _subject_of(row)
    act = action_from_entry(row)
    return {
        "row": row,
        "words": operator_action_sentence(row, about.name if about is not None else ""),
        "reason": act.reason,
        "about": about,
        "merged": act.pk if act.is_merge else None,
    }


def _subject_of(row: AuditEntry) -> Subject | None:
    act = action_from_entry(row)
    pk = act.keep if act.keep is not None else act.pk
    return (
        find_subject_by_pk(act.kind, pk)
        if act.kind in KIND_LABELS and act.kind != "report" and pk is not None
        else None
    )
