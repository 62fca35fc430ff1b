"""Make, discard, publish and take back a draw.

The seed is stored before the draw is made and stays in the audit trail, so that every draw can be replayed (F13's
spirit: the conditions are known before the start). A published draw can be taken back while no match has begun. The
consolation and the last chance of a bracket are drawn, published and taken back with it.
"""

import secrets
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from people.actors import Actor
from people.errors import Conflict, Invalid
from tournaments.engine.brackets.progression import BracketState, opening_state
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.brackets.structure import Bracket, SourceKind
from tournaments.engine.chance import MAX_SEED
from tournaments.engine.lifecycle import EVENT_GOING_ON, StageAction, StageStatus, next_status
from tournaments.engine.stages.elimination import family_bracket, family_lengths
from tournaments.engine.types import Side
from tournaments.models import Match, MatchSlot, Round, Stage
from tournaments.models.refusals import engine_refusals
from tournaments.selectors.seeding import entries_to_draw, lines_of
from tournaments.store.event_state import start_event, unstart_event
from tournaments.store.lock import changed, lock_for_director, stage_of
from tournaments.store.results import has_begun
from tournaments.store.tables import hand_out_tables


@transaction.atomic(durable=True)
def draw_stage(*, actor: Actor, event_id: int, stage_id: int, seed: int | None = None) -> Stage:
    """Draw (again) from the active entries. ``seed`` replays an earlier draw; without one a new seed is taken."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_GOING_ON:
        raise Conflict("draw.event_closed", present={"status": event.status})
    with engine_refusals({"status": stage.status}):
        stage.status = next_status(StageStatus(stage.status), StageAction.DRAW)
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise Invalid("draw.seed_odd", field="seed", limit=MAX_SEED)
    entries = entries_to_draw(stage)
    if not MIN_ENTRIES <= len(entries) <= MAX_ENTRIES:
        raise Invalid("draw.entries_odd", count=len(entries), least=MIN_ENTRIES, most=MAX_ENTRIES)
    number = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    stage.draw_seed = str(number)
    stage.drawn_at = timezone.now()
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    _clear(stage)
    settings = stage.settings.bracket
    lines = lines_of(stage, entries, number)
    bracket = family_bracket(stage.system, stage.lengths, settings, lines)
    lengths = family_lengths(stage.system, stage.lengths, settings, bracket)
    _write(stage, bracket, lengths, opening_state(bracket))
    changed(
        event,
        actor=actor,
        action="draw.make",
        subject=stage,
        data={
            "seed": stage.draw_seed,
            "method": stage.draw_method,
            "entries": [entry.pk for entry in entries],
            "lines": lines,
        },
    )
    return stage


@transaction.atomic(durable=True)
def discard_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Throw an unpublished draw away, so that entries can change again."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    with engine_refusals({"status": stage.status}):
        stage.status = next_status(StageStatus(stage.status), StageAction.DISCARD)
    seed, stage.draw_seed, stage.drawn_at = stage.draw_seed, "", None
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    _clear(stage)
    changed(event, actor=actor, action="draw.discard", subject=stage, data={"seed": seed})
    return stage


@transaction.atomic(durable=True)
def publish_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Show the draw to everybody: the event is running, registration is closed, tables are given."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    with engine_refusals({"status": stage.status}):
        stage.status = next_status(StageStatus(stage.status), StageAction.PUBLISH)
    stage.save(update_fields=["status"])
    start_event(event)
    hand_out_tables(event)
    changed(event, actor=actor, action="draw.publish", subject=stage, data={"seed": stage.draw_seed})
    return stage


@transaction.atomic(durable=True)
def take_back_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Un-publish: possible while nothing has been called, played or reported."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if has_begun(stage):
        raise Conflict("draw.begun", present={"status": stage.status})
    with engine_refusals({"status": stage.status}):
        stage.status = next_status(StageStatus(stage.status), StageAction.UNPUBLISH)
    stage.save(update_fields=["status"])
    Match.objects.filter(stage=stage).update(table=None)
    unstart_event(event)
    changed(event, actor=actor, action="draw.take_back", subject=stage)
    return stage


def _clear(stage: Stage) -> None:
    MatchSlot.objects.filter(match__stage=stage).delete()
    Match.objects.filter(stage=stage).delete()
    Round.objects.filter(stage=stage).delete()


def _write(stage: Stage, bracket: Bracket, lengths: Mapping[int, int], state: BracketState) -> None:
    """Store the structure and its opening state in four statements, whatever the size."""
    rounds = Round.objects.bulk_create(
        [
            Round(
                stage=stage,
                number=r.number,
                section=r.section,
                code=r.code,
                entries_left=r.of,
                length=lengths[r.number],
            )
            for r in bracket.rounds
        ]
    )
    by_number = {r.number: r for r in rounds}
    now = timezone.now()
    matches = {}
    for planned in bracket.matches:
        settled = state.matches[planned.number]
        outcome = settled.outcome
        match = Match(
            stage=stage,
            round=by_number[planned.round],
            number=planned.number,
            position=planned.position,
            length=by_number[planned.round].length,
            status=settled.status,
        )
        if outcome is not None:
            match.result_kind = outcome.kind
            match.winner_side = outcome.winner or ""
            match.confirmed_at = now
        matches[planned.number] = match
    Match.objects.bulk_create(list(matches.values()))
    slots = []
    for planned in bracket.matches:
        settled = state.matches[planned.number]
        for side, source, slot in ((Side.A, planned.a, settled.a), (Side.B, planned.b, settled.b)):
            fed = source.kind in {SourceKind.WINNER_OF, SourceKind.LOSER_OF}
            slots.append(
                MatchSlot(
                    match=matches[planned.number],
                    side=side,
                    source_kind=source.kind,
                    source_match=matches[source.match] if fed and source.match is not None else None,
                    entry_id=slot.entry,
                    has_won=slot.has_won,
                )
            )
    MatchSlot.objects.bulk_create(slots)
