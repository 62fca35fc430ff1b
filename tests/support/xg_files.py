"""eXtreme Gammon files of our own making, for a reader that has to know them byte by byte."""

from __future__ import annotations

import struct
import zlib

from games.records.analysis import Analysis, Decision, DecisionKind
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
        (576, "<2i", -1, -1),
        (622, "254s", _wide("Invented Cup")),
        (880, "254s", _wide(record.players[0])),
        (1138, "254s", _wide(record.players[1])),
    )


_LEVELS = {"": -1, "1-ply": 0, "3-ply": 2, "Rollout": 100, "XG Roller++": 1002}
_UNKNOWN = -1000.0


def _evaluation(chances, equity) -> tuple[float, ...]:
    win, gammon, backgammon, gammon_lost, backgammon_lost = chances or (0.0,) * 5
    return backgammon_lost, gammon_lost, 1 - win if chances else 0.0, win, gammon, backgammon, equity


def _judged(decision: Decision | None) -> list[tuple]:
    """The fields of a move record that hold what XG thinks of the play."""
    if decision is None:
        return [(2312, "<2d", _UNKNOWN, _UNKNOWN), (2524, "<i", -1)]
    lost = _UNKNOWN if decision.lost is None else -decision.lost
    fields = [(2312, "<2d", lost, _UNKNOWN if decision.luck is None else decision.luck), (2524, "<i", -1)]
    fields.append((188, "<i", len(decision.plays)))
    for index, play in enumerate(decision.plays):
        fields.append((192 + 26 * index, "26b", *([index + 1] * 26)))
        pairs = [point - 1 for step in play.steps for point in (step.source, step.target)]
        fields.append((1024 + 8 * index, "8b", *(pairs + [-1] * 8)[:8]))
        fields.append((1280 + 4 * index, "<h", _LEVELS[play.level]))
        fields.append((1408 + 28 * index, "<7f", *_evaluation(play.chances, play.equity)))
    if decision.played is not None:
        fields.append((35, "26b", *([decision.played + 1] * 26)))
    return fields


def _offered(double: Decision | None, take: Decision | None) -> list[tuple]:
    """The fields of a cube record that hold what XG thinks of the double and of the answer."""
    fields = [(200, "<d", _UNKNOWN), (216, "<d", _UNKNOWN), (292, "<i", -1)]
    if double is not None and double.cube is not None:
        fields[0] = (200, "<d", -(double.lost or 0.0))
        fields.append((92, "<i", _LEVELS[double.level]))
        fields.append((124, "<7f", *_evaluation(double.chances, double.cube.no_double)))
        fields.append((152, "<3f", *double.cube))
    if take is not None:
        fields[1] = (216, "<d", take.lost)
    return fields


def _move(roll: Roll, judged: Decision | None = None) -> bytes:
    moves = [-1] * 8
    if roll.mark is RollMark.UNPLAYED:
        moves = [0] * 8
    for index, step in enumerate(roll.steps[:4]):
        moves[2 * index] = step.source - 1
        moves[2 * index + 1] = step.target - 1
    return _record(
        3, (64, "<i", _PLAYER[roll.side]), (68, "<8i", *moves), (100, "<2i", *roll.dice), *_judged(judged)
    )


def _cube(double: CubeAction, answers: list[CubeAction], judged: list[tuple]) -> bytes:
    kinds = [answer.kind for answer in answers]
    take = -1 if not kinds else {CubeKind.PASS: 0, CubeKind.TAKE: 1, CubeKind.BEAVER: 2}[kinds[0]]
    beaver = -1
    if kinds and kinds[0] is CubeKind.BEAVER:
        beaver = {(): 1, (CubeKind.PASS,): 0, (CubeKind.BEAVER,): 2}[tuple(kinds[1:2])]
    return _record(2, (12, "<6i", _PLAYER[double.side], 1, take, beaver, -1, 0), *judged)


def _archive(files: dict[bytes, bytes]) -> bytes:
    """Files behind each other, an index of them, a trailer: all squeezed by themselves."""
    packed, index = b"", b""
    for name, body in files.items():
        squeezed = zlib.compress(body)
        entry = bytearray(532)
        struct.pack_into("256p", entry, 0, name)
        struct.pack_into("<3i", entry, 512, len(body), len(squeezed), len(packed))
        packed, index = packed + squeezed, index + bytes(entry)
    registry = zlib.compress(index)
    trailer = struct.pack("<6i12x", 0, len(files), 1, len(registry), len(packed), 1)
    return packed + registry + trailer


def _plain(side: Side) -> list[tuple]:
    return [(12, "<6i", _PLAYER[side], 0, -1, -1, -1, 0)]


def xg_file(record: Record, analysis: Analysis | None = None) -> bytes:
    """The record as XG keeps it, as far as our reader looks, with what XG thinks of it."""
    analysis = analysis or Analysis()
    known = {(each.game, each.turn, each.kind): each for each in analysis.decisions}
    body = [_header(record)]
    for number, (game, done) in enumerate(zip(record.games, replay(record).games, strict=True), 1):
        body.append(
            _record(
                1,
                (12, "<2i", *game.score_before),
                (20, "B", done.crawford),
                (48, "<i", game.number),
                (56, "<2i", -1, -1),
                (64, "<i", game.automatic_doubles or 0),
            )
        )
        actions = list(game.actions)
        index = 0
        while index < len(actions):
            action = actions[index]
            index += 1
            if isinstance(action, Roll):
                double = known.get((number, index, DecisionKind.DOUBLE))
                if double is not None:
                    body.append(_record(2, *_plain(action.side), *_offered(double, None)))
                body.append(_move(action, known.get((number, index, DecisionKind.CHECKER))))
            elif isinstance(action, CubeAction):
                answers = []
                judged = _offered(
                    known.get((number, index, DecisionKind.DOUBLE)),
                    known.get((number, index + 1, DecisionKind.TAKE)),
                )
                while index < len(actions) and isinstance(actions[index], CubeAction):
                    answers.append(actions[index])
                    index += 1
                body.append(_cube(action, answers, judged))
        ending = done.ending
        if ending.winner is not None:
            termination = _ENDS[ending.end] + (0 if ending.end is End.PASSED else int(ending.kind))
            body.append(_record(4, (24, "<3i", _PLAYER[ending.winner], ending.points, termination)))
    body.append(_record(5))
    thumbnail = b"\xff\xd8 no picture \xff\xd9"
    header = struct.pack("<4sIIqI", b"RGMH", 1, 8232, 0, len(thumbnail))
    texts = [comment.text.replace("\n", "\1\2").encode("cp1252") for comment in analysis.comments]
    for place, comment in enumerate(analysis.comments):
        _point_to(body, comment.game, comment.turn, place)
    files = {b"temp.xg": b"".join(body), b"temp.xgc": b"\r\n".join(texts)}
    return header.ljust(8232, b"\0") + thumbnail + _archive(files)


def _point_to(body: list[bytes], game: int, turn: int, number: int) -> None:
    """Writes the number of a comment into the record that it belongs to: match, game, or the roll of a turn."""
    games = [0] + [place for place, record in enumerate(body) if record[8] == 1]
    at = games[game]
    field = 56 if game else 576
    if turn:
        turns = 0
        while turns < turn:
            at += 1
            kind, doubled = body[at][8], struct.unpack_from("<i", body[at], 16)[0] == 1
            answered = struct.unpack_from("<i", body[at], 20)[0] >= 0
            turns += 1 if kind == 3 else (1 + answered if doubled else 0)
        field = 2524
    record = bytearray(body[at])
    struct.pack_into("<i", record, field, number)
    body[at] = bytes(record)
