"""Events of an earlier release: their trail kept no lines and no pairings, and that alone is no fault."""

import pytest

from people.models import AuditEntry
from tests.factories import an_event
from tests.support.rounds import publish_next
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.stages.swiss import SwissSettings

pytestmark = pytest.mark.django_db


def forget(action, key):
    """The trail as it was written before ``key`` was kept."""
    for row in AuditEntry.objects.filter(action=action):
        assert row.data.pop(key)
        AuditEntry.objects.filter(pk=row.pk).update(data=row.data)


def test_bracket_when_its_trail_kept_no_lines_then_it_is_sound():
    tournament = an_event(entries=5).publish().play_out()
    forget("draw.make", "lines")
    assert integrity_faults(tournament.event) == []


def test_bracket_when_its_trail_tells_other_lines_then_that_is_found():
    tournament = an_event(entries=4).publish()
    row = AuditEntry.objects.get(action="draw.make")
    AuditEntry.objects.filter(pk=row.pk).update(data={**row.data, "lines": row.data["lines"][::-1]})
    assert [fault.check for fault in integrity_faults(tournament.event)] == ["trail"]


def test_swiss_when_its_trail_kept_no_pairings_then_it_is_sound():
    tournament = an_event(entries=5, system="swiss", swiss=SwissSettings(rounds=2))
    publish_next(tournament)
    forget("round.publish", "pairs")
    assert integrity_faults(tournament.event) == []
