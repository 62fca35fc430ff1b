"""Computation of the next state of a stage, for live results and repairs; no other code decides it.

Pure: `next_state` takes a `StageState`, the changes in order and the present time, and returns the state
after them. Two tables hold the allowed statuses: `engine.statuses` for live play, `changes.statuses` for
repairs. A match against an entry that has left becomes a walkover as soon as both sides are known, whether
after a result or in a new round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from tournaments.engine.brackets.correction import absence_result
from tournaments.engine.brackets.progression import (
    ManualSlots,
    MatchState,
    Slot,
    SlotState,
    advance,
    result_effects,
)
from tournaments.engine.brackets.structure import Bracket
from tournaments.engine.changes.state import MatchData, NewReport, StageState, StoredReport, slot_from_columns
from tournaments.engine.changes.statuses import RepairAction, repaired_status
from tournaments.engine.changes.trail import MatchUndo
from tournaments.engine.matches.reporting import claim_outcome
from tournaments.engine.statuses import AWAITING_RESULT, UNSETTLED, MatchAction, MatchStatus, next_status
from tournaments.engine.types import Claim, MatchNo, Outcome, Side

NO_RULINGS: Final[Mapping[MatchNo, Ruling]] = {}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A result that a director sets in a repair.

    ``key``: the submission key of the report; ``played_at``: when the match was played; None: the time stored
    so far, else now.
    """

    claim: Claim
    key: str = ""
    note: str = ""
    played_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """Live change: a reported result is confirmed.

    Both sides advance; byes and matches against entries that have left are passed. ``number``: the match;
    ``report``: the report that contains the result.
    """

    number: MatchNo
    claim: Claim
    report: StoredReport | NewReport
    played_at: datetime

    def apply(self, draft: StageDraft) -> None:
        draft.confirm(self.number, self.claim, self.report, self.played_at)


@dataclass(frozen=True, slots=True)
class PassAbsentEntries:
    """Live change: newly published matches of entries that have left become walkovers or void."""

    def apply(self, draft: StageDraft) -> None:
        draft.award_walkovers(draft.ready())


@dataclass(frozen=True, slots=True)
class ReplaceBracketResults:
    """Repair: replace the results and manual placements of a bracket.

    ``before``: the previous results; ``by_hand``: the manual placements afterwards; ``rulings``: the
    director's results behind new ones. A new result without a ruling is a walkover against entries that have
    left.
    """

    bracket: Bracket
    before: Mapping[MatchNo, Outcome]
    results: Mapping[MatchNo, Outcome]
    by_hand: ManualSlots
    rulings: Mapping[MatchNo, Ruling] = field(default_factory=lambda: NO_RULINGS)

    def apply(self, draft: StageDraft) -> None:
        for number, target_state in advance(self.bracket, self.results, self.by_hand).matches.items():
            has_moved = draft.set_slots(number, target_state)
            ruling = self.rulings.get(number)
            if ruling is None and number in self.results and self.results[number] != self.before.get(number):
                match = draft[number]
                absent = [side for side in Side if side is not self.results[number].winner]
                ruling = Ruling(absence_result(match.columns.length, match.start, absent))
            if ruling is not None:
                draft.rule(number, ruling)
            elif number not in self.results and (
                has_moved or not _agrees_with_bracket(draft[number], target_state)
            ):
                draft.clear_result(number, target_state)


@dataclass(frozen=True, slots=True)
class SetResult:
    """Repair: set the result of a match, whatever result it had before."""

    number: MatchNo
    ruling: Ruling

    def apply(self, draft: StageDraft) -> None:
        draft.rule(self.number, self.ruling)


@dataclass(frozen=True, slots=True)
class ClearResult:
    """Repair: delete the result of a match, so that the match can be played."""

    number: MatchNo

    def apply(self, draft: StageDraft) -> None:
        draft.clear_result(self.number, None)


@dataclass(frozen=True, slots=True)
class SetLength:
    """Repair: change the length of a match; reports that are not yet confirmed are then set aside.

    The match continues: it is playing if it had started, else ready.
    """

    number: MatchNo
    length: int

    def apply(self, draft: StageDraft) -> None:
        match = draft[self.number] = draft[self.number].written(length=self.length)
        if match.status in UNSETTLED:
            new_status = MatchStatus.PLAYING if match.columns.started_at else MatchStatus.READY
            draft[self.number] = replace(
                match.written(status=repaired_status(match.status, RepairAction.PLAY_ON, new_status)), open=()
            )


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """Repair: void a match. Its reports remain, and a result that was played stays rated."""

    number: MatchNo

    def apply(self, draft: StageDraft) -> None:
        match = draft[self.number]
        status = repaired_status(match.status, RepairAction.STRIKE, MatchStatus.VOID)
        draft[self.number] = match.written(status=status)


@dataclass(frozen=True, slots=True)
class RepeatReport:
    """Repair: report an unchanged result again, because other rated facts of the match have changed."""

    number: MatchNo

    def apply(self, draft: StageDraft) -> None:
        match = draft[self.number]
        if isinstance(match.final, StoredReport):
            draft[self.number] = replace(match, open=(), final=NewReport(repeated_report_id=match.final.pk))


@dataclass(frozen=True, slots=True)
class KeepFormerLineup:
    """Repair: keep the former players at a finished match after another player took over the entry.

    ``lineup``: the database id of the lineup that played the match.
    """

    number: MatchNo
    side: Side
    lineup: int

    def apply(self, draft: StageDraft) -> None:
        draft[self.number] = draft[self.number].with_former_lineup(self.side, self.lineup)


@dataclass(frozen=True, slots=True)
class RestoreMatch:
    """Undo: restore every column of a match that a repair changed.

    ``touched``: what the repair stored for the undo. A result that the repair had withdrawn is reported
    again.
    """

    number: MatchNo
    touched: MatchUndo

    def apply(self, draft: StageDraft) -> None:
        match, undo = draft[self.number], self.touched
        before = {name: old_value for name, (old_value, _then) in undo.columns.items()}
        previous_status = MatchStatus(before.get("status", match.status))
        status = repaired_status(match.status, RepairAction.PUT_BACK, previous_status)
        final, open_reports = match.final, match.open
        if (final.pk if isinstance(final, StoredReport) else None) != undo.final:
            final = NewReport(repeated_report_id=undo.final) if undo.final is not None else None
            open_reports = ()
        draft[self.number] = replace(
            match,
            columns=replace(match.columns.with_values(before), status=status),
            a=_restored_slot(match.a, undo, Side.A),
            b=_restored_slot(match.b, undo, Side.B),
            open=tuple(dict.fromkeys([*open_reports, *undo.open])),
            final=final,
        )
        for side, slot_changes in undo.slots.items():
            if "former_id" in slot_changes:
                draft[self.number] = draft[self.number].with_former_lineup(side, slot_changes["former_id"][0])


StageChange = (
    ConfirmResult
    | PassAbsentEntries
    | ReplaceBracketResults
    | SetResult
    | ClearResult
    | SetLength
    | VoidMatch
    | RepeatReport
    | KeepFormerLineup
    | RestoreMatch
)


def next_state(before: StageState, changes: Sequence[StageChange], now: datetime) -> StageState:
    """Return the state of the stage after ``changes``.

    Raises `MatchNotLoaded` for a match that is needed but not loaded, and `TransitionRefused` for a change of
    status that is not allowed.
    """
    draft = StageDraft(before, now)
    for change in changes:
        change.apply(draft)
    return draft.state()


class StageDraft:
    """The mutable state of a stage while changes are applied to it."""

    def __init__(self, before: StageState, now: datetime) -> None:
        self._before, self._now = before, now
        self._changed: dict[MatchNo, MatchData] = {}

    def __getitem__(self, number: MatchNo) -> MatchData:
        return self._changed.get(number) or self._before.match(number)

    def __setitem__(self, number: MatchNo, match: MatchData) -> None:
        self._changed[number] = match

    def ready(self) -> list[MatchNo]:
        """Return the numbers of the loaded matches that can be played now."""
        return [number for number in self._before.matches if self[number].status is MatchStatus.READY]

    def state(self) -> StageState:
        """Return the stage as a value, with all changes applied so far."""
        return replace(self._before, matches={**self._before.matches, **self._changed})

    def confirm(
        self, number: MatchNo, claim: Claim, report: StoredReport | NewReport, played_at: datetime
    ) -> None:
        """Make the reported result the result of the match, and apply its direct consequences (live play).

        Entries advance, byes are passed, matches become ready, and entries that have left lose by walkover.
        """
        match = self[number]
        status = next_status(match.status, MatchAction.CONFIRM)
        outcome = claim_outcome(match.columns.length, claim)
        # Computed before the result is written, while the slots that it fills are open.
        effects = result_effects(_DraftMatches(self), number, outcome)
        result = self._result_columns(claim, outcome, played_at)
        self[number] = replace(match.written(status=status, **result), open=(), final=report)
        for fill in effects.fills:
            state = SlotState.VACANT if fill.entry is None else SlotState.ENTRY
            self[fill.match] = self[fill.match].with_slot(fill.side, Slot(state, fill.entry, fill.has_won))
        for settled in effects.settled:
            settled_match = self[settled.match]
            action = MatchAction.VOID if settled.status is MatchStatus.VOID else MatchAction.PASS_BYE
            self[settled.match] = settled_match.written(
                status=next_status(settled_match.status, action), **self._outcome_columns(settled.outcome)
            )
        for ready_number in effects.ready:
            ready_match = self[ready_number]
            self[ready_number] = ready_match.written(status=next_status(ready_match.status, MatchAction.PAIR))
        self.award_walkovers(effects.ready)

    def award_walkovers(self, numbers: Sequence[MatchNo]) -> None:
        """Award walkovers in those of these matches whose entries have left.

        If both entries have left, the match has no winner. Matches of entries whose results no longer count
        become void instead.
        """
        for number in numbers:
            match = self[number]
            absent = match.absent_sides(self._before.withdrawn_entries)
            if self._before.cancelled_entries & {match.slot(side).entry for side in absent}:
                self[number] = match.written(status=next_status(match.status, MatchAction.VOID))
            elif absent:
                claim = absence_result(match.columns.length, match.start, absent)
                self.confirm(number, claim, NewReport(claim, absent=True), self._now)

    def set_slots(self, number: MatchNo, target_state: MatchState) -> bool:
        """Set both slots of a match in a repair; return whether another entry has taken either side."""
        match = self[number]
        kept_lineups = {
            side: pk
            for side, pk in match.former_lineups.items()
            if match.slot(side).entry == target_state.slot(side).entry
        }
        self[number] = replace(match, a=target_state.a, b=target_state.b, former_lineups=kept_lineups)
        return (match.a.entry, match.b.entry) != (target_state.a.entry, target_state.b.entry)

    def rule(self, number: MatchNo, ruling: Ruling) -> None:
        """Make the director's ruling the result of the match, whatever the match had before (in a repair)."""
        match, claim = self[number], ruling.claim
        played_at = ruling.played_at or match.columns.played_at or self._now
        result = self._result_columns(claim, claim_outcome(match.columns.length, claim), played_at)
        status = repaired_status(match.status, RepairAction.RULE, MatchStatus.CONFIRMED)
        report = NewReport(claim, ruling.key, ruling.note.strip())
        self[number] = replace(match.written(status=status, **result), open=(), final=report)

    def clear_result(self, number: MatchNo, target_state: MatchState | None) -> None:
        """Delete the result of the match in a repair.

        Afterwards the match has the status of ``target_state`` (waiting, ready, a bye or void), ready if that
        is None.
        """
        match = self[number]
        new_status = MatchStatus.READY if target_state is None else target_state.status
        columns = match.columns.reset(repaired_status(match.status, RepairAction.SETTLE, new_status))
        bye_columns = (
            self._outcome_columns(target_state.outcome)
            if target_state is not None and target_state.outcome is not None
            else {}
        )
        self[number] = replace(
            match, columns=replace(columns, **bye_columns), open=(), final=None, former_lineups={}
        )

    def _result_columns(self, claim: Claim, outcome: Outcome, played_at: datetime) -> dict[str, Any]:
        return {
            **self._outcome_columns(outcome),
            "score_a": claim.score_a,
            "score_b": claim.score_b,
            "played_at": played_at,
        }

    def _outcome_columns(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "result_kind": outcome.kind.value,
            "winner_side": outcome.winner.value if outcome.winner is not None else "",
            "confirmed_at": self._now,
        }


class _DraftMatches:
    """A mapping from match numbers to the `MatchState` of each match of a draft."""

    def __init__(self, draft: StageDraft) -> None:
        self._draft = draft

    def __getitem__(self, number: MatchNo) -> MatchState:
        return self._draft[number].to_match_state()


def _agrees_with_bracket(match: MatchData, target_state: MatchState) -> bool:
    """Return whether the status and result of the match already are what the bracket requires."""
    if target_state.status is MatchStatus.READY:
        return match.status in AWAITING_RESULT
    winner = target_state.outcome.winner if target_state.outcome is not None else None
    kind = target_state.outcome.kind if target_state.outcome is not None else ""
    actual = (match.status, match.columns.result_kind, match.columns.winner_side)
    return actual == (target_state.status, kind, winner or "")


def _restored_slot(slot: Slot, undo: MatchUndo, side: Side) -> Slot:
    before = {name: old_value for name, (old_value, _then) in undo.slots.get(side, {}).items()}
    return slot_from_columns(
        before.get("entry_id", slot.entry),
        by_hand=before.get("by_hand", slot.is_manual),
        has_won=before.get("has_won", slot.has_won),
    )
