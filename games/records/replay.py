"""One recorded game, played through on the game of `games.rules`.

What is legal, what a cube may do and what a win is worth, the rules say; here is what happens when a record does
something else: what the rules refuse is found and named, and play goes on from what was recorded (R42 F7), because both
players went on from there. How the game ended is `ending.py`, the match around it `validation.py`.

Which reading of joined steps is taken, and what a play that cannot be was meant to be, is found by walking again: `walking.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.records import stars
from games.records.boards import differing, is_usual_start, position_of, roll_on, turned_round
from games.records.findings import Finding, finding
from games.records.model import Action, CubeAction, CubeKind, Game, Place, Roll, RollMark, Setup
from games.records.replaying import State
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

MAX_FINDINGS = 200  # of one record: a file that is wrong everywhere need not be told so everywhere


@dataclass(frozen=True, slots=True)
class Assumed:
    """The format, and what of it nobody has said: there the record is believed."""

    form: MatchFormat
    jacoby_open: bool = False
    automatic_open: bool = False
    most: int | None = None  # what a program writes at most for one game, whatever it was worth


class Broken(NamedTuple):
    """A play that cannot be: the game before it, with the side to roll."""

    turn: int
    roll: Roll
    game: rules.Game
    stood: Position  # the board for the next player if it is let stand


class GameWalk:
    """One walk through the actions of one game. `played` is the game of the rules at the moment.

    `boards` says for some turns how the board stood afterwards, whatever was written: those plays were meant otherwise.
    `starred`: the file marks hits, so marks can be wrong. `broken` are the plays that cannot be, in order; `stopped` is the turn
    from which on nothing was looked at, 0 if there is none.
    """

    def __init__(
        self,
        game: Game,
        index: int,
        assumed: Assumed,
        score: Score,
        *,
        is_last: bool,
        choices: Mapping[int, int],
        boards: Mapping[int, Position] | None = None,
        starred: bool = False,
    ) -> None:
        self.game = game
        self.index = index
        self.assumed = assumed
        self.score = score
        self.is_last = is_last
        self.choices = choices
        self.boards = boards or {}
        self.starred = starred
        self.trying = False
        self.stopped = 0
        self.findings: list[Finding] = []
        self.states: list[State] = []
        self.forks: list[tuple[int, int]] = []  # turn, number of readings
        self.broken: list[Broken] = []
        self.stars: list[Finding] = []
        self.right_stars = 0
        turned = game.automatic_doubles or 0
        cube = cubes.automatically(turned) if 0 <= turned <= cubes.MOST_TURNS else CENTRED
        self.played = rules.start_game(assumed.form, score, cube=cube)
        self.start = self.played.position
        self.cube_named = bool(turned)
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

    def attempt(self, broken: Broken, board: Position) -> GameWalk:
        """What follows if the board after this play stood so: a walk on from there, to the next play that cannot be."""
        other = copy(self)
        other.trying, other.stopped = True, 0
        other.findings, other.states, other.forks, other.broken, other.stars = [], [], [], [], []
        other.played = rules.play_reading(rules.throw(broken.game, broken.roll.dice), board)
        return other.walk(broken.turn)

    def walk(self, done: int = 0) -> GameWalk:
        """Through all actions after the first `done` ones."""
        for turn, action in enumerate(self.game.actions[done:], done + 1):
            if len(self.findings) > MAX_FINDINGS or (self.trying and self.broken):
                self.stopped = turn
                break
            if self.played.phase is Phase.OVER:
                self._find("turn.after_end", turn, action.place)
                self.stopped = turn
                break
            if isinstance(action, Roll):
                self._roll(turn, action)
            elif isinstance(action, CubeAction):
                self._cube(turn, action)
            else:
                self._set_up(turn, action)
        return self

    # -- helpers

    def _find(self, code: str, turn: int, place: Place, rule: str | None = None, **params: Any) -> None:
        self.findings.append(finding(code, rule=rule, game=self.index, turn=turn, place=place, **params))

    def stands(self, turn: int, side: Side) -> bool:
        """R42 F7: did the other side go on after this turn, in this game or with the next one?"""
        return self.last_of[side.other] > turn or not self.is_last

    def _keep(
        self,
        turn: int,
        action: Action,
        side: Side,
        before: Position,
        played: tuple[tuple[int, ...], ...] = (),
        *,
        legal: bool = True,
    ) -> None:
        after = self.played.seen_by(side.other)
        self.states.append(State(turn, action, side, before, after, self.played.cube, played, legal))

    # -- rolls

    def _roll(self, turn: int, roll: Roll) -> None:
        side, game = roll.side, self.played
        if game.phase is not Phase.TO_ROLL or game.on_roll is not side:
            game = self._turn_of(side, turn, roll)
        before = game.position
        if roll.mark is RollMark.PLAYED:
            self._play(turn, roll, game)
        elif roll.mark is RollMark.UNPLAYED:
            self.played = rules.pass_on(game, before.swap())
            self._keep(turn, roll, side, before)
        else:
            self._find("play.condoned", turn, roll.place, dice=roll.dice)
            self.played = rules.pass_on(game, self._condoned(roll, before))
            self._keep(turn, roll, side, before, legal=False)

    def _turn_of(self, side: Side, turn: int, roll: Roll) -> rules.Game:
        """The game with this side to roll, whatever the record has left out; an opening double is named (R7)."""
        game = self.played
        offer = game.cube.offer
        if offer is not None:
            # Nobody answered, and somebody rolled: the doubler, so it was taken; else the double never was.
            # A beaver needs no answer.
            taken = side is offer.taker.other
            if offer.kind is OfferKind.DOUBLE or not taken:
                self._find("cube.unanswered", turn, roll.place)
            game = rules.take(game) if taken else rules.withdraw(game)
        if game.phase is Phase.OPENING and roll.dice[0] == roll.dice[1] and roll.dice[0]:
            self._find("dice.opening_double", turn, roll.place, dice=roll.dice)
        if game.phase is Phase.TO_ROLL and game.on_roll is not side:
            try:
                game = rules.skip_closed_out(game)
            except RuleError:
                self._find("turn.missing", turn, roll.place, side=side.other.value)
        return rules.turn_to(game, side)

    @staticmethod
    def _condoned(roll: Roll, before: Position) -> Position:
        """The board that the record shows after a condoned play, seen by the next player.

        Writers do not agree whose view they show; the one that differs least from the board before is meant.
        """
        if roll.after is None:
            return before.swap()
        boards = (roll.after, turned_round(roll.after))
        shown = [
            position for board in boards if (position := position_of(board, roll.side.other)) is not None
        ]
        return min(shown, key=lambda position: differing(position, before.swap()), default=before.swap())

    def _play(self, turn: int, roll: Roll, game: rules.Game) -> None:
        before = game.position
        verdict = check_play(before, roll.dice, [(step.source, step.target) for step in roll.steps])
        if verdict.fault is not None:
            self._illegal(turn, roll, game, verdict)
            return
        if verdict.note is not None:
            self._find("play.last_checker", turn, roll.place, verdict.note, dice=roll.dice)
        reading = self._reading(turn, roll, verdict)
        if self.starred:
            self._star(turn, roll, before, reading)
        self.played = rules.play_reading(rules.throw(game, roll.dice), reading.result)
        self._keep(turn, roll, roll.side, before, reading.steps)

    def _star(self, turn: int, roll: Roll, before: Position, reading: Reading) -> None:
        code = stars.star_of(before, roll.steps, reading)
        if code == stars.RIGHT:
            self.right_stars += 1
        elif code:
            self.stars.append(finding(code, game=self.index, turn=turn, place=roll.place, dice=roll.dice))

    def _reading(self, turn: int, roll: Roll, verdict: PlayVerdict) -> Reading:
        readings = verdict.readings
        if len(readings) == 1:
            return readings[0]
        self.forks.append((turn, len(readings)))
        choice = self.choices.get(turn)
        if choice is not None:
            return readings[choice % len(readings)]
        marked = sum(step.hit for step in roll.steps)
        return next((reading for reading in readings if len(reading.hits) >= marked), readings[0])

    def _illegal(self, turn: int, roll: Roll, game: rules.Game, verdict: PlayVerdict) -> None:
        """R42: it is named, and play goes on from the board as it was recorded."""
        side, before, fault = roll.side, game.position, verdict.fault
        if not roll.steps:
            standing = before.swap()
            # An empty last roll says the same as ????, and elsewhere the log has lost a play.
            if turn == len(self.game.actions):
                self.played = rules.pass_on(game, standing)
                self._keep(turn, roll, side, before)
                return
            self._find("play.unplayed", turn, roll.place, fault.rule if fault else None, dice=roll.dice)
        else:
            standing = roll_on(before, roll.steps) if verdict.standing is None else verdict.standing
            self._find(
                "play.illegal_stands" if self.stands(turn, side) else "play.illegal",
                turn,
                roll.place,
                fault.rule if fault else None,
                reason=fault.code if fault else "",
                dice=roll.dice,
                steps=tuple((step.source, step.target) for step in roll.steps),
                details=dict(fault.params) if fault else {},
            )
        self.broken.append(Broken(turn, roll, game, standing))
        meant = self.boards.get(turn)
        if meant is None and not roll.steps:
            self.played = rules.pass_on(game, standing)
        else:
            self.played = rules.play_reading(
                rules.throw(game, roll.dice), standing if meant is None else meant
            )
        self._keep(turn, roll, side, before, roll.steps, legal=False)

    # -- cube

    def _cube(self, turn: int, action: CubeAction) -> None:
        side = action.side
        if action.kind is CubeKind.DOUBLE:
            self._reveal_automatic(action)
        self._keep(turn, action, side, self.played.seen_by(side))
        try:
            if action.kind is CubeKind.DOUBLE:
                self._double(turn, action)
            elif action.kind is CubeKind.BEAVER:
                self._beaver(turn, action)
            elif action.kind is CubeKind.TAKE:
                self.played = rules.take(self.played, side)
            elif self.played.cube.offer is not None:  # without an offer: some programs write a resignation so
                self.played = rules.drop(self.played, side)
        except RuleError as error:
            self._impossible(turn, action, error.code, error.rule)

    def _reveal_automatic(self, action: CubeAction) -> None:
        """Automatic doubles leave no mark (F5): a first `Doubles => 4` tells of one."""
        value = action.value
        if value is None or value <= 2 or self.cube_named or self.played.cube != CENTRED:
            return
        turned = value.bit_length() - 2
        allowed = self.assumed.automatic_open or turned <= self.assumed.form.automatic_doubles
        if allowed and turned <= cubes.MOST_TURNS and value == 2 ** (turned + 1):
            self.played = rules.tell_cube(self.played, cubes.automatically(turned))

    def _impossible(self, turn: int, action: CubeAction, code: str, rule: str | None) -> None:
        """Something the cube could not do. It stands once both played on (R42), or a Crawford double was counted (F2)."""
        if code == "cube.crawford":
            counted = self.game.result is not None or not self.is_last
            stands = counted and turn < len(self.game.actions)
            name = "cube.crawford_stands" if stands else "cube.impossible"
        else:
            name = (
                "cube.impossible_stands" if self.last_roll > turn or not self.is_last else "cube.impossible"
            )
        self._find(name, turn, action.place, rule, reason=code, action=action.kind.value)

    def _double(self, turn: int, action: CubeAction) -> None:
        side, offer = action.side, self.played.cube.offer
        if offer is not None and offer.by is side.other:
            # SGF writes a beaver as a double; a reader that could not tell leaves it to us.
            self._beaver(turn, action)
            return
        self.cube_named = True
        game = self.played
        try:
            self.played = rules.double(game, side)
        except RuleError as error:
            self.played = rules.offer(game, side)  # raises where the cube cannot be turned at all (R35)
            self._impossible(turn, action, error.code, error.rule)
        self._value(turn, action)

    def _beaver(self, turn: int, action: CubeAction) -> None:
        offer = self.played.cube.offer
        if offer is None or offer.answerer is not action.side:
            raise RuleError("cube.nothing_offered", "R41")
        game = self.played
        try:
            verb = rules.beaver if offer.kind is OfferKind.DOUBLE else rules.raccoon
            self.played = verb(game)
        except RuleError as error:
            if offer.kind is not OfferKind.RACCOON:
                self.played = rules.turn_again(game)  # raises, as above
            self._impossible(turn, action, error.code, error.rule)
        self._value(turn, action)

    def _value(self, turn: int, action: CubeAction) -> None:
        offer = self.played.cube.offer
        value = offer.value if offer is not None else 0
        if action.value is not None and action.value != value:
            self._find("cube.value", turn, action.place, stated=action.value, value=value)

    # -- positions put up by hand

    def _set_up(self, turn: int, setup: Setup) -> None:
        usual = turn == 1 and is_usual_start(setup)
        if not usual:
            self._find("start.set_up", turn, setup.place)
        game = self.played
        side = setup.turn or game.on_roll
        before = game.seen_by(side)
        cube = game.cube
        if setup.cube is not None or setup.owner is not None or setup.centred:
            value = cube.value if setup.cube is None else setup.cube
            owner = setup.owner if setup.owner is not None or setup.centred else cube.owner
            cube = cubes.set_cube(value, owner)
            self.cube_named = True
        if usual and setup.turn is None:
            self.played = rules.tell_cube(game, cube)
        else:
            position = None if setup.board is None else position_of(setup.board, side)
            self.played = rules.set_up(game, position, on_roll=setup.turn, cube=cube)
        if turn == 1:
            self.start = self.played.seen_by(Side.WHITE)
        self._keep(turn, setup, side, before)
