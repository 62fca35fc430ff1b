"""Rows of the audit trail that earlier releases wrote: today's code reads each of them without loss."""

import json

import pytest

from people.models import AuditEntry
from tournaments.engine.changes.trail import RepairUndo
from tournaments.engine.trail.action import RepairAuditAction, UnknownAction
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.models.trail import action_to_json, has_unknown_fields, parse_row

# Fields that a later release added, with defaults.
LATER = {
    *("v", "record", "corrects", "before", "again", "taken_back"),
    *("number", "by", "why", "list_hash", "by_lot", "phone", "handed_over", "openings", "absent", "clocks"),
    *("moves", "start", "score", "overtime", "holland", "doubtful"),
    *("sheet", "approved", "moved", "key", "stayed", "until"),
    *("commitment", "publicity", "next_commitment", "randomness", "value", "former_players", "lineups"),
    *("own", "waits", "together", "came_from"),
}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("release")]


def test_rows_of_an_earlier_release_when_read_and_written_again_then_nothing_is_lost():
    rows = AuditEntry.objects.filter(action__in=ACTION_KINDS)
    for row in rows:
        action = parse_row(row)
        assert not isinstance(action, UnknownAction), (row.action, row.data)
        assert not has_unknown_fields(action, row.data), (row.action, row.data)
        again = json.loads(json.dumps(action_to_json(action)))
        if isinstance(
            action, RepairAuditAction
        ):  # what an undo needs is of an earlier version and lifted by itself
            assert action.undo == RepairUndo.of(row.data["undo"])
            again["undo"] = row.data["undo"]
        defaults = {name: part for name, part in again.items() if name not in row.data}
        assert again == {**defaults, **row.data}
        assert defaults.keys() <= LATER, row.action
    assert rows.count() > 500


def test_rows_of_an_earlier_release_when_told_then_their_kinds_are_known():
    others = AuditEntry.objects.exclude(action__in=ACTION_KINDS).values_list("action", flat=True)
    assert {action.partition(".")[0] for action in others} == {"club", "player", "rating_list", "ledger"}
