"""Plays that cannot be right, and the plays or rolls with which the whole game becomes legal and ends as the record says.

A record is written by people: one digit is wrong, one die is another, one step is left out. Where a play cannot be played, what was
really played follows from the rest: those changes are proposed with which every later turn is legal and the game ends with the winner
and the points that the record gives it. What may be changed is found in `slips.py`.

`find_repairs` looks, `repaired_record` makes the corrected copy. Nothing here says in words what is proposed, or knows a file format.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from games.records.boards import is_usual_start
from games.records.ending import EndingCalculator
from games.records.model import Action, Game, Record, Roll, RollMark, Setup
from games.records.replay import AssumedFormat, GameWalk
from games.records.replaying import Replay, ReplayedGame
from games.records.slips import ChangeOutcome, PartialRepair, SlipSearch, TurnChange
from games.records.validation import assumed_format, replay
from games.records.walking import best_reading
from games.rules.formats import MatchFormat
from games.rules.position import Position

MAX_GAMES_REPAIRED: Final = 5  # of a record that are looked at
MAX_SLIPS: Final = 4  # of one game that are put right together; a log with more has lost its thread
MAX_PROPOSALS: Final = 8  # of one game; more are no help
_MAX_OPEN: Final = 8  # first changes that are followed to the next slip
_MAX_JUDGED: Final = (
    24  # of those that can be played to the end, so many are held against the end of the record
)

# What a corrected game must not show: it would not be legal, or not end as stated.
_FAULT_CODES: Final = frozenset(
    {
        "play.illegal",
        "play.illegal_stands",
        "play.unplayed",
        "turn.after_end",
        "result.winner",
        "points.contradict",
    }
)
_HARMLESS_CODES: Final = frozenset({"points.uncapped", "play.last_checker"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes of one game that go together: with all of them it is legal and ends as stated."""

    game: int
    changes: tuple[TurnChange, ...]

    @property
    def cost(self) -> int:
        """How far it is from what was written: points or dice that are named otherwise."""
        return sum(change.cost for change in self.changes)

    @property
    def key(self) -> str:
        """Names the proposal for the same record, whenever it is asked for: `3.17=63:13/7-13/10`."""
        return f"{self.game}." + "+".join(
            f"{change.turn}={change.dice[0]}{change.dice[1]}:"
            + "-".join(f"{step.source}/{step.target}" for step in change.steps)
            for change in self.changes
        )


@dataclass(frozen=True, slots=True)
class Repair:
    """A game with a play that cannot be right. `turn` is the first one; the likeliest proposal comes first.

    `is_exhausted`: more could have been tried than was.
    """

    game: int
    turn: int
    proposals: tuple[Proposal, ...]
    is_exhausted: bool = False


def find_repairs(
    record: Record, form: MatchFormat | None = None, played: Replay | None = None
) -> tuple[Repair, ...]:
    """For every game with a play that cannot be right: what it may have been. `played`: the record's replay, if there is one."""
    played = replay(record, form) if played is None else played
    spoken = assumed_format(record)
    assumed = spoken if spoken.form == played.form else AssumedFormat(played.form)
    found: list[Repair] = []
    for index, done in enumerate(played.games):
        if len(found) == MAX_GAMES_REPAIRED:
            break
        first = next((state.turn for state in done.states if _is_slip(state.action, legal=state.legal)), 0)
        if first:
            found.append(_find_repair(record, index, done, first, assumed))
    return tuple(found)


def _is_slip(action: Action, *, legal: bool) -> bool:
    return not legal and isinstance(action, Roll) and action.mark is RollMark.PLAYED


def _find_repair(
    record: Record, index: int, done: ReplayedGame, first: int, assumed: AssumedFormat
) -> Repair:
    game = record.games[index]
    if any(
        isinstance(action, Setup) and not (turn == 0 and is_usual_start(action))
        for turn, action in enumerate(game.actions)
    ):
        return Repair(index + 1, first, ())  # what was put up by hand does not follow from what was played
    search = SlipSearch(game, done)
    slip = next(place for place, entry in enumerate(search.rolls) if entry.turn == first)
    boards = {place: search.befores[entry.turn] for place, entry in enumerate(search.rolls[: slip + 1])}
    judge = _Judge(record, index, done, assumed, first)
    return Repair(index + 1, first, tuple(_combine_changes(search, slip, boards, judge)), search.is_exhausted)


def _combine_changes(
    search: SlipSearch, slip: int, boards: dict[int, Position], judge: _Judge
) -> list[Proposal]:
    """One slip after the other: what takes the game furthest is kept, and the next slip is looked at from there."""
    end = len(search.rolls)
    waiting = [PartialRepair((), slip, boards)]
    for _ in range(MAX_SLIPS):
        finished: list[tuple[TurnChange, ...]] = []
        further: list[PartialRepair] = []
        for one in waiting:
            for way in search.ways(one):
                if way.reach >= end:
                    finished.append((*one.changes, way.change))
                else:
                    further.append(_apply_change(search, one.changes, way, one.boards))
        good = judge.valid_proposals(finished)
        if good or search.is_exhausted:
            return good
        further.sort(key=lambda one: (-one.slip, sum(change.cost for change in one.changes)))
        waiting = further[:_MAX_OPEN]
    return []


def _apply_change(
    search: SlipSearch, changes: tuple[TurnChange, ...], way: ChangeOutcome, known: dict[int, Position]
) -> PartialRepair:
    """The boards of the game with a change up to the next slip, and from where on that one may be sought."""
    place = next(index for index, entry in enumerate(search.rolls) if entry.turn == way.change.turn)
    boards = {index: board for index, board in known.items() if index <= place}
    boards |= search.path(place + 1, way.after)
    return PartialRepair((*changes, way.change), way.reach, boards, place + 1)


class _Judge:
    """Does the game with these changes replay without a fault and end as stated?"""

    def __init__(
        self, record: Record, index: int, done: ReplayedGame, assumed: AssumedFormat, slip: int
    ) -> None:
        self.game = record.games[index]
        self.index = index + 1
        self.score = done.score
        self.assumed = assumed
        self.is_last = index + 1 == len(record.games)
        self.following = None if self.is_last else record.games[index + 1].score_before
        self.slip = slip
        self.known = self._codes(self.game)

    def _codes(self, game: Game) -> set[str]:
        first = GameWalk(
            game, self.index, self.assumed, self.score, is_last=self.is_last, choices={}, starred=False
        )
        walk = best_reading(first)
        reckoning = EndingCalculator(walk, self.following)
        reckoning.end()
        return {found.code for found in (*walk.findings, *reckoning.findings)}

    def valid_proposals(self, found: list[tuple[TurnChange, ...]]) -> list[Proposal]:
        """Those that hold, the likeliest first: nearest to what was written. One step further from it are named only where a roll or an
        earlier turn is changed, which nobody looks at where the slip is noticed.
        """
        good: list[Proposal] = []
        for changes in sorted(found, key=_sort_key)[:_MAX_JUDGED]:
            cost = sum(change.cost for change in changes)
            further = cost - good[0].cost if good else 0
            elsewhere = any(change.is_dice_change or change.turn < self.slip for change in changes)
            if further > 1 or len(good) == MAX_PROPOSALS:
                break
            if (further and not elsewhere) or not self._is_valid(changes):
                continue
            good.append(Proposal(self.index, tuple(sorted(changes, key=lambda change: change.turn))))
        return good

    def _is_valid(self, changes: tuple[TurnChange, ...]) -> bool:
        codes = self._codes(apply_changes(self.game, changes))
        return not codes & _FAULT_CODES and codes <= self.known | _HARMLESS_CODES


def _sort_key(changes: tuple[TurnChange, ...]) -> tuple[int, int]:
    return sum(change.cost for change in changes), -max(change.turn for change in changes)


def apply_changes(game: Game, changes: tuple[TurnChange, ...]) -> Game:
    """The game with these turns as they should be; everything else as it was written."""
    actions = list(game.actions)
    for change in changes:
        action = actions[change.turn - 1]
        if isinstance(action, Roll):
            actions[change.turn - 1] = replace(action, dice=change.dice, steps=change.steps)
    return replace(game, actions=tuple(actions))


def repaired_record(record: Record, proposal: Proposal) -> Record:
    """A copy of the record with a proposal in it."""
    games = list(record.games)
    games[proposal.game - 1] = apply_changes(games[proposal.game - 1], proposal.changes)
    return replace(record, games=tuple(games))
