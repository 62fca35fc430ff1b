"""What the columns of an imported table hold, recognised by headers in many languages or by content."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.values import ListColumn, ListStyle
from tournaments.engine.lists.words import HEADERS, PAID_WORDS, ColumnRole, is_division

MAX_COLUMNS: Final = 40
_MAX_HEADER_ROWS: Final = 8
_SAMPLE_ROWS: Final = 200  # rows that are examined for the content of a column
_NAME_ROLES: Final = frozenset({ColumnRole.NAME, ColumnRole.FIRST, ColumnRole.LAST})
_HEADER_WORDS: Final = dict(HEADERS)
_ENGLISH_FIRST: Final = frozenset({"first", "given", "last", "family"})
# Headers that are too short or too common to be searched inside longer ones.
_STANDALONE_HEADERS: Final = frozenset(
    "r n e ad id no nom event other info place rank stat cell cash group pay flag index line row field puh date text".split()
)


_YEAR: Final = re.compile(r"(?:19[2-9]|20[0-2])\d$")
# A date with a time, as programs stamp submissions.
_STAMP: Final = re.compile(
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})[ T,]+(?:kl\.?|at|um|à|às|a las|alle|om)?\s*\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:Z|[+-]\d\d:?\d\d|GMT.*|UTC.*)?$"
)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table; ``line``: the line of the text that the row begins on, from 1."""

    line: int
    raw: str
    cells: tuple[str, ...]

    @property
    def filled(self) -> list[int]:
        return [index for index, cell in enumerate(self.cells) if cell.strip()]


@dataclass(frozen=True, slots=True)
class TableHeader:
    """The header of a table.

    ``row``: the index of its row; ``columns``: the columns with their roles; ``surname_first``: the header
    says that names are written with the surname first.
    """

    row: int
    columns: tuple[ListColumn, ...]
    surname_first: bool = False


@lru_cache(maxsize=4096)
def header_role(cell: str) -> ColumnRole | None:
    """Return what a column with this header holds; None if the header is unknown."""
    prefix, bracket, _ = cell.partition("(")
    if bracket and fold_text(prefix) and (role := header_role(prefix)) is not None:  # "Player (Country)"
        return role
    folded = fold_text(cell)
    words = folded.split()
    if not words or len(words) > 8:
        return ColumnRole.SKIP if cell.strip() in {"#", "№", "##"} else None
    if name_role := _name_header_role(words):
        return name_role[0]
    for role, headers in HEADERS:
        if folded in headers:
            return None if role is ColumnRole.RATING and _is_member_number(cell, words) else role
    if any(word in PAID_WORDS for word in words):
        return ColumnRole.PAID
    for role, headers in HEADERS:
        if role is ColumnRole.SKIP:  # "Member no", "DBgF-nr": not a line number
            continue
        if any(_contains_phrase(phrase, words) for phrase in headers - _STANDALONE_HEADERS):
            return None if role is ColumnRole.RATING and _is_member_number(cell, words) else role
    return None


def _is_member_number(cell: str, words: list[str]) -> bool:
    """Return whether a header means member numbers, such as ``USBGF #`` or ``WBGF-ID``, not ratings."""
    return "#" in cell or "№" in cell or bool(_HEADER_WORDS[ColumnRole.SKIP] & set(words))


def _contains_phrase(phrase: str, words: list[str]) -> bool:
    if len(phrase) > 4 and any(word.startswith(phrase) for word in words):  # "Handynummer", "Spielername"
        return True
    if phrase[0] > "\u2e7f" and any(phrase in word for word in words):  # scripts without blanks between words
        return True
    parts = phrase.split()
    return any(words[start : start + len(parts)] == parts for start in range(len(words) - len(parts) + 1))


def _name_header_role(words: list[str]) -> tuple[ColumnRole, bool] | None:
    """Return the role of a header of several words about names, and whether the surname comes first.

    Example: ``Nazwisko i imię``. None for other headers.
    """
    first_index = next(
        (index for index, word in enumerate(words) if word in _HEADER_WORDS[ColumnRole.FIRST]), None
    )
    last_index = next(
        (index for index, word in enumerate(words) if word in _HEADER_WORDS[ColumnRole.LAST]), None
    )
    name_index = next(
        (
            index
            for index, word in enumerate(words)
            if word in _HEADER_WORDS[ColumnRole.NAME] and index not in {first_index, last_index}
        ),
        None,
    )
    if first_index is not None and last_index is not None and first_index != last_index:
        return ColumnRole.NAME, last_index < first_index
    part_index = first_index if first_index is not None else last_index
    if part_index is not None and name_index is not None:
        if words[part_index] in _ENGLISH_FIRST or len(words) > 3:
            return (ColumnRole.FIRST if first_index is not None else ColumnRole.LAST), False
        return ColumnRole.NAME, (name_index < part_index) == (first_index is not None)
    return None


def find_header(rows: Sequence[TableRow]) -> TableHeader | None:
    """Return the header of a table if one of its first rows is a header, else None."""
    for number, row in enumerate(rows[:_MAX_HEADER_ROWS]):
        filled = row.filled
        roles = {index: header_role(row.cells[index]) for index in filled}
        known_roles = [role for role in roles.values() if role is not None]
        if not _NAME_ROLES & set(known_roles) or _has_data(row):
            continue
        if len(known_roles) * 3 < len(filled) and len(set(known_roles)) < 2:
            continue
        if len(known_roles) == 1 and (
            number > 0 or not any(_is_exact_header(row.cells[index]) for index in filled)
        ):
            continue
        columns = [
            ListColumn(index, cell.strip(), roles.get(index) or ColumnRole.OTHER)
            for index, cell in enumerate(row.cells)
        ]
        surname_first = any(
            (name_role := _name_header_role(fold_text(column.head).split())) is not None and name_role[1]
            for column in columns
            if column.role is ColumnRole.NAME
        )
        return TableHeader(number, tuple(_resolve_name_roles(columns)), surname_first)
    return None


def _is_exact_header(cell: str) -> bool:
    return fold_text(cell) in _HEADER_WORDS[ColumnRole.NAME]


def _has_data(row: TableRow) -> bool:
    return any("@" in cell or re.fullmatch(r"\s*[\d.,+() -]*\d{2,}[\d.,+() -]*", cell) for cell in row.cells)


def _resolve_name_roles(columns: list[ListColumn]) -> list[ListColumn]:
    """Return the columns with certain roles for names, at most one column for each role.

    ``Name`` beside ``Vorname`` is the surname, beside ``Apellidos`` the first name.
    """
    roles = [column.role for column in columns]
    if ColumnRole.NAME in roles and ColumnRole.FIRST in roles and ColumnRole.LAST not in roles:
        roles[roles.index(ColumnRole.NAME)] = ColumnRole.LAST
    elif ColumnRole.NAME in roles and ColumnRole.LAST in roles and ColumnRole.FIRST not in roles:
        roles[roles.index(ColumnRole.NAME)] = ColumnRole.FIRST
    role_counts: Counter[ColumnRole] = Counter()
    for index, role in enumerate(roles):
        role_counts[role] += 1
        if role_counts[role] > 1 and role in _NAME_ROLES:
            roles[index] = (
                ColumnRole.PARTNER
                if role is ColumnRole.NAME and ColumnRole.FIRST not in roles
                else ColumnRole.OTHER
            )
        elif role_counts[role] > 1 and role not in {
            ColumnRole.NOTE,
            ColumnRole.OTHER,
            ColumnRole.SKIP,
            ColumnRole.PARTNER,
        }:
            roles[index] = ColumnRole.OTHER
    if ColumnRole.FIRST in roles and ColumnRole.LAST in roles and ColumnRole.NAME in roles:
        roles[roles.index(ColumnRole.NAME)] = ColumnRole.OTHER
    return [
        ListColumn(column.index, column.head, role, column.samples)
        for column, role in zip(columns, roles, strict=True)
    ]


def columns_by_content(rows: Sequence[TableRow], style: ListStyle, size: int = 1) -> tuple[ListColumn, ...]:
    """Return the columns of a table without headers, with roles recognised by their content.

    ``size``: how many players a team has; each may have a column with a name.
    """
    rows = rows[:_SAMPLE_ROWS]
    width = min(max((len(row.cells) for row in rows), default=0), MAX_COLUMNS)
    kinds: list[ColumnRole | None] = []
    for index in range(width):
        cells = [
            row.cells[index].strip() for row in rows if index < len(row.cells) and row.cells[index].strip()
        ]
        kinds.append(_content_role(cells, style) if cells else ColumnRole.SKIP)
    text_columns = [index for index, kind in enumerate(kinds) if kind is None]
    roles = [kind or ColumnRole.OTHER for kind in kinds]
    if text_columns:
        first, second = text_columns[0], text_columns[1] if len(text_columns) > 1 else None
        roles[first] = ColumnRole.NAME
        if size > 1:
            for index in text_columns[1:size]:
                roles[index] = ColumnRole.PARTNER
        elif second == first + 1 and _has_single_words(rows, first) and _has_single_words(rows, second):
            surname_first = _has_capitals(rows, first) and not _has_capitals(rows, second)
            roles[first], roles[second] = (
                (ColumnRole.LAST, ColumnRole.FIRST) if surname_first else (ColumnRole.FIRST, ColumnRole.LAST)
            )
    elif ColumnRole.CLUB in roles:
        roles[roles.index(ColumnRole.CLUB)] = ColumnRole.NAME
    columns = [ListColumn(index, "", role) for index, role in enumerate(roles)]
    return tuple(_resolve_name_roles(columns))


def header_by_contrast(rows: Sequence[TableRow], style: ListStyle) -> TableHeader | None:
    """Return the first row as header if it differs from the rows below it, else None.

    It is a header if many of the columns below hold another kind of content, or if enough of its cells are
    known headers.
    """
    if len(rows) < 3 or _has_data(rows[0]) or len(rows[0].filled) < 3:
        return None
    head, body = rows[0], rows[1 : _SAMPLE_ROWS + 1]
    known_count = sum(header_role(head.cells[index]) is not None for index in head.filled)
    contrast_count = 0
    for index in head.filled:
        cells = [
            row.cells[index].strip() for row in body if index < len(row.cells) and row.cells[index].strip()
        ]
        kind = _content_role(cells, style) if cells else None
        header_kind = _cell_role(head.cells[index], style)
        contrast_count += kind not in {None, ColumnRole.OTHER} and header_kind is ColumnRole.NAME
    if contrast_count < 2 and known_count * 2 < len(head.filled):
        return None
    header_texts = [*(cell.strip() for cell in head.cells), *[""] * MAX_COLUMNS]
    header_roles = {
        index: role
        for index in head.filled
        if (role := header_role(header_texts[index])) not in {None, *_NAME_ROLES}
    }
    columns = []
    for column in columns_by_content(body, style):
        content_role = (
            column.role if column.role in _NAME_ROLES else ColumnRole.OTHER
        )  # other roles need certainty if there are headers
        columns.append(
            ListColumn(
                column.index, header_texts[column.index], header_roles.get(column.index) or content_role
            )
        )
    return TableHeader(0, tuple(_resolve_name_roles(columns)))


def roles_by_content(
    columns: Sequence[ListColumn], rows: Sequence[TableRow], style: ListStyle
) -> list[ListColumn]:
    """Return the columns; those with an unknown header get a role if their content is certain.

    Content is certain for addresses, line numbers, countries and clubs, for example.
    """
    rows = rows[:_SAMPLE_ROWS]
    taken_roles = {column.role for column in columns}
    resolved = []
    for column in columns:
        role = column.role
        if role is ColumnRole.OTHER:
            cells = [
                row.cells[column.index].strip()
                for row in rows
                if column.index < len(row.cells) and row.cells[column.index].strip()
            ]
            role = _certain_role(
                cells,
                style,
                is_first=column.index == 0,
                is_member_number=_is_member_number(column.head, fold_text(column.head).split()),
            )
            role = ColumnRole.OTHER if role in taken_roles - {ColumnRole.SKIP} else role
            taken_roles.add(role)
        resolved.append(replace(column, role=role))
    return resolved


def _certain_role(
    cells: Sequence[str], style: ListStyle, *, is_first: bool, is_member_number: bool
) -> ColumnRole:
    """Return the role that all cells of a column certainly have, else ``OTHER``.

    ``is_first``: the column is the first one; ``is_member_number``: its header says that it holds numbers of
    members.
    """
    if len(cells) < 2:
        return ColumnRole.OTHER
    if (len(cells) > 3 or is_first) and all(
        cell.strip(".)#").isdecimal() and len(cell) < 6 for cell in cells
    ):
        numbers = [int(cell.strip(".)#")) for cell in cells]
        if numbers == list(range(1, len(numbers) + 1)):
            return ColumnRole.SKIP
    if all(_STAMP.match(cell) for cell in cells):
        return ColumnRole.SKIP
    kinds = {_cell_role(cell, style) for cell in cells if fold_text(cell)}
    certain_roles = {
        ColumnRole.EMAIL,
        ColumnRole.COUNTRY,
        ColumnRole.PAID,
        ColumnRole.CLUB,
        ColumnRole.DIVISION,
    }
    if not is_member_number:
        certain_roles |= {ColumnRole.PHONE} if any(re.search(r"[+ /-]|^0", cell) for cell in cells) else set()
        certain_roles |= set() if all(_YEAR.match(cell) for cell in cells) else {ColumnRole.RATING}
    if kinds == {ColumnRole.PAID} and any(
        marks.parse_paid(cell) is None for cell in cells if fold_text(cell)
    ):
        return ColumnRole.OTHER  # yes and no to an unknown question
    return kinds.pop() if len(kinds) == 1 and kinds <= certain_roles else ColumnRole.OTHER


def _content_role(cells: list[str], style: ListStyle) -> ColumnRole | None:
    """Return the role that most cells of a column have; None for text that may be a name."""
    role_counts: Counter[ColumnRole] = Counter()
    for cell in cells:
        role_counts[_cell_role(cell, style)] += 1
    numbers = [int(cell.strip(".)#")) for cell in cells if cell.strip(".)#").isdecimal() and len(cell) < 6]
    if len(numbers) == len(cells) and (
        numbers == list(range(numbers[0], numbers[0] + len(numbers))) or max(numbers) < 600
    ):
        return ColumnRole.SKIP
    role, count = role_counts.most_common(1)[0]
    if role is ColumnRole.NAME or count * 2 < len(cells):
        clubs = role_counts[ColumnRole.CLUB]
        return ColumnRole.CLUB if clubs * 3 >= len(cells) and clubs > 1 else None
    return role


def _cell_role(cell: str, style: ListStyle) -> ColumnRole:
    if marks.email_addresses(cell):
        return ColumnRole.EMAIL
    if marks.parse_rating(cell) is not None or marks.is_unrated(cell):
        return ColumnRole.RATING
    if re.fullmatch(r"[+\d(][\d\s()/.\-]{6,}", cell) and not marks.is_date(cell):
        return ColumnRole.PHONE
    if marks.parse_country(cell, style):
        return ColumnRole.COUNTRY
    if (
        marks.parse_paid(cell) is not None
        or fold_text(cell) in {"x", "yes", "no", "ja", "nein", "nei"}
        or cell in {"✓", "✅", "❌", "✔"}
    ):
        return ColumnRole.PAID
    if is_division(cell):
        return ColumnRole.DIVISION
    if marks.is_club(cell):
        return ColumnRole.CLUB
    if not any(c.isalpha() for c in cell):
        return ColumnRole.OTHER
    return ColumnRole.NAME


def _has_single_words(rows: Sequence[TableRow], index: int) -> bool:
    cells = [row.cells[index].split() for row in rows if index < len(row.cells) and row.cells[index].strip()]
    return sum(len(words) == 1 for words in cells) * 2 > len(cells)


def _has_capitals(rows: Sequence[TableRow], index: int) -> bool:
    cells = [row.cells[index] for row in rows if index < len(row.cells) and row.cells[index].strip()]
    return sum(cell.isupper() for cell in cells) * 2 > len(cells)
