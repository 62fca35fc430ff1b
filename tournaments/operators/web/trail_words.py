"""Rows of the operators' trail, with what they are about."""

from typing import Any

from people.models import AuditEntry
from people.web.operators import KINDS, act_of, act_words
from tournaments.selectors.operators.subjects import Subject, subject_of_row


def trail_row(row: AuditEntry) -> dict[str, Any]:
    """A row of the operators' trail for `operators/_trail.html`."""
    about = _subject_of(row)
    act = act_of(row)
    return {
        "row": row,
        "words": act_words(row, about.name if about is not None else ""),
        "reason": act.reason,
        "about": about,
        "merged": act.pk if act.is_merge else None,
    }


def _subject_of(row: AuditEntry) -> Subject | None:
    act = act_of(row)
    pk = act.keep if act.keep is not None else act.pk
    return (
        subject_of_row(act.kind, pk)
        if act.kind in KINDS and act.kind != "report" and pk is not None
        else None
    )
