"""Make a result stand, and what follows from it: the sides move on, tables are given away, what is over is finished.

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
    """The claim becomes the result: match, slots, ledger, tables, and the end of stage and event if it was the last.

    ``match`` and ``stage`` are rows of the locked event, ``slots`` those `load.near` the match. ``played_at``: as the director said, else when it was first reported.
    """
    hand = load_stage(stage, around=match, slots=slots)
    stored = StoredReport(report.pk, report.version)
    change = ConfirmResult(MatchNo(match.number), claim, stored, played_at)
    after = hand.after(change, present=current_match_state(match))
    start_stage(event, stage)
    _save_and_give_tables(event, hand, after)
    if all(now.status in OVER for now in after.matches.values()):
        finish_stage_if_over(event, stage)


def settle_withdrawn_matches(event: Event, stage: Stage) -> None:
    """After rounds were published: matches of entries that have left are walk-overs, or struck."""
    hand = load_stage(stage)
    after = hand.after(PassAbsentEntries())
    if changed := hand.state.changed(after):
        if any(now.final is not None for _was, now in changed.values()):
            start_stage(event, stage)
        _save_and_give_tables(event, hand, after)
        finish_stage_if_over(event, stage)


def _save_and_give_tables(event: Event, hand: LoadedStage, after: StageState) -> None:
    changed = save_stage(event, hand, after, actor=None)
    for number, (_was, now) in changed.items():
        if isinstance(now.final, NewReport) and now.final.claim is not None:
            _audit_absence(event, hand.rows[number], now.final.claim)
    if any(_affects_tables(was.columns, now.columns) for was, now in changed.values()):
        assign_free_tables(event)


def _affects_tables(was: MatchColumns, now: MatchColumns) -> bool:
    """Whether a table, or somebody who waits for one, may have become free, or a match waits for a table that did not."""
    left = was.status != now.status and (was.table is not None or was.status in PLAYERS_BUSY)
    return left or (now.status is MatchStatus.READY and was.status is not MatchStatus.READY)


def _audit_absence(event: Event, match: Match, claim: Claim) -> None:
    """The audit row of a result that follows from a withdrawal and that nobody reported."""
    add_audit_row(
        event, Actor.program(), AbsenceResultRecorded(claim=claim, decision=MatchStatus.CONFIRMED), match
    )


def current_match_state(match: Match) -> dict[str, Any]:
    """What a refused reporter is told about the match as it stands."""
    return {
        "match": match.public_id,
        "version": match.version,
        "status": match.status,
        "score_a": match.score_a,
        "score_b": match.score_b,
        "winner_side": match.winner_side,
    }
