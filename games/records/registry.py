"""The formats of records, as a dictionary keyed by code, and the detection of a file's format.

A format is detected by content, not by name alone: a name only breaks a tie. An unknown code raises an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.records.analysis import NO_ANALYSIS, Analysis
from games.records.as_json import FORMAT as JSON_MARK
from games.records.as_json import read_json, write_json
from games.records.bgammon import MARK as BGAMMON_MARK
from games.records.bgammon import read_bgammon
from games.records.bgf import looks_like_bgf, read_bgf
from games.records.decoding import check_size, decode_text, looks_binary
from games.records.errors import UnreadableRecord
from games.records.fibs import looks_like_fibs, read_fibs
from games.records.model import Record
from games.records.ogxm import MAGIC as OGXM_MAGIC
from games.records.ogxm import read_ogxm
from games.records.reading import ReadResult
from games.records.sgf import read_sgf
from games.records.sgf_writer import write_sgf
from games.records.text import looks_like_text, read_text
from games.records.text_writer import write_text
from games.records.writing import WrittenRecord
from games.records.xg import MAGIC as XG_MAGIC
from games.records.xg import read_xg
from games.rules.numbering import Numbering

_MAX_HEAD_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of records. `suffix` is that of a written file; `write` is None if it can only be read."""

    code: str
    name: str
    suffix: str
    media_type: str
    read: Callable[[bytes, Numbering], ReadResult]
    write: Callable[[Record, Analysis], WrittenRecord] | None = None


FORMATS: dict[str, RecordFormat] = {
    entry.code: entry
    for entry in (
        RecordFormat("mat", "Match text", ".mat", "text/plain; charset=utf-8", read_text, write_text),
        RecordFormat("sgf", "SGF", ".sgf", "application/x-go-sgf", lambda data, _: read_sgf(data), write_sgf),
        RecordFormat(
            "json",
            "Crawford JSON",
            ".json",
            "application/json",
            lambda data, _: read_json(data),
            lambda record, _: write_json(record),
        ),
        RecordFormat(
            "xg", "eXtreme Gammon", ".xg", "application/octet-stream", lambda data, _: read_xg(data)
        ),
        RecordFormat("bgf", "BGBlitz", ".bgf", "application/octet-stream", lambda data, _: read_bgf(data)),
        RecordFormat("ogxm", "OGXM", ".ogxm", "application/octet-stream", lambda data, _: read_ogxm(data)),
        RecordFormat("bgammon", "bgammon.org replay", ".match", "text/plain; charset=utf-8", read_bgammon),
        RecordFormat("fibs", "FIBS oldmoves", ".txt", "text/plain; charset=utf-8", read_fibs),
    )
}
# Usual names of such files, for display only.
SUFFIXES = tuple(dict.fromkeys(entry.suffix for entry in FORMATS.values()))
WRITABLE = tuple(code for code, entry in FORMATS.items() if entry.write is not None)


class UnknownFormat(KeyError):
    """No format has this code."""


def get_format(code: str) -> RecordFormat:
    try:
        return FORMATS[code]
    except KeyError:
        raise UnknownFormat(code) from None


def detect_format(data: bytes, filename: str = "") -> str:
    r"""Return the code of the format of these bytes; ``filename`` decides if the content does not.

    Raises `UnreadableRecord` if no format fits.

    >>> detect_format(b" 5 point match\n\n Game 1\n Ann : 0  Bob : 0\n")
    'mat'
    """
    check_size(data)
    if data.startswith(XG_MAGIC):
        return "xg"
    if data.startswith(OGXM_MAGIC):
        return "ogxm"
    if looks_like_bgf(data):
        return "bgf"
    if looks_binary(data):
        raise UnreadableRecord("file.binary")
    head = decode_text(data[:_MAX_HEAD_CHARS]).replace("\r", "\n")
    trimmed_head = head.lstrip("\ufeff \t\r\n")
    if trimmed_head.startswith("{") and JSON_MARK in trimmed_head[:2_000]:
        return "json"
    if trimmed_head.startswith("(") and "GM[" in trimmed_head[:2_000].upper():
        return "sgf"
    if trimmed_head.startswith(BGAMMON_MARK):
        return "bgammon"
    if looks_like_text(head):
        return "mat"
    if looks_like_fibs(head):
        return "fibs"
    if trimmed_head.startswith("(;") or filename.lower().endswith(".sgf"):
        return "sgf"
    raise UnreadableRecord("file.unknown_format")


def read_record(data: bytes, filename: str = "", numbering: Numbering = Numbering.OWN) -> ReadResult:
    """Read a record from the bytes of a file. Raises `UnreadableRecord` if they are no record.

    `filename` helps to detect the format; `numbering` is how plays in match text number the points.
    """
    return FORMATS[detect_format(data, filename)].read(data, numbering)


def write_record(record: Record, code: str, analysis: Analysis = NO_ANALYSIS) -> WrittenRecord:
    """Write the record in the format with this code, with the comments and clocks that the format can hold.

    Call ``canonical`` first to get a record that every format can hold. Raises `UnknownFormat` if the format
    cannot be written.
    """
    entry = get_format(code)
    if entry.write is None:
        raise UnknownFormat(code)
    return entry.write(record, analysis)
