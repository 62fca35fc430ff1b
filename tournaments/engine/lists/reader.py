"""Read a list of people, pasted or from a file: a table with columns, or one person per line.

Text in, people out; nothing raises, and no text of a line is lost: unrecognized text becomes the person's
note, and lines without a person are returned separately.
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
    Row,
    columns_by_content,
    find_header,
    header_by_contrast,
    roles_by_content,
)
from tournaments.engine.lists.federations import number_federation, rating_federation
from tournaments.engine.lists.free import BULLET, NUMBERING, has_list_marker, parse_free_text
from tournaments.engine.lists.layout import is_ruler, parse_table
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
    Roles,
)
from tournaments.engine.lists.words import (
    REPLY_ASK_WORDS,
    REPLY_NO_WORDS,
    REPLY_YES_WORDS,
    SUFFIXES,
    UNAMBIGUOUS_US_STATES,
    Role,
)

MAX_NUMBER_LENGTH: Final = 40
_REPLY_ROLES: Final = (Role.PHOTO, Role.FILMING, Role.STREAMING, Role.RECORD, Role.ANALYSIS, Role.MINOR)
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
    roles: Roles | None = None,
    own: Sequence[CustomField] = (),
) -> ParsedList:
    """Return the people in ``text``, of entries of ``size`` players.

    ``roles``: roles of columns set by the user, by index from 0; ``own``: the event's custom fields,
    recognized by their names.
    """
    text = (
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\x0b", "\n")
        .replace("\x0c", "\n")
        .replace("\u2028", "\n")
    )
    text = "\n".join(line[:MAX_LINE_LENGTH] for line in text.split("\n")[:MAX_LINES])
    manner = _detect_style(text, countries)
    rows = parse_table("\n".join(marks.normalize_text(line) for line in text.split("\n")), manner)
    if rows is not None:
        return _parse_table(rows, manner, size, roles, custom_fields_by_header(own))
    return _parse_lines(text.split("\n"), manner, size)


def _detect_style(text: str, countries: Countries) -> ListStyle:
    lines = [line for line in text.split("\n") if line.strip()]
    turkish = sum(bool(_TURKISH.search(line)) for line in lines) * 5 >= len(lines) * 2 and bool(
        re.search("[ğĞıİ]", text)
    )
    states = any(found in UNAMBIGUOUS_US_STATES for found in _US_STATE.findall(text))
    sure = doubtful = 0
    for line in lines:
        family, comma, rest = NUMBERING.sub("", BULLET.sub("", line)).partition(",")
        given = re.split(r"\s*[,;(\t\[|]|\s{2,}|\s[-–—]\s|\s\d", rest.strip())[0].strip()
        if comma and can_be_given_name(given) and not marks.is_club(given) and not countries.named(given):
            sure += surname_confidence(family.strip(' "')) == 2
            doubtful += surname_confidence(family.strip(' "')) == 1
    return ListStyle(countries, NameStyle(turkish=turkish), states, surname_before_comma=sure > doubtful)


def _parse_lines(lines: Sequence[str], manner: ListStyle, size: int) -> ParsedList:
    people: list[ListedPerson] = []
    nobody: list[tuple[int, str]] = []
    section = SectionHeading()
    spoken_yet = False
    spoken = [line for line in lines if not is_ruler(line)]
    led = sum(map(has_list_marker, spoken)) * 2 > len(spoken)
    for number, raw in enumerate(lines, start=1):
        if len(people) >= MAX_LINES:  # several in each line, more than a list may hold
            nobody.append((number, raw.strip()[:300]))
            continue
        line = marks.normalize_text(raw)
        if is_ruler(line):
            continue
        if (spoken_by := parse_chat_line(line)) is not None:
            senders = drafts_from_chat(*spoken_by, manner)
            people += [_apply_section(draft, section).listed(number, raw) for draft in senders]
            nobody += [] if senders else [(number, raw.strip()[:300])]
            continue
        if (found := parse_section_heading(line)) is not None:
            section = found
            nobody.append((number, raw.strip()[:300]))
            continue
        parts = split_people(line, manner) if size == 1 else [line]
        drafts = [draft for part in parts for draft in _parse_line(part, manner, size)]
        several = size == 1 and len(drafts) > 1
        opening, spoken_yet = not spoken_yet, True
        if not drafts or (
            not several
            and is_not_a_person(line, drafts, led=led and not has_list_marker(line), opening=opening)
        ):
            nobody.append((number, raw.strip()[:300]))
            continue
        places = range(1, len(drafts) + 1) if size > 1 else [1] * len(drafts)
        people += [
            _apply_section(draft, section).listed(number, raw, place)
            for draft, place in zip(drafts, places, strict=True)
        ]
    return ParsedList(tuple(people), (), tuple(nobody))


def _parse_line(text: str, manner: ListStyle, size: int) -> list[PersonDraft]:
    if size == 1:
        draft = parse_free_text(text, manner)
        return [draft] if draft.name else []
    return parse_members(text, manner, size)


def _apply_section(draft: PersonDraft, section: SectionHeading) -> PersonDraft:
    if section.division and Role.DIVISION not in draft.texts:
        draft.say(Role.DIVISION, section.division)
    if section.note:
        draft.note(section.note)
    return draft


def _parse_table(
    rows: Sequence[Row], manner: ListStyle, size: int, roles: Roles | None, own: CustomFieldsByHeader
) -> ParsedList:
    rows = [row for row in rows if row.filled]
    heads = find_header(rows) or header_by_contrast(rows, manner)
    body = [
        row
        for row in (rows if heads is None else rows[heads.row + 1 :])
        if row.filled and not is_ruler(row.raw)
    ]
    columns = (
        roles_by_content(assign_extra_roles(heads.columns, own), body, manner)
        if heads
        else list(columns_by_content(body, manner, size))
    )
    width = max((len(row.cells) for row in body), default=0)
    columns += [ListColumn(index, "", Role.OTHER) for index in range(len(columns), width)]
    columns = [_column_with_samples(column, body, roles) for column in columns]
    if heads is not None and heads.surname_first:
        manner = replace(
            manner, writing=replace(manner.writing, surname_first=True), surname_before_comma=True
        )
    people: list[ListedPerson] = []
    nobody = [(row.line, row.raw.strip()) for row in rows[: heads.row if heads else 0] if row.filled]
    section = SectionHeading()
    for row in body:
        lone = row.cells[row.filled[0]] if len(row.filled) == 1 and len(columns) > 1 else ""
        if lone and (found := parse_section_heading(lone)) is not None:
            section = found
            nobody.append((row.line, row.raw.strip()))
            continue
        drafts = _parse_row(row, columns, manner, size, own)
        if drafts and is_total(drafts):
            drafts = []
        if not drafts or (lone and is_not_a_person(lone, drafts, led=False)):
            nobody.append((row.line, row.raw.strip()))
            continue
        people += [
            _apply_section(draft, section).listed(row.line, row.raw, place)
            for place, draft in enumerate(drafts, start=1)
        ]
    return ParsedList(tuple(people), tuple(columns), tuple(nobody))


def _column_with_samples(column: ListColumn, body: Sequence[Row], roles: Roles | None) -> ListColumn:
    cells = [
        row.cells[column.index] for row in body if column.index < len(row.cells) and row.cells[column.index]
    ]
    role = roles.get(column.index, column.role) if roles else column.role
    return replace(column, role=role, samples=tuple(cells[:MAX_SAMPLES]))


def _parse_row(
    row: Row, columns: Sequence[ListColumn], manner: ListStyle, size: int, own: CustomFieldsByHeader
) -> list[PersonDraft]:
    stated: dict[Role, list[tuple[ListColumn, str]]] = {}
    for column in columns:
        cell = row.cells[column.index].strip() if column.index < len(row.cells) else ""
        if cell:
            stated.setdefault(column.role, []).append((column, cell))
    draft = PersonDraft()
    for role in (
        Role.COUNTRY,
        Role.RATING,
        Role.CLUB,
        Role.DIVISION,
        Role.EMAIL,
        Role.PHONE,
        Role.PAID,
        *_REPLY_ROLES,
    ):
        for column, cell in stated.get(role, []):
            rated = draft.rating
            _take_cell(role, column.head, cell, draft, manner)
            if (
                role is Role.RATING
                and draft.rating is not None
                and rated is None
                and (body := rating_federation(column.head))
            ):
                draft.outside.append((body, draft.rating))
    for column, cell in list(stated.pop(Role.OTHER, [])):
        if (body := number_federation(column.head)) and len(cell) <= MAX_NUMBER_LENGTH:
            draft.numbers.append((body, cell))
        else:
            stated.setdefault(Role.OTHER, []).append((column, cell))
    for role in (Role.CUSTOM, Role.VALID_UNTIL):
        for column, cell in stated.pop(role, []):
            if not _take_extra_cell(column, cell, draft, own):
                stated.setdefault(Role.OTHER, []).append((column, cell))
    notes = [(column, cell) for role in (Role.NOTE, Role.OTHER) for column, cell in stated.get(role, [])]
    name = _name_from_cells(stated)
    if (
        Role.FIRST in stated and Role.LAST in stated
    ):  # with columns for both, Holland or Jordan is part of the name
        manner = replace(manner, countries=Countries({}, {}))
    manner = replace(
        manner, surname_before_comma=True
    )  # in a cell that holds only a name, a comma separates the surname
    partners = [cell for _, cell in stated.get(Role.PARTNER, [])]
    if size > 1 and not partners:
        drafts = parse_members(name, manner, size, draft)
    else:
        drafts = [parse_free_text(name, manner, draft)] if name else []
        drafts += [parse_free_text(partner, manner) for partner in partners[: size - 1]]
        for partner in partners[max(0, size - 1) :]:
            draft.note(partner)
    for column, cell in sorted(notes, key=lambda pair: pair[0].index):
        for one in drafts[:1]:
            one.note(cell if column.role is Role.NOTE or not column.head else f"{column.head}: {cell}")
    return [one for one in drafts if one.name]


def _take_extra_cell(column: ListColumn, cell: str, draft: PersonDraft, own: CustomFieldsByHeader) -> bool:
    """Store a custom field or the validity of a number; return False if the cell was not valid."""
    asked = own.get(fold_text(column.head))
    if column.role is Role.CUSTOM:
        value = parse_custom_value(asked, cell) if asked is not None else None
        if asked is not None and value is not None:
            draft.own[asked.pk] = value
        return value is not None
    day, body = parse_last_day(cell), validity_federation(column.head) or ""
    meant = [name for name, _number in draft.numbers if name.casefold() == body.casefold() or not body]
    if day is None or len(meant) != 1:
        return False
    draft.until[meant[0]] = day
    return True


def _name_from_cells(stated: dict[Role, list[tuple[ListColumn, str]]]) -> str:
    first = [cell for _, cell in stated.get(Role.FIRST, [])]
    last = [cell for _, cell in stated.get(Role.LAST, [])]
    if not last:
        return " ".join([*(cell for _, cell in stated.get(Role.NAME, [])), *first])
    if not first:
        return " ".join(last)
    given = " ".join(first).split()
    end = len(given) - 1 if len(given) > 1 and fold_text(given[-1]) in SUFFIXES else len(given)  # "Serge Jr"
    return " ".join((*given[:end], *(part.replace(",", " ") for part in last), *given[end:]))


def _take_cell(role: Role, head: str, cell: str, draft: PersonDraft, manner: ListStyle) -> None:
    labelled = f"{head}: {cell}" if head else cell
    if role is Role.COUNTRY:
        plain = marks.strip_signs(cell, draft).strip()
        code = manner.countries.stated(plain)
        if code:
            draft.set_country(code, plain)
        elif any(c.isalnum() for c in plain):
            draft.note(labelled)
    elif role is Role.RATING:
        _take_rating(cell, labelled, draft)
    elif role is Role.PAID:
        paid, rest = marks.parse_paid_cell(cell)
        draft.paid = paid if paid is not None else draft.paid
        draft.note(f"{head}: {rest}" if rest and head and paid is None else rest)
    elif role in _REPLY_ROLES:
        _take_reply(role, cell, labelled, draft)
    elif role is Role.EMAIL:
        rest = marks.strip_email(cell, draft)
        draft.note(rest)
    elif role is Role.PHONE:
        if sum(c.isdigit() for c in cell) >= 5:
            draft.say(role, cell)
        else:
            draft.note(labelled if any(c.isalnum() for c in cell) else "")
    elif any(c.isalnum() for c in cell):
        draft.say(role, cell)


def _take_reply(role: Role, cell: str, labelled: str, draft: PersonDraft) -> None:
    """Store yes, no or ask; any other text becomes a note and gives no consent."""
    text = fold_text(cell) or cell.strip()
    if role is Role.MINOR:
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
    more = re.match(r"(\d{3,4}(?:[.,]\d{1,3})?)\s+(.+)$", cell.strip())
    if value is None and more and (value := marks.parse_rating(more.group(1))) is not None:
        number, rest = more.group(1), more.group(2)  # "1733 BC Bern": two columns that were not separated
        if marks.is_club(rest):
            draft.say(Role.CLUB, rest)
            rest = ""
    if value is not None:
        draft.rated(value, cell)
        draft.note(rest.rstrip(")"))
    elif not marks.is_unrated(cell) and cell.strip(" 0.,"):  # 0: no rating yet
        draft.note(labelled if any(c.isalnum() for c in cell) and fold_text(cell) else "")
