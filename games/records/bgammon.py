"""Reader of bgammon.org replays (`.match`), from the server's published description.

A line of the text that begins with `i` begins a game, the lines after it are its events. Moves of both
players are numbered as player 1 sees the board, so player 2 moves upwards.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from games.records.decoding import MAX_ACTIONS, MAX_GAMES, MAX_LINE, MAX_LINES, MAX_NAME, decode_text
from games.records.errors import UnreadableRecord
from games.records.findings import Finding, finding
from games.records.model import (
    Action,
    CubeAction,
    CubeKind,
    Game,
    Options,
    Place,
    Record,
    Result,
    Roll,
    Tag,
    Variation,
)
from games.records.reading import ReadResult
from games.records.steps import UnreadableSteps, read_steps
from games.rules.numbering import Numbering
from games.rules.sides import Side

MARK = "bgammon-replay"
_GAME = re.compile(r"i (?:(\d{1,12}) )?(\S+) (\S+) (\d{1,4}) (\d{1,4}) (\d{1,4}) ([012]) (\d{1,6}) (\d)\s*$")
_ROLL = re.compile(r"([12]) r ([1-6])-([1-6])(?: (.*))?$")
_DOUBLE = re.compile(r"([12]) d (\d{1,9}) ([01])\s*$")
_TIMEOUT = re.compile(r"([12]) t\s*$")
_SIDES = {"1": Side.WHITE, "2": Side.BLACK}
_VARIANTS = {"1": "Acey-deucey", "2": "Tabula"}
_MAX_BAD_LINES = 50


class BgammonReader:
    def __init__(self, text: str) -> None:
        self.lines = re.split(r"\r\n|\n|\r", text)
        self.games: list[Game] = []
        self.findings: list[Finding] = []
        self.count = 0
        self.head: re.Match[str] | None = None
        self.first: re.Match[str] | None = None
        self.actions: list[Action] = []
        self.resigned = False
        self.place = Place(1, 1)

    def read(self) -> ReadResult:
        for number, line in enumerate(self.lines[:MAX_LINES], 1):
            if line.strip() and not line.startswith(MARK):
                self._read_line(line[:MAX_LINE].rstrip(), Place(number, 1))
        self._close_game()
        if self.first is None or not self.games:
            raise UnreadableRecord("record.no_games")
        variant = _VARIANTS.get(self.first[9], "")
        record = Record(
            players=(self.first[2][:MAX_NAME], self.first[3][:MAX_NAME]),
            length=int(self.first[4]),
            games=tuple(self.games),
            tags=_date_tags(self.first[1], self.place),
            options=Options(variation=Variation.OTHER, variation_name=variant) if variant else Options(),
            format="bgammon",
        )
        return ReadResult(record, tuple(self.findings))

    def _read_line(self, line: str, place: Place) -> None:
        head = _GAME.match(line)
        if head is not None:
            self._close_game()
            if len(self.games) >= MAX_GAMES:
                raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES}, place)
            self.head, self.place = head, place
            self.first = self.first or head
        elif self.head is not None:
            self.count += 1
            if self.count > MAX_ACTIONS:
                raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS}, place)
            self._read_event(line, place)

    def _read_event(self, line: str, place: Place) -> None:
        roll, double, timeout = _ROLL.match(line), _DOUBLE.match(line), _TIMEOUT.match(line)
        if roll is not None:
            side = _SIDES[roll[1]]
            try:
                steps = read_steps(roll[4] or "", side, Numbering.BLACK_UP)
            except UnreadableSteps as error:
                self._note_unreadable(error.words, place)
                return
            self.actions.append(Roll(side, (int(roll[2]), int(roll[3])), steps, place=place))
        elif double is not None:
            side = _SIDES[double[1]]
            answer = CubeKind.TAKE if double[3] == "1" else CubeKind.PASS
            self.actions.append(CubeAction(side, CubeKind.DOUBLE, int(double[2]), place))
            self.actions.append(CubeAction(side.other, answer, None, place))
        elif timeout is not None:
            self.resigned = True
        else:
            self._note_unreadable(line, place)

    def _note_unreadable(self, text: str, place: Place) -> None:
        if len(self.findings) < _MAX_BAD_LINES:
            turn = len(self.actions) + 1
            self.findings.append(
                finding("cell.unreadable", game=len(self.games) + 1, turn=turn, place=place, words=text[:80])
            )

    def _close_game(self) -> None:
        head, actions, resigned = self.head, self.actions, self.resigned
        self.head, self.actions, self.resigned = None, [], False
        if head is None:
            return
        result = None
        if head[7] != "0":
            result = Result(_SIDES[head[7]], int(head[8]), resigned=resigned, place=self.place)
        score = (int(head[5]), int(head[6]))
        self.games.append(Game(len(self.games) + 1, score, tuple(actions), result, place=self.place))


def _date_tags(timestamp: str | None, place: Place) -> tuple[Tag, ...]:
    """Return the date of the first game (UTC) as a header tag; empty without a time."""
    seconds = int(timestamp or 0)
    if not 0 < seconds < 2**33:
        return ()
    return (Tag("EventDate", f"{datetime.fromtimestamp(seconds, UTC):%Y.%m.%d}", place),)


def read_bgammon(data: bytes, _: Numbering = Numbering.OWN) -> ReadResult:
    return BgammonReader(decode_text(data)).read()
