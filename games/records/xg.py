"""Reader of eXtreme Gammon's binary match files (``.xg``).

A header ``RGMH``, a thumbnail, then zlib streams; the first is the match, in data records of 2,560 bytes.
Everything is read by offset with bounds checks; neither the sizes in the header nor the size of an unpacked
stream are trusted.

A ``Place`` is here (number of the data record, byte in it).
"""

from __future__ import annotations

import struct
import zlib
from datetime import date, timedelta
from functools import partial

from games.records.boards import board_from_view
from games.records.decoding import MAX_ACTIONS, MAX_GAMES, MAX_NAME, MAX_UNPACKED
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
    RollMark,
    Setup,
    Step,
    Tag,
    Variation,
)
from games.records.reading import ReadResult
from games.records.xg_analysis import XgAnalysis
from games.rules.sides import Side

MAGIC = b"RGMH"
_SIZE = 2560
_TYPE = 8
_MONEY = 99_999
_HEADER = struct.Struct("<4sIIqI")  # magic, version, header size, thumbnail offset, thumbnail size
_VARIATIONS = {
    0: Variation.BACKGAMMON,
    1: Variation.NACKGAMMON,
    2: Variation.HYPERGAMMON,
    3: Variation.LONGGAMMON,
}
_START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


def _int(record: bytes, offset: int) -> int:
    return int(struct.unpack_from("<i", record, offset)[0])


def _board(record: bytes, offset: int) -> tuple[int, ...]:
    return struct.unpack_from("26b", record, offset)


def unpack(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the data records of the match, and the archive that follows the thumbnail.

    Raises ``UnreadableRecord`` if the file is broken or unpacks to more than ``MAX_UNPACKED`` bytes.
    """
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise UnreadableRecord("xg.broken")
    _, _, header_size, _, thumbnail_size = _HEADER.unpack_from(data)
    archive_offset = header_size + thumbnail_size
    if not _HEADER.size <= header_size <= len(data) or archive_offset >= len(data):
        raise UnreadableRecord("xg.broken")
    stream = zlib.decompressobj()
    try:
        body = stream.decompress(data[archive_offset:], MAX_UNPACKED)
    except zlib.error as error:
        raise UnreadableRecord("xg.broken") from error
    if stream.unconsumed_tail:
        raise UnreadableRecord("file.unpacks_too_big", {"limit": MAX_UNPACKED})
    if len(body) < _SIZE:
        raise UnreadableRecord("xg.broken")
    return [body[start : start + _SIZE] for start in range(0, len(body) - _SIZE + 1, _SIZE)], data[
        archive_offset:
    ]


def _read_wide_text(record: bytes, offset: int) -> str:
    """Read a zero-terminated UTF-16 text of at most 128 characters."""
    text = record[offset : offset + 256].decode("utf-16-le", errors="replace").split("\0", 1)[0]
    return " ".join(text.split())[:MAX_NAME]


def _read_short_text(record: bytes, offset: int, max_length: int) -> str:
    length = min(record[offset], max_length)
    text = record[offset + 1 : offset + 1 + length].decode("cp1252", errors="replace")
    return " ".join(text.replace("\0", " ").split())


class XgReader:
    def __init__(self, data: bytes) -> None:
        self.records, self.archive = unpack(data)
        self.analysis = XgAnalysis()
        self.findings: list[Finding] = []
        self.games: list[Game] = []
        self.number = 0
        self.score = (0, 0)
        self.crawford = False
        self.automatic = 0
        self.actions: list[Action] = []
        self.count = 0
        self.open = False
        self.place = Place(1, 1)

    def read(self) -> ReadResult:
        header = self.records[0]
        if header[_TYPE] != 0 or header[556:560] not in (b"DMLI", b"ILMD", b"\0\0\0\0"):
            raise UnreadableRecord("xg.broken", place=Place(1, 1))
        length = _int(header, 92)
        if length == _MONEY or header[584]:
            length = 0
        if not 0 <= length <= 9_999:
            raise UnreadableRecord("xg.broken", {"length": length}, Place(1, 93))
        self.analysis.match(header)
        for index, record in enumerate(self.records[1:], 2):
            kind = record[_TYPE]
            if kind == 1:
                self._close_game(None)
                self._open_game(record, index)
            elif kind == 2 and self.open:
                self._read_cube(record, index)
            elif kind == 3 and self.open:
                self._read_move(record, index)
            elif kind == 4 and self.open:
                self._close_game(self._read_result(record, index))
        self._close_game(None)
        if not self.games:
            raise UnreadableRecord("record.no_games")
        players = (
            _read_wide_text(header, 880) or _read_short_text(header, 9, 40),
            _read_wide_text(header, 1138) or _read_short_text(header, 50, 40),
        )
        options = Options(
            crawford=bool(header[100]) if length else None,
            jacoby=bool(header[101]) if not length else None,
            beavers=bool(header[102]) if not length else None,
            automatic_doubles=bool(header[103]) if not length else None,
            variation=_VARIATIONS.get(_int(header, 96), Variation.OTHER),
        )
        match_record = Record(players, length, tuple(self.games), _tags(header), options, format="xg")
        return ReadResult(match_record, tuple(self.findings), partial(self.analysis.done, self.archive))

    def _open_game(self, record: bytes, index: int) -> None:
        if len(self.games) >= MAX_GAMES:
            raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES}, Place(index, 1))
        self.open = True
        self.place = Place(index, 1)
        self.number = _int(record, 48)
        self.score = (max(0, _int(record, 12)), max(0, _int(record, 16)))
        self.crawford = bool(record[20])
        self.automatic = min(max(0, _int(record, 64)), 10)
        self.actions = []
        self.analysis.game(record, self._index)
        start = _board(record, 21)
        if any(start) and start != _START:
            board = board_from_view(start, Side.WHITE)
            if board is not None:
                self.actions.append(Setup(board=board, place=Place(index, 22)))

    def _count_action(self, place: Place) -> None:
        self.count += 1
        if self.count > MAX_ACTIONS:
            raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS}, place)

    @property
    def _index(self) -> int:
        """The number of the game that is being read, counted from 1 as in findings."""
        return len(self.games) + 1

    def _read_cube(self, record: bytes, index: int) -> None:
        self.analysis.cube(record, self._index, len(self.actions) + 1)
        if _int(record, 16) != 1:
            return
        place = Place(index, 17)
        self._count_action(place)
        side = Side.WHITE if _int(record, 12) > 0 else Side.BLACK
        self.actions.append(CubeAction(side, CubeKind.DOUBLE, None, place))
        answer, beaver = _int(record, 20), _int(record, 24)
        kinds = {0: CubeKind.PASS, 1: CubeKind.TAKE, 2: CubeKind.BEAVER}
        if answer in kinds:
            self.actions.append(CubeAction(side.other, kinds[answer], None, Place(index, 21)))
        if answer == 2 and beaver == 0:
            self.actions.append(CubeAction(side, CubeKind.PASS, None, Place(index, 25)))
        elif answer == 2 and beaver == 2:
            self.actions.append(CubeAction(side, CubeKind.BEAVER, None, Place(index, 25)))

    def _read_move(self, record: bytes, index: int) -> None:
        place = Place(index, 1)
        self._count_action(place)
        side = Side.WHITE if _int(record, 64) > 0 else Side.BLACK
        dice = (_int(record, 100), _int(record, 104))
        if not all(1 <= die <= 6 for die in dice):
            self.findings.append(
                finding(
                    "cell.unreadable",
                    game=len(self.games) + 1,
                    turn=len(self.actions) + 1,
                    place=place,
                    words="",
                )
            )
            return
        moves = struct.unpack_from("<8i", record, 68)
        if not any(moves):  # XG's form of ????
            self.actions.append(Roll(side, dice, (), RollMark.UNPLAYED, place=place))
            self.analysis.move(record, self._index, len(self.actions), side)
            return
        steps: list[Step] = []
        for source, target in zip(moves[::2], moves[1::2], strict=True):
            if not 0 <= source <= 24 or target > 23:
                break
            steps.append(Step(source + 1, max(target, -1) + 1))
        before, after = _board(record, 9), _board(record, 35)
        mark, board = RollMark.PLAYED, None
        if not steps and before != _from_white(after, side):
            board = board_from_view(after, side)
            mark = RollMark.ILLEGAL if board is not None else mark
        self.actions.append(Roll(side, dice, tuple(steps), mark, board, place))
        self.analysis.move(record, self._index, len(self.actions), side)

    def _read_result(self, record: bytes, index: int) -> Result:
        winner = _int(record, 24)
        side = Side.WHITE if winner > 0 else Side.BLACK if winner < 0 else None
        termination = _int(record, 32)
        points = _int(record, 28)
        return Result(
            side, points if points > 0 else None, resigned=100 <= termination < 1000, place=Place(index, 25)
        )

    def _close_game(self, result: Result | None) -> None:
        if not self.open:
            return
        self.open = False
        self.games.append(
            Game(
                number=self.number,
                score_before=self.score,
                actions=tuple(self.actions),
                result=result,
                crawford=True if self.crawford else None,
                automatic_doubles=self.automatic or None,
                place=self.place,
            )
        )


def _from_white(board: tuple[int, ...], side: Side) -> tuple[int, ...]:
    return board if side is Side.WHITE else tuple(-count for count in reversed(board))


def _tags(header: bytes) -> tuple[Tag, ...]:
    tags = [
        Tag(key, value, Place(1, offset + 1))
        for key, offset in (("Event", 622), ("Site", 1396), ("Round", 1654))
        if (value := _read_wide_text(header, offset))
    ]
    days = struct.unpack_from("<d", header, 128)[0]
    if 1 <= days < 100_000:
        day = date(1899, 12, 30) + timedelta(days=int(days))
        tags.append(Tag("EventDate", f"{day:%Y.%m.%d}", Place(1, 129)))
    return tuple(tags)


def read_xg(data: bytes) -> ReadResult:
    return XgReader(data).read()
