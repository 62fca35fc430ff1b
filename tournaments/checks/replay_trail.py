"""An event told again from its audit trail alone: lines of the draw, pairings, results, placings by hand.

Nothing of the draw's own rows is read but which match is which. Told to the end, the engine must find in it exactly what
is stored (`checks.soundness`): so nothing that counts is ever done without a trace.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from people.models import AuditEntry
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import Standing, Touched, Undo
from tournaments.engine.matches.reporting import outcome_of
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.draws import (
    DrawDiscarded,
    DrawMade,
    PlayOffStarted,
    PlayOffTakenBack,
    RoundPublished,
    RoundTakenBack,
)
from tournaments.engine.trail.kinds import KINDS
from tournaments.engine.trail.matches import ResultTold
from tournaments.engine.trail.repairs import RepairUndone
from tournaments.engine.trail.told import Repaired, Told, Unread
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Event, Match
from tournaments.models.trail import read, scope_of

_TOLD = [
    deed.kind
    for deed in KINDS.values()
    if issubclass(
        deed,
        ResultTold
        | Repaired
        | RepairUndone
        | DrawMade
        | DrawDiscarded
        | RoundPublished
        | RoundTakenBack
        | PlayOffStarted
        | PlayOffTakenBack,
    )
]


@dataclass(slots=True)
class Story:
    """One stage as the trail tells it. ``pairs``: by round, both sides of each match; the second of a bye is None.

    ``whole`` is false if it began before the trail kept lines and pairings: then it tells too little.
    """

    lines: list[EntryId | None] = field(default_factory=list)
    pairs: dict[int, list[tuple[EntryId, EntryId | None]]] = field(default_factory=dict)
    results: dict[MatchNo, Outcome] = field(default_factory=dict)
    by_hand: dict[Target, EntryId | None] = field(default_factory=dict)
    whole: bool = True

    def begin(self, lines: Sequence[EntryId | None]) -> None:
        self.lines = list(lines)
        self.results.clear()
        self.by_hand.clear()

    def take_back(self, number: int) -> None:
        """The rounds from this one on are gone."""
        self.pairs = {round_: pairs for round_, pairs in self.pairs.items() if round_ < number}
        left = sum(map(len, self.pairs.values()))
        self.results = {match: outcome for match, outcome in self.results.items() if match <= left}

    def set(self, match: MatchNo, standing: Standing) -> None:
        """A match as a repair left it, or as it was before."""
        told = standing.columns
        self.results.pop(match, None)
        if told["status"] == "confirmed" and told["result_kind"] != ResultKind.BYE:
            winner = Side(told["winner_side"]) if told["winner_side"] else None
            self.results[match] = Outcome(winner, ResultKind(told["result_kind"]))
        for side in Side:
            slot = standing.slots[side]
            target = Target(match, side)
            self.by_hand.pop(target, None)
            line = 2 * (match - 1) + (side is Side.B)
            if slot["by_hand"]:
                self.by_hand[target] = slot["entry_id"]
            elif line < len(self.lines) and self.lines[line] is not None:
                self.lines[line] = slot["entry_id"]


def retold(event: Event) -> dict[int, Story]:
    """The story of every stage by its database id; three queries."""
    matches = Match.objects.filter(stage__division__event=event)
    where = {
        pk: (stage, MatchNo(number), length)
        for pk, stage, number, length in matches.values_list("pk", "stage_id", "number", "length")
    }
    stories: dict[int, Story] = {}
    done: dict[int, Undo] = {}
    rows = AuditEntry.objects.filter(scope=scope_of(event), action__in=_TOLD).order_by("pk")
    for pk, action, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        told = read(action, data)
        if isinstance(told, ResultTold) and subject in where:
            if told.decision is MatchStatus.CONFIRMED:
                stage, number, length = where[subject]
                stories[stage].results[number] = outcome_of(length, told.claim)
        elif isinstance(told, RepairUndone) and told.of in done:
            for stage, number, touched in _every(done[told.of]):
                stories[stage].set(number, touched.was)
        elif isinstance(told, Repaired):
            done[pk] = told.undo
            for stage, number, touched in _every(told.undo):
                stories[stage].set(number, touched.then)
        elif subject is not None:
            _tell_draw(stories, subject, told)
    return stories


def _tell_draw(stories: dict[int, Story], stage: int, told: Told | Unread) -> None:
    """Lines and rounds of a stage, as they came and went."""
    if isinstance(told, DrawMade | DrawDiscarded):
        story = stories.setdefault(stage, Story())
        lines = told.lines if isinstance(told, DrawMade) else ()
        story.begin(lines or ())
        story.whole = lines is not None
    elif isinstance(told, RoundPublished | PlayOffStarted):
        story = stories.setdefault(stage, Story())
        story.whole = story.whole and told.pairs is not None
        for round_, pairs in (told.pairs or {}).items():
            story.pairs[round_] = [(pair.first, pair.second) for pair in pairs]
    elif isinstance(told, RoundTakenBack | PlayOffTakenBack):
        stories[stage].take_back(told.round)


def _every(undo: Undo) -> Iterator[tuple[int, MatchNo, Touched]]:
    for stage, matches in undo.stages.items():
        for number, touched in matches.items():
            yield stage, number, touched
