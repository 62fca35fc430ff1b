"""Replay an event from its audit log alone: lines of the draw, pairings, results, manual placings.

Of the stored draw only the identity of matches is used. ``checks.soundness`` compares the replay with what is
stored: so nothing that counts is changed without a record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from people.models import AuditEntry
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import MatchBaseline, MatchUndo, RepairUndo
from tournaments.engine.matches.reporting import outcome_of
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
    """A stage as replayed. ``pairs``: by round, both sides of each match; the second of a bye is None.

    ``whole`` is false if the stage began before the log stored lines and pairings; the replay is then
    incomplete.
    """

    lines: list[EntryId | None] = field(default_factory=list)
    pairs: dict[int, list[tuple[EntryId, EntryId | None]]] = field(default_factory=dict)
    results: dict[MatchNo, Outcome] = field(default_factory=dict)
    by_hand: dict[Target, EntryId | None] = field(default_factory=dict)
    whole: bool = True

    def restart(self, lines: Sequence[EntryId | None]) -> None:
        self.lines = list(lines)
        self.results.clear()
        self.by_hand.clear()

    def drop_rounds_from(self, number: int) -> None:
        """Remove the rounds from this one on, with their results."""
        self.pairs = {round_: pairs for round_, pairs in self.pairs.items() if round_ < number}
        left = sum(map(len, self.pairs.values()))
        self.results = {match: outcome for match, outcome in self.results.items() if match <= left}

    def set(self, match: MatchNo, standing: MatchBaseline) -> None:
        """Set a match to a state that a repair stored."""
        found = standing.columns
        self.results.pop(match, None)
        if found["status"] == "confirmed" and found["result_kind"] != ResultKind.BYE:
            winner = Side(found["winner_side"]) if found["winner_side"] else None
            self.results[match] = Outcome(winner, ResultKind(found["result_kind"]))
        for side in Side:
            slot = standing.slots[side]
            target = Target(match, side)
            self.by_hand.pop(target, None)
            line = 2 * (match - 1) + (side is Side.B)
            if slot["by_hand"]:
                self.by_hand[target] = slot["entry_id"]
            elif line < len(self.lines) and self.lines[line] is not None:
                self.lines[line] = slot["entry_id"]


def replay_stages(event: Event) -> dict[int, StageReplay]:
    """Return the replay of every stage by its id; three queries."""
    matches = Match.objects.filter(stage__division__event=event)
    where = {
        pk: (stage, MatchNo(number), length)
        for pk, stage, number, length in matches.values_list("pk", "stage_id", "number", "length")
    }
    stories: dict[int, StageReplay] = {}
    done: dict[int, RepairUndo] = {}
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action__in=_REPLAYED_KINDS).order_by("pk")
    for pk, action, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        found = parse_action(action, data)
        if isinstance(found, ResultAction) and subject in where:
            if found.decision is MatchStatus.CONFIRMED:
                stage, number, length = where[subject]
                stories[stage].results[number] = outcome_of(length, found.claim)
        elif isinstance(found, RepairUndone) and found.of in done:
            for stage, number, touched in _touched_matches(done[found.of]):
                stories[stage].set(number, touched.was)
        elif isinstance(found, RepairAuditAction):
            done[pk] = found.undo
            for stage, number, touched in _touched_matches(found.undo):
                stories[stage].set(number, touched.then)
        elif subject is not None:
            _replay_draw(stories, subject, found)
    return stories


def _replay_draw(stories: dict[int, StageReplay], stage: int, found: AuditAction | UnknownAction) -> None:
    """Apply an action on lines or rounds of a stage."""
    if isinstance(found, DrawMade | DrawDiscarded):
        story = stories.setdefault(stage, StageReplay())
        lines = found.lines if isinstance(found, DrawMade) else ()
        story.restart(lines or ())
        story.whole = lines is not None
    elif isinstance(found, RoundPublished | PlayOffStarted):
        story = stories.setdefault(stage, StageReplay())
        story.whole = story.whole and found.pairs is not None
        for round_, pairs in (found.pairs or {}).items():
            story.pairs[round_] = [(pair.first, pair.second) for pair in pairs]
    elif isinstance(found, RoundUnpublished | PlayOffUndone):
        stories[stage].drop_rounds_from(found.round)


def _touched_matches(undo: RepairUndo) -> Iterator[tuple[int, MatchNo, MatchUndo]]:
    for stage, matches in undo.stages.items():
        for number, touched in matches.items():
            yield stage, number, touched
