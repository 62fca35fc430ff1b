"""Splitting of a text into the rows and cells of a table.

Cells are separated by tabs, semicolons, commas or bars, or are in columns of equal width. A text may also
be no table.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tournaments.engine.lists import marks
from tournaments.engine.lists.columns import (
    MAX_COLUMNS,
    TableRow,
    find_header,
    header_by_contrast,
    header_role,
)
from tournaments.engine.lists.values import ListStyle

_RULER: Final = re.compile(r"^[\s|+:=_*~·.\-–—]*$")
_GAP: Final = re.compile(r"\s{2,}")


def is_separator_line(raw: str) -> bool:
    """Return whether a line of a text is only a drawn line or blank."""
    return bool(_RULER.match(raw))


def parse_table(text: str, style: ListStyle) -> list[TableRow] | None:
    """Return the rows of the table in ``text``; None if the text is not a table."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return None
    if _share_of_lines(lines, "\t") >= 0.5:
        return _parse_separated(text, "\t")
    if _share_of_lines(lines, "|", times=2) >= 0.6:
        return _parse_barred(text)
    recipient_lines = sum(len(marks.email_addresses(line)) > 1 for line in lines)
    if not recipient_lines and _share_of_lines([line.rstrip("; ") for line in lines], ";") >= 0.6:
        return _parse_separated(text, ";")
    fixed_rows = _parse_fixed_width(text)
    if fixed_rows is not None:
        return fixed_rows
    if _share_of_lines(lines, ",") >= 0.5:
        rows = _parse_separated(text, ",")
        header = find_header(rows)
        if (
            header is not None
            and len(rows[header.row].filled) > 1
            and not _is_single_header(rows[header.row].raw)
        ):
            return rows
        if _is_quoted(lines) and not recipient_lines:
            return rows
        widths = {len(row.cells) for row in rows if row.filled}
        if len(widths) == 1 and header_by_contrast([row for row in rows if row.filled], style) is not None:
            return rows
    return None


def _is_single_header(raw: str) -> bool:
    """Return whether a first line such as ``Name, Vorname`` is one header of one column, not two headers."""
    return len(raw.split(",")) == 2 and not re.search(r"[\"\d]", raw) and raw.count(" ") <= 1 and ", " in raw


def _is_quoted(lines: Sequence[str]) -> bool:
    widths = Counter(line.count('","') for line in lines if line.startswith('"'))
    return bool(widths) and widths.most_common(1)[0][0] >= 1 and sum(widths.values()) * 2 >= len(lines)


def _share_of_lines(lines: Sequence[str], separator: str, times: int = 1) -> float:
    return sum(line.count(separator) >= times for line in lines) / len(lines)


def _parse_separated(text: str, separator: str) -> list[TableRow]:
    lines = text.split("\n")
    rows: list[TableRow] = []
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=separator != "\t")
    line_index = 0
    try:
        for cells in reader:
            if reader.line_num - line_index > 6:  # an unpaired quotation mark has joined lines
                return _split_rows(lines, separator)
            rows.append(
                TableRow(
                    line_index + 1,
                    lines[line_index][:300] if line_index < len(lines) else "",
                    _clean_cells(cells),
                )
            )
            line_index = reader.line_num
    except csv.Error:
        return _split_rows(lines, separator)
    return rows


def _split_rows(lines: Sequence[str], separator: str) -> list[TableRow]:
    return [
        TableRow(
            number, line[:300], _clean_cells([cell.strip().strip('"') for cell in line.split(separator)])
        )
        for number, line in enumerate(lines, start=1)
    ]


def _parse_barred(text: str) -> list[TableRow]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        cells = bare.removeprefix("|").removesuffix("|").split("|") if "|" in bare else [bare]
        rows.append(TableRow(number, line[:300], _clean_cells([] if is_separator_line(line) else cells)))
    return rows


def strip_apostrophe(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking its text for a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in {"=", "+", "-", "@"} else cell


def _clean_cells(cells: Sequence[str]) -> tuple[str, ...]:
    cleaned = [strip_apostrophe(" ".join(cell.split())) for cell in cells[:MAX_COLUMNS]]
    if len(cells) > MAX_COLUMNS:
        cleaned[-1] = " ".join(" ".join(cells[MAX_COLUMNS - 1 :]).split())
    return tuple(cleaned)


def _parse_fixed_width(text: str) -> list[TableRow] | None:
    """Return the rows of a table whose columns are separated by two or more blanks, else None.

    It must have a header, or the same number of columns in all rows.
    """
    lines = text.replace("\t", "    ").split("\n")
    rows = [
        TableRow(number, line[:300], _clean_cells(_GAP.split(line.strip())))
        for number, line in enumerate(lines, start=1)
    ]
    text_rows = [row for row in rows if row.filled]
    header = find_header(text_rows)
    if header is not None and len(header.columns) > 1:
        first = text_rows[header.row].line
        return _split_at_gutters(lines, first, len(header.columns)) or _keep_if_even(
            rows, len(header.columns)
        )
    widths = Counter(len(row.cells) for row in text_rows if not is_separator_line(row.raw))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    if len(widths) > 1 and min(widths) >= 3 and len(text_rows) > 2:  # with blank cells
        return _split_at_gutters(lines, text_rows[0].line, max(widths))
    return rows if width >= 3 and len(text_rows) > 2 and count == sum(widths.values()) else None


def _keep_if_even(rows: list[TableRow], width: int) -> list[TableRow] | None:
    table_rows = [row for row in rows if len(row.cells) > 1 and not is_separator_line(row.raw)]
    return rows if sum(len(row.cells) == width for row in table_rows) * 5 >= len(table_rows) * 4 else None


def _split_at_gutters(lines: Sequence[str], first: int, header_count: int) -> list[TableRow] | None:
    """Return the rows, split at positions where every line has a blank; None if the columns do not fit.

    ``first``: the number of the first line of the table, from 1; ``header_count``: how many columns are
    expected.
    """
    body = [line for line in lines[first - 1 :] if _GAP.search(line.strip()) and not is_separator_line(line)]
    if len(body) < 2:
        return None
    width = max(map(len, body))
    if width > 400:
        return None
    is_blank = [
        all(position >= len(line) or line[position] == " " for line in body) for position in range(width)
    ]
    edges = [position for position in range(1, width) if is_blank[position - 1] and not is_blank[position]]
    if not is_blank[0]:
        edges = [0, *edges]
    columns = (
        edges
        if len(edges) > header_count and _has_all_headers(edges, lines[first - 1])
        else _merge_columns(edges, body, header_count)
    )
    header_count = max(header_count, len(columns))
    if len(columns) != header_count:
        return None
    ends = [*columns[1:], None]
    return [
        TableRow(
            number,
            line[:300],
            ()
            if is_separator_line(line)
            else _clean_cells([line[start:end] for start, end in zip(columns, ends, strict=True)])
            if number >= first and _GAP.search(line.strip())
            else _clean_cells([line]),
        )
        for number, line in enumerate(lines, start=1)
    ]


def _has_all_headers(edges: Sequence[int], head: str) -> bool:
    """Return whether every column that begins at ``edges`` has a header (headers may touch each other)."""
    return all(
        header_role(head[start:end]) is not None or (head[start:end].strip() and start)
        for start, end in zip(edges, [*edges[1:], None], strict=True)
    ) and len(edges) <= 2 * len(head.split())


def _merge_columns(edges: list[int], body: Sequence[str], header_count: int) -> list[int]:
    """Return where the columns begin, merged at the narrowest gaps until their number matches the headers.

    Words inside a column may happen to align.
    """
    columns = list(edges)
    while len(columns) > header_count:
        gaps = [
            (min(_blanks_before(line, position) for line in body), index)
            for index, position in enumerate(columns)
            if index
        ]
        if not gaps:
            break
        columns.pop(min(gaps)[1])
    return columns


def _blanks_before(line: str, position: int) -> int:
    """Return the number of blanks before a position of a line; a large number if the line is shorter."""
    part = line[:position]
    return 99 if len(line) < position else len(part) - len(part.rstrip(" "))
