"""Reading of a list of people, pasted or from a file: a table with columns, or one person per line.

`parse_list` never raises, and no text of a line is lost: unrecognized text becomes the person's note, and
lines without a person are returned separately.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from names.countries import Countries
from names.folding import fold_text
from tournaments.engine.columns import CustomField
from tournaments.engine.lists import marks
from tournaments.engine.lists.asked import (
    CustomFieldsByHeader,
    assign_extra_roles,
    custom_fields_by_header,
    parse_custom_value,
    parse_last_day,
    validity_federation,
)
from tournaments.engine.lists.chats import drafts_from_chat, parse_chat_line
from tournaments.engine.lists.columns import (
    TableRow,
    columns_by_content,
    find_header,
    header_by_contrast,
    roles_by_content,
)
from tournaments.engine.lists.federations import number_federation, rating_federation
from tournaments.engine.lists.free import BULLET, NUMBERING, has_list_marker, parse_free_text
from tournaments.engine.lists.layout import is_separator_line, parse_table
from tournaments.engine.lists.lines import (
    SectionHeading,
    is_not_a_person,
    is_total,
    parse_members,
    parse_section_heading,
    split_people,
)
from tournaments.engine.lists.personal import NameStyle, can_be_given_name, surname_confidence
from tournaments.engine.lists.values import (
    ListColumn,
    ListedPerson,
    ListStyle,
    ParsedList,
    PersonDraft,
    RolesByColumn,
)
from tournaments.engine.lists.words import (
    REPLY_ASK_WORDS,
    REPLY_NO_WORDS,
    REPLY_YES_WORDS,
    SUFFIXES,
    UNAMBIGUOUS_US_STATES,
    ColumnRole,
)

MAX_NUMBER_LENGTH: Final = 40
_REPLY_ROLES: Final = (
    ColumnRole.PHOTO,
    ColumnRole.FILMING,
    ColumnRole.STREAMING,
    ColumnRole.RECORD,
    ColumnRole.ANALYSIS,
    ColumnRole.MINOR,
)
MAX_LINES: Final = 2000
MAX_TEXT_LENGTH: Final = 400_000
MAX_LINE_LENGTH: Final = 20_000
MAX_SAMPLES: Final = 3
_TURKISH: Final = re.compile(r"[ğĞıİşŞ]")
_US_STATE: Final = re.compile(r"(?:^|[\s(,])([A-Z]{2})(?=$|[\s),;])")


def parse_list(
    text: str,
    countries: Countries,
    *,
    size: int = 1,
    roles: RolesByColumn | None = None,
    own: Sequence[CustomField] = (),
) -> ParsedList:
    """Return the people in ``text``, the columns if it is a table, and the lines that are not people.

    ``size``: how many players an entry has; ``roles``: what the user says that columns hold, keyed by index
    from 0; ``own``: the event's custom fields, whose columns are recognized by their names.
    """
    text = (
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\x0b", "\n")
        .replace("\x0c", "\n")
        .replace("\u2028", "\n")
    )
    text = "\n".join(line[:MAX_LINE_LENGTH] for line in text.split("\n")[:MAX_LINES])
    style = _detect_style(text, countries)
    rows = parse_table("\n".join(marks.normalize_text(line) for line in text.split("\n")), style)
    if rows is not None:
        return _parse_table(rows, style, size, roles, custom_fields_by_header(own))
    return _parse_lines(text.split("\n"), style, size)


def _detect_style(text: str, countries: Countries) -> ListStyle:
    lines = [line for line in text.split("\n") if line.strip()]
    turkish = sum(bool(_TURKISH.search(line)) for line in lines) * 5 >= len(lines) * 2 and bool(
        re.search("[ğĞıİ]", text)
    )
    has_states = any(code in UNAMBIGUOUS_US_STATES for code in _US_STATE.findall(text))
    certain = doubtful = 0
    for line in lines:
        surname, comma, rest = NUMBERING.sub("", BULLET.sub("", line)).partition(",")
        given_names = re.split(r"\s*[,;(\t\[|]|\s{2,}|\s[-–—]\s|\s\d", rest.strip())[0].strip()
        if (
            comma
            and can_be_given_name(given_names)
            and not marks.is_club(given_names)
            and not countries.code_by_name(given_names)
        ):
            certain += surname_confidence(surname.strip(' "')) == 2
            doubtful += surname_confidence(surname.strip(' "')) == 1
    return ListStyle(
        countries, NameStyle(turkish=turkish), has_states, surname_before_comma=certain > doubtful
    )


def _parse_lines(lines: Sequence[str], style: ListStyle, size: int) -> ParsedList:
    people: list[ListedPerson] = []
    other_lines: list[tuple[int, str]] = []
    section = SectionHeading()
    has_text = False
    text_lines = [line for line in lines if not is_separator_line(line)]
    is_marked_list = sum(map(has_list_marker, text_lines)) * 2 > len(text_lines)
    for number, raw in enumerate(lines, start=1):
        if len(people) >= MAX_LINES:  # several in each line, more than a list may hold
            other_lines.append((number, raw.strip()[:300]))
            continue
        line = marks.normalize_text(raw)
        if is_separator_line(line):
            continue
        if (chat_line := parse_chat_line(line)) is not None:
            senders = drafts_from_chat(*chat_line, style)
            people += [_apply_section(draft, section).listed(number, raw) for draft in senders]
            other_lines += [] if senders else [(number, raw.strip()[:300])]
            continue
        if (heading := parse_section_heading(line)) is not None:
            section = heading
            other_lines.append((number, raw.strip()[:300]))
            continue
        parts = split_people(line, style) if size == 1 else [line]
        drafts = [draft for part in parts for draft in _parse_line(part, style, size)]
        has_several = size == 1 and len(drafts) > 1
        is_first, has_text = not has_text, True
        if not drafts or (
            not has_several
            and is_not_a_person(
                line, drafts, lacks_marker=is_marked_list and not has_list_marker(line), is_first=is_first
            )
        ):
            other_lines.append((number, raw.strip()[:300]))
            continue
        places = range(1, len(drafts) + 1) if size > 1 else [1] * len(drafts)
        people += [
            _apply_section(draft, section).listed(number, raw, place)
            for draft, place in zip(drafts, places, strict=True)
        ]
    return ParsedList(tuple(people), (), tuple(other_lines))


def _parse_line(text: str, style: ListStyle, size: int) -> list[PersonDraft]:
    if size == 1:
        draft = parse_free_text(text, style)
        return [draft] if draft.name else []
    return parse_members(text, style, size)


def _apply_section(draft: PersonDraft, section: SectionHeading) -> PersonDraft:
    if section.division and ColumnRole.DIVISION not in draft.texts:
        draft.store_text(ColumnRole.DIVISION, section.division)
    if section.note:
        draft.note(section.note)
    return draft


def _parse_table(
    rows: Sequence[TableRow],
    style: ListStyle,
    size: int,
    roles: RolesByColumn | None,
    custom_fields: CustomFieldsByHeader,
) -> ParsedList:
    rows = [row for row in rows if row.filled]
    header = find_header(rows) or header_by_contrast(rows, style)
    body = [
        row
        for row in (rows if header is None else rows[header.row + 1 :])
        if row.filled and not is_separator_line(row.raw)
    ]
    columns = (
        roles_by_content(assign_extra_roles(header.columns, custom_fields), body, style)
        if header
        else list(columns_by_content(body, style, size))
    )
    width = max((len(row.cells) for row in body), default=0)
    columns += [ListColumn(index, "", ColumnRole.OTHER) for index in range(len(columns), width)]
    columns = [_column_with_samples(column, body, roles) for column in columns]
    if header is not None and header.surname_first:
        style = replace(
            style, name_style=replace(style.name_style, surname_first=True), surname_before_comma=True
        )
    people: list[ListedPerson] = []
    other_lines = [(row.line, row.raw.strip()) for row in rows[: header.row if header else 0] if row.filled]
    section = SectionHeading()
    for row in body:
        single_cell = row.cells[row.filled[0]] if len(row.filled) == 1 and len(columns) > 1 else ""
        if single_cell and (heading := parse_section_heading(single_cell)) is not None:
            section = heading
            other_lines.append((row.line, row.raw.strip()))
            continue
        drafts = _parse_row(row, columns, style, size, custom_fields)
        if drafts and is_total(drafts):
            drafts = []
        if not drafts or (single_cell and is_not_a_person(single_cell, drafts, lacks_marker=False)):
            other_lines.append((row.line, row.raw.strip()))
            continue
        people += [
            _apply_section(draft, section).listed(row.line, row.raw, place)
            for place, draft in enumerate(drafts, start=1)
        ]
    return ParsedList(tuple(people), tuple(columns), tuple(other_lines))


def _column_with_samples(
    column: ListColumn, body: Sequence[TableRow], roles: RolesByColumn | None
) -> ListColumn:
    cells = [
        row.cells[column.index] for row in body if column.index < len(row.cells) and row.cells[column.index]
    ]
    role = roles.get(column.index, column.role) if roles else column.role
    return replace(column, role=role, samples=tuple(cells[:MAX_SAMPLES]))


def _parse_row(
    row: TableRow,
    columns: Sequence[ListColumn],
    style: ListStyle,
    size: int,
    custom_fields: CustomFieldsByHeader,
) -> list[PersonDraft]:
    cells_by_role: dict[ColumnRole, list[tuple[ListColumn, str]]] = {}
    for column in columns:
        cell = row.cells[column.index].strip() if column.index < len(row.cells) else ""
        if cell:
            cells_by_role.setdefault(column.role, []).append((column, cell))
    draft = PersonDraft()
    for role in (
        ColumnRole.COUNTRY,
        ColumnRole.RATING,
        ColumnRole.CLUB,
        ColumnRole.DIVISION,
        ColumnRole.EMAIL,
        ColumnRole.PHONE,
        ColumnRole.PAID,
        *_REPLY_ROLES,
    ):
        for column, cell in cells_by_role.get(role, []):
            previous_rating = draft.rating
            _take_cell(role, column.head, cell, draft, style)
            if (
                role is ColumnRole.RATING
                and draft.rating is not None
                and previous_rating is None
                and (federation := rating_federation(column.head))
            ):
                draft.outside.append((federation, draft.rating))
    for column, cell in list(cells_by_role.pop(ColumnRole.OTHER, [])):
        if (federation := number_federation(column.head)) and len(cell) <= MAX_NUMBER_LENGTH:
            draft.numbers.append((federation, cell))
        else:
            cells_by_role.setdefault(ColumnRole.OTHER, []).append((column, cell))
    for role in (ColumnRole.CUSTOM, ColumnRole.VALID_UNTIL):
        for column, cell in cells_by_role.pop(role, []):
            if not _take_extra_cell(column, cell, draft, custom_fields):
                cells_by_role.setdefault(ColumnRole.OTHER, []).append((column, cell))
    notes = [
        (column, cell)
        for role in (ColumnRole.NOTE, ColumnRole.OTHER)
        for column, cell in cells_by_role.get(role, [])
    ]
    name = _name_from_cells(cells_by_role)
    if (
        ColumnRole.FIRST in cells_by_role and ColumnRole.LAST in cells_by_role
    ):  # with columns for both, Holland or Jordan is part of the name
        style = replace(style, countries=Countries({}, {}))
    style = replace(
        style, surname_before_comma=True
    )  # in a cell that holds only a name, a comma separates the surname
    partners = [cell for _, cell in cells_by_role.get(ColumnRole.PARTNER, [])]
    if size > 1 and not partners:
        drafts = parse_members(name, style, size, draft)
    else:
        drafts = [parse_free_text(name, style, draft)] if name else []
        drafts += [parse_free_text(partner, style) for partner in partners[: size - 1]]
        for partner in partners[max(0, size - 1) :]:
            draft.note(partner)
    for column, cell in sorted(notes, key=lambda pair: pair[0].index):
        for person in drafts[:1]:
            person.note(
                cell if column.role is ColumnRole.NOTE or not column.head else f"{column.head}: {cell}"
            )
    return [person for person in drafts if person.name]


def _take_extra_cell(
    column: ListColumn, cell: str, draft: PersonDraft, custom_fields: CustomFieldsByHeader
) -> bool:
    """Store the value of a custom field, or the day until which a membership is valid, in the draft.

    Returns False if the cell is not valid.
    """
    custom_field = custom_fields.get(fold_text(column.head))
    if column.role is ColumnRole.CUSTOM:
        value = parse_custom_value(custom_field, cell) if custom_field is not None else None
        if custom_field is not None and value is not None:
            draft.own[custom_field.pk] = value
        return value is not None
    day, federation = parse_last_day(cell), validity_federation(column.head) or ""
    federations = [
        name for name, _number in draft.numbers if name.casefold() == federation.casefold() or not federation
    ]
    if day is None or len(federations) != 1:
        return False
    draft.until[federations[0]] = day
    return True


def _name_from_cells(cells_by_role: dict[ColumnRole, list[tuple[ListColumn, str]]]) -> str:
    first_cells = [cell for _, cell in cells_by_role.get(ColumnRole.FIRST, [])]
    last_cells = [cell for _, cell in cells_by_role.get(ColumnRole.LAST, [])]
    if not last_cells:
        return " ".join([*(cell for _, cell in cells_by_role.get(ColumnRole.NAME, [])), *first_cells])
    if not first_cells:
        return " ".join(last_cells)
    given_names = " ".join(first_cells).split()
    end = (
        len(given_names) - 1
        if len(given_names) > 1 and fold_text(given_names[-1]) in SUFFIXES
        else len(given_names)
    )  # "Serge Jr"
    return " ".join(
        (*given_names[:end], *(part.replace(",", " ") for part in last_cells), *given_names[end:])
    )


def _take_cell(role: ColumnRole, head: str, cell: str, draft: PersonDraft, style: ListStyle) -> None:
    labelled = f"{head}: {cell}" if head else cell
    if role is ColumnRole.COUNTRY:
        plain = marks.strip_signs(cell, draft).strip()
        code = style.countries.code_from_cell(plain)
        if code:
            draft.set_country(code, plain)
        elif any(c.isalnum() for c in plain):
            draft.note(labelled)
    elif role is ColumnRole.RATING:
        _take_rating(cell, labelled, draft)
    elif role is ColumnRole.PAID:
        paid, rest = marks.parse_paid_cell(cell)
        draft.paid = paid if paid is not None else draft.paid
        draft.note(f"{head}: {rest}" if rest and head and paid is None else rest)
    elif role in _REPLY_ROLES:
        _take_reply(role, cell, labelled, draft)
    elif role is ColumnRole.EMAIL:
        rest = marks.strip_email(cell, draft)
        draft.note(rest)
    elif role is ColumnRole.PHONE:
        if sum(c.isdigit() for c in cell) >= 5:
            draft.store_text(role, cell)
        else:
            draft.note(labelled if any(c.isalnum() for c in cell) else "")
    elif any(c.isalnum() for c in cell):
        draft.store_text(role, cell)


def _take_reply(role: ColumnRole, cell: str, labelled: str, draft: PersonDraft) -> None:
    """Store yes, no or ask as the answer to a consent.

    Any other text becomes a note and gives no consent.
    """
    text = fold_text(cell) or cell.strip()
    if role is ColumnRole.MINOR:
        if text in REPLY_YES_WORDS:
            draft.minor = True
        elif text not in REPLY_NO_WORDS:
            draft.note(labelled)
        return
    reply = (
        "yes"
        if text in REPLY_YES_WORDS
        else "no"
        if text in REPLY_NO_WORDS
        else "ask"
        if text in REPLY_ASK_WORDS
        else ""
    )
    if reply:
        draft.replies[role.value] = reply
    else:
        draft.note(labelled)


def _take_rating(cell: str, labelled: str, draft: PersonDraft) -> None:
    number, _, rest = cell.partition(" (")
    value = marks.parse_rating(number if rest else cell)
    if value is None and re.fullmatch(r"\d{1,4}(?:[.,]\d{1,3})?", cell.strip()) and cell.strip(" 0.,"):
        value = float(cell.strip().replace(",", "."))
    joined_cells = re.match(r"(\d{3,4}(?:[.,]\d{1,3})?)\s+(.+)$", cell.strip())
    if value is None and joined_cells and (value := marks.parse_rating(joined_cells.group(1))) is not None:
        number, rest = (
            joined_cells.group(1),
            joined_cells.group(2),
        )  # "1733 BC Bern": two columns that were not separated
        if marks.is_club(rest):
            draft.store_text(ColumnRole.CLUB, rest)
            rest = ""
    if value is not None:
        draft.rated(value, cell)
        draft.note(rest.rstrip(")"))
    elif not marks.is_unrated(cell) and cell.strip(" 0.,"):  # 0: no rating yet
        draft.note(labelled if any(c.isalnum() for c in cell) and fold_text(cell) else "")
