"""Draws of elimination stages: make, discard, publish and unpublish.

The randomness of a draw is committed before the draw (``store.lots``), and each draw is a public record, so
that it can be replayed and a director cannot draw until a result suits (in the spirit of rule F13: the
conditions are known before the start). A published draw can be unpublished while no match has begun. The
consolation and the last chance of a bracket are drawn, published and unpublished with the bracket.
"""

from collections.abc import Collection

from faults import Conflict
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.chance import Seed
from tournaments.engine.lots.committed import SERVER_SOURCE, SeedSource
from tournaments.engine.lots.lists import draw_lines
from tournaments.engine.stages.elimination import bracket_lengths, bracket_with_flights
from tournaments.engine.statuses import EVENT_CHANGEABLE, StageAction
from tournaments.engine.trail.draws import DrawDiscarded, DrawMade, DrawPublished, DrawUnpublished
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.selectors.check_in import entries_in_draw
from tournaments.selectors.seeding import draw_list, draw_participants
from tournaments.store.check_in import mark_check_in_used, require_checked_in
from tournaments.store.drawing import clear_draw, write_bracket
from tournaments.store.event_state import has_stage_begun, start_event, step_stage, unstart_event
from tournaments.store.lock import get_stage, lock_for_director, record_action
from tournaments.store.lots import (
    audit_facts,
    draw_lot,
    require_entry_count,
    require_same_list,
    reveal_lots,
    save_lot,
    source_for_seed,
)
from tournaments.store.tables import assign_free_tables, clear_stage_tables


@durable
def draw_stage(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    seed: Seed | None = None,
    source: SeedSource = SERVER_SOURCE,
    seen: str = "",
) -> Stage:
    """Draw the bracket of a stage from the active entries, or draw it again; it is not published yet.

    Randomness comes from the committed secret or another ``source``; ``seed`` replays an earlier draw.
    ``seen``: hash of the list of entries that was read out before the dice were rolled; raises ``Conflict``
    if the list has changed.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_CHANGEABLE:
        raise Conflict("draw.event_closed", present=event)
    step_stage(event, stage, StageAction.DRAW)
    source = source_for_seed(seed, source)
    entries = draw_participants(stage)
    require_entry_count(stage, entries)
    frozen_list = draw_list(stage, entries)
    require_same_list(frozen_list, seen)
    lot, drawn_seed = draw_lot(stage, frozen_list, source)
    lines = draw_lines(frozen_list, drawn_seed)
    reveal_lots(stage)
    save_lot(lot, {"lines": lines})
    stage.draw_seed, stage.drawn_at = lot.seed, lot.at
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    clear_draw(stage)
    settings = stage.settings.bracket
    bracket = bracket_with_flights(stage.system, stage.lengths, settings, lines)
    lengths = bracket_lengths(stage.system, stage.lengths, settings, bracket)
    write_bracket(stage, bracket, lengths, opening_state(bracket))
    record_action(
        event,
        actor=actor,
        action=DrawMade(
            seed=stage.draw_seed,
            method=stage.draw_method,
            entries=tuple(EntryId(entry.pk) for entry in entries),
            lines=tuple(lines),
            **audit_facts(lot),
        ),
        subject=stage,
    )
    return stage


@durable
def discard_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Discard an unpublished draw and its matches, so that entries can change again."""
    event = lock_for_director(actor, event_id)
    return discard_draw_locked(actor, event, get_stage(event, stage_id, Stage.ELIMINATIONS))


def discard_draw_locked(actor: Actor, event: Event, stage: Stage) -> Stage:
    """Discard the unpublished draw of ``stage``, for a service that has locked ``event``."""
    step_stage(event, stage, StageAction.DISCARD)
    seed, stage.draw_seed, stage.drawn_at = stage.draw_seed, "", None
    stage.save(update_fields=["status", "draw_seed", "drawn_at"])
    clear_draw(stage)
    reveal_lots(stage)
    record_action(event, actor=actor, action=DrawDiscarded(seed=seed), subject=stage)
    return stage


@durable
def publish_draw(*, actor: Actor, event_id: int, stage_id: int, absent: Collection[int] = ()) -> Stage:
    """Publish the draw: the event starts, registration closes, tables are assigned.

    ``absent``: ids of entries that are drawn although they are not checked in. If the division has a
    check-in, raises ``Conflict`` (409, ``check_in.missing``) if other entries are not checked in.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    check_in, missing = require_checked_in(event, stage, entries_in_draw(stage), absent)
    step_stage(event, stage, StageAction.PUBLISH)
    stage.save(update_fields=["status"])
    reveal_lots(stage)
    start_event(event)
    assign_free_tables(event)
    mark_check_in_used(check_in, stage)
    record_action(
        event, actor=actor, action=DrawPublished(seed=stage.draw_seed, absent=missing), subject=stage
    )
    return stage


@durable
def unpublish_draw(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Unpublish the draw; the draw itself stays stored.

    Raises ``Conflict`` if a match has been called, played or reported.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    if has_stage_begun(stage):
        raise Conflict("draw.begun", present=stage)
    step_stage(event, stage, StageAction.UNPUBLISH)
    stage.save(update_fields=["status"])
    clear_stage_tables(stage)
    unstart_event(event)
    record_action(event, actor=actor, action=DrawUnpublished(), subject=stage)
    return stage
