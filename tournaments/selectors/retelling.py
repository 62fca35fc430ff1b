"""An event told again from its audit trail alone: lines of the draw, pairings, results, placings by hand.

Nothing of the draw's own rows is read but which match is which. Told to the end, the engine must find in it exactly what
is stored (`selectors.soundness`): so nothing that counts is ever done without a trace.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from people.models import AuditEntry
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import Standing, Touched, Undo
from tournaments.engine.reporting import outcome_of
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Event, Match

PLAYED = ("match.report", "match.agree", "match.absent")


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

    def begin(self, lines: Sequence[int | None]) -> None:
        self.lines = [None if line is None else EntryId(line) for line in lines]
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
    rows = AuditEntry.objects.filter(scope=f"event:{event.pk}").order_by("pk")
    for pk, action, subject, data in rows.values_list("pk", "action", "subject_id", "data"):
        if action in PLAYED and subject in where and data.get("decision") == "confirmed":
            stage, number, length = where[subject]
            stories[stage].results[number] = outcome_of(length, _claim(data))
        elif action in {"draw.make", "draw.discard"} and subject is not None:
            story = stories.setdefault(subject, Story())
            story.begin(data.get("lines", ()))
            story.whole = action == "draw.discard" or "lines" in data
        elif action in {"round.publish", "play_off.start"} and subject is not None:
            story = stories.setdefault(subject, Story())
            story.whole = story.whole and "pairs" in data
            for round_, pairs in data.get("pairs", {}).items():
                story.pairs[int(round_)] = [(a, b) for a, b in pairs]
        elif action in {"round.take_back", "play_off.take_back"} and subject is not None:
            stories[subject].take_back(data["round"])
        elif action == "repair.undo":
            for stage, number, touched in _every(done[data["of"]]):
                stories[stage].set(number, touched.was)
        if "undo" in data:
            done[pk] = Undo.of(data["undo"])
            for stage, number, touched in _every(done[pk]):
                stories[stage].set(number, touched.then)
    return stories


def _claim(data: Mapping[str, Any]) -> Claim:
    winner = Side(data["winner"]) if data["winner"] else None
    return Claim(data["score_a"], data["score_b"], ResultKind(data["kind"]), winner)


def _every(undo: Undo) -> Iterator[tuple[int, MatchNo, Touched]]:
    for stage, matches in undo.stages.items():
        for number, touched in matches.items():
            yield stage, number, touched
