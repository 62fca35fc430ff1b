"""Events are asked for their soundness by themselves: what has changed first, and what does not fit is kept for who watches."""

import logging
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.factories import an_event
from tournaments.checks.background import check_due_events, check_event
from tournaments.models import Event, EventSoundness, Match
from tournaments.selectors.soundness import integrity_status, next_events_to_check

pytestmark = pytest.mark.django_db


def test_event_when_it_fits_then_asked_once_for_each_of_its_versions():
    tournament = an_event(entries=3).publish()
    assert integrity_status().unchecked_count == 1
    assert check_due_events() == 1
    now = integrity_status()
    assert (now.inconsistent_count, now.unchecked_count) == (0, 0)
    assert now.last is not None
    tournament.settle(tournament.playable()[0], "a")
    assert integrity_status().unchecked_count == 1
    assert check_due_events() == 1
    assert EventSoundness.objects.get().version == tournament.fresh().version


def test_event_when_a_row_was_changed_by_hand_then_counted_named_in_the_log_and_well_again_when_put_right(
    caplog: pytest.LogCaptureFixture,
):
    tournament = an_event(entries=4).publish()
    tournament.settle(tournament.playable()[0], "a")
    Match.objects.filter(number=1).update(winner_side="b")
    with caplog.at_level(logging.ERROR):
        check_event(tournament.event.pk)
    assert integrity_status().inconsistent_count == 1
    row = EventSoundness.objects.get()
    assert row.faults > 0
    assert row.checks == "lineup,slot,trail"
    assert f"check_events {tournament.event.public_id}" in caplog.text
    Match.objects.filter(number=1).update(winner_side="a")
    check_event(tournament.event.pk)
    assert integrity_status().inconsistent_count == 0


def test_events_when_chosen_then_what_runs_and_changed_goes_first_and_then_what_was_asked_longest_ago():
    first = an_event()
    club, events = first.event.club, [first.event]
    events += [an_event(club=club).event for _ in range(3)]
    old, unsound, fresh, running = (event.pk for event in events)
    now = timezone.now()
    for pk, days, faults in ((old, 3, 0), (unsound, 0, 2), (fresh, 1, 0)):
        version = Event.objects.get(pk=pk).version
        EventSoundness.objects.create(
            event_id=pk, checked_at=now - timedelta(days=days), version=version, faults=faults
        )
    Event.objects.filter(pk=running).update(status="running")
    assert next_events_to_check(10) == [running, unsound, old, fresh]
    assert check_due_events(limit=2) == 2
    assert check_due_events(limit=50, seconds=0) == 1, "one of them always, and then no more time"


def test_event_when_it_is_gone_meanwhile_then_nobodys_fault():
    check_event(987_654)
    assert not EventSoundness.objects.exists()


def test_faults_when_there_are_many_then_so_many_lines_and_their_number():
    tournament = an_event(entries=8).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    Match.objects.filter(winner_side="a").update(winner_side="b")
    out = StringIO()
    with pytest.raises(CommandError, match="Inconsistent events: 1 of 1"):
        call_command("check_events", "--lines", "1", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("… and ")
