"""Reader of BGBlitz's matches (`.bgf`): a line of JSON that describes the packing, then gzip, then Smile.

Based on published work of others on the format (the library GammonView and its notes, MIT); BGBlitz itself
documents none of
it. Green is player -1 and is the left side here. `from` and `to` count each player's own points, 25 is the
bar, 0 off, -1
nothing. A record that begins with -1 is about the cube, and the answer to a double is a record of its own.
-999 and -99 mean
not computed.
"""

from __future__ import annotations

import json
import math
import zlib
from typing import Any

from games.records.analysis import (
    MAX_PLAYS,
    Analysis,
    Chances,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
    is_counted_take,
)
from games.records.decoding import MAX_ACTIONS, MAX_GAMES, MAX_NAME, replace_lone_surrogates
from games.records.errors import UnreadableRecord
from games.records.model import (
    Action,
    CubeAction,
    CubeKind,
    Game,
    Options,
    Record,
    Result,
    Roll,
    Step,
    Tag,
    Variation,
)
from games.records.reading import DeferredReads, ReadResult
from games.records.smile import read_smile
from games.rules.sides import Side

ENGINE = "BGBlitz"
MAX_UNPACKED = 8_000_000  # a match to 25 with all its analysis is smaller
_MAX_HEAD_BYTES = 2_000  # the line of JSON ends within so many bytes
_MISSING = -98.0
_MAX_POINTS = 10**9
_DATA_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)


def looks_like_bgf(data: bytes) -> bool:
    line = data[:_MAX_HEAD_BYTES].split(b"\n", 1)[0]
    return line.startswith(b"{") and b'"compression"' in line and b'"encoding"' in line


def read_bgf(data: bytes) -> ReadResult:
    try:
        match = _unpack(data)
        return _Reader(match).read()
    except (*_DATA_ERRORS, zlib.error) as error:
        raise UnreadableRecord("bgf.broken") from error


def _unpack(data: bytes) -> dict[str, Any]:
    line, _, body = data.partition(b"\n")
    head = json.loads(line[:_MAX_HEAD_BYTES])
    if head.get("compression") in ("gzip", "zlib", "deflate"):
        stream = zlib.decompressobj(wbits=47)  # gzip or zlib, by the bytes
        body = stream.decompress(body, MAX_UNPACKED)
        if stream.unconsumed_tail:
            raise UnreadableRecord("file.unpacks_too_big", {"limit": MAX_UNPACKED})
    match = read_smile(body) if str(head.get("encoding")).casefold() == "smile" else json.loads(body)
    if not isinstance(match, dict):
        raise TypeError(match)
    return match


def _number(value: Any) -> float | None:
    """Return a computed number, which BGBlitz may write as text, or None."""
    if value is None or isinstance(value, bool):
        return None
    number = float(value)
    return round(number, 4) if math.isfinite(number) and _MISSING < number < 1_000 else None


def _text(value: Any, most: int = MAX_NAME) -> str:
    return " ".join(replace_lone_surrogates(str(value or "")).split())[:most]


def _points(value: Any) -> int:
    points = int(value or 0)
    if not 0 <= points <= _MAX_POINTS:
        raise ValueError(points)
    return points


def _steps(sources: Any, targets: Any) -> tuple[Step, ...]:
    steps = []
    for source, target in zip(sources, targets, strict=False):
        if int(source) < 1:
            break
        steps.append(Step(int(source), max(0, int(target))))
    if len(steps) > 8 or any(step.source > 25 or step.target > 24 for step in steps):
        raise ValueError(steps)
    return tuple(steps)


def _chances(equity: dict[str, Any]) -> Chances | None:
    keys = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    found = [_number(equity.get(key)) for key in keys]
    return None if found[0] is None else Chances(*(value or 0.0 for value in found))


def _equity(known: dict[str, Any]) -> float | None:
    """Return the equity of a play: of the match brought to a game's, else that with the cube."""
    if known.get("hasEMG", True):
        return _number(known.get("emg"))
    return _number((known.get("cubeDecision") or {}).get("eqCubeFul"))


def _cube_equities(known: dict[str, Any]) -> CubeEquities | None:
    """Return BGBlitz's cube numbers scaled to a single game: a pass is 1, and `emg` the present value."""
    cube = known.get("cubeDecision") or {}
    none, taken, passed = (_number(cube.get(key)) for key in ("eqNoDouble", "eqDoubleTake", "eqDoublePass"))
    here, there = _number(known.get("emg")), _number(known.get("matchEquity"))
    if none is None or taken is None or passed is None:
        return None
    if here is None or there is None:
        return CubeEquities(none, taken, passed)  # money: they are equities already
    if abs(1 - here) < 1e-9 or abs(passed - there) < 1e-9:
        return None
    half = (passed - there) / (1 - here)
    return CubeEquities(round((none - passed) / half + 1, 4), round((taken - passed) / half + 1, 4))


class _Reader:
    def __init__(self, match: dict[str, Any]) -> None:
        self.match = match
        self.decisions: list[Decision] = []
        self._noted = DeferredReads()
        self.count = 0

    def read(self) -> ReadResult:
        match = self.match
        length = int(match.get("matchlen") or 0)
        games = match.get("games") or []
        if not 0 <= length <= 9_999:
            raise ValueError(length)
        if not games:
            raise UnreadableRecord("record.no_games")
        if len(games) > MAX_GAMES:
            raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES})
        finals = (match.get("finalGreen"), match.get("finalRed"))
        after = [(game["scoreGreen"], game["scoreRed"]) for game in games[1:]] + [finals]
        read = tuple(self._read_game(game, index, after[index - 1]) for index, game in enumerate(games, 1))
        options = Options(
            crawford=bool(match.get("useCrawford")) if length else None,
            jacoby=bool(match.get("useJacoby")) if not length else None,
            beavers=bool(match.get("useBeaver")) if not length else None,
            variation=Variation.BACKGAMMON,
        )
        tags = [
            Tag(key, _text(match.get(name), 500))
            for key, name in (("Event", "event"), ("Site", "site"), ("EventDate", "date"))
        ]
        names = (_text(match.get("nameGreen")), _text(match.get("nameRed")))
        record = Record(names, length, read, tuple(tag for tag in tags if tag.value), options, format="bgf")
        return ReadResult(record, (), self._build_analysis)

    def _build_analysis(self) -> Analysis:
        self._noted.look(*_DATA_ERRORS)
        return Analysis(ENGINE if self.decisions else "", tuple(self.decisions))

    def _read_game(self, game: dict[str, Any], index: int, after: tuple[Any, Any]) -> Game:
        score = (_points(game["scoreGreen"]), _points(game["scoreRed"]))
        actions: list[Action] = []
        answering = False
        for move in game.get("moves") or []:
            self.count += 1
            if self.count > 2 * MAX_ACTIONS:
                raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS})
            side = Side.WHITE if int(move["player"]) == -1 else Side.BLACK
            known = move.get("equity") or {}
            cube = known.get("cubeDecision") or {}
            if int((move.get("from") or [-1])[0]) == -1:
                if answering:
                    answering = False
                elif cube.get("hasDoubled") is not None:
                    kind = CubeKind.TAKE if cube.get("hasAccepted") else CubeKind.PASS
                    actions += (CubeAction(side, CubeKind.DOUBLE), CubeAction(side.other, kind))
                    self._noted(self._add_double_decision, move, known, kind, side, index, len(actions) - 1)
                    answering = True
                continue
            actions.append(_roll(move, side))
            self._noted(self._add_roll_decisions, move, known, side, index, len(actions))
        return Game(
            index,
            score,
            tuple(actions),
            _result(game, score, after),
            True if game.get("isCrawford") else None,
        )

    def _add_double_decision(
        self,
        move: dict[str, Any],
        known: dict[str, Any],
        kind: CubeKind,
        side: Side,
        index: int,
        turn: int,
    ) -> None:
        found = _cube_equities(known)
        if found is None:
            return
        level = _level(move.get("ply"))
        best = min(found.double_take, found.double_pass)
        lost = round(max(0.0, found.no_double - best), 4)
        counts = _number((move.get("pr") or {}).get("cubeError")) is not None
        self.decisions.append(
            Decision(
                index,
                turn,
                DecisionKind.DOUBLE,
                side,
                lost,
                counts,
                level,
                cube=found,
                chances=_chances(known),
            )
        )
        gap = found.double_take - found.double_pass
        wrong = max(0.0, gap if kind is CubeKind.TAKE else -gap)
        self.decisions.append(
            Decision(
                index,
                turn + 1,
                DecisionKind.TAKE,
                side.other,
                round(wrong, 4),
                is_counted_take(found),
                level,
                cube=found,
            )
        )

    def _add_roll_decisions(
        self, move: dict[str, Any], known: dict[str, Any], side: Side, index: int, turn: int
    ) -> None:
        rating = move.get("pr") or {}
        cube = _cube_equities(known) if (known.get("cubeDecision") or {}).get("stateOnMove") else None
        if cube is not None:
            lost = round(max(0.0, min(cube.double_take, cube.double_pass) - cube.no_double), 4)
            counts = _number(rating.get("cubeError")) is not None
            self.decisions.append(
                Decision(
                    index, turn, DecisionKind.DOUBLE, side, lost, counts, _level(move.get("ply")), cube=cube
                )
            )
        self._add_play_decision(move, rating, side, index, turn)

    def _add_play_decision(
        self, move: dict[str, Any], rating: dict[str, Any], side: Side, index: int, turn: int
    ) -> None:
        plays: list[RankedPlay] = []
        played = None
        for listed in (move.get("moveAnalysis") or [])[:MAX_PLAYS]:
            equity = _equity(listed.get("eq") or {})
            if equity is None:
                continue
            if listed.get("played") and played is None:
                played = len(plays)
            way = listed.get("move") or {}
            plays.append(RankedPlay(_steps(way.get("from") or [], way.get("to") or []), equity, _chances(listed["eq"]), _level(listed.get("ply"))))  # fmt: skip
        chance = move.get("luck") or {}
        luck = _number(chance.get("luckPlain" if chance.get("mode") == "Money" else "luckWeighted"))
        if not plays and luck is None:
            return
        lost = None if played is None else round(max(0.0, plays[0].equity - plays[played].equity), 4)
        counts = lost is not None and _number(rating.get("checkerError")) is not None
        self.decisions.append(
            Decision(
                index,
                turn,
                DecisionKind.CHECKER,
                side,
                lost,
                counts,
                _level(move.get("ply")),
                tuple(plays),
                played,
                luck=luck,
            )
        )


def _roll(move: dict[str, Any], side: Side) -> Roll:
    """Return a roll; where nothing could be played, the dice replace the first points."""
    sources, targets = move.get("from") or [], move.get("to") or []
    dances = move.get("dancingEquity") is not None
    dice = (
        (int(sources[0]), int(targets[0]))
        if dances
        else (int(move.get("red") or 0), int(move.get("green") or 0))
    )
    if not all(1 <= die <= 6 for die in dice):
        raise ValueError(dice)
    return Roll(side, dice, () if dances else _steps(sources, targets))


def _result(game: dict[str, Any], score: tuple[int, int], after: tuple[Any, Any]) -> Result | None:
    """Return winner and points by the following score; a game that ended the match may be worth more."""
    won = _points(game.get("wonPoints"))
    gains = [_points(later) - before for later, before in zip(after, score, strict=True)]
    if max(gains) <= 0:
        return None
    winner = Side.WHITE if gains[0] > gains[1] else Side.BLACK
    return Result(winner, won or max(gains), resigned=bool(game.get("wasResignation")))


def _level(ply: Any) -> str:
    return f"{int(ply)}-ply" if ply else ""
