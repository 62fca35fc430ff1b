"""Write what a repair makes of stages, so that it can be undone from its audit row.

A repair (a correction, late entry, withdrawal, other player or length) states the wanted result as ``Change``
values; ``save_stage`` writes the differences like any result. The previous state of every touched match goes
into the audit row, and the repair can be undone exactly until something is built on it. Only services call
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

PARKED_ATTEMPT: Final = (
    1000  # an attempt that nobody has: rows of two who change places stand there for a moment
)


@dataclass(frozen=True, slots=True)
class StageRepair:
    """A loaded stage and its state after the repair.

    ``also``: unchanged matches that count as touched, because continuing them builds on the repair.
    """

    hand: LoadedStage
    after: StageState
    also: Collection[MatchNo] = ()


def require_published_draw(event: Event, stage: Stage) -> None:
    """Raise ``Conflict`` unless the event and the stage are under way or over."""
    if event.status not in EVENT_HAS_RESULTS or stage.status not in DRAW_PUBLIC:
        raise Conflict("match.not_running", present=stage)


def change_from_consequence(
    draw: Draw, done: Consequence, rulings: Mapping[MatchNo, Ruling] = NO_RULINGS
) -> ReplaceBracketResults:
    """A consequence of a repair as a change; ``rulings``: the claims behind new results."""
    return ReplaceBracketResults(draw.bracket(), draw.results(), done.results, done.by_hand, rulings)


def write_repair(event: Event, repair: StageRepair, actor: Actor) -> dict[MatchNo, MatchUndo]:
    """Write the stage with its status and tables; return what the audit log keeps of each touched match.

    The caller saves the event.
    """
    hand, before = repair.hand, repair.hand.state
    after = _without_taken_tables(event, repair)
    touched = sorted({*before.changed(after), *before.awaited(after), *repair.also})
    save_stage(event, hand, after, actor=actor)
    _update_stage_status(
        event, hand.stage, over=all(match.status in OVER for match in after.matches.values())
    )
    assign_free_tables(event)
    return {number: before.match(number).touched(after.match(number)) for number in touched}


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
    """Write the stages and the audit row from which ``undo_repair`` restores them; last step of every repair.

    ``entries``, ``rounds`` and ``lengths``: what else an undo needs (``RepairUndo``).
    """
    touched = {repair.hand.stage.pk: write_repair(event, repair, actor) for repair in repairs}
    undo = RepairUndo(touched, entries or {}, rounds or {}, lengths or {})
    return record_action(event, actor=actor, action=replace(action, undo=undo), subject=subject)


def _without_taken_tables(event: Event, repair: StageRepair) -> StageState:
    """The state after the repair, without table numbers that another match has taken since."""
    differ = repair.hand.state.changed(repair.after)
    back = {number: now for number, (_was, now) in differ.items() if _keeps_table(now)}
    if not back:
        return repair.after
    live = Match.objects.filter(stage__division__event=event, status__in=AT_TABLE)
    others = live.exclude(pk__in=[repair.hand.rows[number].pk for number in differ])
    taken = set(others.exclude(table=None).values_list("table", flat=True))
    gone = {
        number: match.written(table=None) for number, match in back.items() if match.columns.table in taken
    }
    return replace(repair.after, matches={**repair.after.matches, **gone})


def _keeps_table(match: MatchData) -> bool:
    return match.status in AT_TABLE and match.columns.table is not None


def _update_stage_status(event: Event, stage: Stage, *, over: bool) -> None:
    if stage.status == StageStatus.FINISHED:
        if over and not needs_another_round(stage):
            record_places(event=event, stage=stage)
            return
        reopen_stage(event, stage)
    if over or has_stage_begun(stage):
        start_stage(event, stage)
    else:
        unstart_stage(event, stage)
    finish_stage_if_over(event, stage)
