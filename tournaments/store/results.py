"""Confirm results with all consequences: sides advance, tables are assigned, stages and events end.

Only services call these functions, inside their transaction and under the event's lock.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from people.actors import Actor
from tournaments.engine.changes.next_state import ConfirmResult, PassAbsentEntries
from tournaments.engine.changes.state import MatchColumns, NewReport, StageState, StoredReport
from tournaments.engine.statuses import OVER, PLAYERS_BUSY, MatchStatus
from tournaments.engine.trail.matches import AbsenceResultRecorded
from tournaments.engine.types import Claim, MatchNo
from tournaments.models import Event, Match, MatchSlot, Report, Stage
from tournaments.store.chain import add_audit_row
from tournaments.store.event_state import finish_stage_if_over, start_stage
from tournaments.store.load import LoadedStage, load_stage
from tournaments.store.save import save_stage
from tournaments.store.tables import assign_free_tables


def confirm_match(
    *,
    event: Event,
    stage: Stage,
    match: Match,
    slots: Sequence[MatchSlot],
    claim: Claim,
    report: Report,
    played_at: datetime,
) -> None:
    """Make ``claim`` the result of the match: update match, slots, ledger and tables.

    The stage and the event are finished if this was the last result. ``match`` and ``stage`` are rows of the
    locked event, ``slots`` what ``nearby_slots`` returned for the match. ``played_at``: as given by the
    director, else when the result was first reported.
    """
    loaded_stage = load_stage(stage, around=match, slots=slots)
    stored = StoredReport(report.pk, report.version)
    change = ConfirmResult(MatchNo(match.number), claim, stored, played_at)
    state_after = loaded_stage.after(change, present=current_match_state(match))
    start_stage(event, stage)
    _save_and_give_tables(event, loaded_stage, state_after)
    if all(match_after.status in OVER for match_after in state_after.matches.values()):
        finish_stage_if_over(event, stage)


def settle_withdrawn_matches(event: Event, stage: Stage) -> None:
    """Make matches of withdrawn entries walkovers, or void them; called after rounds were published.

    Saves them, gives free tables to other matches, and finishes the stage if it is over.
    """
    loaded_stage = load_stage(stage)
    state_after = loaded_stage.after(PassAbsentEntries())
    if differences := loaded_stage.state.changed(state_after):
        if any(now.final is not None for _was, now in differences.values()):
            start_stage(event, stage)
        _save_and_give_tables(event, loaded_stage, state_after)
        finish_stage_if_over(event, stage)


def _save_and_give_tables(event: Event, loaded_stage: LoadedStage, state_after: StageState) -> None:
    differences = save_stage(event, loaded_stage, state_after, actor=None)
    for number, (_was, now) in differences.items():
        if isinstance(now.final, NewReport) and now.final.claim is not None:
            _audit_absence(event, loaded_stage.rows[number], now.final.claim)
    if any(_affects_tables(was.columns, now.columns) for was, now in differences.values()):
        assign_free_tables(event)


def _affects_tables(was: MatchColumns, now: MatchColumns) -> bool:
    """Return whether a table or a player may have become free, or a match now waits for a table."""
    has_left_table = was.status != now.status and (was.table is not None or was.status in PLAYERS_BUSY)
    return has_left_table or (now.status is MatchStatus.READY and was.status is not MatchStatus.READY)


def _audit_absence(event: Event, match: Match, claim: Claim) -> None:
    """Add an audit log entry for a result that follows from a withdrawal, without a report."""
    add_audit_row(
        event, Actor.program(), AbsenceResultRecorded(claim=claim, decision=MatchStatus.CONFIRMED), match
    )


def current_match_state(match: Match) -> dict[str, Any]:
    """Return the current state of the match, as it is sent with a rejected report."""
    return {
        "match": match.public_id,
        "version": match.version,
        "status": match.status,
        "score_a": match.score_a,
        "score_b": match.score_b,
        "winner_side": match.winner_side,
    }
