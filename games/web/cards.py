"""Draw a position as a PNG, for chats and feeds that do not show SVG: the board with the question about it.

The picture is first an SVG made here, which ``render_png`` converts. The only text of users in it is a title,
as plain text. Letters come from a font that is installed with the site; a title in a script that the font
lacks is left out.
"""

import unicodedata
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

import fontpkg
import resvg_py

from games.rules.sides import Side
from games.rules.xgid import XgId
from games.web.drawing import BoardDrawing, board_svg
from games.web.viewing import BoardOptions

WIDTH, HEIGHT = 1200, 630  # the size recommended for link previews
_EDGE: Final = 24
_BOARD: Final = 768, 576
_LEFT: Final = _EDGE + _BOARD[0] + 30  # where the text begins
_TEXT_WIDTH: Final = WIDTH - _LEFT - _EDGE
_PAPER, _INK, _MUTED, _MARK = "#fffdf8", "#231d17", "#615646", "#1d5b45"
_SIZES: Final = (54, 46, 40, 34, 29)  # of the question: the largest that fits this height
_QUESTION_HEIGHT: Final = 240
_LEADING: Final = 1.18
_DETAIL, _TITLE = 32, 30
_TITLE_LEADING: Final = 1.12  # so much more text fits where it is not bold
_FAMILY: Final = "Noto Sans"
# How wide letters of that font are at most, as shares of its size: a little more than they are.
_NARROW: Final = frozenset("iíìîïjlrtfI.,:;!'|()[]/- ")
_WIDE: Final = frozenset("mwMWÆŒ%@—…жшщюмЖШЩЮМФ")
# Ranges of Unicode in the font: Latin, Greek, Cyrillic, and punctuation.
_FONT_RANGES: Final = (
    *((0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x386, 0x3CE), (0x400, 0x52F)),
    *((0x1E00, 0x1EFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20BF)),
)


def card_svg(position: XgId, question: str, details: Sequence[str], title: str) -> str:
    """Return the picture as SVG: the board as White sees it, the question, score and cube.

    ``title`` is written below as far as the font has its letters.
    """
    board = board_svg(BoardDrawing.from_xgid(position), BoardOptions(bottom=Side.WHITE), question)
    top = (HEIGHT - _BOARD[1]) // 2
    frame = f'x="{_EDGE}" y="{top}" width="{_BOARD[0]}" height="{_BOARD[1]}" '
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        board.replace("<svg ", f"<svg {frame}", 1),
    ]
    size, lines = _fit_question(question)
    y = float(top)
    for line in lines:
        y += size * _LEADING
        parts.append(_line(line, y, size, _INK, bold=True))
    y += 26
    for line in (
        line for detail in details for line in wrap_text(detail, _DETAIL, _TEXT_WIDTH * _TITLE_LEADING, 2)
    ):
        y += 44
        parts.append(_line(line, y, _DETAIL, _MUTED))
    bottom = top + _BOARD[1] - 8
    title_lines = wrap_text(
        printable_text(title), _TITLE, _TEXT_WIDTH, max(0, min(4, int((bottom - y - 40) // 38)))
    )
    y = bottom - 38 * (len(title_lines) - 1)
    if title_lines:
        parts.append(f'<rect x="{_LEFT}" y="{y - 56:.0f}" width="64" height="6" rx="3" fill="{_MARK}"/>')
    for line in title_lines:
        parts.append(_line(line, y, _TITLE, _MARK, bold=True))
        y += 38
    return "".join([*parts, "</svg>"])


def render_png(picture: str) -> bytes:
    """Return an SVG that this module made as a PNG image."""
    font_path = str(fontpkg.path(_FAMILY))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            font_files=[font_path],
            skip_system_fonts=True,
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
        )
    )


def printable_text(text: str) -> str:
    """Return the text without symbols that the font lacks.

    "" if a letter is missing, rather than half a name.
    """
    normalized = unicodedata.normalize("NFC", text)
    printable = [
        character
        for character in normalized
        if any(first <= ord(character) <= last for first, last in _FONT_RANGES)
    ]
    if any(character.isalnum() and character not in printable for character in normalized):
        return ""
    return " ".join("".join(printable).split())


def text_width(text: str, size: float) -> float:
    """Return an upper limit for the width of a text in bold, in pixels."""
    return size * sum(_char_width(character) for character in text)


def wrap_text(text: str, size: float, max_width: float, max_lines: int) -> list[str]:
    """Break a text into lines that are no wider than ``max_width`` pixels.

    If there are more than ``max_lines``, the last one ends with an ellipsis.
    """
    lines: list[str] = []
    for piece in (piece for word in text.split() for piece in _split_word(word, size, max_width)):
        if lines and text_width(f"{lines[-1]} {piece}", size) <= max_width:
            lines[-1] = f"{lines[-1]} {piece}"
        else:
            lines.append(piece)
    if len(lines) <= max_lines or not max_lines:
        return lines[:max_lines]
    last = lines[max_lines - 1]
    while text_width(f"{last}…", size) > max_width or last.endswith(" "):
        last = last[:-1]
    return [*lines[: max_lines - 1], f"{last}…"]


def _split_word(word: str, size: float, max_width: float) -> list[str]:
    """Return the parts of a word, cut where it is wider than ``max_width``."""
    pieces = [""]
    for character in word:
        if pieces[-1] and text_width(pieces[-1] + character, size) > max_width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def _fit_question(question: str) -> tuple[int, list[str]]:
    """Return font size and lines of the question: the largest size that fits."""
    for size in _SIZES:
        lines = wrap_text(question, size, _TEXT_WIDTH, 99)
        if len(lines) * size * _LEADING <= _QUESTION_HEIGHT:
            return size, lines
    return _SIZES[-1], wrap_text(
        question, _SIZES[-1], _TEXT_WIDTH, int(_QUESTION_HEIGHT // (_SIZES[-1] * _LEADING))
    )


def _char_width(character: str) -> float:
    if character in _NARROW:
        return 0.4
    if character in _WIDE:
        return 0.99
    return 0.75 if character.isupper() else 0.65


def _line(text: str, y: float, size: int, colour: str, *, bold: bool = False) -> str:
    return (
        f'<text x="{_LEFT}" y="{y:.0f}" font-size="{size}" font-weight="{700 if bold else 400}" '
        f'font-family="sans-serif" fill="{colour}">{escape(text)}</text>'
    )
