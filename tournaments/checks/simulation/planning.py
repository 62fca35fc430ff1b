"""Random planning by a director.

Rules of a stage, hours and lengths, clocks, staff notes, duplicates of the event.
"""

from dataclasses import replace
from datetime import time, timedelta

from django.utils import timezone

from tournaments.checks.simulation.hall import StepContext
from tournaments.checks.soundness import integrity_faults
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.engine.matches.rulings import SINGLES_CLOCK, ClockUse, SlowPlayRule
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


def change_stage_rules(context: StepContext) -> str:
    """Change lateness and clock rules of a stage.

    In a league also whether its matches are played by arrangement.
    """
    stage = context.rng.choice(context.stages)
    conduct = stage.settings.conduct
    set_conduct(
        **context.where,
        stage_id=stage.pk,
        lateness=replace(conduct.lateness, grace=context.rng.randrange(9)),
        clocks=context.rng.choice([None, SINGLES_CLOCK]),
        rated=conduct.rated,
        by_arrangement=context.rng.random() < 0.7 if stage.system in LEAGUE_SYSTEMS else None,
        clock_use=context.rng.choice(list(ClockUse)),
        slow=SlowPlayRule(points=context.rng.randrange(3)),
    )
    return f"rules of {stage}"


def toggle_clock(context: StepContext) -> str:
    """Add a clock to a match, with a score or without, or remove one."""
    clocked = Match.objects.filter(stage__division__event=context.event).exclude(clock={}).order_by("pk")
    if context.rng.random() < 0.4 and (clocked_matches := list(clocked)):
        match = context.rng.choice(clocked_matches)
        remove_clock(**context.where, match_id=match.pk, seen=match.version)
        return f"no clock in match {match.number}"
    playable_match = context.some_match(*PLAYABLE)
    if playable_match is None:
        return "no match for a clock"
    minimum = minimum_match_score(playable_match)
    score = Score(
        context.rng.randrange(minimum.a, playable_match.length),
        context.rng.randrange(minimum.b, playable_match.length),
    )
    add_clock(
        **context.where,
        match_id=playable_match.pk,
        seen=playable_match.version,
        score=context.rng.choice([None, score, score]),
    )
    return f"a clock in match {playable_match.number}"


def leave_note(context: StepContext) -> str:
    """Write a staff note, or mark one as done."""
    notes = list(DeskNote.objects.filter(event=context.event).order_by("pk"))
    if notes and context.rng.random() < 0.5:
        note = context.rng.choice(notes)
        set_note_status(**context.where, note_id=note.public_id, done=context.rng.random() < 0.8)
        return "a note seen to"
    text = context.rng.choice(["Table 3 wobbles", "Ask at the bar", ""])
    write_note(
        **context.where, text=text, submission_key=context.key(), for_helpers=context.rng.random() < 0.5
    )
    return "a note"


def change_schedule(context: StepContext) -> str:
    """Change tables, hours, lengths and rounds, sometimes with an outdated expected version."""
    event, stages = context.event, context.stages
    event.refresh_from_db()
    rows = list(Stage.objects.filter(division__event=event).select_related("division", "fed_by"))
    expected_version = schedule_version(event, rows) if context.rng.random() < 0.8 else "another"
    open_stages = [stage for stage in stages if stage.status == StageStatus.SETUP]
    opens_at = context.rng.choice([None, time(11), time(19)])
    context.event = set_schedule(
        **context.where,
        schedule=Schedule(
            tables=context.rng.choice([event.tables, 3, 20]),
            opens_at=opens_at,
            closes_at=context.rng.choice([None, time(23)]) if opens_at is not None else None,
            break_from=None,
            break_until=None,
            lengths={
                stage.pk: [context.rng.choice(MATCH_LENGTHS)]
                for stage in open_stages
                if context.rng.random() < 0.5
            },
            rounds={
                stage.pk: context.rng.randrange(1, 6)
                for stage in open_stages
                if stage.system == Stage.System.SWISS
            },
        ),
        seen=expected_version,
    )
    return "hours, tables and lengths"


def duplicate_some_event(context: StepContext) -> str:
    """Sometimes copy the event, with its people or without, whole or in part, and check the copy as well."""
    if context.rng.random() < 0.6:
        return "nobody needs it once more"
    day = timezone.localdate() + timedelta(days=context.rng.randrange(30))
    division_ids = None
    if context.rng.random() < 0.3:
        division_ids = [context.rng.choice(context.stages).division_id]
    copied = copy_event(
        **context.where,
        starts_on=day,
        people=context.rng.random() < 0.7,
        divisions=division_ids,
        name=f"Copy {context.rng.randrange(MAX_COPIES)}",
    )
    faults = [*integrity_faults(copied.event)]
    if faults:
        raise AssertionError(f"the copy is not sound: {faults[:3]}")
    return f"once more on {day}"
