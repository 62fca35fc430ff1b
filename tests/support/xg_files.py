"""eXtreme Gammon files of our own making, for a reader that has to know them byte by byte."""

from __future__ import annotations

import struct
import zlib

from games.records.model import CubeAction, CubeKind, Record, Roll, RollMark
from games.records.replaying import End
from games.records.validation import replay
from games.rules.sides import Side

SIZE = 2560
_ENDS = {End.PASSED: 0, End.BORE_OFF: 0, End.RESIGNED: 100}
_PLAYER = {Side.WHITE: 1, Side.BLACK: -1}


def _record(kind: int, *fields) -> bytes:
    body = bytearray(SIZE)
    body[8] = kind
    for at, layout, *values in fields:
        struct.pack_into(layout, body, at, *values)
    return bytes(body)


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")[:254]


def _header(record: Record) -> bytes:
    options = record.options
    return _record(
        0,
        (92, "<i", record.length or 99_999),
        (
            100,
            "4B",
            bool(options.crawford),
            bool(options.jacoby),
            bool(options.beavers),
            bool(options.automatic_doubles),
        ),
        (128, "<d", 45_000.5),
        (556, "4s", b"DMLI"),
        (622, "254s", _wide("Invented Cup")),
        (880, "254s", _wide(record.players[0])),
        (1138, "254s", _wide(record.players[1])),
    )


def _move(roll: Roll) -> bytes:
    moves = [-1] * 8
    if roll.mark is RollMark.UNPLAYED:
        moves = [0] * 8
    for index, step in enumerate(roll.steps[:4]):
        moves[2 * index] = step.source - 1
        moves[2 * index + 1] = step.target - 1
    return _record(3, (64, "<i", _PLAYER[roll.side]), (68, "<8i", *moves), (100, "<2i", *roll.dice))


def _cube(double: CubeAction, answers: list[CubeAction]) -> bytes:
    kinds = [answer.kind for answer in answers]
    take = -1 if not kinds else {CubeKind.PASS: 0, CubeKind.TAKE: 1, CubeKind.BEAVER: 2}[kinds[0]]
    beaver = -1
    if kinds and kinds[0] is CubeKind.BEAVER:
        beaver = {(): 1, (CubeKind.PASS,): 0, (CubeKind.BEAVER,): 2}[tuple(kinds[1:2])]
    return _record(2, (12, "<6i", _PLAYER[double.side], 1, take, beaver, -1, 0))


def xg_file(record: Record) -> bytes:
    """The record as XG keeps it, as far as our reader looks."""
    body = [_header(record)]
    for game, done in zip(record.games, replay(record).games, strict=True):
        body.append(
            _record(
                1,
                (12, "<2i", *game.score_before),
                (20, "B", done.crawford),
                (48, "<i", game.number),
                (64, "<i", game.automatic_doubles or 0),
            )
        )
        actions = list(game.actions)
        index = 0
        while index < len(actions):
            action = actions[index]
            index += 1
            if isinstance(action, Roll):
                body.append(_move(action))
            elif isinstance(action, CubeAction):
                answers = []
                while index < len(actions) and isinstance(actions[index], CubeAction):
                    answers.append(actions[index])
                    index += 1
                body.append(_cube(action, answers))
        ending = done.ending
        if ending.winner is not None:
            termination = _ENDS[ending.end] + (0 if ending.end is End.PASSED else int(ending.kind))
            body.append(_record(4, (24, "<3i", _PLAYER[ending.winner], ending.points, termination)))
    body.append(_record(5))
    thumbnail = b"\xff\xd8 no picture \xff\xd9"
    header = struct.pack("<4sIIqI", b"RGMH", 1, 8232, 0, len(thumbnail))
    return header.ljust(8232, b"\0") + thumbnail + zlib.compress(b"".join(body))
