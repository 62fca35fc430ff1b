"""Find corrections for plays of a game record that are not legal.

Records are typed by people: one digit is wrong, one die is another, a step is left out. A proposal is a set
of changed plays or rolls with which every later turn is legal and the game ends with the recorded winner and
points. ``slips.py`` generates the candidate changes of a single turn.

``find_repairs`` returns the proposals, ``repaired_record`` the corrected copy. Independent of file formats;
the proposals are described in words by ``games/web/repairing.py``.
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

MAX_GAMES_REPAIRED: Final = 5  # of one record
MAX_SLIPS: Final = 4  # corrected together in one game; a log with more is not recoverable
MAX_PROPOSALS: Final = 8  # of one game
_MAX_OPEN: Final = 8  # partial repairs that are continued to the next slip
_MAX_JUDGED: Final = (
    24  # of those that can be played to the end, so many are held against the end of the record
)

# Findings that a corrected game must not have: not legal, or not ended as recorded.
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
    """Changes of one game that belong together: with all of them it is legal and ends as recorded."""

    game: int
    changes: tuple[TurnChange, ...]

    @property
    def cost(self) -> int:
        """Distance from the written record: the number of points or dice that differ."""
        return sum(change.cost for change in self.changes)

    @property
    def key(self) -> str:
        """Identifier of the proposal, stable for the same record: ``3.17=63:13/7-13/10``."""
        return f"{self.game}." + "+".join(
            f"{change.turn}={change.dice[0]}{change.dice[1]}:"
            + "-".join(f"{step.source}/{step.target}" for step in change.steps)
            for change in self.changes
        )


@dataclass(frozen=True, slots=True)
class Repair:
    """A game with an illegal play, and the proposals for it, the likeliest first.

    ``turn`` is the turn of the first illegal play. ``is_exhausted``: the search stopped at its limit.
    """

    game: int
    turn: int
    proposals: tuple[Proposal, ...]
    is_exhausted: bool = False


def find_repairs(
    record: Record, form: MatchFormat | None = None, played: Replay | None = None
) -> tuple[Repair, ...]:
    """Return a ``Repair`` for each game with an illegal play, at most ``MAX_GAMES_REPAIRED``.

    ``played``: the replay of the record, if it has been computed already.
    """
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
        return Repair(index + 1, first, ())  # a position set up by hand does not follow from the plays
    search = SlipSearch(game, done)
    slip = next(place for place, entry in enumerate(search.rolls) if entry.turn == first)
    boards = {place: search.befores[entry.turn] for place, entry in enumerate(search.rolls[: slip + 1])}
    judge = _Judge(record, index, done, assumed, first)
    return Repair(index + 1, first, tuple(_combine_changes(search, slip, boards, judge)), search.is_exhausted)


def _combine_changes(
    search: SlipSearch, slip: int, boards: dict[int, Position], judge: _Judge
) -> list[Proposal]:
    """Search slip by slip: keep the changes that carry the game furthest, and continue from there."""
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
    """Apply a change and return the boards up to the next slip, with the turn from which to search it."""
    place = next(index for index, entry in enumerate(search.rolls) if entry.turn == way.change.turn)
    boards = {index: board for index, board in known.items() if index <= place}
    boards |= search.path(place + 1, way.after)
    return PartialRepair((*changes, way.change), way.reach, boards, place + 1)


class _Judge:
    """Decides whether a game with given changes replays without a fault and ends as recorded."""

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
        """Return the valid proposals, those nearest to the written record first.

        A proposal that costs one step more than the best is included only if it changes a roll or an earlier
        turn, which a reader of the faulty turn would not think of.
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
    """Return the game with the changed turns; everything else stays as written."""
    actions = list(game.actions)
    for change in changes:
        action = actions[change.turn - 1]
        if isinstance(action, Roll):
            actions[change.turn - 1] = replace(action, dice=change.dice, steps=change.steps)
    return replace(game, actions=tuple(actions))


def repaired_record(record: Record, proposal: Proposal) -> Record:
    """Return a copy of the record with the proposal applied."""
    games = list(record.games)
    games[proposal.game - 1] = apply_changes(games[proposal.game - 1], proposal.changes)
    return replace(record, games=tuple(games))
