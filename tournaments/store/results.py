"""Make a result stand, and what follows from it: the sides move on, tables are given away, what is over is finished.

Only services call these functions, inside their transaction and under the event's lock.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from people.actors import Actor
from tournaments.engine.changes.next_state import Confirm, PassAbsent
from tournaments.engine.changes.state import Columns, NewReport, StageState, StoredReport
from tournaments.engine.statuses import IN_PLAY, OVER, MatchStatus
from tournaments.engine.trail.matches import AbsentPassed
from tournaments.engine.types import Claim, MatchNo
from tournaments.models import Event, Match, MatchSlot, Report, Stage
from tournaments.store.chain import add_row
from tournaments.store.event_state import begin_stage, finish_if_over
from tournaments.store.load import StageInHand, load
from tournaments.store.save import save
from tournaments.store.tables import hand_out_tables


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
    hand = load(stage, around=match, slots=slots)
    stored = StoredReport(report.pk, report.version)
    change = Confirm(MatchNo(match.number), claim, stored, played_at)
    after = hand.after(change, present=present_of(match))
    begin_stage(event, stage)
    _write(event, hand, after)
    if all(now.status in OVER for now in after.matches.values()):
        finish_if_over(event, stage)


def pass_the_absent(event: Event, stage: Stage) -> None:
    """After rounds were published: matches of entries that have left are walk-overs, or struck."""
    hand = load(stage)
    after = hand.after(PassAbsent())
    if changed := hand.state.changed(after):
        if any(now.final is not None for _was, now in changed.values()):
            begin_stage(event, stage)
        _write(event, hand, after)
        finish_if_over(event, stage)


def _write(event: Event, hand: StageInHand, after: StageState) -> None:
    changed = save(event, hand, after, actor=None)
    for number, (_was, now) in changed.items():
        if isinstance(now.final, NewReport) and now.final.claim is not None:
            _trace_absence(event, hand.rows[number], now.final.claim)
    if any(_concerns_tables(was.columns, now.columns) for was, now in changed.values()):
        hand_out_tables(event)


def _concerns_tables(was: Columns, now: Columns) -> bool:
    """Whether a table, or somebody who waits for one, may have become free, or a match waits for a table that did not."""
    left = was.status != now.status and (was.table is not None or was.status in IN_PLAY)
    return left or (now.status is MatchStatus.READY and was.status is not MatchStatus.READY)


def _trace_absence(event: Event, match: Match, claim: Claim) -> None:
    """The audit row of a result that follows from a withdrawal and that nobody reported."""
    add_row(event, Actor.program(), AbsentPassed(claim=claim, decision=MatchStatus.CONFIRMED), match)


def present_of(match: Match) -> dict[str, Any]:
    """What a refused reporter is told about the match as it stands."""
    return {
        "match": match.public_id,
        "version": match.version,
        "status": match.status,
        "score_a": match.score_a,
        "score_b": match.score_b,
        "winner_side": match.winner_side,
    }
