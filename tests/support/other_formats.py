"""Files of programs whose format we read only, made from our own records: BGBlitz (`.bgf`) and OGXM."""

from __future__ import annotations

import gzip
import json
import struct
from typing import Any

from gvformat import write_gvab

from games.records.analysis import Analysis, DecisionKind
from games.records.model import CubeAction, CubeKind, Record, Roll
from games.records.replaying import End
from games.records.validation import replay
from games.rules.sides import Side

_DICE = [(low, high) for low in range(1, 7) for high in range(low, 7)]


def smile(value: Any, names: dict[str, int] | None = None) -> bytes:
    """Smile with shared names, as Jackson writes it."""
    if names is None:
        return b":)\n\x01" + smile(value, {})
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        zigzag = (value << 1) ^ (value >> 63)
        if -16 <= value <= 15:
            return bytes([0xC0 + zigzag])
        parts = [0x80 | zigzag & 0x3F]
        zigzag >>= 6
        while zigzag:
            parts.append(zigzag & 0x7F)
            zigzag >>= 7
        return b"\x24" + bytes(reversed(parts))
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return b"\x29" + bytes((bits >> 7 * place) & 0x7F for place in range(9, -1, -1))
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return b"\xf8" + b"".join(smile(each, names) for each in value) + b"\xf9"
    parts = []
    for name, each in value.items():
        if name in names:
            number = names[name]
            key = bytes([0x40 + number]) if number < 64 else bytes([0x30 | number >> 8, number & 0xFF])
        else:
            names[name] = len(names)
            key = bytes([0x80 + len(name) - 1]) + name.encode()
        parts.append(key + smile(each, names))
    return b"\xfa" + b"".join(parts) + b"\xfb"


def _text(value: str) -> bytes:
    data = value.encode()
    if not data:
        return b"\x20"
    if not value.isascii() or len(data) > 64:
        return b"\xe4" + data + b"\xfc"
    return (bytes([0x40 + len(data) - 1]) if len(data) <= 32 else bytes([0x60 + len(data) - 33])) + data


def _scores(record: Record) -> list[tuple[int, int]]:
    return [game.score_after.points for game in replay(record).games]


def _pairs(steps) -> dict[str, list[int]]:
    pad = [-1] * (4 - len(steps))
    return {"from": [step.source for step in steps] + pad, "to": [step.target for step in steps] + pad}


def bgf_file(record: Record, analysis: Analysis | None = None, encoding: str = "smile") -> bytes:
    """The record as BGBlitz keeps it, with what it thinks of the plays. Money: its numbers are equities already."""
    known = {(each.game, each.turn, each.kind): each for each in (analysis or Analysis()).decisions}
    games = []
    for number, (game, done) in enumerate(zip(record.games, replay(record).games, strict=True), 1):
        moves: list[dict[str, Any]] = []
        for turn, action in enumerate(game.actions, 1):
            player = -1 if action.side is Side.WHITE else 1
            if isinstance(action, Roll):
                double = known.get((number, turn, DecisionKind.DOUBLE))
                moves.append(_roll(action, player, known.get((number, turn, DecisionKind.CHECKER)), double))
            elif isinstance(action, CubeAction) and action.kind is CubeKind.DOUBLE:
                taken = game.actions[turn].kind is not CubeKind.PASS
                double = known.get((number, turn, DecisionKind.DOUBLE))
                cube = {"hasDoubled": True, "hasAccepted": taken} | _cube(double)
                moves.append(
                    {
                        "type": "amove",
                        "player": player,
                        "from": [-1] * 4,
                        "to": [-1] * 4,
                        "equity": {"cubeDecision": cube} | _chances(double),
                    }
                    | _rating(double, "cubeError")
                )
                moves.append({"type": "amove", "player": -player, "from": [-1] * 4, "to": [-1] * 4})
        games.append(
            {
                "scoreGreen": game.score_before[0],
                "scoreRed": game.score_before[1],
                "isCrawford": done.crawford,
                "wonPoints": done.ending.points,
                "wasResignation": done.ending.end is End.RESIGNED,
                "moves": moves,
            }
        )
    final = _scores(record)[-1]
    match = {
        "nameGreen": record.players[0], "nameRed": record.players[1], "matchlen": record.length or 0, "event": "Invented Cup",
        "finalGreen": final[0], "finalRed": final[1], "useCrawford": bool(record.length), "useJacoby": bool(record.options.jacoby), "games": games,
    }  # fmt: skip
    head = json.dumps({"version": "0.1", "compression": "gzip", "encoding": encoding}).encode() + b"\n"
    return head + gzip.compress(
        smile(match) if encoding == "smile" else json.dumps(match).encode(), 6, mtime=0
    )


def _rating(decision, name: str) -> dict[str, Any]:
    counted = decision is not None and decision.counts
    return {"ply": 2, "pr": {name: -decision.lost if counted else -99.0}}


def _chances(decision) -> dict[str, Any]:
    if decision is None or decision.chances is None:
        return {}
    keys = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    return dict(zip(keys, decision.chances, strict=True))


def _cube(decision) -> dict[str, Any]:
    if decision is None:
        return {}
    return dict(zip(("eqNoDouble", "eqDoubleTake", "eqDoublePass"), decision.cube, strict=True)) | {
        "stateOnMove": "DOUBLE"
    }


def _roll(roll: Roll, player: int, decision, double) -> dict[str, Any]:
    move: dict[str, Any] = {
        "type": "amove",
        "player": player,
        "red": roll.dice[0],
        "green": roll.dice[1],
        **_pairs(roll.steps),
        "ply": 2,
    }
    if not roll.steps:
        move |= {
            "dancingEquity": {"emg": 0.0},
            "from": [roll.dice[0], 0, 0, 0],
            "to": [roll.dice[1], 0, 0, 0],
        }
    rating = {"checkerError": -99.0, "cubeError": -99.0}
    if double is not None:
        move["equity"] = {"cubeDecision": _cube(double)}
        rating["cubeError"] = -double.lost if double.counts else -99.0
    if decision is not None:
        rating["checkerError"] = -decision.lost if decision.counts else -99.0
        move["luck"] = {"mode": "Money", "luckPlain": str(decision.luck), "luckWeighted": 9.0}
        move["moveAnalysis"] = [
            {"move": _pairs(play.steps), "played": place == decision.played, "ply": 2, "eq": {"hasEMG": True, "emg": play.equity} | dict(zip(("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon"), play.chances, strict=True))}
            for place, play in enumerate(decision.plays)
        ]  # fmt: skip
    return move | {"pr": rating}


def ogxm_file(record: Record) -> bytes:
    """The record as OGXM, written by the library that reads it."""
    games = []
    for index, (game, done) in enumerate(zip(record.games, replay(record).games, strict=True)):
        plies = []
        for action in game.actions:
            color = 1 if action.side is Side.WHITE else 0
            if isinstance(action, Roll):
                low, high = sorted(action.dice)
                moves = [
                    {"from": step.source if color else 25 - step.source, "pips": step.source - step.target}
                    for step in action.steps
                ]
                plies.append(
                    {
                        "color": color,
                        "action_id": _DICE.index((low, high)),
                        "d1": high,
                        "d2": low,
                        "moves": moves,
                    }
                )
            else:
                code = {CubeKind.DOUBLE: 21, CubeKind.TAKE: 22, CubeKind.PASS: 23, CubeKind.BEAVER: 32}[
                    action.kind
                ]
                plies.append({"color": color, "action_id": code})
        winner = done.ending.winner
        if done.ending.end is End.RESIGNED:
            plies.append({"color": 0 if winner is Side.WHITE else 1, "action_id": 27})
        games.append(
            {
                "game_index": index, "winner": 0 if winner is Side.WHITE else 1, "points_won": done.ending.points,
                "is_crawford": done.crawford, "plies": plies,
            }
        )  # fmt: skip
    final = _scores(record)[-1]
    return write_gvab(
        {
            "match_length": record.length or 0, "player_white": record.players[0], "player_black": record.players[1],
            "white_score": final[0], "black_score": final[1], "result": 0, "source": 0, "timestamp": 0,
            "crawford": bool(record.length), "jacoby": bool(record.options.jacoby), "beaver": False, "cube_limit": 64,
            "event": "Invented Cup", "site": None, "games": games,
        }
    )  # fmt: skip
