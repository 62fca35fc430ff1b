"""Reader of analysis, clocks and comments in eXtreme Gammon's match files.

Offsets are those of its published file format: in a cube record the 132 bytes at 64 hold the evaluation of
the double, in a move record the 2,184 bytes at 124 the list of plays; errors, luck, comments and clocks
follow. -1000 means not analysed.

Comments are rich text in a separate file of the archive (``temp.xgc``), one in each line of the text,
referred to by the number of the line.
"""

from __future__ import annotations

import math
import re
import struct
import zlib

from games.records.analysis import (
    MAX_COMMENT,
    MAX_PLAYS,
    Analysis,
    Chances,
    Clock,
    Comment,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
    is_counted_double,
    is_counted_play,
    is_counted_take,
)
from games.records.decoding import MAX_ACTIONS
from games.records.model import Step
from games.records.reading import DeferredReads
from games.rules.sides import Side

ENGINE = "eXtreme Gammon"
_MISSING_NUMBER = -999.0  # below: not analysed
_LEVELS = {
    100: "Rollout",
    998: "Opening book",
    999: "Opening book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_MAX_UNPACKED_BYTES = 2_000_000  # bytes of comments, unpacked
_TRAILER = 36
_FILE = 532


def _int(record: bytes, offset: int) -> int:
    return int(struct.unpack_from("<i", record, offset)[0])


def _number(record: bytes, offset: int) -> float | None:
    """Read a floating-point number; None if XG did not fill it in."""
    value = float(struct.unpack_from("<d", record, offset)[0])
    return value if math.isfinite(value) and _MISSING_NUMBER < value < 1_000 else None


def level_name(code: int) -> str:
    """Return XG's own name for a level of analysis; empty for an undocumented code."""
    if code == 12:
        return "3-ply red"
    return f"{code + 1}-ply" if 0 <= code <= 6 else _LEVELS.get(code, "")


def _evaluation(record: bytes, offset: int) -> tuple[Chances | None, float] | None:
    """Return (chances, equity) from seven numbers, or None if they are invalid; missing chances are None.

    The numbers: losses by backgammon, by gammon, all; wins, by gammon, by backgammon; equity.
    """
    values = struct.unpack_from("<7f", record, offset)
    if not all(math.isfinite(value) and abs(value) < 1_000 for value in values):
        return None
    chances = Chances(*(round(values[index], 4) for index in (3, 4, 5, 1, 0)))
    has_chances = any(values[:6]) and all(-0.001 <= chance <= 1.001 for chance in chances)
    return (chances if has_chances else None), round(values[6], 4)


def _steps(pairs: tuple[int, ...]) -> tuple[Step, ...]:
    steps = []
    for source, target in zip(pairs[::2], pairs[1::2], strict=True):
        if not 0 <= source <= 24 or target > 23 or target == source:
            break
        steps.append(Step(source + 1, max(target, -1) + 1))
    return tuple(steps)


class XgAnalysis:
    """Collects the analysis of one match; the reader gives game and turn of each data record.

    Data records are parsed only when ``done`` is called.
    """

    def __init__(self) -> None:
        self._noted = DeferredReads()
        self.decisions: list[Decision] = []
        self.clocks: list[Clock] = []
        self.notes: list[tuple[int, int, int]] = []  # game, turn, number of the comment
        self._waiting: bytes | None = None  # the cube record before a roll: no double

    def match(self, header: bytes) -> None:
        """Add the header of the match."""
        self._noted(self._read_match, header)

    def game(self, record: bytes, game: int) -> None:
        """Add the data record that begins a game."""
        self._noted(self._read_game, record, game)

    def cube(self, record: bytes, game: int, turn: int) -> None:
        """Add a data record about the cube.

        ``turn``: that of the double if there is one, else of the next roll.
        """
        self._noted(self._read_cube, record, game, turn)

    def move(self, record: bytes, game: int, turn: int, side: Side) -> None:
        """Add the data record of a roll with its play."""
        self._noted(self._read_move, record, game, turn, side)

    def _read_match(self, header: bytes) -> None:
        self._add_comment_number(0, 0, _int(header, 576))
        self._add_comment_number(0, 0, _int(header, 580))

    def _read_game(self, record: bytes, game: int) -> None:
        self._waiting = None
        self._add_comment_number(game, 0, _int(record, 56))
        self._add_comment_number(game, 0, _int(record, 60))

    def _read_cube(self, record: bytes, game: int, turn: int) -> None:
        self._add_comment_number(game, turn, _int(record, 292))
        side = Side.WHITE if _int(record, 12) > 0 else Side.BLACK
        for offset, clock_side in ((304, Side.WHITE), (308, Side.BLACK)):
            seconds = _int(record, offset)
            if 0 < seconds <= 1_000_000 and len(self.clocks) < MAX_ACTIONS:
                self.clocks.append(Clock(game, turn, clock_side, float(seconds)))
        if _int(record, 16) != 1:
            self._waiting = record
            return
        self._waiting = None
        self._add_double_decision(record, game, turn, side)
        lost, cube = _number(record, 216), _cube_equities(record)
        if cube is not None and lost is not None and _int(record, 20) in (0, 1, 2):
            level = level_name(_int(record, 92))
            self._add_decision(
                Decision(
                    game,
                    turn + 1,
                    DecisionKind.TAKE,
                    side.other,
                    round(abs(lost), 4),
                    is_counted_take(cube),
                    level,
                    cube=cube,
                )
            )

    def _read_move(self, record: bytes, game: int, turn: int, side: Side) -> None:
        pending_cube, self._waiting = self._waiting, None
        if pending_cube is not None:
            self._add_double_decision(pending_cube, game, turn, side)
        self._add_comment_number(game, turn, _int(record, 2524))
        lost, luck = _number(record, 2312), _number(record, 2320)
        plays, played_index = _plays(record)
        if lost is None and luck is None:
            return
        is_legal = _int(record, 2480) != 2
        self._add_decision(
            Decision(
                game,
                turn,
                DecisionKind.CHECKER,
                side,
                None if lost is None else round(abs(lost), 4),
                counts=lost is not None and is_legal and is_counted_play([play.equity for play in plays]),
                level=plays[0].level if plays else "",
                plays=plays,
                played=played_index,
                luck=None if luck is None else round(luck, 4),
            )
        )

    def _add_double_decision(self, record: bytes, game: int, turn: int, side: Side) -> None:
        lost, cube = _number(record, 200), _cube_equities(record)
        if lost is None or cube is None:
            return
        lost = round(abs(lost), 4)
        evaluation = _evaluation(record, 124)
        self._add_decision(
            Decision(
                game,
                turn,
                DecisionKind.DOUBLE,
                side,
                lost,
                is_counted_double(cube, lost),
                level_name(_int(record, 92)),
                cube=cube,
                chances=evaluation[0] if evaluation else None,
            )
        )

    def _add_decision(self, decision: Decision) -> None:
        if len(self.decisions) < 3 * MAX_ACTIONS:
            self.decisions.append(decision)

    def _add_comment_number(self, game: int, turn: int, number: int) -> None:
        if number >= 0 and len(self.notes) < MAX_ACTIONS:
            self.notes.append((game, turn, number))

    def done(self, archive: bytes) -> Analysis:
        """Parse everything that was collected, and return the analysis.

        ``archive``: the file after its thumbnail, which holds the comments.
        """
        self._noted.run()
        comments = []
        if self.notes:
            texts = _texts(archive)
            comments = [
                Comment(game, turn, texts[number])
                for game, turn, number in self.notes
                if number < len(texts) and texts[number]
            ]
        engine = ENGINE if self.decisions else ""
        return Analysis(engine, tuple(self.decisions), tuple(comments), tuple(self.clocks))


def _cube_equities(record: bytes) -> CubeEquities | None:
    values = struct.unpack_from("<3f", record, 152)
    if not all(math.isfinite(value) and abs(value) < 1_000 for value in values) or values[2] == 0:
        return None  # XG leaves zeros where no double is possible
    return CubeEquities(*(round(value, 4) for value in values))


def _plays(record: bytes) -> tuple[tuple[RankedPlay, ...], int | None]:
    """Return the plays that XG analysed, and the index of the play made, which leaves the same board.

    The index is None if the play made is not among them.
    """
    board_after = record[35:61]
    plays: list[RankedPlay] = []
    played_index = None
    for index in range(max(0, min(_int(record, 188), MAX_PLAYS))):
        evaluation = _evaluation(record, 1408 + 28 * index)
        if evaluation is None:
            continue
        if played_index is None and record[192 + 26 * index : 218 + 26 * index] == board_after:
            played_index = len(plays)
        steps = _steps(struct.unpack_from("<8b", record, 1024 + 8 * index))
        level = level_name(struct.unpack_from("<h", record, 1280 + 4 * index)[0])
        plays.append(RankedPlay(steps, evaluation[1], evaluation[0], level))
    return tuple(plays), played_index


# -- comments


def _unpack(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, _MAX_UNPACKED_BYTES)
    except zlib.error:
        return b""


def _texts(archive: bytes) -> list[str]:
    """Return all comments, in the order of their numbers; empty if the archive is not valid."""
    if len(archive) < _TRAILER:
        return []
    _, _, _, size, packed_size, is_compressed = struct.unpack_from("<6i", archive, len(archive) - _TRAILER)
    index = len(archive) - _TRAILER - size
    archive_start = index - packed_size
    if size <= 0 or packed_size <= 0 or archive_start < 0:
        return []
    registry = archive[index : index + size]
    registry = _unpack(registry) if is_compressed else registry
    for entry_offset in range(0, min(len(registry), 20 * _FILE) - _FILE + 1, _FILE):
        name = registry[entry_offset + 1 : entry_offset + 1 + registry[entry_offset]]
        length, file_offset = struct.unpack_from("<2i", registry, entry_offset + 516)
        if name == b"temp.xgc" and 0 <= file_offset <= packed_size and 0 < length <= packed_size:
            body = archive[archive_start + file_offset : archive_start + file_offset + length]
            body = _unpack(body) if registry[entry_offset + 528] == 0 else body
            return [plain_text(line) for line in body.decode("cp1252", "replace").split("\r\n")[:MAX_ACTIONS]]
    return []


_RICH = re.compile(
    r"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,5}) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}])?|\\([a-z]+)(-?\d+)? ?|\\(.)|([{}])|([^\\{}]+)",
    re.DOTALL,
)
_SKIPPED_GROUPS = frozenset(
    ("fonttbl", "colortbl", "stylesheet", "info", "pict", "generator", "listtable", "themedata")
)


def plain_text(rich_text: str) -> str:
    r"""Return rich text (RTF) as plain text; other text is returned unchanged.

    >>> plain_text(r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 Why not 8/5?\par Sch\'f6n}")
    'Why not 8/5?\nSchön'
    """
    rich_text = rich_text.replace("\1\2", "\n")[: 20 * MAX_COMMENT]
    if not rich_text.lstrip().startswith("{\\rtf"):
        return rich_text.strip()[:MAX_COMMENT]
    parts: list[str] = []
    depth, skipped_depth = 0, 0  # current depth, and the depth from which on text is skipped
    for hex_code, unicode_number, control_word, _, symbol, brace, plain in _RICH.findall(rich_text):
        if brace == "{":
            depth += 1
        elif brace == "}":
            skipped_depth = 0 if depth <= skipped_depth else skipped_depth
            depth -= 1
        elif (control_word in _SKIPPED_GROUPS or symbol == "*") and not skipped_depth:
            skipped_depth = depth
        elif skipped_depth:
            continue
        elif hex_code:
            parts.append(bytes.fromhex(hex_code).decode("cp1252", "replace"))
        elif unicode_number:
            parts.append(chr(int(unicode_number) % 65_536))
        elif control_word in ("par", "line"):
            parts.append("\n")
        elif control_word == "tab" or symbol == "~":
            parts.append(" ")
        elif symbol in ("\\", "{", "}"):
            parts.append(symbol)
        elif plain:
            parts.append(plain.replace("\r", "").replace("\n", ""))
    text = "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "\n".join(line.strip() for line in text.split("\n")).strip()[:MAX_COMMENT]
