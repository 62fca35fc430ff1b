"""Repairs made by earlier releases: today's code undoes each of them exactly, or refuses where it must, and retells them.

The rows are never changed; each release adds its own (`tests/data`).
"""

from collections import Counter

import pytest

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry
from tests.upgrades.packed import audit_rows, states
from tests.upgrades.state import state_of, without_newcomers
from tournaments.checks.replay_trail import replay_stages
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Event, Stage
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.undo import last_repairs

pytestmark = pytest.mark.django_db


def undo(row):
    event = Event.objects.get(public_id=row["event"])
    undo_repair(actor=Actor.program(), event_id=event.pk, audit_id=row["pk"])
    return event


def test_golden_rows_are_those_of_the_database(release):
    for row in audit_rows(release):
        stored = AuditEntry.objects.get(pk=row["pk"])
        for name in ("action", "subject_type", "subject_id", "data"):
            assert getattr(stored, name) == row[name], (row["kind"], name)


def test_golden_rows_are_of_every_kind_of_repair(release):
    actions = Counter(row["action"] for row in audit_rows(release))
    assert set(actions) == {
        "match.correct",
        "entry.withdraw_after_draw",
        "entry.change_player",
        "entry.late",
        "match.length",
        "round.length",
    }
    assert min(actions.values()) > 1


def test_golden_repair_when_its_event_is_told_from_the_trail_then_it_is_told_whole_and_as_stored(release):
    for event in Event.objects.filter(public_id__in={row["event"] for row in audit_rows(release)}):
        stories = replay_stages(event)
        for stage in Stage.objects.filter(division__event=event):
            story, draw = stories[stage.pk], load_draw(stage)
            assert story.is_complete, event.name
            assert story.results == draw.outcomes(), event.name
            assert story.has_manual_changes == draw.entries_placed_by_hand(), event.name


def test_golden_repair_when_undone_then_the_event_is_exactly_as_before_and_sound(release):
    before = states(release)
    faults = []
    for row in reversed(audit_rows(release)):  # of two in one event the last one first
        wanted = before[row["pk"]]
        if "refused" in row:
            continue
        event = undo(row)
        found = without_newcomers(state_of(event), wanted)
        faults += [
            f"{row['kind']}: {part} is {found[part]}, was {wanted[part]}"
            for part in row.get("parts", wanted)
            if found[part] != wanted[part]
        ]
        faults += [f"{row['kind']}: {fault}" for fault in integrity_faults(event)]
    assert not faults, "\n" + "\n".join(faults)


def test_golden_repair_when_something_was_built_on_it_then_refused(release):
    rows = [row for row in audit_rows(release) if "refused" in row]
    assert {row["refused"] for row in rows} == {"repair.built_on", "repair.round_since"}
    for row in rows:
        with pytest.raises(Conflict) as refused:
            undo(row)
        assert refused.value.code == row["refused"], row["kind"]


def test_repairs_of_events_played_by_chance_when_undone_as_far_as_possible_then_sound(release):
    golden = {row["event"] for row in audit_rows(release)}
    undone = 0
    for event in Event.objects.exclude(public_id__in=golden).order_by("pk"):
        while last := sorted(last_repairs(event)):
            try:
                undo_repair(actor=Actor.program(), event_id=event.pk, audit_id=last[-1])
            except Conflict:
                break
            undone += 1
            assert integrity_faults(Event.objects.get(pk=event.pk)) == [], event.name
    assert undone
