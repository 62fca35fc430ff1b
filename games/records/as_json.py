"""Reader and writer of a record as JSON that holds everything the model holds.

The only format without losses, for storage and for exchange between programs that know the model. Places in
the file are not part of it.
"""

from __future__ import annotations

import json
from typing import Any

from games.records.decoding import (
    MAX_ACTIONS,
    MAX_GAMES,
    MAX_NAME,
    MAX_TAGS,
    decode_text,
    replace_lone_surrogates,
)
from games.records.errors import UnreadableRecord
from games.records.model import (
    Action,
    Board,
    CubeAction,
    CubeKind,
    Game,
    Options,
    Record,
    Result,
    Roll,
    RollMark,
    Setup,
    Step,
    Tag,
    Variation,
)
from games.records.reading import ReadResult
from games.records.writing import WrittenRecord
from games.rules.sides import Side

FORMAT = "crawford-record"
VERSION = 1


def write_json(record: Record) -> WrittenRecord:
    """Return the record as indented JSON with keys in a fixed order."""
    return WrittenRecord((json.dumps(record_as_data(record), ensure_ascii=False, indent=1) + "\n").encode())


def record_as_data(record: Record) -> dict[str, Any]:
    options = record.options
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(record.players),
        "length": record.length,
        "options": {
            "crawford": options.crawford,
            "jacoby": options.jacoby,
            "beavers": options.beavers,
            "automatic_doubles": options.automatic_doubles,
            "variation": options.variation.value,
            "variation_name": options.variation_name,
        },
        "tags": [[tag.key, tag.value] for tag in record.tags],
        "games": [_game_as_data(game) for game in record.games],
    }


def _game_as_data(game: Game) -> dict[str, Any]:
    data: dict[str, Any] = {"number": game.number, "score_before": list(game.score_before)}
    if game.crawford is not None:
        data["crawford"] = game.crawford
    if game.automatic_doubles is not None:
        data["automatic_doubles"] = game.automatic_doubles
    data["actions"] = [_action_as_data(action) for action in game.actions]
    if game.result is not None:
        result = game.result
        data["result"] = {
            "winner": result.winner.value if result.winner is not None else None,
            "points": result.points,
            "resigned": result.resigned,
            "wins_match": result.wins_match,
        }
    return data


def _board_as_data(board: Board) -> dict[str, list[int]]:
    return {"white": list(board.white), "black": list(board.black)}


def _action_as_data(action: Action) -> dict[str, Any]:
    if isinstance(action, Roll):
        data: dict[str, Any] = {
            "side": action.side.value,
            "dice": list(action.dice),
            "steps": [
                [step.source, step.target, 1] if step.hit else [step.source, step.target]
                for step in action.steps
            ],
        }
        if action.mark is not RollMark.PLAYED:
            data["mark"] = action.mark.value
        if action.after is not None:
            data["after"] = _board_as_data(action.after)
        return data
    if isinstance(action, CubeAction):
        data = {"side": action.side.value, "cube": action.kind.value}
        return data if action.value is None else data | {"value": action.value}
    return {
        "set_up": {
            "board": _board_as_data(action.board) if action.board is not None else None,
            "cube": action.cube,
            "owner": action.owner.value if action.owner is not None else None,
            "centred": action.centred,
            "turn": action.turn.value if action.turn is not None else None,
        }
    }


class _BrokenData(ValueError):
    """The JSON is not a valid record."""


def _require(*, is_valid: bool) -> None:
    if not is_valid:
        raise _BrokenData


def _int(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _BrokenData
    return value


def _bool(value: Any) -> bool | None:
    _require(is_valid=value is None or isinstance(value, bool))
    return value  # type: ignore[no-any-return]


def _text(value: Any, max_length: int) -> str:
    if not isinstance(value, str) or len(value) > max_length:
        raise _BrokenData
    return replace_lone_surrogates(value)


def _list(value: Any, max_length: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > max_length:
        raise _BrokenData
    return value


def _pair(value: Any, low: int, high: int) -> tuple[int, int]:
    first, second = _list(value, 2)
    return _int(first, low, high), _int(second, low, high)


def _side(value: Any) -> Side | None:
    return None if value is None else Side(value)


def _board(value: Any) -> Board | None:
    if value is None:
        return None
    side_counts = []
    for name in ("white", "black"):
        counts = tuple(_int(count, 0, 15) for count in _list(value[name], 26))
        _require(is_valid=len(counts) == 26 and sum(counts) == 15)
        side_counts.append(counts)
    return Board(side_counts[0], side_counts[1])


def _step(value: Any) -> Step:
    parts = _list(value, 3)
    _require(is_valid=len(parts) >= 2)
    return Step(_int(parts[0], 1, 25), _int(parts[1], 0, 24), len(parts) == 3 and bool(parts[2]))


def _action(value: Any) -> Action:
    if "set_up" in value:
        setup_data = value["set_up"]
        cube = setup_data.get("cube")
        return Setup(
            _board(setup_data.get("board")),
            None if cube is None else _int(cube, 1, 2**30),
            _side(setup_data.get("owner")),
            bool(setup_data.get("centred")),
            _side(setup_data.get("turn")),
        )
    side = Side(value["side"])
    if "cube" in value:
        number = value.get("value")
        return CubeAction(side, CubeKind(value["cube"]), None if number is None else _int(number, 0, 2**30))
    dice = _pair(value["dice"], 0, 6)
    _require(is_valid=(0 in dice) is (dice == (0, 0)))
    mark = RollMark(value.get("mark", RollMark.PLAYED.value))
    _require(is_valid=mark is RollMark.UNPLAYED or dice != (0, 0))
    return Roll(
        side, dice, tuple(_step(step) for step in _list(value["steps"], 16)), mark, _board(value.get("after"))
    )


def _result(value: Any) -> Result:
    points = value.get("points")
    return Result(
        _side(value.get("winner")),
        None if points is None else _int(points, 0, 10**9),
        _bool(value.get("resigned")),
        bool(value.get("wins_match")),
    )


def _game(value: Any) -> Game:
    automatic_doubles = value.get("automatic_doubles")
    return Game(
        number=_int(value["number"], -(10**9), 10**9),
        score_before=_pair(value["score_before"], 0, 10**9),
        actions=tuple(_action(action) for action in _list(value["actions"], MAX_ACTIONS)),
        result=_result(value["result"]) if value.get("result") is not None else None,
        crawford=_bool(value.get("crawford")),
        automatic_doubles=None if automatic_doubles is None else _int(automatic_doubles, 0, 20),
    )


def _record(data: Any) -> Record:
    _require(
        is_valid=isinstance(data, dict) and data.get("format") == FORMAT and data.get("version") == VERSION
    )
    games = _list(data["games"], MAX_GAMES)
    if sum(len(_list(game["actions"], MAX_ACTIONS)) for game in games) > MAX_ACTIONS:
        raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS})
    white, black = (_text(name, MAX_NAME) for name in _list(data["players"], 2))
    options = data["options"]
    tags = (_list(tag, 2) for tag in _list(data["tags"], MAX_TAGS))
    return Record(
        players=(white, black),
        length=None if data["length"] is None else _int(data["length"], 0, 10**6),
        games=tuple(_game(game) for game in games),
        tags=tuple(Tag(_text(key, 100), _text(value, 2_000)) for key, value in tags),
        options=Options(
            _bool(options.get("crawford")),
            _bool(options.get("jacoby")),
            _bool(options.get("beavers")),
            _bool(options.get("automatic_doubles")),
            Variation(options.get("variation", Variation.BACKGAMMON.value)),
            _text(options.get("variation_name", ""), MAX_NAME),
        ),
        format="json",
    )


def read_json(data: bytes) -> ReadResult:
    try:
        record = _record(json.loads(decode_text(data)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableRecord("json.broken") from error
    if not record.games:
        raise UnreadableRecord("record.no_games")
    return ReadResult(record)
