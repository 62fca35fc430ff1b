"""Save repairs of stages, so that they can be undone from their audit log entries.

A repair (a correction, late entry, withdrawal, other player or length) states the wanted result as ``Change``
values; ``save_stage`` saves the differences as for any result. The previous state of every changed match goes
into the audit log entry, and the repair can be undone as long as nothing depends on it. Only services call
these functions, inside their transaction and under the event's lock.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Model

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry
from tournaments.engine.brackets.correction import Consequence
from tournaments.engine.changes.next_state import NO_RULINGS, ReplaceBracketResults, Ruling
from tournaments.engine.changes.state import MatchData, StageState
from tournaments.engine.changes.trail import MatchUndo, PreviousEntry, RepairUndo
from tournaments.engine.statuses import AT_TABLE, DRAW_PUBLIC, EVENT_HAS_RESULTS, OVER, StageStatus
from tournaments.engine.trail.action import RepairAuditAction
from tournaments.engine.types import MatchNo
from tournaments.models import Event, Match, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.rounds.next import needs_another_round
from tournaments.store.event_state import (
    finish_stage_if_over,
    has_stage_begun,
    reopen_stage,
    start_stage,
    unstart_stage,
)
from tournaments.store.load import LoadedStage
from tournaments.store.lock import record_action
from tournaments.store.places import record_places
from tournaments.store.save import save_stage
from tournaments.store.tables import assign_free_tables

PARKED_ATTEMPT_NUMBER: Final = (
    1000  # an attempt that nobody has: rows of two who change places stand there for a moment
)


@dataclass(frozen=True, slots=True)
class StageRepair:
    """A repair of a stage: the stage as loaded (``loaded_stage``), and its state ``after`` the repair.

    ``further_matches``: unchanged matches that prevent an undo once they have continued.
    """

    loaded_stage: LoadedStage
    after: StageState
    further_matches: Collection[MatchNo] = ()


def require_published_draw(event: Event, stage: Stage) -> None:
    """Raise ``Conflict`` unless the event is running or over and the draw of the stage is published."""
    if event.status not in EVENT_HAS_RESULTS or stage.status not in DRAW_PUBLIC:
        raise Conflict("match.not_running", present=stage)


def change_from_consequence(
    draw: Draw, consequence: Consequence, rulings: Mapping[MatchNo, Ruling] = NO_RULINGS
) -> ReplaceBracketResults:
    """Return the change of a bracket's results that a repair causes; ``rulings``: the results behind it."""
    return ReplaceBracketResults(
        draw.bracket(), draw.outcomes(), consequence.results, consequence.manual_slots, rulings
    )


def write_repair(event: Event, repair: StageRepair, actor: Actor) -> dict[MatchNo, MatchUndo]:
    """Save the stage with its status and tables; return what the audit log keeps of each changed match.

    The result is keyed by match number. The caller saves the event.
    """
    loaded_stage, state_before = repair.loaded_stage, repair.loaded_stage.state
    state_after = _without_taken_tables(event, repair)
    touched_numbers = sorted(
        {
            *state_before.changed(state_after),
            *state_before.matches_with_changed_slots(state_after),
            *repair.further_matches,
        }
    )
    save_stage(event, loaded_stage, state_after, actor=actor)
    _update_stage_status(
        event, loaded_stage.stage, is_over=all(match.status in OVER for match in state_after.matches.values())
    )
    assign_free_tables(event)
    return {
        number: state_before.match(number).touched(state_after.match(number)) for number in touched_numbers
    }


def record_repair(
    event: Event,
    *repairs: StageRepair,
    actor: Actor,
    action: RepairAuditAction,
    subject: Model,
    entries: Mapping[int, PreviousEntry] | None = None,
    rounds: Mapping[int, int] | None = None,
    lengths: Mapping[int, int] | None = None,
) -> AuditEntry:
    """Save the repaired stages and the audit log entry for ``undo_repair``: the last step of every repair.

    ``entries``, ``rounds`` and ``lengths``: what else an undo needs (``RepairUndo``).
    """
    undo_by_stage = {repair.loaded_stage.stage.pk: write_repair(event, repair, actor) for repair in repairs}
    undo = RepairUndo(undo_by_stage, entries or {}, rounds or {}, lengths or {})
    return record_action(event, actor=actor, action=replace(action, undo=undo), subject=subject)


def _without_taken_tables(event: Event, repair: StageRepair) -> StageState:
    """Return the state after the repair, without table numbers that another match has taken since."""
    differences = repair.loaded_stage.state.changed(repair.after)
    matches_with_table = {
        number: match_after
        for number, (_was, match_after) in differences.items()
        if _keeps_table(match_after)
    }
    if not matches_with_table:
        return repair.after
    live_matches = Match.objects.filter(stage__division__event=event, status__in=AT_TABLE)
    other_matches = live_matches.exclude(
        pk__in=[repair.loaded_stage.rows[number].pk for number in differences]
    )
    taken_tables = set(other_matches.exclude(table=None).values_list("table", flat=True))
    cleared = {
        number: match.written(table=None)
        for number, match in matches_with_table.items()
        if match.columns.table in taken_tables
    }
    return replace(repair.after, matches={**repair.after.matches, **cleared})


def _keeps_table(match: MatchData) -> bool:
    return match.status in AT_TABLE and match.columns.table is not None


def _update_stage_status(event: Event, stage: Stage, *, is_over: bool) -> None:
    if stage.status == StageStatus.FINISHED:
        if is_over and not needs_another_round(stage):
            record_places(event=event, stage=stage)
            return
        reopen_stage(event, stage)
    if is_over or has_stage_begun(stage):
        start_stage(event, stage)
    else:
        unstart_stage(event, stage)
    finish_stage_if_over(event, stage)
