"""Replay an event from its audit log alone: bracket lines, pairings, results, manual placings.

Of the stored draw only the identity of matches is used. ``checks.soundness`` compares the replay with what is
stored, to find anything that counts and was changed without an entry in the log.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from people.models import AuditEntry
from tournaments.engine.brackets.structure import SlotTarget
from tournaments.engine.changes.trail import MatchBaseline, MatchUndo, RepairUndo
from tournaments.engine.matches.reporting import claim_outcome
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import AuditAction, RepairAuditAction, UnknownAction
from tournaments.engine.trail.draws import (
    DrawDiscarded,
    DrawMade,
    PlayOffStarted,
    PlayOffUndone,
    RoundPublished,
    RoundUnpublished,
)
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.engine.trail.matches import ResultAction
from tournaments.engine.trail.repairs import RepairUndone
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Event, Match
from tournaments.models.trail import audit_scope, parse_action

_REPLAYED_KINDS = [
    action.kind
    for action in ACTION_KINDS.values()
    if issubclass(
        action,
        ResultAction
        | RepairAuditAction
        | RepairUndone
        | DrawMade
        | DrawDiscarded
        | RoundPublished
        | RoundUnpublished
        | PlayOffStarted
        | PlayOffUndone,
    )
]


@dataclass(slots=True)
class StageReplay:
    """The bracket places, pairings and results of a stage as they follow from the audit log.

    ``lines``: the entry id (or None) of each bracket line, in order. ``pairs``: both sides of each match,
    keyed by round number; the second of a bye is None. ``results``: keyed by match number.
    ``has_manual_changes``: entries that a director placed. ``is_complete``: false if the stage began before
    the log stored lines and pairings; the replay is then incomplete.
    """

    lines: list[EntryId | None] = field(default_factory=list)
    pairs: dict[int, list[tuple[EntryId, EntryId | None]]] = field(default_factory=dict)
    results: dict[MatchNo, Outcome] = field(default_factory=dict)
    has_manual_changes: dict[SlotTarget, EntryId | None] = field(default_factory=dict)
    is_complete: bool = True

    def restart(self, lines: Sequence[EntryId | None]) -> None:
        self.lines = list(lines)
        self.results.clear()
        self.has_manual_changes.clear()

    def drop_rounds_from(self, number: int) -> None:
        """Remove the rounds from number ``number`` on, with their results."""
        self.pairs = {round_: pairs for round_, pairs in self.pairs.items() if round_ < number}
        match_count = sum(map(len, self.pairs.values()))
        self.results = {match: outcome for match, outcome in self.results.items() if match <= match_count}

    def set(self, match: MatchNo, baseline: MatchBaseline) -> None:
        """Set a match to the state that a repair stored in the audit log."""
        columns = baseline.columns
        self.results.pop(match, None)
        if columns["status"] == "confirmed" and columns["result_kind"] != ResultKind.BYE:
            winner = Side(columns["winner_side"]) if columns["winner_side"] else None
            self.results[match] = Outcome(winner, ResultKind(columns["result_kind"]))
        for side in Side:
            slot = baseline.slots[side]
            target = SlotTarget(match, side)
            self.has_manual_changes.pop(target, None)
            line = 2 * (match - 1) + (side is Side.B)
            if slot["by_hand"]:
                self.has_manual_changes[target] = slot["entry_id"]
            elif line < len(self.lines) and self.lines[line] is not None:
                self.lines[line] = slot["entry_id"]


def replay_stages(event: Event) -> dict[int, StageReplay]:
    """Return what the audit log says about each stage of the event, keyed by stage id; three queries."""
    matches = Match.objects.filter(stage__division__event=event)
    match_by_id = {
        pk: (stage, MatchNo(number), length)
        for pk, stage, number, length in matches.values_list("pk", "stage_id", "number", "length")
    }
    stage_replays: dict[int, StageReplay] = {}
    undo_by_row: dict[int, RepairUndo] = {}
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=_REPLAYED_KINDS).order_by("pk")
    for pk, action_kind, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        audit_action = parse_action(action_kind, data)
        if isinstance(audit_action, ResultAction) and subject in match_by_id:
            if audit_action.decision is MatchStatus.CONFIRMED:
                stage, number, length = match_by_id[subject]
                stage_replays[stage].results[number] = claim_outcome(length, audit_action.claim)
        elif isinstance(audit_action, RepairUndone) and audit_action.of in undo_by_row:
            for stage, number, match_undo in _touched_matches(undo_by_row[audit_action.of]):
                stage_replays[stage].set(number, match_undo.was)
        elif isinstance(audit_action, RepairAuditAction):
            undo_by_row[pk] = audit_action.undo
            for stage, number, match_undo in _touched_matches(audit_action.undo):
                stage_replays[stage].set(number, match_undo.then)
        elif subject is not None:
            _replay_draw(stage_replays, subject, audit_action)
    return stage_replays


def _replay_draw(
    stage_replays: dict[int, StageReplay], stage: int, audit_action: AuditAction | UnknownAction
) -> None:
    """Apply an action that sets or removes bracket lines or rounds of a stage."""
    if isinstance(audit_action, DrawMade | DrawDiscarded):
        stage_replay = stage_replays.setdefault(stage, StageReplay())
        lines = audit_action.lines if isinstance(audit_action, DrawMade) else ()
        stage_replay.restart(lines or ())
        stage_replay.is_complete = lines is not None
    elif isinstance(audit_action, RoundPublished | PlayOffStarted):
        stage_replay = stage_replays.setdefault(stage, StageReplay())
        stage_replay.is_complete = stage_replay.is_complete and audit_action.pairs is not None
        for round_, pairs in (audit_action.pairs or {}).items():
            stage_replay.pairs[round_] = [(pair.first, pair.second) for pair in pairs]
    elif isinstance(audit_action, RoundUnpublished | PlayOffUndone):
        stage_replays[stage].drop_rounds_from(audit_action.round)


def _touched_matches(undo: RepairUndo) -> Iterator[tuple[int, MatchNo, MatchUndo]]:
    for stage, matches in undo.stages.items():
        for number, match_undo in matches.items():
            yield stage, number, match_undo
