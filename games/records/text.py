"""Reader of match text (``.mat``, ``.txt``) in all dialects that programs write.

Tolerant of encodings, line ends, spacing, missing comments, column widths and wording. What it cannot
understand inside a game becomes a finding with its place, and reading continues; text outside of games is
ignored. The header is read here, the numbered lines of a game by ``text_rows``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from games.records.analysis import Analysis, Clock, Comment, merge_comments
from games.records.decoding import (
    MAX_ACTIONS,
    MAX_GAMES,
    MAX_LINE,
    MAX_LINES,
    MAX_NAME,
    MAX_TAGS,
    decode_text,
)
from games.records.errors import UnreadableRecord
from games.records.findings import Finding, finding
from games.records.ids import setup_from_xg_comment
from games.records.model import Action, Game, Options, Place, Record, Result, Tag, Variation
from games.records.reading import ReadResult, name_change_finding
from games.records.text_rows import (
    ROW,
    Remark,
    StatedLoss,
    UnreadableCell,
    drop_second_number,
    read_cell,
    split_cells,
    split_remarks,
)
from games.rules.numbering import Numbering
from games.rules.sides import Side

_LENGTH = re.compile(
    r"[ \t]*(?:(\d{1,6})[ \t-]*(?:points?|pts?\.?)[ \t]+match\b|match[ \t]+(?:to|length)[ \t:]+(\d{1,6})(?:[ \t]+(?:points?|pts?\.?))?[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_MONEY = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game)\s*$", re.IGNORECASE)
_GAME = re.compile(r"\s*game\s+(\d{1,6})\s*$", re.IGNORECASE)
_TAG = re.compile(r'\s*\[\s*([^"\]\[]{1,60}?)\s*"(.*)"\s*\]\s*$')
_PLAIN_TAG = re.compile(r"\s*([A-Za-z][A-Za-z ]{0,40}?)\s*:\s*(.*)$")
_COMMENT = re.compile(r"comment(?:\s+(\d{1,6})\.(\d{1,6}))?", re.IGNORECASE)
_ON_TURN = re.compile(r"\s*\((left|right)\)\s", re.IGNORECASE)
_SCORE = re.compile(r"\s?:\s*(\d{1,9})(?=\s|$)")
_LAST_SCORE = re.compile(r"\s?:\s*(\d{1,9})\s*$")
_VARIATIONS = {
    "backgammon": Variation.BACKGAMMON,
    "nackgammon": Variation.NACKGAMMON,
    "hypergammon": Variation.HYPERGAMMON,
    "longgammon": Variation.LONGGAMMON,
}
_OPTION_KEYS = {
    "variation": "variation",
    "variant": "variation",
    "game type": "variation",
    "start position": "variation",
    "crawford": "crawford",
    "jacoby": "jacoby",
    "jacobi": "jacoby",
    "beaver": "beavers",
    "beavers": "beavers",
    "autodouble": "automatic_doubles",
    "automatic doubles": "automatic_doubles",
}
_BAD_LINES = 50


@dataclass(slots=True)
class _OpenGame:
    """A game whose lines are being read."""

    number: int
    place: Place
    score: tuple[int, int] | None = None
    right_column: int = 34
    actions: list[Action] = field(default_factory=list)
    result: Result | None = None
    loss: StatedLoss | None = None
    row: dict[str, int] = field(default_factory=dict)  # the turns of the last row, by column


class TextReader:
    """One reading of a text, from its lines to a record with findings."""

    def __init__(self, text: str, numbering: Numbering = Numbering.OWN) -> None:
        self.lines = re.split(r"\r\n|\n|\r", text)
        self.numbering = numbering
        self.tags: list[Tag] = []
        self.length: int | None = None
        self.players: tuple[str, str] | None = None
        self.names: tuple[str, str] | None = None  # names of the last game
        self.games: list[Game] = []
        self.findings: list[Finding] = []
        self.comments: list[Comment] = []
        self.clocks: list[Clock] = []
        self.actions = 0
        self.ignored = 0
        self.game: _OpenGame | None = None

    def read(self) -> ReadResult:
        for number, line in enumerate(self.lines[:MAX_LINES], 1):
            if len(line) > MAX_LINE:
                line = line[:MAX_LINE]  # noqa: PLW2901 - no program writes cells beyond it
            if not line or line.isspace():
                continue
            if "\t" in line:
                line = line.expandtabs()[:MAX_LINE]  # noqa: PLW2901 - columns as the writer saw them
            if not self._read_line(number, line):
                self.findings.append(finding("file.second_match", place=Place(number, 1)))
                break
        self._close_game()
        if not self.games:
            raise UnreadableRecord("record.no_games")
        record = Record(
            players=self.players or ("", ""),
            length=self.length,
            games=tuple(self.games),
            tags=tuple(tag for tag in self.tags if not is_option_key(tag.key)),
            options=options_from_tags(self.tags),
            format="mat",
        )
        if self.length is None:
            self.findings.append(finding("match.length_missing"))
        return ReadResult(record, tuple(self.findings), self._build_analysis)

    def _build_analysis(self) -> Analysis:
        return Analysis(comments=merge_comments(self.comments), clocks=tuple(self.clocks))

    def note_comments(self) -> None:
        """Read the comment lines only, which include the header."""
        for number, line in enumerate(self.lines, 1):
            if line.lstrip()[:1] in (";", "#"):
                self._read_comment(number, line, len(line) - len(line.lstrip()))

    def _read_line(self, number: int, line: str) -> bool:
        """Read one line; return False at the beginning of a second match, as only the first is read."""
        row = ROW.match(line)
        if row is not None and self.game is not None:
            self._read_row(number, drop_second_number(line, row), row.end(), numbered=True)
            return True
        first = line.lstrip()[0]
        if first in ";#":
            self._read_comment(number, line, line.index(first))
            return True
        game = _GAME.match(line)
        if game is not None:
            self._close_game()
            if len(self.games) >= MAX_GAMES:
                raise UnreadableRecord("record.too_many_games", {"limit": MAX_GAMES}, Place(number, 1))
            self.game = _OpenGame(int(game[1]), Place(number, 1))
            return True
        length = _LENGTH.match(line) or _MONEY.match(line)
        if length is not None:
            if self.games or (self.game is not None and self.game.actions):
                return False
            self.length = int(length[1] or length[2]) if length.re is _LENGTH else 0
            return True
        if self.game is not None:
            if self.game.score is None and self._read_names(number, line):
                return True
            self._read_row(number, line, 0, numbered=False)
        return True

    def _read_comment(self, number: int, line: str, offset: int) -> None:
        text = line[offset + 1 :]
        if self.game is not None and text.lstrip().lower().startswith("set pos"):
            setup = setup_from_xg_comment(text, Place(number, offset + 1))
            if setup is not None:
                self.game.actions.append(setup)
            else:
                self._note_unreadable(Place(number, offset + 1), text.strip())
            return
        tag = _TAG.match(text)
        if tag is None and self.game is not None:
            self._add_comment(text)
            return
        turn_match = _COMMENT.fullmatch(tag[1].strip()) if tag is not None else None
        if tag is not None and turn_match is not None:
            if len(self.comments) < MAX_ACTIONS:
                self.comments.append(
                    Comment(int(turn_match[1] or 0), int(turn_match[2] or 0), tag[2].strip())
                )
            return
        if len(self.tags) >= MAX_TAGS or self.games:
            return
        tag = tag or (_PLAIN_TAG.match(text) if line[offset] == ";" else None)
        if tag is not None:
            self.tags.append(Tag(tag[1].strip(), tag[2], Place(number, offset + 1)))

    def _add_comment(self, text: str) -> None:
        """Add a comment to the turn before it, or to the turn in the last line that it names.

        ``(left) …`` names the left player's turn.
        """
        game = self.game
        if game is None or not text.strip() or len(self.comments) >= MAX_ACTIONS:
            return
        turn_match = _ON_TURN.match(text)
        turn = len(game.actions)
        if turn_match is not None:
            text = text[turn_match.end() :]
            turn = game.row.get(turn_match[1].lower(), turn)
        self.comments.append(Comment(len(self.games) + 1, turn, text.strip()))

    def _read_names(self, number: int, line: str) -> bool:
        """Read the line ``name1 : score1      name2 : score2``; return False if it is another line.

        Either name may be empty or contain almost anything.
        """
        game = self.game
        last_score = _LAST_SCORE.search(line)
        if game is None or last_score is None:
            return False
        scores = [
            match
            for match in _SCORE.finditer(line, 0, last_score.start() + 1)
            if match.end() <= last_score.start()
        ]
        # A name may contain something like a score; the real one precedes a gap.
        left_score = next((match for match in scores if line[match.end() : match.end() + 2] == "  "), None)
        left_score = left_score or (scores[0] if scores else None)
        if left_score is None:
            return False
        right_text = line[left_score.end() : last_score.start()]
        gap = len(right_text) - len(right_text.lstrip())
        game.right_column = left_score.end() + gap
        game.score = (int(left_score[1]), int(last_score[1]))
        names = (line[: left_score.start()].strip()[:MAX_NAME], right_text.strip()[:MAX_NAME])
        self.players = self.players or names
        if (
            change := name_change_finding(self.names, names, len(self.games) + 1, Place(number, 1))
        ) is not None:
            self.findings.append(change)
        self.names = names
        return True

    def _read_row(self, number: int, line: str, start: int, *, numbered: bool) -> None:
        game = self.game
        if game is None:
            return
        remarks: list[Remark] = []
        if "{" in line or "(" in line:
            line, remarks = split_remarks(line)
        cells = split_cells(line, start)
        leading_text = line[start : cells[0].at].strip() if cells else line[start:].strip()
        if leading_text:
            self._note_unreadable(
                Place(number, len(line) - len(line[start:].lstrip()) + 1), leading_text, is_severe=numbered
            )
        cell_turns: list[tuple[int, int, Side]] = []  # offset of the cell, turn, side
        for index, cell in enumerate(cells):
            side = self._side(cell.at, start, index, game, numbered=numbered)
            parsed = read_cell(cell, side, number, self.numbering)
            if parsed is None:
                continue
            if isinstance(parsed, UnreadableCell):
                self._note_unreadable(parsed.place, parsed.words, is_severe=True)
            elif isinstance(parsed, StatedLoss):
                game.loss = parsed if numbered else StatedLoss(None, parsed.points, parsed.place)
            elif isinstance(parsed, Result):
                game.result = parsed
            else:
                self.actions += 1
                if self.actions > MAX_ACTIONS:
                    raise UnreadableRecord("record.too_many_actions", {"limit": MAX_ACTIONS}, parsed.place)
                game.actions.append(parsed)
                cell_turns.append((cell.at, len(game.actions), side))
        if cell_turns:
            game.row = {("left", "right")[side.column]: turn for _, turn, side in cell_turns}
        if remarks:
            self._add_remarks(remarks, cell_turns, len(game.actions))

    def _add_remarks(self, remarks: list[Remark], cell_turns: list[tuple[int, int, Side]], turn: int) -> None:
        """Add each remark to the turn whose cell contains it; a remark before the first cell to the first.

        ``cell_turns``: (offset of the cell, turn, side); ``turn``: used if the line has no cell.
        """
        for remark in remarks[: MAX_ACTIONS - len(self.comments) - len(self.clocks)]:
            earlier_cells = [cell for cell in cell_turns if cell[0] <= remark.at] or cell_turns[:1]
            if remark.seconds is None and remark.text:
                self.comments.append(
                    Comment(len(self.games) + 1, earlier_cells[-1][1] if earlier_cells else turn, remark.text)
                )
            elif remark.seconds is not None and earlier_cells:
                _, turn, side = earlier_cells[-1]
                self.clocks.append(Clock(len(self.games) + 1, turn, side, remark.seconds))

    @staticmethod
    def _side(offset: int, start: int, index: int, game: _OpenGame, *, numbered: bool) -> Side:
        if index:
            return Side.BLACK
        if numbered:
            return Side.WHITE if offset - start <= 4 else Side.BLACK
        return Side.WHITE if offset < (6 + game.right_column) // 2 else Side.BLACK

    def _note_unreadable(self, place: Place, text: str, *, is_severe: bool = False) -> None:
        """Add a finding for text that is not understood; the number of such findings is limited."""
        self.ignored += 1
        if self.ignored <= _BAD_LINES:
            turn = len(self.game.actions) + 1 if self.game is not None else 0
            code = "cell.unreadable" if is_severe else "line.ignored"
            game = len(self.games) + 1
            self.findings.append(finding(code, game=game, turn=turn, place=place, words=text[:80]))

    def _close_game(self) -> None:
        game = self.game
        self.game = None
        if game is None or (game.score is None and not game.actions):
            return
        result = game.result
        if result is None and game.loss is not None and game.loss.side is not None:
            result = Result(game.loss.side.other, game.loss.points, place=game.loss.place)
        self.games.append(
            Game(
                number=game.number,
                score_before=game.score or (0, 0),
                actions=tuple(game.actions),
                result=result,
                automatic_doubles=None,
                place=game.place,
            )
        )


def _option_key(key: str) -> str:
    return key.casefold().removesuffix(" rule")


def is_option_key(key: str) -> bool:
    """Return whether a header entry names a rule of play, which is read into ``Options`` and not as a tag."""
    return _option_key(key) in _OPTION_KEYS


def options_from_tags(tags: list[Tag]) -> Options:
    """Return the rules of play that header entries name, in the wording of all known programs."""
    option_values: dict[str, bool] = {}
    variation = Variation.BACKGAMMON
    variation_name = ""
    for tag in tags:
        option = _OPTION_KEYS.get(_option_key(tag.key))
        if option == "variation":
            name = tag.value.strip()
            variation = _VARIATIONS.get(name.casefold(), Variation.OTHER if name else Variation.BACKGAMMON)
            variation_name = name[:MAX_NAME] if variation is Variation.OTHER else ""
        elif option is not None:
            option_values[option] = tag.value.strip().casefold() not in ("off", "no", "false", "0", "")
    return Options(
        crawford=option_values.get("crawford"),
        jacoby=option_values.get("jacoby"),
        beavers=option_values.get("beavers"),
        automatic_doubles=option_values.get("automatic_doubles"),
        variation=variation,
        variation_name=variation_name,
    )


def read_text(data: bytes, numbering: Numbering = Numbering.OWN) -> ReadResult:
    """Read a record from the bytes of a match text; ``numbering``: how its plays number the points."""
    return TextReader(decode_text(data), numbering).read()


def looks_like_text(head: str) -> bool:
    """Return whether a text looks like match text: it has a line with the length, or a heading of a game."""
    return bool(
        re.search("^" + _LENGTH.pattern, head, re.IGNORECASE | re.MULTILINE)
        or re.search(r"^[ \t]*game[ ]+\d{1,6}[ \t]*\r?$", head, re.IGNORECASE | re.MULTILINE)
    )
