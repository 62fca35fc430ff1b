"""Read a list of people: a table with columns, or lines one below the other, as they are pasted or come from a file.

Text in, people out; nothing raises, and nothing of a line that was read is lost: what has no home is the person's note,
and lines that are nobody are named beside the people.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from names.countries import Countries
from names.folding import folded
from tournaments.engine.columns import ColumnSettings
from tournaments.engine.lists import marks
from tournaments.engine.lists.asked import (
    Own,
    last_day,
    own_by_head,
    own_value,
    until_of,
    with_asked,
)
from tournaments.engine.lists.chats import from_chat, message_in
from tournaments.engine.lists.columns import (
    Row,
    columns_by_content,
    heads_by_contrast,
    heads_of,
    roles_by_content,
)
from tournaments.engine.lists.federations import numbered_by, rated_by
from tournaments.engine.lists.free import BULLET, NUMBERING, is_led, read_free
from tournaments.engine.lists.layout import is_rule, table_in
from tournaments.engine.lists.lines import (
    Section,
    is_nobody,
    is_total,
    members_in,
    people_in,
    section_in,
)
from tournaments.engine.lists.personal import Writing, looks_family, looks_given
from tournaments.engine.lists.values import Column, Draft, Listed, Manner, ReadList, Roles
from tournaments.engine.lists.words import SAYS_ASK, SAYS_NO, SAYS_YES, SUFFIXES, SURE_STATES, Role

LONGEST_NUMBER: Final = 40
_REPLIED: Final = (Role.PHOTO, Role.FILMING, Role.STREAMING, Role.RECORD, Role.ANALYSIS, Role.MINOR)
MOST_LINES: Final = 2000
LONGEST_TEXT: Final = 400_000
LONGEST_LINE: Final = 20_000
MOST_SAMPLES: Final = 3
_TURKISH: Final = re.compile(r"[ğĞıİşŞ]")
_STATE: Final = re.compile(r"(?:^|[\s(,])([A-Z]{2})(?=$|[\s),;])")


def read_list(
    text: str,
    countries: Countries,
    *,
    size: int = 1,
    roles: Roles | None = None,
    own: Sequence[ColumnSettings] = (),
) -> ReadList:
    """The people in ``text``, of entries of ``size`` players; ``roles`` says what columns hold, by index from 0; ``own``: the columns that the
    event has of its own, which are known by their names.
    """
    text = (
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\x0b", "\n")
        .replace("\x0c", "\n")
        .replace("\u2028", "\n")
    )
    text = "\n".join(line[:LONGEST_LINE] for line in text.split("\n")[:MOST_LINES])
    manner = _manner(text, countries)
    rows = table_in("\n".join(marks.tidy(line) for line in text.split("\n")), manner)
    if rows is not None:
        return _read_table(rows, manner, size, roles, own_by_head(own))
    return _read_lines(text.split("\n"), manner, size)


def _manner(text: str, countries: Countries) -> Manner:
    lines = [line for line in text.split("\n") if line.strip()]
    turkish = sum(bool(_TURKISH.search(line)) for line in lines) * 5 >= len(lines) * 2 and bool(
        re.search("[ğĞıİ]", text)
    )
    states = any(found in SURE_STATES for found in _STATE.findall(text))
    sure = doubtful = 0
    for line in lines:
        family, comma, rest = NUMBERING.sub("", BULLET.sub("", line)).partition(",")
        given = re.split(r"\s*[,;(\t\[|]|\s{2,}|\s[-–—]\s|\s\d", rest.strip())[0].strip()
        if comma and looks_given(given) and not marks.is_club(given) and not countries.named(given):
            sure += looks_family(family.strip(' "')) == 2
            doubtful += looks_family(family.strip(' "')) == 1
    return Manner(countries, Writing(turkish=turkish), states, comma_family=sure > doubtful)


def _read_lines(lines: Sequence[str], manner: Manner, size: int) -> ReadList:
    people: list[Listed] = []
    nobody: list[tuple[int, str]] = []
    section = Section()
    spoken_yet = False
    spoken = [line for line in lines if not is_rule(line)]
    led = sum(map(is_led, spoken)) * 2 > len(spoken)
    for number, raw in enumerate(lines, start=1):
        if len(people) >= MOST_LINES:  # several in every line: more than a list may hold
            nobody.append((number, raw.strip()[:300]))
            continue
        line = marks.tidy(raw)
        if is_rule(line):
            continue
        if (spoken_by := message_in(line)) is not None:
            senders = from_chat(*spoken_by, manner)
            people += [_in_section(draft, section).listed(number, raw) for draft in senders]
            nobody += [] if senders else [(number, raw.strip()[:300])]
            continue
        if (found := section_in(line)) is not None:
            section = found
            nobody.append((number, raw.strip()[:300]))
            continue
        parts = people_in(line, manner) if size == 1 else [line]
        drafts = [draft for part in parts for draft in _drafts(part, manner, size)]
        several = size == 1 and len(drafts) > 1
        opening, spoken_yet = not spoken_yet, True
        if not drafts or (
            not several and is_nobody(line, drafts, led=led and not is_led(line), opening=opening)
        ):
            nobody.append((number, raw.strip()[:300]))
            continue
        places = range(1, len(drafts) + 1) if size > 1 else [1] * len(drafts)
        people += [
            _in_section(draft, section).listed(number, raw, place)
            for draft, place in zip(drafts, places, strict=True)
        ]
    return ReadList(tuple(people), (), tuple(nobody))


def _drafts(text: str, manner: Manner, size: int) -> list[Draft]:
    if size == 1:
        draft = read_free(text, manner)
        return [draft] if draft.name else []
    return members_in(text, manner, size)


def _in_section(draft: Draft, section: Section) -> Draft:
    if section.division and Role.DIVISION not in draft.texts:
        draft.say(Role.DIVISION, section.division)
    if section.note:
        draft.note(section.note)
    return draft


def _read_table(rows: Sequence[Row], manner: Manner, size: int, roles: Roles | None, own: Own) -> ReadList:
    rows = [row for row in rows if row.filled]
    heads = heads_of(rows) or heads_by_contrast(rows, manner)
    body = [
        row
        for row in (rows if heads is None else rows[heads.row + 1 :])
        if row.filled and not is_rule(row.raw)
    ]
    columns = (
        roles_by_content(with_asked(heads.columns, own), body, manner)
        if heads
        else list(columns_by_content(body, manner, size))
    )
    width = max((len(row.cells) for row in body), default=0)
    columns += [Column(index, "", Role.OTHER) for index in range(len(columns), width)]
    columns = [_shown(column, body, roles) for column in columns]
    if heads is not None and heads.surname_first:
        manner = replace(manner, writing=replace(manner.writing, surname_first=True), comma_family=True)
    people: list[Listed] = []
    nobody = [(row.line, row.raw.strip()) for row in rows[: heads.row if heads else 0] if row.filled]
    section = Section()
    for row in body:
        lone = row.cells[row.filled[0]] if len(row.filled) == 1 and len(columns) > 1 else ""
        if lone and (found := section_in(lone)) is not None:
            section = found
            nobody.append((row.line, row.raw.strip()))
            continue
        drafts = _row_drafts(row, columns, manner, size, own)
        if drafts and is_total(drafts):
            drafts = []
        if not drafts or (lone and is_nobody(lone, drafts, led=False)):
            nobody.append((row.line, row.raw.strip()))
            continue
        people += [
            _in_section(draft, section).listed(row.line, row.raw, place)
            for place, draft in enumerate(drafts, start=1)
        ]
    return ReadList(tuple(people), tuple(columns), tuple(nobody))


def _shown(column: Column, body: Sequence[Row], roles: Roles | None) -> Column:
    cells = [
        row.cells[column.index] for row in body if column.index < len(row.cells) and row.cells[column.index]
    ]
    role = roles.get(column.index, column.role) if roles else column.role
    return replace(column, role=role, samples=tuple(cells[:MOST_SAMPLES]))


def _row_drafts(row: Row, columns: Sequence[Column], manner: Manner, size: int, own: Own) -> list[Draft]:
    stated: dict[Role, list[tuple[Column, str]]] = {}
    for column in columns:
        cell = row.cells[column.index].strip() if column.index < len(row.cells) else ""
        if cell:
            stated.setdefault(column.role, []).append((column, cell))
    draft = Draft()
    for role in (
        Role.COUNTRY,
        Role.RATING,
        Role.CLUB,
        Role.DIVISION,
        Role.EMAIL,
        Role.PHONE,
        Role.PAID,
        *_REPLIED,
    ):
        for column, cell in stated.get(role, []):
            rated = draft.rating
            _take_cell(role, column.head, cell, draft, manner)
            if (
                role is Role.RATING
                and draft.rating is not None
                and rated is None
                and (body := rated_by(column.head))
            ):
                draft.outside.append((body, draft.rating))
    for column, cell in list(stated.pop(Role.OTHER, [])):
        if (body := numbered_by(column.head)) and len(cell) <= LONGEST_NUMBER:
            draft.numbers.append((body, cell))
        else:
            stated.setdefault(Role.OTHER, []).append((column, cell))
    for role in (Role.OWN, Role.UNTIL):
        for column, cell in stated.pop(role, []):
            if not _take_asked(column, cell, draft, own):
                stated.setdefault(Role.OTHER, []).append((column, cell))
    notes = [(column, cell) for role in (Role.NOTE, Role.OTHER) for column, cell in stated.get(role, [])]
    name = _name_in(stated)
    if (
        Role.FIRST in stated and Role.LAST in stated
    ):  # who has columns for both is called so, be it Holland or Jordan
        manner = replace(manner, countries=Countries({}, {}))
    manner = replace(
        manner, comma_family=True
    )  # in a cell that holds a name alone, that is what a comma says
    partners = [cell for _, cell in stated.get(Role.PARTNER, [])]
    if size > 1 and not partners:
        drafts = members_in(name, manner, size, draft)
    else:
        drafts = [read_free(name, manner, draft)] if name else []
        drafts += [read_free(partner, manner) for partner in partners[: size - 1]]
        for partner in partners[max(0, size - 1) :]:
            draft.note(partner)
    for column, cell in sorted(notes, key=lambda pair: pair[0].index):
        for one in drafts[:1]:
            one.note(cell if column.role is Role.NOTE or not column.head else f"{column.head}: {cell}")
    return [one for one in drafts if one.name]


def _take_asked(column: Column, cell: str, draft: Draft, own: Own) -> bool:
    """What stands in a column that the event asks, or until when a number is valid; whether it could be understood."""
    asked = own.get(folded(column.head))
    if column.role is Role.OWN:
        value = own_value(asked, cell) if asked is not None else None
        if asked is not None and value is not None:
            draft.own[asked.pk] = value
        return value is not None
    day, body = last_day(cell), until_of(column.head) or ""
    meant = [name for name, _number in draft.numbers if name.casefold() == body.casefold() or not body]
    if day is None or len(meant) != 1:
        return False
    draft.until[meant[0]] = day
    return True


def _name_in(stated: dict[Role, list[tuple[Column, str]]]) -> str:
    first = [cell for _, cell in stated.get(Role.FIRST, [])]
    last = [cell for _, cell in stated.get(Role.LAST, [])]
    if not last:
        return " ".join([*(cell for _, cell in stated.get(Role.NAME, [])), *first])
    if not first:
        return " ".join(last)
    given = " ".join(first).split()
    end = len(given) - 1 if len(given) > 1 and folded(given[-1]) in SUFFIXES else len(given)  # "Serge Jr"
    return " ".join((*given[:end], *(part.replace(",", " ") for part in last), *given[end:]))


def _take_cell(role: Role, head: str, cell: str, draft: Draft, manner: Manner) -> None:
    labelled = f"{head}: {cell}" if head else cell
    if role is Role.COUNTRY:
        plain = marks.without_signs(cell, draft).strip()
        code = manner.countries.stated(plain)
        if code:
            draft.from_country(code, plain)
        elif any(c.isalnum() for c in plain):
            draft.note(labelled)
    elif role is Role.RATING:
        _take_rating(cell, labelled, draft)
    elif role is Role.PAID:
        paid, rest = marks.paid_cell(cell)
        draft.paid = paid if paid is not None else draft.paid
        draft.note(f"{head}: {rest}" if rest and head and paid is None else rest)
    elif role in _REPLIED:
        _take_reply(role, cell, labelled, draft)
    elif role is Role.EMAIL:
        rest = marks.without_email(cell, draft)
        draft.note(rest)
    elif role is Role.PHONE:
        if sum(c.isdigit() for c in cell) >= 5:
            draft.say(role, cell)
        else:
            draft.note(labelled if any(c.isalnum() for c in cell) else "")
    elif any(c.isalnum() for c in cell):
        draft.say(role, cell)


def _take_reply(role: Role, cell: str, labelled: str, draft: Draft) -> None:
    """Yes, no or ask; whatever else stands there is a note, and agrees to nothing."""
    text = folded(cell) or cell.strip()
    if role is Role.MINOR:
        if text in SAYS_YES:
            draft.minor = True
        elif text not in SAYS_NO:
            draft.note(labelled)
        return
    reply = "yes" if text in SAYS_YES else "no" if text in SAYS_NO else "ask" if text in SAYS_ASK else ""
    if reply:
        draft.replies[role.value] = reply
    else:
        draft.note(labelled)


def _take_rating(cell: str, labelled: str, draft: Draft) -> None:
    number, _, rest = cell.partition(" (")
    value = marks.rating_in(number if rest else cell)
    if value is None and re.fullmatch(r"\d{1,4}(?:[.,]\d{1,3})?", cell.strip()) and cell.strip(" 0.,"):
        value = float(cell.strip().replace(",", "."))
    more = re.match(r"(\d{3,4}(?:[.,]\d{1,3})?)\s+(.+)$", cell.strip())
    if value is None and more and (value := marks.rating_in(more.group(1))) is not None:
        number, rest = more.group(1), more.group(2)  # "1733 BC Bern": two columns that were not told apart
        if marks.is_club(rest):
            draft.say(Role.CLUB, rest)
            rest = ""
    if value is not None:
        draft.rated(value, cell)
        draft.note(rest.rstrip(")"))
    elif not marks.is_unrated(cell) and cell.strip(" 0.,"):  # 0: none yet
        draft.note(labelled if any(c.isalnum() for c in cell) and folded(cell) else "")
