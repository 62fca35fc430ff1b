"""A director's last action in an event, if it can be undone, from the audit log."""

from dataclasses import dataclass
from typing import Final

from faults import Conflict
from people.models import AuditEntry, User
from people.rows import one_or_none
from tournaments.engine.desk.taking_back import AuditRow, UndoableAction, last_undoable
from tournaments.engine.trail.matches import MatchesCalled
from tournaments.models import Event, Match
from tournaments.models.trail import audit_scope, parse_row

_MAX_ROWS: Final = 60  # rows of the trail: nobody takes back what was done hours ago without looking at it


@dataclass(frozen=True, slots=True)
class LastAction:
    """An action that can be undone.

    ``row``: its audit row; ``match``: the match that it was about, with its stage, or None.
    """

    last: UndoableAction
    row: AuditEntry
    match: Match | None


def last_calls_row_id(event: Event, user: User | None) -> int:
    """Return the audit row id of the last joint call of matches by ``user`` that was not undone.

    Raises ``Conflict`` if there is none.
    """
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event), action=MatchesCalled.kind, actor=user, undone_by=None
    )
    row_id = rows.order_by("-pk").values_list("pk", flat=True).first()
    if row_id is None:
        raise Conflict("call.unknown", present=event)
    return row_id


def last_action(event: Event, user: User | None) -> LastAction | None:
    """Return the last action of ``user`` in ``event`` that is in effect, or None; two queries.

    ``user`` None: a program. Only the last ``_MAX_ROWS`` audit rows are searched.
    """
    user_id = user.pk if user is not None else None
    rows = list(AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")[:_MAX_ROWS])
    match_label = Match._meta.label_lower  # noqa: SLF001 (the documented way to a model's label)
    last = last_undoable(
        [
            AuditRow(
                row.pk,
                parse_row(row),
                row.subject_id if row.subject_type == match_label else None,
                row.actor_id == user_id,
            )
            for row in rows
        ]
    )
    if last is None:
        return None
    row = next(row for row in rows if row.pk == last.done.pk)
    match = one_or_none(Match.objects.select_related("stage").filter(pk=last.about)) if last.about else None
    return LastAction(last, row, match)
