"""Random events of every system, with walk-overs, drop-outs, late entries, corrections and undo: all stay sound.

One of each system in every run, dealt out to the databases, as `test_random_repairs` deals others. `tools/reached.py` plays fifty
(``CRAWFORD_RANDOM_EVENTS``) and `manage.py simulate_events` a thousand in `.ci/long`, and larger ones.
"""

import os
import random

import pytest

from people.actors import Actor
from tests.factories import a_club, an_event
from tournaments.checks.simulation.going_on import advance_stage
from tournaments.checks.simulation.hall import StepContext
from tournaments.checks.simulation.kinds import FORMAT_NAMES
from tournaments.checks.simulation.whole_event import RandomEvent
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import unpublish_draw
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.models import Match, MatchSlot
from tournaments.repairs.services.withdraw import withdraw_after_draw

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns(len(FORMAT_NAMES))]


SEEDS = range(1, int(os.environ.get("CRAWFORD_RANDOM_EVENTS", len(FORMAT_NAMES))) + 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_event_when_everything_happens_then_it_is_sound_after_every_step(seed):
    simulated = RandomEvent(seed=seed, club=a_club(), director=Actor.program(), max_entries=6)
    simulated.run()
    assert simulated.event.status == "finished"
    assert simulated.counts["advance stage"] > 0


def test_seeds_when_dealt_out_then_every_system_is_played():
    assert {seed % len(FORMAT_NAMES) for seed in SEEDS} == set(range(len(FORMAT_NAMES)))


def test_random_events_when_entries_leave_early_then_matches_pass_by_themselves_in_brackets_and_tables():
    """Some of fifty, weekends and leagues, until it has happened in both, and to two who would meet."""
    wanted = {"one absent in a bracket", "one absent in a table", "both absent in a table"}
    kinds = {FORMAT_NAMES.index("weekend"), FORMAT_NAMES.index("league")}
    for seed in range(1, 51):
        if wanted and seed % len(FORMAT_NAMES) in kinds:
            simulated = RandomEvent(seed=seed, club=a_club(), director=Actor.program(), max_entries=6)
            simulated.run()
            wanted -= set(simulated.counts)
    assert not wanted


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"winner_side": "b"}, {"bracket", "slot", "trail"}),
        ({"status": "void"}, {"bracket", "status", "slot"}),
    ],
)
def test_a_row_when_changed_behind_the_services_then_the_event_is_not_sound(change, found):
    event = an_event(entries=4, lengths=[3]).publish().play_out().event
    assert integrity_faults(event) == []
    first = Match.objects.filter(stage__division__event=event, result_kind="played").earliest("number")
    if first.winner_side == "b" and "winner_side" in change:
        change = {"winner_side": "a"}
    Match.objects.filter(pk=first.pk).update(**change)
    checks = {fault.check for fault in integrity_faults(event)}
    assert checks & found


def test_a_draw_taken_back_when_too_few_are_left_for_another_then_somebody_makes_up_the_number():
    tournament = an_event(3, system="double_elimination").publish()
    hall = StepContext(tournament.event, tournament.actor, random.Random(1))
    byes = MatchSlot.objects.filter(
        match__stage=tournament.stage, match__result_kind="bye", entry__isnull=False
    )
    withdraw_after_draw(**hall.where, entry_id=byes.earliest("pk").entry_id, leaving=WithdrawnResults.KEEP)
    unpublish_draw(**hall.where, stage_id=tournament.stage.pk)
    assert advance_stage(hall).endswith("making up the number")
    assert advance_stage(hall) == "the draw"
    assert tournament.fresh().status == "running"
