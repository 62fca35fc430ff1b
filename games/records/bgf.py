"""Reader of BGBlitz's matches (`.bgf`): a line of JSON that describes the compression, then gzip, then Smile.

Based on published work of others on the format (the library GammonView and its notes, MIT); BGBlitz itself
documents none of it. Green is player -1 and is the left side here. `from` and `to` count each player's own
points, 25 is the bar, 0 off, -1 nothing. A move that begins with -1 is about the cube, and the answer to a
double is a move of its own. -999 and -99 mean not computed.
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
    """Return a number that BGBlitz computed, and may have written as text; None if it was not computed."""
    if value is None or isinstance(value, bool):
        return None
    number = float(value)
    return round(number, 4) if math.isfinite(number) and _MISSING < number < 1_000 else None


def _text(value: Any, max_length: int = MAX_NAME) -> str:
    return " ".join(replace_lone_surrogates(str(value or "")).split())[:max_length]


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
    numbers = [_number(equity.get(key)) for key in keys]
    return None if numbers[0] is None else Chances(*(value or 0.0 for value in numbers))


def _equity(equity_data: dict[str, Any]) -> float | None:
    """Return the equity of a play.

    In a match, it is the chance to win brought to the scale of a game; otherwise the equity with the cube.
    """
    if equity_data.get("hasEMG", True):
        return _number(equity_data.get("emg"))
    return _number((equity_data.get("cubeDecision") or {}).get("eqCubeFul"))


def _cube_equities(equity_data: dict[str, Any]) -> CubeEquities | None:
    """Return BGBlitz's equities of the cube, scaled to a single game; None if they are incomplete.

    A pass is 1. In a match they are chances to win; `emg`, the present equity, gives the scale.
    """
    cube = equity_data.get("cubeDecision") or {}
    no_double, double_take, double_pass = (
        _number(cube.get(key)) for key in ("eqNoDouble", "eqDoubleTake", "eqDoublePass")
    )
    equity, match_equity = _number(equity_data.get("emg")), _number(equity_data.get("matchEquity"))
    if no_double is None or double_take is None or double_pass is None:
        return None
    if equity is None or match_equity is None:
        return CubeEquities(no_double, double_take, double_pass)  # money: they are equities already
    if abs(1 - equity) < 1e-9 or abs(double_pass - match_equity) < 1e-9:
        return None
    scale = (double_pass - match_equity) / (1 - equity)
    return CubeEquities(
        round((no_double - double_pass) / scale + 1, 4), round((double_take - double_pass) / scale + 1, 4)
    )


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
        final_scores = (match.get("finalGreen"), match.get("finalRed"))
        scores_after = [(game["scoreGreen"], game["scoreRed"]) for game in games[1:]] + [final_scores]
        read_games = tuple(
            self._read_game(game, index, scores_after[index - 1]) for index, game in enumerate(games, 1)
        )
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
        record = Record(
            names, length, read_games, tuple(tag for tag in tags if tag.value), options, format="bgf"
        )
        return ReadResult(record, (), self._build_analysis)

    def _build_analysis(self) -> Analysis:
        self._noted.run(*_DATA_ERRORS)
        return Analysis(ENGINE if self.decisions else "", tuple(self.decisions))

    def _read_game(self, game: dict[str, Any], index: int, score_after: tuple[Any, Any]) -> Game:
        score = (_points(game["scoreGreen"]), _points(game["scoreRed"]))
        actions: list[Action] = []
        is_answered = False
        for move in game.get("moves") or []:
            self.count += 1
            if self.count > 2 * MAX_ACTIONS:
                raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS})
            side = Side.WHITE if int(move["player"]) == -1 else Side.BLACK
            equity_data = move.get("equity") or {}
            cube = equity_data.get("cubeDecision") or {}
            if int((move.get("from") or [-1])[0]) == -1:
                if is_answered:
                    is_answered = False
                elif cube.get("hasDoubled") is not None:
                    kind = CubeKind.TAKE if cube.get("hasAccepted") else CubeKind.PASS
                    actions += (CubeAction(side, CubeKind.DOUBLE), CubeAction(side.other, kind))
                    self._noted(
                        self._add_double_decision, move, equity_data, kind, side, index, len(actions) - 1
                    )
                    is_answered = True
                continue
            actions.append(_roll(move, side))
            self._noted(self._add_roll_decisions, move, equity_data, side, index, len(actions))
        return Game(
            index,
            score,
            tuple(actions),
            _result(game, score, score_after),
            True if game.get("isCrawford") else None,
        )

    def _add_double_decision(
        self,
        move: dict[str, Any],
        equity_data: dict[str, Any],
        kind: CubeKind,
        side: Side,
        index: int,
        turn: int,
    ) -> None:
        equities = _cube_equities(equity_data)
        if equities is None:
            return
        level = _level(move.get("ply"))
        best_answer = min(equities.double_take, equities.double_pass)
        lost = round(max(0.0, equities.no_double - best_answer), 4)
        is_counted = _number((move.get("pr") or {}).get("cubeError")) is not None
        self.decisions.append(
            Decision(
                index,
                turn,
                DecisionKind.DOUBLE,
                side,
                lost,
                is_counted,
                level,
                cube=equities,
                chances=_chances(equity_data),
            )
        )
        gap = equities.double_take - equities.double_pass
        answer_lost = max(0.0, gap if kind is CubeKind.TAKE else -gap)
        self.decisions.append(
            Decision(
                index,
                turn + 1,
                DecisionKind.TAKE,
                side.other,
                round(answer_lost, 4),
                is_counted_take(equities),
                level,
                cube=equities,
            )
        )

    def _add_roll_decisions(
        self, move: dict[str, Any], equity_data: dict[str, Any], side: Side, index: int, turn: int
    ) -> None:
        pr_data = move.get("pr") or {}
        cube = (
            _cube_equities(equity_data)
            if (equity_data.get("cubeDecision") or {}).get("stateOnMove")
            else None
        )
        if cube is not None:
            lost = round(max(0.0, min(cube.double_take, cube.double_pass) - cube.no_double), 4)
            is_counted = _number(pr_data.get("cubeError")) is not None
            self.decisions.append(
                Decision(
                    index,
                    turn,
                    DecisionKind.DOUBLE,
                    side,
                    lost,
                    is_counted,
                    _level(move.get("ply")),
                    cube=cube,
                )
            )
        self._add_play_decision(move, pr_data, side, index, turn)

    def _add_play_decision(
        self, move: dict[str, Any], pr_data: dict[str, Any], side: Side, index: int, turn: int
    ) -> None:
        plays: list[RankedPlay] = []
        played_index = None
        for row in (move.get("moveAnalysis") or [])[:MAX_PLAYS]:
            equity = _equity(row.get("eq") or {})
            if equity is None:
                continue
            if row.get("played") and played_index is None:
                played_index = len(plays)
            points = row.get("move") or {}
            plays.append(RankedPlay(_steps(points.get("from") or [], points.get("to") or []), equity, _chances(row["eq"]), _level(row.get("ply"))))  # fmt: skip
        luck_data = move.get("luck") or {}
        luck = _number(luck_data.get("luckPlain" if luck_data.get("mode") == "Money" else "luckWeighted"))
        if not plays and luck is None:
            return
        lost = (
            None if played_index is None else round(max(0.0, plays[0].equity - plays[played_index].equity), 4)
        )
        is_counted = lost is not None and _number(pr_data.get("checkerError")) is not None
        self.decisions.append(
            Decision(
                index,
                turn,
                DecisionKind.CHECKER,
                side,
                lost,
                is_counted,
                _level(move.get("ply")),
                tuple(plays),
                played_index,
                luck=luck,
            )
        )


def _roll(move: dict[str, Any], side: Side) -> Roll:
    """Return a roll with its play; where nothing could be played, the dice replace the first points."""
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


def _result(game: dict[str, Any], score: tuple[int, int], score_after: tuple[Any, Any]) -> Result | None:
    """Return winner and points by the score that follows, or None if nobody scored.

    A game that ended the match may be worth more points than the score shows.
    """
    won_points = _points(game.get("wonPoints"))
    gains = [_points(later) - before for later, before in zip(score_after, score, strict=True)]
    if max(gains) <= 0:
        return None
    winner = Side.WHITE if gains[0] > gains[1] else Side.BLACK
    return Result(winner, won_points or max(gains), resigned=bool(game.get("wasResignation")))


def _level(ply: Any) -> str:
    return f"{int(ply)}-ply" if ply else ""
