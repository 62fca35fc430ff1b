"""Make, discard, publish and take back a draw.

The chance of a draw is promised before (``store.lots``), and each draw that was made is a public row, so that it can be replayed and
nobody draws until it suits (F13's spirit: the conditions are known before the start). A published draw can be taken back while no match has begun. The
consolation and the last chance of a bracket are drawn, published and taken back with it.
"""

from collections.abc import Collection

from faults import Conflict
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.chance import Seed
from tournaments.engine.lots.committed import SERVER, Source
from tournaments.engine.lots.lists import lines_from
from tournaments.engine.stages.elimination import family_bracket, family_lengths
from tournaments.engine.statuses import EVENT_GOING_ON, StageAction
from tournaments.engine.trail.draws import DrawDiscarded, DrawMade, DrawPublished, DrawTakenBack
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.selectors.check_in import entries_in_draw
from tournaments.selectors.seeding import entries_to_draw, list_to_draw
from tournaments.store.check_in import asked_by, must_be_here
from tournaments.store.drawing import clear, write_bracket
from tournaments.store.event_state import has_begun, start_event, step_stage, unstart_event
from tournaments.store.lock import changed, lock_for_director, stage_of
from tournaments.store.lots import draw_lot, keep, must_be_listed, must_fit, show_lots, source_of, trail_facts
from tournaments.store.tables import give_back_tables, hand_out_tables


@durable
def draw_stage(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    seed: Seed | None = None,
    source: Source = SERVER,
    seen: str = "",
) -> Stage:
    """Draw (again) from the active entries, from the secret that was promised or another ``source``.

    ``seed`` replays an earlier draw. ``seen``: the hash of the list that was read out before the dice were rolled.
    """
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_GOING_ON:
        raise Conflict("draw.event_closed", present=event)
    step_stage(event, stage, StageAction.DRAW)
    source = source_of(seed, source)
    entries = entries_to_draw(stage)
    must_fit(stage, entries)
    listed = list_to_draw(stage, entries)
    must_be_listed(listed, seen)
    lot, drawn = draw_lot(stage, listed, source)
    lines = lines_from(listed, drawn)
    show_lots(stage)
    keep(lot, {"lines": lines})
    stage.draw_seed, stage.drawn_at = lot.seed, lot.at
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    clear(stage)
    settings = stage.settings.bracket
    bracket = family_bracket(stage.system, stage.lengths, settings, lines)
    lengths = family_lengths(stage.system, stage.lengths, settings, bracket)
    write_bracket(stage, bracket, lengths, opening_state(bracket))
    changed(
        event,
        actor=actor,
        action=DrawMade(
            seed=stage.draw_seed,
            method=stage.draw_method,
            entries=tuple(EntryId(entry.pk) for entry in entries),
            lines=tuple(lines),
            **trail_facts(lot),
        ),
        subject=stage,
    )
    return stage


@durable
def discard_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Throw an unpublished draw away, so that entries can change again."""
    event = lock_for_director(actor, event_id)
    return throw_draw_away(actor, event, stage_of(event, stage_id, Stage.ELIMINATIONS))


def throw_draw_away(actor: Actor, event: Event, stage: Stage) -> Stage:
    """`discard_draw` for a service that holds ``event``."""
    step_stage(event, stage, StageAction.DISCARD)
    seed, stage.draw_seed, stage.drawn_at = stage.draw_seed, "", None
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    clear(stage)
    show_lots(stage)
    changed(event, actor=actor, action=DrawDiscarded(seed=seed), subject=stage)
    return stage


@durable
def publish_draw(*, actor: Actor, event_id: int, stage_id: int, absent: Collection[int] = ()) -> Stage:
    """Show the draw to everybody: the event is running, registration is closed, tables are given.

    Where the division has a check-in, whoever is drawn and not here is in the way (409, ``check_in.missing``) but for those whom the director
    draws anyway: ``absent``, the ids of those who were seen to be missing.
    """
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    check_in, missing = must_be_here(event, stage, entries_in_draw(stage), absent)
    step_stage(event, stage, StageAction.PUBLISH)
    stage.save(update_fields=["status"])
    show_lots(stage)
    start_event(event)
    hand_out_tables(event)
    asked_by(check_in, stage)
    changed(event, actor=actor, action=DrawPublished(seed=stage.draw_seed, absent=missing), subject=stage)
    return stage


@durable
def take_back_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Un-publish: possible while nothing has been called, played or reported."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if has_begun(stage):
        raise Conflict("draw.begun", present=stage)
    step_stage(event, stage, StageAction.UNPUBLISH)
    stage.save(update_fields=["status"])
    give_back_tables(stage)
    unstart_event(event)
    changed(event, actor=actor, action=DrawTakenBack(), subject=stage)
    return stage
