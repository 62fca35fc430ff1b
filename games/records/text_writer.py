"""Writer of match text in one plain dialect that every program reads: the layout of GNU Backgammon.

The record is written as it is: call ``canonical.canonical`` first to split joined steps, mark hits and fill
in cube values.
"""

from __future__ import annotations

from games.records.analysis import NO_ANALYSIS, Analysis, comments_by_turn
from games.records.model import (
    Action,
    Board,
    CubeAction,
    CubeKind,
    Game,
    Record,
    Result,
    Roll,
    RollMark,
    Setup,
    Tag,
    Variation,
)
from games.records.steps import write_steps
from games.records.text import TextReader, is_option_key
from games.records.writing import Loss, WrittenRecord
from games.rules.sides import Side

_LEFT_INDENT = 6
_MAX_COMMENT_LINE = 1_500  # letters of a comment in one line
_RIGHT_COLUMN = 33
_CUBE_WORDS = {
    CubeKind.DOUBLE: "Doubles",
    CubeKind.TAKE: "Takes",
    CubeKind.PASS: "Drops",
    CubeKind.BEAVER: "Beavers",
}
_VARIATION_NAMES = {
    Variation.BACKGAMMON: "Backgammon",
    Variation.NACKGAMMON: "NackGammon",
    Variation.HYPERGAMMON: "HyperGammon",
    Variation.LONGGAMMON: "LongGammon",
}


class TextWriter:
    def __init__(self, record: Record, analysis: Analysis = NO_ANALYSIS) -> None:
        self.record = record
        self.comments = comments_by_turn(analysis)
        self.losses: list[Loss] = []
        self.names = (self._readable_name(record.players[0]), self._readable_name(record.players[1]))
        self.lines: list[str] = []

    def write(self) -> WrittenRecord:
        self._write_header()
        length = self.record.length
        if length is None:
            self.losses.append(Loss("loss.length"))
        else:
            self.lines += ["", f" {length} point match"]
        for index, game in enumerate(self.record.games, 1):
            self._write_game(index, game)
        return WrittenRecord("\n".join([*self.lines, ""]).encode(), tuple(self.losses))

    def _write_header(self) -> None:
        for tag in self.record.tags:
            if is_option_key(tag.key) or not _can_hold_tag(tag):
                self.losses.append(Loss("loss.tag", params={"key": tag.key[:60]}, place=tag.place))
            else:
                self.lines.append(f'; [{tag.key} "{tag.value}"]')
        for (game, turn), text in sorted(self.comments.items()):
            key = f"Comment {game}.{turn}" if game else "Comment"
            self.lines += [f'; [{key} "{line.strip()}"]' for line in _wrap_lines(text)]
        options = self.record.options
        if options.variation is not Variation.BACKGAMMON:
            name = _VARIATION_NAMES.get(options.variation, options.variation_name)
            tag = Tag("Variation", name)
            if name and _can_hold_tag(tag):
                self.lines.append(f'; [Variation "{name}"]')
            else:
                self.losses.append(Loss("loss.options"))
        tags = (
            ("Crawford", options.crawford),
            ("Jacoby", options.jacoby),
            ("Beaver", options.beavers),
            ("AutoDouble", options.automatic_doubles),
        )
        self.lines += [f'; [{key} "{"On" if value else "Off"}"]' for key, value in tags if value is not None]

    def _readable_name(self, name: str) -> str:
        """Return the name if a reader gets it back, else its letters and digits, and note the loss."""
        if _can_read_back(name):
            return name
        self.losses.append(Loss("loss.name", params={"name": name[:60]}))
        cleaned_name = " ".join(
            "".join(
                character if character.isalnum() or character in "-_.'" else " " for character in name
            ).split()
        )
        return cleaned_name if _can_read_back(cleaned_name) else "player"

    def _write_game(self, index: int, game: Game) -> None:
        if game.automatic_doubles:
            self.losses.append(Loss("loss.automatic_doubles", index, place=game.place))
        rows, setups = self._rows(index, game)
        left_text = f" {self.names[0]} : {game.score_before[0]}"
        column = max([_RIGHT_COLUMN, len(left_text) + 2, *(len(row[0]) + 8 for row in rows)])
        self.lines += ["", f" Game {game.number}"]
        self.lines += [f"{left_text:<{column}}{self.names[1]} : {game.score_before[1]}", *setups]
        for number, (white, black) in enumerate(rows, 1):
            self.lines.append(f"{number:3d}) {white:<{column - 5}}{black}".rstrip())
        if game.result is not None:
            self._write_result(index, game.result, column, rows)

    def _rows(self, index: int, game: Game) -> tuple[list[list[str]], list[str]]:
        rows: list[list[str]] = []
        setups: list[str] = []
        filled_columns = 2  # cells used in the last row
        for action in game.actions:
            if isinstance(action, Setup):
                line = None if rows else _set_pos(action)
                if line is None:
                    self.losses.append(Loss("loss.set_up", index, place=action.place))
                else:
                    setups.append(line)
                continue
            column = action.side.column
            if filled_columns > column:
                rows.append(["", ""])
            rows[-1][column] = self._cell(index, action)
            filled_columns = column + 1
        return rows, setups

    def _cell(self, index: int, action: Action) -> str:
        if isinstance(action, CubeAction):
            word = _CUBE_WORDS[action.kind]
            with_value = action.value is not None and action.kind in (CubeKind.DOUBLE, CubeKind.BEAVER)
            return f" {word} => {action.value}" if with_value else f" {word}"
        if not isinstance(action, Roll):
            return ""
        dice = f"{action.dice[0]}{action.dice[1]}:" if action.dice != (0, 0) else ""
        if action.mark is RollMark.UNPLAYED:
            return f"{dice} ????" if dice else " ????"
        if action.mark is RollMark.ILLEGAL:
            return f"{dice} Illegal play ({self._snowie(index, action)})"
        return f"{dice} {write_steps(action.steps, bar='25', off='0')}".rstrip()

    def _snowie(self, index: int, roll: Roll) -> str:
        """Return the forty fields of a Snowie text after an accepted illegal play.

        Names and score are empty, as other lines hold them.
        """
        if roll.after is None:
            self.losses.append(Loss("loss.condoned_play", index, place=roll.place))
            return ""
        board = _signed_counts(roll.after, roll.side)
        fields = [
            self.record.length or 0,
            0,
            0,
            0,
            roll.side.column,
            "",
            "",
            0,
            0,
            0,
            1,
            0,
            *board,
            *roll.dice,
        ]
        return ";".join(str(field) for field in fields)

    def _write_result(self, index: int, result: Result, column: int, rows: list[list[str]]) -> None:
        if result.winner is None:
            self.losses.append(Loss("loss.winner", index, place=result.place))
            return
        points_text = (
            "" if result.points is None else f" {result.points} point{'' if result.points == 1 else 's'}"
        )
        text = f" Wins{points_text}{' and the match' if result.wins_match else ''}"
        if result.winner is Side.WHITE:
            self.lines.append(f"{'':{_LEFT_INDENT - 1}}{text}")
        elif rows and not rows[-1][1]:
            self.lines[-1] = f"{self.lines[-1]:<{column}}{text}"
        else:
            self.lines.append(f"{'':{column}}{text}")


def _can_hold_tag(tag: Tag) -> bool:
    reader = TextReader(f'; [{tag.key} "{tag.value}"]')
    reader.note_comments()
    return len(reader.tags) == 1 and (reader.tags[0].key, reader.tags[0].value) == (tag.key, tag.value)


def _can_read_back(name: str) -> bool:
    """Return whether a reader gets this name back on either side of the line with the names."""
    for names in ((name, "b"), ("a", name)):
        reader = TextReader(f" 1 point match\n\n Game 1\n {names[0]} : 0{'':20}{names[1]} : 0\n  1) 31:\n")
        if reader.read().record.players != names:
            return False
    return True


def _signed_counts(board: Board, viewer: Side) -> list[int]:
    """Return a board as 26 counts: the roller's bar, points 1–24 signed, the opponent's bar."""
    own, other = (board.white, board.black) if viewer is Side.WHITE else (board.black, board.white)
    return [own[25], *(own[point] - other[25 - point] for point in range(1, 25)), -other[25]]


def _set_pos(setup: Setup) -> str | None:
    """Return XG's ``; Set Pos=…/<cube>`` for a board set up before the first turn; None for other set-ups."""
    if setup.board is None or setup.owner is not None or setup.turn is not None or setup.centred:
        return None
    white, black = setup.board.white, setup.board.black
    counts = [-black[25], *(white[point] - black[25 - point] for point in range(1, 25)), white[25]]
    letters = "".join("-" if not count else chr((64 if count > 0 else 96) + abs(count)) for count in counts)
    return f"; Set Pos={letters}" + (f"/{setup.cube}" if setup.cube is not None else "")


def _wrap_lines(text: str) -> list[str]:
    """Return the lines of a comment, none longer than readers accept."""
    lines = [
        line[start : start + _MAX_COMMENT_LINE]
        for line in text.split("\n")
        for start in range(0, len(line), _MAX_COMMENT_LINE)
    ]
    return [line for line in lines if line.strip()]


def write_text(record: Record, analysis: Analysis = NO_ANALYSIS) -> WrittenRecord:
    return TextWriter(record, analysis).write()
