"""Random planning by a director.

Rules of a stage, hours and lengths, clocks, staff notes, duplicates of the event.
"""

from dataclasses import replace
from datetime import time, timedelta

from django.utils import timezone

from tournaments.checks.simulation.hall import StepContext
from tournaments.checks.soundness import integrity_faults
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.engine.matches.rulings import SINGLES_CLOCK, ClockUse, SlowRule
from tournaments.engine.statuses import PLAYABLE, StageStatus
from tournaments.engine.types import Score
from tournaments.events.services.how_long import Schedule, schedule_version, set_schedule
from tournaments.events.services.stage_rules import set_conduct
from tournaments.matches.services.rulings import add_clock, remove_clock
from tournaments.models import DeskNote, Match, Stage
from tournaments.selectors.leagues import LEAGUE_SYSTEMS
from tournaments.selectors.matches.claims import minimum_match_score
from tournaments.series.services.copying import copy_event

MATCH_LENGTHS = (1, 3, 5, 7)
MAX_COPIES = 2


def change_stage_rules(hall: StepContext) -> str:
    """Change clocks and schedules of a stage.

    In a league also whether its matches are played by arrangement.
    """
    stage = hall.rng.choice(hall.stages)
    conduct = stage.settings.conduct
    set_conduct(
        **hall.where,
        stage_id=stage.pk,
        lateness=replace(conduct.lateness, grace=hall.rng.randrange(9)),
        clocks=hall.rng.choice([None, SINGLES_CLOCK]),
        rated=conduct.rated,
        by_arrangement=hall.rng.random() < 0.7 if stage.system in LEAGUE_SYSTEMS else None,
        clock_use=hall.rng.choice(list(ClockUse)),
        slow=SlowRule(points=hall.rng.randrange(3)),
    )
    return f"rules of {stage}"


def toggle_clock(hall: StepContext) -> str:
    """Set a clock for a match, with a score or without, or remove one."""
    on = Match.objects.filter(stage__division__event=hall.event).exclude(clock={}).order_by("pk")
    if hall.rng.random() < 0.4 and (found := list(on)):
        match = hall.rng.choice(found)
        remove_clock(**hall.where, match_id=match.pk, seen=match.version)
        return f"no clock in match {match.number}"
    waiting = hall.some_match(*PLAYABLE)
    if waiting is None:
        return "no match for a clock"
    least = minimum_match_score(waiting)
    score = Score(hall.rng.randrange(least.a, waiting.length), hall.rng.randrange(least.b, waiting.length))
    add_clock(
        **hall.where, match_id=waiting.pk, seen=waiting.version, score=hall.rng.choice([None, score, score])
    )
    return f"a clock in match {waiting.number}"


def leave_note(hall: StepContext) -> str:
    """Write a staff note, or mark one as done."""
    notes = list(DeskNote.objects.filter(event=hall.event).order_by("pk"))
    if notes and hall.rng.random() < 0.5:
        found = hall.rng.choice(notes)
        set_note_status(**hall.where, note_id=found.public_id, done=hall.rng.random() < 0.8)
        return "a note seen to"
    text = hall.rng.choice(["Table 3 wobbles", "Ask at the bar", ""])
    write_note(**hall.where, text=text, submission_key=hall.key(), for_helpers=hall.rng.random() < 0.5)
    return "a note"


def change_schedule(hall: StepContext) -> str:
    """Change tables, hours, lengths and rounds, sometimes with an outdated expected version."""
    event, stages = hall.event, hall.stages
    event.refresh_from_db()
    rows = list(Stage.objects.filter(division__event=event).select_related("division", "fed_by"))
    seen = schedule_version(event, rows) if hall.rng.random() < 0.8 else "another"
    open_ = [stage for stage in stages if stage.status == StageStatus.SETUP]
    opens = hall.rng.choice([None, time(11), time(19)])
    hall.event = set_schedule(
        **hall.where,
        schedule=Schedule(
            tables=hall.rng.choice([event.tables, 3, 20]),
            opens_at=opens,
            closes_at=hall.rng.choice([None, time(23)]) if opens is not None else None,
            break_from=None,
            break_until=None,
            lengths={
                stage.pk: [hall.rng.choice(MATCH_LENGTHS)] for stage in open_ if hall.rng.random() < 0.5
            },
            rounds={
                stage.pk: hall.rng.randrange(1, 6) for stage in open_ if stage.system == Stage.System.SWISS
            },
        ),
        seen=seen,
    )
    return "hours, tables and lengths"


def duplicate_some_event(hall: StepContext) -> str:
    """Copy the event with its people or without, whole or in part, and check the copy as well."""
    if hall.rng.random() < 0.6:
        return "nobody needs it once more"
    day = timezone.localdate() + timedelta(days=hall.rng.randrange(30))
    parts = None
    if hall.rng.random() < 0.3:
        parts = [hall.rng.choice(hall.stages).division_id]
    made = copy_event(
        **hall.where,
        starts_on=day,
        people=hall.rng.random() < 0.7,
        divisions=parts,
        name=f"Copy {hall.rng.randrange(MAX_COPIES)}",
    )
    found = [*integrity_faults(made.event)]
    if found:
        raise AssertionError(f"the copy is not sound: {found[:3]}")
    return f"once more on {day}"
