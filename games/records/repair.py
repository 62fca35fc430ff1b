"""Find corrections for illegal plays in a game record.

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
    """Changes in one game that belong together: with all of them the game is legal and ends as recorded."""

    game: int
    changes: tuple[TurnChange, ...]

    @property
    def cost(self) -> int:
        """The distance from the written record: the number of points or dice that differ."""
        return sum(change.cost for change in self.changes)

    @property
    def key(self) -> str:
        """An identifier of the proposal, always the same for the same record: ``3.17=63:13/7-13/10``."""
        return f"{self.game}." + "+".join(
            f"{change.turn}={change.dice[0]}{change.dice[1]}:"
            + "-".join(f"{step.source}/{step.target}" for step in change.steps)
            for change in self.changes
        )


@dataclass(frozen=True, slots=True)
class Repair:
    """A game with an illegal play, and the proposals for its correction, most likely first.

    ``turn`` is the turn of the first illegal play. ``is_exhausted``: the search stopped at its limit.
    """

    game: int
    turn: int
    proposals: tuple[Proposal, ...]
    is_exhausted: bool = False


def find_repairs(
    record: Record, form: MatchFormat | None = None, replayed: Replay | None = None
) -> tuple[Repair, ...]:
    """Return a ``Repair`` for each game with an illegal play, at most ``MAX_GAMES_REPAIRED``.

    ``form``: the match format, None for that of the file. ``replayed``: the replay of the record, if it has
    been computed already.
    """
    replayed = replay(record, form) if replayed is None else replayed
    recorded_format = assumed_format(record)
    assumed = recorded_format if recorded_format.form == replayed.form else AssumedFormat(replayed.form)
    repairs: list[Repair] = []
    for index, replayed_game in enumerate(replayed.games):
        if len(repairs) == MAX_GAMES_REPAIRED:
            break
        first_turn = next(
            (state.turn for state in replayed_game.states if _is_slip(state.action, legal=state.legal)), 0
        )
        if first_turn:
            repairs.append(_find_repair(record, index, replayed_game, first_turn, assumed))
    return tuple(repairs)


def _is_slip(action: Action, *, legal: bool) -> bool:
    return not legal and isinstance(action, Roll) and action.mark is RollMark.PLAYED


def _find_repair(
    record: Record, index: int, replayed_game: ReplayedGame, first_turn: int, assumed: AssumedFormat
) -> Repair:
    game = record.games[index]
    if any(
        isinstance(action, Setup) and not (turn == 0 and is_usual_start(action))
        for turn, action in enumerate(game.actions)
    ):
        return Repair(index + 1, first_turn, ())  # a position set up by hand does not follow from the plays
    search = SlipSearch(game, replayed_game)
    slip = next(roll_index for roll_index, entry in enumerate(search.rolls) if entry.turn == first_turn)
    boards = {
        roll_index: search.befores[entry.turn] for roll_index, entry in enumerate(search.rolls[: slip + 1])
    }
    judge = _Judge(record, index, replayed_game, assumed, first_turn)
    return Repair(
        index + 1, first_turn, tuple(_combine_changes(search, slip, boards, judge)), search.is_exhausted
    )


def _combine_changes(
    search: SlipSearch, slip: int, boards: dict[int, Position], judge: _Judge
) -> list[Proposal]:
    """Return the valid proposals, searched from one wrong turn to the next.

    Of each turn the changes that carry the game furthest are kept, and the search goes on from them.
    ``slip``: the index of the first wrong roll; ``boards``: the boards before each roll up to it, keyed by
    index.
    """
    end = len(search.rolls)
    open_repairs = [PartialRepair((), slip, boards)]
    for _ in range(MAX_SLIPS):
        finished_changes: list[tuple[TurnChange, ...]] = []
        next_repairs: list[PartialRepair] = []
        for partial in open_repairs:
            for outcome in search.changes_past_slip(partial):
                if outcome.reach >= end:
                    finished_changes.append((*partial.changes, outcome.change))
                else:
                    next_repairs.append(_apply_change(search, partial.changes, outcome, partial.boards))
        proposals = judge.valid_proposals(finished_changes)
        if proposals or search.is_exhausted:
            return proposals
        next_repairs.sort(key=lambda partial: (-partial.slip, sum(change.cost for change in partial.changes)))
        open_repairs = next_repairs[:_MAX_OPEN]
    return []


def _apply_change(
    search: SlipSearch,
    changes: tuple[TurnChange, ...],
    outcome: ChangeOutcome,
    known_boards: dict[int, Position],
) -> PartialRepair:
    """Apply a change; return the partly repaired game with its boards up to the next wrong turn."""
    roll_index = next(index for index, entry in enumerate(search.rolls) if entry.turn == outcome.change.turn)
    boards = {index: board for index, board in known_boards.items() if index <= roll_index}
    boards |= search.path(roll_index + 1, outcome.after)
    return PartialRepair((*changes, outcome.change), outcome.reach, boards, roll_index + 1)


class _Judge:
    """Decides whether a game with given changes has no error and ends as recorded."""

    def __init__(
        self, record: Record, index: int, replayed_game: ReplayedGame, assumed: AssumedFormat, slip: int
    ) -> None:
        self.game = record.games[index]
        self.index = index + 1
        self.score = replayed_game.score
        self.assumed = assumed
        self.is_last = index + 1 == len(record.games)
        self.following = None if self.is_last else record.games[index + 1].score_before
        self.slip = slip
        self.known = self._codes(self.game)

    def _codes(self, game: Game) -> set[str]:
        first_walk = GameWalk(
            game, self.index, self.assumed, self.score, is_last=self.is_last, choices={}, marks_hits=False
        )
        walk = best_reading(first_walk)
        calculator = EndingCalculator(walk, self.following)
        calculator.end()
        return {finding.code for finding in (*walk.findings, *calculator.findings)}

    def valid_proposals(self, change_sets: list[tuple[TurnChange, ...]]) -> list[Proposal]:
        """Return the valid proposals, those nearest to the written record first.

        A proposal that costs one more than the best is included only if it changes a roll or an earlier turn,
        which a reader of the wrong turn would not think of.
        """
        proposals: list[Proposal] = []
        for changes in sorted(change_sets, key=_sort_key)[:_MAX_JUDGED]:
            cost = sum(change.cost for change in changes)
            extra_cost = cost - proposals[0].cost if proposals else 0
            has_other_change = any(change.is_dice_change or change.turn < self.slip for change in changes)
            if extra_cost > 1 or len(proposals) == MAX_PROPOSALS:
                break
            if (extra_cost and not has_other_change) or not self._is_valid(changes):
                continue
            proposals.append(Proposal(self.index, tuple(sorted(changes, key=lambda change: change.turn))))
        return proposals

    def _is_valid(self, changes: tuple[TurnChange, ...]) -> bool:
        codes = self._codes(apply_changes(self.game, changes))
        return not codes & _FAULT_CODES and codes <= self.known | _HARMLESS_CODES


def _sort_key(changes: tuple[TurnChange, ...]) -> tuple[int, int]:
    return sum(change.cost for change in changes), -max(change.turn for change in changes)


def apply_changes(game: Game, changes: tuple[TurnChange, ...]) -> Game:
    """Return a copy of the game with the changed turns; everything else stays as written."""
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
