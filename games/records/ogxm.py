"""Reader of OGXM (`.ogxm`, `.gvab`), the format of HedgeHog that GammonView writes, too: versions 1 and 2.

The bytes are parsed by the library GammonView, which limits every length and uses no compression; here the
parsed document becomes a record. Points in it are White's: a step goes from `from` by `pips`, White downwards
from 25, Black upwards from 0.
"""

from __future__ import annotations

from typing import Any

from gvformat.reader import GvabError, read_gvab

from games.records.analysis import (
    MAX_PLAYS,
    Analysis,
    Chances,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
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
    RollMark,
    Step,
    Tag,
    Variation,
)
from games.records.reading import DeferredReads, ReadResult
from games.rules.sides import Side

MAGIC = b"OGXM"
_CUBE = {21: CubeKind.DOUBLE, 22: CubeKind.TAKE, 23: CubeKind.PASS, 32: CubeKind.BEAVER, 33: CubeKind.BEAVER}
_RESIGNED = (27, 28)
_SET_POSITION = 31
_DATA_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
_LAST_ROLL = 20
_LEVELS = {"rollout": "Rollout", "database": "Opening book"}


def read_ogxm(data: bytes) -> ReadResult:
    try:
        document = read_gvab(data, derive_ogids=False)
        return _Reader(document).read()
    except (GvabError, *_DATA_ERRORS) as error:
        raise UnreadableRecord("ogxm.broken") from error


def _side(ply: dict[str, Any]) -> Side:
    return Side.WHITE if ply["color"] == 1 else Side.BLACK


def _steps(moves: list[dict[str, Any]], side: Side) -> tuple[Step, ...]:
    steps = []
    for move in moves[:8]:
        source = int(move["from"]) if side is Side.WHITE else 25 - int(move["from"])
        if not 1 <= source <= 25 or not 0 < int(move["pips"]) < 25:
            raise ValueError(move)
        steps.append(Step(source, max(0, source - int(move["pips"]))))
    return tuple(steps)


def _number(value: Any) -> float:
    return round(float(value), 4)


class _Reader:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        info = document.get("analysis_info") or {}
        self.engine = " ".join(replace_lone_surrogates(str(info.get("model_id") or "")).split())[:60]
        self.decisions: list[Decision] = []
        self._noted = DeferredReads()
        self.count = 0

    def read(self) -> ReadResult:
        document = self.document
        length = int(document["match_length"])
        if not 0 <= length <= 9_999:
            raise UnreadableRecord("ogxm.broken", {"length": length})
        games = document["games"]
        if not games:
            raise UnreadableRecord("record.no_games")
        if len(games) > MAX_GAMES:
            raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES})
        start = document.get("score_start") or (0, 0)
        score = (int(start[0]), int(start[1]))
        read_games = []
        for index, game in enumerate(games, 1):
            read_games.append(self._read_game(game, index, score))
            result = read_games[-1].result
            if result is not None and result.winner is not None:
                won_points = result.points or 0
                score = (
                    (score[0] + won_points, score[1])
                    if result.winner is Side.WHITE
                    else (score[0], score[1] + won_points)
                )
        names = tuple(
            " ".join(replace_lone_surrogates(str(document.get(f"player_{side}") or "")).split())[:MAX_NAME]
            for side in ("white", "black")
        )
        tags = [
            Tag(key, replace_lone_surrogates(str(value))[:500])
            for key, value in (("Event", document.get("event")), ("Site", document.get("site")))
            if value
        ]
        options = Options(
            crawford=bool(document.get("crawford")) if length else None,
            jacoby=bool(document.get("jacoby")) if not length else None,
            beavers=bool(document.get("beaver")) if not length else None,
            variation=Variation.OTHER if document.get("variant") else Variation.BACKGAMMON,
            variation_name=str(document.get("variant") or "")[:MAX_NAME],
        )
        record = Record((names[0], names[1]), length, tuple(read_games), tuple(tags), options, format="ogxm")
        return ReadResult(record, (), self._build_analysis)

    def _build_analysis(self) -> Analysis:
        self._noted.run(*_DATA_ERRORS)
        return Analysis(self.engine if self.decisions else "", tuple(self.decisions))

    def _read_game(self, game: dict[str, Any], index: int, score: tuple[int, int]) -> Game:
        actions: list[Action] = []
        resigned = False
        for ply in game["plies"]:
            self.count += 1
            if self.count > 2 * MAX_ACTIONS:
                raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS})
            action = int(ply["action_id"])
            side = _side(ply)
            if action <= _LAST_ROLL or (action == _SET_POSITION and ply.get("d1")):
                dice = (int(ply["d1"]), int(ply["d2"]))
                mark = RollMark.ILLEGAL if action == _SET_POSITION else RollMark.PLAYED
                actions.append(Roll(side, dice, _steps(ply.get("moves") or [], side), mark))
            elif action in _CUBE:
                actions.append(CubeAction(side, _CUBE[action]))
            elif action == _SET_POSITION:
                raise UnreadableRecord("ogxm.set_up")
            elif action in _RESIGNED:
                resigned = True
                continue
            else:
                continue
            if analysis_data := ply.get("analysis"):
                self._noted(self._add_decisions, analysis_data, index, len(actions), actions[-1])
        winner = {0: Side.WHITE, 1: Side.BLACK}.get(game.get("winner", 255))
        points = int(game.get("points_won") or 0)
        return Game(
            number=index,
            score_before=score,
            actions=tuple(actions),
            result=Result(winner, points or None, resigned=resigned) if winner is not None else None,
            crawford=True if game.get("is_crawford") else None,
            automatic_doubles=int(game.get("auto_doubles") or 0) or None,
        )

    def _add_decisions(self, analysis_data: dict[str, Any], game: int, turn: int, action: Action) -> None:
        if isinstance(action, Roll):
            for key in ("cube_decision", "missed_double"):
                if cube_data := analysis_data.get(key):
                    self._add_cube_decision(cube_data, game, turn, action.side, DecisionKind.DOUBLE)
            self._add_roll_decision(analysis_data, game, turn, action)
        elif isinstance(action, CubeAction):
            kind = DecisionKind.DOUBLE if action.kind is CubeKind.DOUBLE else DecisionKind.TAKE
            self._add_cube_decision(analysis_data, game, turn, action.side, kind)

    def _add_cube_decision(
        self, analysis_data: dict[str, Any], game: int, turn: int, side: Side, kind: DecisionKind
    ) -> None:
        if "double_take_equity" not in analysis_data or "equity_loss" not in analysis_data:
            return
        cube = CubeEquities(
            _number(analysis_data.get("no_double_equity", 0)),
            _number(analysis_data["double_take_equity"]),
            _number(analysis_data.get("double_pass_equity", 1)),
        )
        lost = _number(analysis_data["equity_loss"])
        is_counted = bool(analysis_data.get("decision", lost > 0))
        self.decisions.append(
            Decision(
                game,
                turn,
                kind,
                side,
                lost,
                is_counted,
                _level(analysis_data),
                cube=cube,
                chances=_chances(analysis_data.get("eval")),
            )
        )

    def _add_roll_decision(self, analysis_data: dict[str, Any], game: int, turn: int, roll: Roll) -> None:
        luck = analysis_data.get("luck")
        play_rows = (analysis_data.get("alternatives") or [])[:MAX_PLAYS]
        plays = tuple(
            RankedPlay(
                _steps(play.get("move") or [], roll.side),
                _number(play["equity"]),
                _chances(play.get("eval")),
                _level(play) or _level(analysis_data),
            )
            for play in play_rows
        )
        if not plays and luck is None:
            return
        self.decisions.append(
            Decision(
                game,
                turn,
                DecisionKind.CHECKER,
                roll.side,
                _number(analysis_data["equity_loss"]) if "equity_loss" in analysis_data else None,
                counts=bool(analysis_data.get("decision")),
                level=_level(analysis_data),
                plays=plays,
                played=next((index for index, play in enumerate(play_rows) if play.get("is_played")), None),
                luck=None if luck is None else _number(luck),
            )
        )  # fmt: skip


def _level(analysis_data: dict[str, Any]) -> str:
    level = str(analysis_data.get("eval_level") or "")[:40]
    return _LEVELS.get(level, level.replace("ply", "-ply"))


def _chances(chances_data: dict[str, Any] | None) -> Chances | None:
    if not chances_data:
        return None
    return Chances(
        *(
            _number(chances_data.get(key, 0))
            for key in ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
        )
    )
