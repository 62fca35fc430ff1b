"""Reader of FIBS oldmoves, the list of moves of the First Internet Backgammon Server.

One side counts its points upwards, the other downwards, which shows in its moves. The format does not state
results: the points of a game follow from play or from the score before the next game.
"""

from __future__ import annotations

import re

from games.records.decoding import MAX_ACTIONS, MAX_GAMES, MAX_LINE, MAX_LINES, MAX_NAME, decode_text
from games.records.errors import UnreadableRecord
from games.records.findings import Finding, finding
from games.records.model import Action, CubeAction, CubeKind, Game, Place, Record, Result, Roll, Step
from games.records.reading import ReadResult
from games.rules.numbering import Numbering
from games.rules.sides import Side

_SCORE = re.compile(
    r"\s*score is (\d{1,6})\s*-\s*(\d{1,6}) in (?:an? (\d{1,6}) point match|an? (?:money|unlimited)\b.*)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\s*(\S+) is (\S+?)\s*(?:-|,|and)\s*(\S+) is (\S+?)\.?\s*$", re.IGNORECASE)
_TURN = re.compile(r"\s*([XO])\s*:\s*(?:\(\s*([1-6])[\s,-]+([1-6])\s*\))?\s*(.*)$", re.IGNORECASE)
_STEP = re.compile(r"(bar|\d{1,2})\s?[-/]\s?(off|bar|\d{1,2})\*?", re.IGNORECASE)
_RESIGNS = re.compile(r"resigns?\D{0,30}(\d{1,6})?", re.IGNORECASE)
_CUBE_WORDS = {
    "double": CubeKind.DOUBLE,
    "redouble": CubeKind.DOUBLE,
    "accept": CubeKind.TAKE,
    "take": CubeKind.TAKE,
}
_CUBE_WORDS |= {
    "reject": CubeKind.PASS,
    "drop": CubeKind.PASS,
    "pass": CubeKind.PASS,
    "beaver": CubeKind.BEAVER,
}
_MAX_BAD_LINES = 50

WrittenTurn = tuple[Side, tuple[int, int], tuple[tuple[str, str], ...], Place]


class FibsReader:
    def __init__(self, text: str) -> None:
        self.lines = re.split(r"\r\n|\n|\r", text)
        self.games: list[Game] = []
        self.findings: list[Finding] = []
        self.names = {"X": "", "O": ""}
        self.first = "X"  # the first name: the left side, to whom the first score belongs
        self.length: int | None = None
        self.count = 0
        self.turns: list[CubeAction | WrittenTurn] | None = None
        self.score = (0, 0)
        self.place = Place(1, 1)
        self.result = Result(None, None)

    def read(self) -> ReadResult:
        for number, line in enumerate(self.lines[:MAX_LINES], 1):
            if line.strip():
                self._read_line(number, line[:MAX_LINE])
        self._close_game()
        if not self.games:
            raise UnreadableRecord("record.no_games")
        players = (
            self.names[self.first][:MAX_NAME],
            self.names["O" if self.first == "X" else "X"][:MAX_NAME],
        )
        return ReadResult(
            Record(players, self.length, tuple(self.games), format="fibs"), tuple(self.findings)
        )

    def _side(self, letter: str) -> Side:
        return Side.WHITE if letter.upper() == self.first else Side.BLACK

    def _read_line(self, number: int, line: str) -> None:
        score = _SCORE.match(line)
        if score is not None:
            self._close_game()
            if len(self.games) >= MAX_GAMES:
                raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES}, Place(number, 1))
            self.turns, self.place = [], Place(number, 1)
            self.score = (int(score[1]), int(score[2]))
            if not self.games:
                self.length = int(score[3] or 0)
            return
        turn = _TURN.match(line)
        if turn is not None and self.turns is not None:
            self._read_turn(turn, Place(number, turn.start(1) + 1))
            return
        names = _NAMES.match(line)
        if names is not None and not self.games:
            self._note_names(names)

    def _note_names(self, names_match: re.Match[str]) -> None:
        """Read the players' names from `ann is X - bob is O`, or `X is ann - O is bob`."""
        pairs = []
        for first_word, second_word in ((names_match[1], names_match[2]), (names_match[3], names_match[4])):
            letter, name = (
                (first_word, second_word) if first_word.upper() in self.names else (second_word, first_word)
            )
            pairs.append((letter.upper(), name))
        if {letter for letter, _ in pairs} == {"X", "O"}:
            self.first = pairs[0][0]
            self.names = dict(pairs)

    def _read_turn(self, turn: re.Match[str], place: Place) -> None:
        self.count += 1
        if self.count > MAX_ACTIONS:
            raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS}, place)
        turns = self.turns if self.turns is not None else []
        side = self._side(turn[1])
        text = turn[4].strip().rstrip(".").lower()
        if turn[2]:
            steps = tuple((step_match[1], step_match[2]) for step_match in _STEP.finditer(text))
            remainder = _STEP.sub("", text).strip(" ,")
            if len(steps) > 4 or (remainder and "move" not in remainder and "dance" not in remainder):
                self._note_unreadable(text, place)
                return
            turns.append((side, (int(turn[2]), int(turn[3])), steps, place))
            return
        resign_match = _RESIGNS.match(text)
        if resign_match is not None:
            points = int(resign_match[1]) if resign_match[1] else None
            self.result = Result(side.other if points else None, points, resigned=True, place=place)
            return
        kind = _CUBE_WORDS.get(text.split(" ", 1)[0].rstrip("s")) or _CUBE_WORDS.get(text.split(" ", 1)[0])
        if kind is not None and not (self.result.resigned and kind is CubeKind.TAKE):
            turns.append(CubeAction(side, kind, None, place))
        elif kind is None and not text.startswith("win"):
            self._note_unreadable(text, place)

    def _note_unreadable(self, text: str, place: Place) -> None:
        if len(self.findings) < _MAX_BAD_LINES:
            turn = len(self.turns or ()) + 1
            self.findings.append(
                finding("cell.unreadable", game=len(self.games) + 1, turn=turn, place=place, words=text[:80])
            )

    def _close_game(self) -> None:
        turns, self.turns = self.turns, None
        result, self.result = self.result, Result(None, None)
        if turns is None:
            return
        counts_up = {side: _does_count_up(turns, side) for side in Side}
        actions: list[Action] = []
        for turn in turns:
            if isinstance(turn, CubeAction):
                actions.append(turn)
                continue
            side, dice, written_steps, place = turn
            steps = tuple(
                _step(source, target, counts_up=counts_up[side]) for source, target in written_steps
            )
            if any(step is None for step in steps):
                self._note_unreadable(" ".join("-".join(step) for step in written_steps), place)
                continue
            actions.append(Roll(side, dice, tuple(step for step in steps if step is not None), place=place))
        self.games.append(Game(len(self.games) + 1, self.score, tuple(actions), result, place=self.place))


def _does_count_up(turns: list[CubeAction | WrittenTurn], side: Side) -> bool:
    """Return whether this side's points are numbered upwards, by its first step between two points."""
    for turn in turns:
        if isinstance(turn, CubeAction) or turn[0] is not side:
            continue
        for source, target in turn[2]:
            if source.isdigit() and target.isdigit():
                return int(target) > int(source)
    return False


def _step(source_text: str, target_text: str, *, counts_up: bool) -> Step | None:
    source = 25 if source_text == "bar" else int(source_text)
    target = 0 if target_text == "off" else 25 if target_text == "bar" else int(target_text)
    if counts_up:
        source = source if source_text == "bar" else 25 - source
        target = target if target_text == "off" else 25 - target
    return Step(source, target) if 0 < source <= 25 and 0 <= target < 25 else None


def looks_like_fibs(head: str) -> bool:
    return bool(re.search(r"^[ \t]*score is \d+\s*-\s*\d+ in an? ", head, re.IGNORECASE | re.MULTILINE))


def read_fibs(data: bytes, _: Numbering = Numbering.OWN) -> ReadResult:
    return FibsReader(decode_text(data)).read()
