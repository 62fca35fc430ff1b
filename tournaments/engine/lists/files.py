"""Reading of lists from files: text in the encodings of spreadsheets, and Excel workbooks (.xlsx).

Workbooks are read by calamine, values only: no macro runs, no formula is computed, no link is followed. The
unpacked size is checked first, so that a small file cannot exhaust the memory.
"""

import io
import re
import zipfile
import zlib
from datetime import date, datetime, time, timedelta
from typing import Final

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from faults import Unreadable
from tournaments.engine.lists.reader import MAX_LINES

MAX_FILE_BYTES: Final = 2_000_000
MAX_UNPACKED_BYTES: Final = 40_000_000
MAX_WORKBOOK_PARTS: Final = 2_000
MAX_CELLS: Final = 400_000
MAX_TEXT_BYTES: Final = 150_000_000
_ZIP_MAGIC, _OLE_MAGIC = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CELL_REFERENCE: Final = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
# Letters beyond ASCII by language and Windows code page. The first of equal matches wins.
_ALPHABETS: Final = {
    "cp1252": (
        "äöüß",
        "æøåäöéü",
        "åäöé",
        "éèêëàâçîïôûùœæ",
        "áéíóúñüçàïò",
        "ãõáéíóúâêôçà",
        "þðæöáéíóúý",
        "èéàòùì",
        "ëïéöüè",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "cp1254": ("çğıiöşüâ",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"),
    "cp1253": ("άέήίόύώϊϋΐΰαβγδεζηθικλμνξοπρστυφχψως",),
    "cp1251": ("абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґјљњћђџ",),
}
_VOWELS: Final = frozenset("αεηιουωάέήίόύώаеиоуыэюяёіїє")
_PLAIN_SIGNS: Final = frozenset("–—‘’‚“”„•…€£°ºª©®«»·\xa0§´¨")


def read_text(data: bytes) -> str:
    """Return the text of a file, or the first sheet with content of a workbook, with tabs between cells.

    Raises ``Unreadable`` if the file is too large, in the old Excel format, damaged or empty.
    """
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable("list.file_large", field="file", limit=MAX_FILE_BYTES // 1_000_000)
    if data.startswith(_ZIP_MAGIC):
        return _read_workbook(data)
    if data.startswith(_OLE_MAGIC):
        raise Unreadable("list.file_old", field="file")
    return decode_text(data)


def decode_text(data: bytes) -> str:
    """Return the text that the bytes contain in UTF-8, UTF-16 or the most likely Windows code page.

    Raises ``Unreadable`` for binary data.
    """
    for bom, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(bom):
            return data.decode(encoding, "replace")
    if data[:200].count(0) * 4 >= len(data[:200]) > 3:
        is_big_endian = data[:200:2].count(0) > data[1:200:2].count(0)
        return data.decode("utf-16-be" if is_big_endian else "utf-16-le", "replace")
    if b"\0" in data:
        raise Unreadable("list.file_unreadable", field="file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_guess_code_page(data), "replace")


def _guess_code_page(data: bytes) -> str:
    """Return the Windows code page in which most letters beyond ASCII belong to one language and script."""
    best_share, code_page = -1.0, "cp1252"
    for encoding, alphabets in _ALPHABETS.items():
        words = re.findall(r"[^\s,;|/\"()<>-]+", data.decode(encoding, "replace").lower())
        is_latin = encoding not in {"cp1251", "cp1253"}
        letters = [
            (c, len(word) < 3 or any("a" <= letter <= "z" for letter in word) is is_latin)
            for word in words
            for c in word
            if c > "\x7f" and c not in _PLAIN_SIGNS
        ]
        for alphabet in alphabets:
            share = sum(c in alphabet and fits for c, fits in letters) / max(1, len(letters))
            if not is_latin:  # letters of another script give an implausible share of vowels
                share -= abs(sum(c in _VOWELS for c, _ in letters) / max(1, len(letters)) - 0.45)
            if share > best_share:
                best_share, code_page = share, encoding
    return code_page


def _read_workbook(data: bytes) -> str:
    _check_workbook(data)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as workbook:
            sheet_names = [
                sheet.name
                for sheet in workbook.sheets_metadata
                if sheet.typ is SheetTypeEnum.WorkSheet and sheet.visible is SheetVisibleEnum.Visible
            ]
            for name in sheet_names:
                rows = workbook.get_sheet_by_name(name).to_python(nrows=MAX_LINES + 1)
                if any(cell != "" for row in rows for cell in row):
                    return "\n".join("\t".join(map(_format_cell, row)) for row in rows)
    except (CalamineError, OSError, ValueError, OverflowError) as error:
        raise Unreadable("list.file_unreadable", field="file") from error
    raise Unreadable("list.file_empty", field="file")


def _check_workbook(data: bytes) -> None:
    """Raise ``Unreadable`` for an invalid workbook, or one that unpacks to more than a list needs."""
    unpacked = longest_text = text_cells = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" not in names or len(names) > MAX_WORKBOOK_PARTS:
                raise Unreadable("list.file_unreadable", field="file")
            for info in archive.infolist():
                is_relevant = info.filename == "xl/sharedStrings.xml" or "worksheets/" in info.filename
                content = bytearray()
                with archive.open(info) as part:
                    while piece := part.read(1 << 16):
                        unpacked += len(piece)
                        if unpacked > MAX_UNPACKED_BYTES:
                            raise Unreadable("list.file_unpacked", field="file")
                        content += piece if is_relevant else b""
                if "worksheets/" in info.filename:
                    _check_sheet(bytes(content))
                    text_cells += content.count(b't="s"')
                elif is_relevant:
                    longest_text = max(map(len, content.split(b"</si>")))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise Unreadable("list.file_unreadable", field="file") from error
    if text_cells * longest_text > MAX_TEXT_BYTES:  # every cell gets its own copy of a shared text
        raise Unreadable("list.file_unpacked", field="file")


def _check_sheet(content: bytes) -> None:
    """Raise ``Unreadable`` if a sheet has too many cells.

    The full rectangle counts: two distant cells would create billions of cells.
    """
    rows = columns = 1
    for letters, number in _CELL_REFERENCE.findall(content):
        column = 0
        for letter in letters:
            column = column * 26 + letter - 64
        columns, rows = max(columns, column), max(rows, int(number))
    if rows * columns > MAX_CELLS:
        raise Unreadable("list.file_unpacked", field="file")


def _format_cell(value: str | float | bool | date | datetime | time | timedelta) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, str):
        return " ".join(value.split())
    return str(value)
