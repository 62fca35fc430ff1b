"""CSV files for spreadsheets: texts stay texts, numbers stay numbers, with any separator of the reader. PURE.

A spreadsheet evaluates a cell that begins with ``=``, ``+``, ``-`` or ``@`` (OWASP, CSV Injection). In
countries where semicolons separate cells it also splits cells at these, even inside quotation marks, and at
line breaks: so every place where a cell could begin is checked.
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
# Up to six digits: a longer number with a sign is more likely a phone number.
_NUMBER: Final = re.compile(r"[+-]?\d{1,6}(\.\d+)?\Z", re.ASCII)


def safe_cell(value: object) -> object:
    """Return ``value`` with an apostrophe wherever a formula could begin; numbers, also as texts, stay.

    >>> safe_cell("=1+1"), safe_cell("Foo;=1+1"), safe_cell("-24.44"), safe_cell("Jean-Luc; 2nd")
    ("'=1+1", "Foo;'=1+1", '-24.44', 'Jean-Luc; 2nd')
    """
    if not isinstance(value, str) or _NUMBER.match(value):
        return value
    return _CONTROL_START.sub("'", _FORMULA_START.sub(r"\1'", value))


def csv_line(row: Iterable[object]) -> str:
    """Return one line of a CSV file, with its line break."""
    file = io.StringIO()
    csv.writer(file).writerow(map(safe_cell, row))
    return file.getvalue()


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return a whole CSV file without ``BYTE_ORDER_MARK``."""
    return "".join(map(csv_line, rows))
