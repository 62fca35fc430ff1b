"""Replay one recorded game with the rules of ``games.rules``.

The rules decide which plays are legal, what the cube may do and what a win is worth. Where a record deviates,
the error becomes a finding, and the replay continues from the recorded position, as both players did (rules
R42 and F7). ``ending.py`` computes how the game ended, ``validation.py`` checks the match around it.
``walking.py`` chooses between readings of joined steps and explains illegal plays by replaying again.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.records import stars
from games.records.boards import (
    apply_possible_steps,
    count_differences,
    is_usual_start,
    position_from_board,
    swap_sides,
)
from games.records.findings import Finding, finding
from games.records.model import Action, CubeAction, CubeKind, Game, Place, Roll, RollMark, Setup
from games.records.replaying import TurnState
from games.rules import cube as cubes
from games.rules import game as rules
from games.rules.cube import CENTRED, OfferKind
from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.game import Phase
from games.rules.plays import PlayVerdict, Reading, check_play
from games.rules.position import Position
from games.rules.scoring import Score
from games.rules.sides import Side

MAX_FINDINGS = 200  # of one record


@dataclass(frozen=True, slots=True)
class AssumedFormat:
    """The match format used for a replay.

    For rules that neither file nor caller states, the record is trusted.

    ``is_jacoby_open``, ``is_automatic_open``: it is not known whether the Jacoby rule and automatic doubles
    apply.
    """

    form: MatchFormat
    is_jacoby_open: bool = False
    is_automatic_open: bool = False
    max_game_points: int | None = None  # the highest number of points that the program writes for one game


class ImpossiblePlay(NamedTuple):
    """An illegal play, with the game before it, in which its player is to roll."""

    turn: int
    roll: Roll
    game: rules.Game
    board_after: Position  # for the next player, if the play is condoned


class GameWalk:
    """One replay of the actions of a game. ``played`` is the current state of the game.

    ``boards``: the board after a turn, keyed by turn, used instead of the written play. ``choices``: which
    reading of an ambiguous play is taken, keyed by turn. ``marks_hits``: the file marks hits, so missing marks
    are noted. ``broken``: the illegal plays in order. ``stopped``: the turn at which the replay stopped, 0 if
    it reached the end.
    """

    def __init__(
        self,
        game: Game,
        index: int,
        assumed: AssumedFormat,
        score: Score,
        *,
        is_last: bool,
        choices: Mapping[int, int],
        boards: Mapping[int, Position] | None = None,
        marks_hits: bool = False,
    ) -> None:
        self.game = game
        self.index = index
        self.assumed = assumed
        self.score = score
        self.is_last = is_last
        self.choices = choices
        self.boards = boards or {}
        self.marks_hits = marks_hits
        self.is_trial = False
        self.stopped = 0
        self.findings: list[Finding] = []
        self.states: list[TurnState] = []
        self.ambiguous_turns: list[tuple[int, int]] = []  # turn, number of readings
        self.broken: list[ImpossiblePlay] = []
        self.stars: list[Finding] = []
        self.correct_mark_count = 0
        automatic_turns = game.automatic_doubles or 0
        cube = (
            cubes.automatic_cube(automatic_turns) if 0 <= automatic_turns <= cubes.MAX_CUBE_TURNS else CENTRED
        )
        self.played = rules.start_game(assumed.form, score, cube=cube)
        self.start = self.played.position
        self.cube_named = bool(automatic_turns)
        actions = game.actions
        self.last_of = {
            side: max(
                (i for i, a in enumerate(actions, 1) if not isinstance(a, Setup) and a.side is side),
                default=0,
            )
            for side in (Side.WHITE, Side.BLACK)
        }
        self.last_roll = max(
            (i for i, action in enumerate(actions, 1) if isinstance(action, Roll)), default=0
        )

    @property
    def first_illegal(self) -> int:
        return self.broken[0].turn if self.broken else 0

    def replay_from(self, impossible_play: ImpossiblePlay, board: Position) -> GameWalk:
        """Return a replay from an illegal play to the next one, as if the play had led to ``board``."""
        branch = copy(self)
        branch.is_trial, branch.stopped = True, 0
        branch.findings, branch.states, branch.ambiguous_turns, branch.broken, branch.stars = (
            [],
            [],
            [],
            [],
            [],
        )
        branch.played = rules.play_reading(
            rules.roll_dice(impossible_play.game, impossible_play.roll.dice), board
        )
        return branch.walk(impossible_play.turn)

    def walk(self, done_count: int = 0) -> GameWalk:
        """Replay the actions after the first ``done_count`` and return this replay."""
        for turn, action in enumerate(self.game.actions[done_count:], done_count + 1):
            if len(self.findings) > MAX_FINDINGS or (self.is_trial and self.broken):
                self.stopped = turn
                break
            if self.played.phase is Phase.OVER:
                self._add_finding("turn.after_end", turn, action.place)
                self.stopped = turn
                break
            if isinstance(action, Roll):
                self._walk_roll(turn, action)
            elif isinstance(action, CubeAction):
                self._walk_cube_action(turn, action)
            else:
                self._walk_setup(turn, action)
        return self

    # -- helpers

    def _add_finding(
        self, code: str, turn: int, place: Place, rule: str | None = None, **params: Any
    ) -> None:
        self.findings.append(finding(code, rule=rule, game=self.index, turn=turn, place=place, **params))

    def has_play_continued(self, turn: int, side: Side) -> bool:
        """Return whether the opponent acted after this turn, or a next game follows (rules R42 and F7)."""
        return self.last_of[side.other] > turn or not self.is_last

    def _add_state(
        self,
        turn: int,
        action: Action,
        side: Side,
        before: Position,
        steps: tuple[tuple[int, ...], ...] = (),
        *,
        legal: bool = True,
    ) -> None:
        after = self.played.seen_by(side.other)
        self.states.append(TurnState(turn, action, side, before, after, self.played.cube, steps, legal))

    # -- rolls

    def _walk_roll(self, turn: int, roll: Roll) -> None:
        side, game = roll.side, self.played
        if game.phase is not Phase.TO_ROLL or game.on_roll is not side:
            game = self._game_at_turn(side, turn, roll)
        before = game.position
        if roll.mark is RollMark.PLAYED:
            self._walk_play(turn, roll, game)
        elif roll.mark is RollMark.UNPLAYED:
            self.played = rules.end_turn(game, before.swap())
            self._add_state(turn, roll, side, before)
        else:
            self._add_finding("play.condoned", turn, roll.place, dice=roll.dice)
            self.played = rules.end_turn(game, self._condoned_board(roll, before))
            self._add_state(turn, roll, side, before, legal=False)

    def _game_at_turn(self, side: Side, turn: int, roll: Roll) -> rules.Game:
        """Return the game with ``side`` to roll, whatever the record leaves out.

        Notes what is missing, and an opening roll that is a double (rule R7).
        """
        game = self.played
        offer = game.cube.offer
        if offer is not None:
            # A roll without an answer: by the doubler means taken; by the other side, no double.
            # A beaver needs no answer.
            is_taken = side is offer.taker.other
            if offer.kind is OfferKind.DOUBLE or not is_taken:
                self._add_finding("cube.unanswered", turn, roll.place)
            game = rules.take(game) if is_taken else rules.withdraw(game)
        if game.phase is Phase.OPENING and roll.dice[0] == roll.dice[1] and roll.dice[0]:
            self._add_finding("dice.opening_double", turn, roll.place, dice=roll.dice)
        if game.phase is Phase.TO_ROLL and game.on_roll is not side:
            try:
                game = rules.skip_closed_out(game)
            except RuleError:
                self._add_finding("turn.missing", turn, roll.place, side=side.other.value)
        return rules.give_turn(game, side)

    @staticmethod
    def _condoned_board(roll: Roll, before: Position) -> Position:
        """Return the recorded board after an illegal play that was accepted, as the next player sees it.

        Programs write it from different views; the board that differs least from the one before is taken.
        """
        if roll.after is None:
            return before.swap()
        boards = (roll.after, swap_sides(roll.after))
        positions = [
            position
            for board in boards
            if (position := position_from_board(board, roll.side.other)) is not None
        ]
        return min(
            positions, key=lambda position: count_differences(position, before.swap()), default=before.swap()
        )

    def _walk_play(self, turn: int, roll: Roll, game: rules.Game) -> None:
        before = game.position
        verdict = check_play(before, roll.dice, [(step.source, step.target) for step in roll.steps])
        if verdict.fault is not None:
            self._walk_illegal_play(turn, roll, game, verdict)
            return
        if verdict.note is not None:
            self._add_finding("play.last_checker", turn, roll.place, verdict.note, dice=roll.dice)
        reading = self._choose_reading(turn, roll, verdict)
        if self.marks_hits:
            self._check_star(turn, roll, before, reading)
        self.played = rules.play_reading(rules.roll_dice(game, roll.dice), reading.result)
        self._add_state(turn, roll, roll.side, before, reading.steps)

    def _check_star(self, turn: int, roll: Roll, before: Position, reading: Reading) -> None:
        code = stars.star_fault(before, roll.steps, reading)
        if code == stars.CORRECT_STAR:
            self.correct_mark_count += 1
        elif code:
            self.stars.append(finding(code, game=self.index, turn=turn, place=roll.place, dice=roll.dice))

    def _choose_reading(self, turn: int, roll: Roll, verdict: PlayVerdict) -> Reading:
        readings = verdict.readings
        if len(readings) == 1:
            return readings[0]
        self.ambiguous_turns.append((turn, len(readings)))
        choice = self.choices.get(turn)
        if choice is not None:
            return readings[choice % len(readings)]
        marked_hits = sum(step.hit for step in roll.steps)
        return next((reading for reading in readings if len(reading.hits) >= marked_hits), readings[0])

    def _walk_illegal_play(self, turn: int, roll: Roll, game: rules.Game, verdict: PlayVerdict) -> None:
        """Note an illegal play and continue from the recorded board (rule R42)."""
        side, before, fault = roll.side, game.position, verdict.fault
        if not roll.steps:
            standing_board = before.swap()
            # An empty last roll means the same as ????; elsewhere the log has lost a play.
            if turn == len(self.game.actions):
                self.played = rules.end_turn(game, standing_board)
                self._add_state(turn, roll, side, before)
                return
            self._add_finding(
                "play.unplayed", turn, roll.place, fault.rule if fault else None, dice=roll.dice
            )
        else:
            standing_board = (
                apply_possible_steps(before, roll.steps) if verdict.standing is None else verdict.standing
            )
            self._add_finding(
                "play.illegal_stands" if self.has_play_continued(turn, side) else "play.illegal",
                turn,
                roll.place,
                fault.rule if fault else None,
                reason=fault.code if fault else "",
                dice=roll.dice,
                steps=tuple((step.source, step.target) for step in roll.steps),
                details=dict(fault.params) if fault else {},
            )
        self.broken.append(ImpossiblePlay(turn, roll, game, standing_board))
        intended_board = self.boards.get(turn)
        if intended_board is None and not roll.steps:
            self.played = rules.end_turn(game, standing_board)
        else:
            self.played = rules.play_reading(
                rules.roll_dice(game, roll.dice), standing_board if intended_board is None else intended_board
            )
        self._add_state(turn, roll, side, before, roll.steps, legal=False)

    # -- cube

    def _walk_cube_action(self, turn: int, action: CubeAction) -> None:
        side = action.side
        if action.kind is CubeKind.DOUBLE:
            self._reveal_automatic(action)
        self._add_state(turn, action, side, self.played.seen_by(side))
        try:
            if action.kind is CubeKind.DOUBLE:
                self._walk_double(turn, action)
            elif action.kind is CubeKind.BEAVER:
                self._walk_beaver(turn, action)
            elif action.kind is CubeKind.TAKE:
                self.played = rules.take(self.played, side)
            elif self.played.cube.offer is not None:  # without an offer: some programs resign so
                self.played = rules.drop(self.played, side)
        except RuleError as error:
            self._note_impossible_cube(turn, action, error.code, error.rule)

    def _reveal_automatic(self, action: CubeAction) -> None:
        """Infer automatic doubles (rule F5), which leave no mark, from a first ``Doubles => 4``."""
        value = action.value
        if value is None or value <= 2 or self.cube_named or self.played.cube != CENTRED:
            return
        cube_turns = value.bit_length() - 2
        is_allowed = self.assumed.is_automatic_open or cube_turns <= self.assumed.form.automatic_doubles
        if is_allowed and cube_turns <= cubes.MAX_CUBE_TURNS and value == 2 ** (cube_turns + 1):
            self.played = rules.replace_cube(self.played, cubes.automatic_cube(cube_turns))

    def _note_impossible_cube(self, turn: int, action: CubeAction, code: str, rule: str | None) -> None:
        """Note a cube action that is not legal.

        It counts once both players have played on (rule R42), or if a double in the Crawford game was counted
        (rule F2).
        """
        if code == "cube.crawford":
            is_counted = self.game.result is not None or not self.is_last
            is_standing = is_counted and turn < len(self.game.actions)
            finding_code = "cube.crawford_stands" if is_standing else "cube.impossible"
        else:
            finding_code = (
                "cube.impossible_stands" if self.last_roll > turn or not self.is_last else "cube.impossible"
            )
        self._add_finding(finding_code, turn, action.place, rule, reason=code, action=action.kind.value)

    def _walk_double(self, turn: int, action: CubeAction) -> None:
        side, offer = action.side, self.played.cube.offer
        if offer is not None and offer.by is side.other:
            # SGF writes a beaver as a double; readers that cannot tell pass it on.
            self._walk_beaver(turn, action)
            return
        self.cube_named = True
        game = self.played
        try:
            self.played = rules.double(game, side)
        except RuleError as error:
            self.played = rules.offer_cube(game, side)  # raises where the cube cannot be turned at all (R35)
            self._note_impossible_cube(turn, action, error.code, error.rule)
        self._check_cube_value(turn, action)

    def _walk_beaver(self, turn: int, action: CubeAction) -> None:
        offer = self.played.cube.offer
        if offer is None or offer.answerer is not action.side:
            raise RuleError("cube.nothing_offered", "R41")
        game = self.played
        try:
            turn_cube = rules.beaver if offer.kind is OfferKind.DOUBLE else rules.raccoon
            self.played = turn_cube(game)
        except RuleError as error:
            if offer.kind is not OfferKind.RACCOON:
                self.played = rules.raise_offer(game)  # raises, as above
            self._note_impossible_cube(turn, action, error.code, error.rule)
        self._check_cube_value(turn, action)

    def _check_cube_value(self, turn: int, action: CubeAction) -> None:
        offer = self.played.cube.offer
        value = offer.value if offer is not None else 0
        if action.value is not None and action.value != value:
            self._add_finding("cube.value", turn, action.place, stated=action.value, value=value)

    # -- positions put up by hand

    def _walk_setup(self, turn: int, setup: Setup) -> None:
        is_default_start = turn == 1 and is_usual_start(setup)
        if not is_default_start:
            self._add_finding("start.set_up", turn, setup.place)
        game = self.played
        side = setup.turn or game.on_roll
        before = game.seen_by(side)
        cube = game.cube
        if setup.cube is not None or setup.owner is not None or setup.centred:
            value = cube.value if setup.cube is None else setup.cube
            owner = setup.owner if setup.owner is not None or setup.centred else cube.owner
            cube = cubes.set_cube(value, owner)
            self.cube_named = True
        if is_default_start and setup.turn is None:
            self.played = rules.replace_cube(game, cube)
        else:
            position = None if setup.board is None else position_from_board(setup.board, side)
            self.played = rules.set_up(game, position, on_roll=setup.turn, cube=cube)
        if turn == 1:
            self.start = self.played.seen_by(Side.WHITE)
        self._add_state(turn, setup, side, before)
