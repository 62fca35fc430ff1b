"""CSV files that spreadsheets open: texts stay texts, numbers stay numbers, whatever the reader's separator is. PURE.

A spreadsheet calculates a cell that begins with ``=``, ``+``, ``-`` or ``@`` (OWASP, CSV Injection). In a country where lists are separated by
semicolons it also splits our cells at those, even inside quotation marks, and at line breaks: so every place where a cell could begin counts.
"""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

# First in the file: without it spreadsheets misread accents.
BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
_FORMULA_START: Final = re.compile(r"(^|[;\t\r\n])(?=[ \"']*[=+\-@])")
_CONTROL_START: Final = re.compile(r"^(?=[\t\r])")
# Up to six digits: a longer one that begins with a sign is rather a phone number.
_NUMBER: Final = re.compile(r"[+-]?\d{1,6}(\.\d+)?\Z", re.ASCII)


def safe_cell(value: object) -> object:
    """``value``, with an apostrophe wherever a spreadsheet would begin to calculate; numbers, also as texts, stay as they are.

    >>> safe_cell("=1+1"), safe_cell("Foo;=1+1"), safe_cell("-24.44"), safe_cell("Jean-Luc; 2nd")
    ("'=1+1", "Foo;'=1+1", '-24.44', 'Jean-Luc; 2nd')
    """
    if not isinstance(value, str) or _NUMBER.match(value):
        return value
    return _CONTROL_START.sub("'", _FORMULA_START.sub(r"\1'", value))


def csv_line(row: Iterable[object]) -> str:
    """One line of a CSV file, with its line break."""
    file = io.StringIO()
    csv.writer(file).writerow(map(safe_cell, row))
    return file.getvalue()


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """A whole CSV file without `MARK_NAME`."""
    return "".join(map(csv_line, rows))
