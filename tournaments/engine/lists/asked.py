"""Columns of a list that hold what an event asks in columns of its own, and until when numbers at federations are valid."""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from names.folding import folded
from tournaments.engine.columns import TEXT_LIMIT, TICK, ColumnKind, ColumnSettings
from tournaments.engine.lists.values import Column
from tournaments.engine.lists.words import SAYS_NO, SAYS_YES, Role

Own = Mapping[str, ColumnSettings]
_NAMES: Final = frozenset({Role.NAME, Role.FIRST, Role.LAST, Role.PARTNER})
_LAST_MONTH: Final = 12
_UNTIL: Final = re.compile(
    r"\s*(?:([A-Za-z]{3,10})[\s\-_./:]*)?"
    r"(?:(?:member(?:ship)?|mitglied(?:schaft)?|licen[cs]e|lizenz|number|nummer)[\s\-_./:]*)?"
    r"(?:valid (?:until|to|till|thru|through)|expir(?:es|ation|y)(?: date| on)?|g[üu](?:e)?ltig bis|ablauf(?:datum)?|valable jusqu.{0,4}au|"
    r"fino al|v[áa]lid[oa] hasta|geldig tot|gyldig til|voimassa)\.?\s*",
    re.IGNORECASE,
)
_WORDS: Final = frozenset(
    {"member", "membership", "mitglied", "licence", "license", "lizenz", "number", "nummer"}
)


def own_by_head(columns: Sequence[ColumnSettings]) -> Own:
    """The event's own columns by what stands above them."""
    return {folded(one.name): one for one in columns if folded(one.name)}


def until_of(head: str) -> str | None:
    """The federation whose numbers are valid until what stands below this head, "" where it names none; None: it is no such head.

    >>> until_of("USBGF valid until"), until_of("Gültig bis"), until_of("Until when?")
    ('USBGF', '', None)
    """
    found = _UNTIL.fullmatch(head)
    if found is None:
        return None
    body = found.group(1) or ""
    return "" if body.casefold() in _WORDS else body


def with_asked(columns: Sequence[Column], own: Own) -> list[Column]:
    """The columns with those among them that an event asks, or that say how long a number is valid."""
    return [replace(column, role=_role(column, own)) for column in columns]


def _role(column: Column, own: Own) -> Role:
    if column.role in _NAMES:
        return column.role
    if folded(column.head) in own:
        return Role.OWN
    return Role.UNTIL if until_of(column.head) is not None else column.role


def own_value(column: ColumnSettings, cell: str) -> str | None:
    """What is to stand in a column; None where the cell says nothing that could.

    >>> own_value(ColumnSettings("Board", ColumnKind.TICK), "Ja")
    'yes'
    """
    text = " ".join(cell.split())
    meant = folded(text) or text
    if column.kind is ColumnKind.TICK:
        return TICK if meant in SAYS_YES else "" if meant in SAYS_NO else None
    if column.kind is ColumnKind.CHOICE:
        return next((one for one in column.choices if folded(one) == meant), None)
    return text if len(text) <= TEXT_LIMIT else None


def last_day(cell: str) -> date | None:
    """The day that a cell names, the last one of a month or a year; None where it could be two days, or none.

    >>> last_day("31.12.2026"), last_day("2026"), last_day("3/4/2026")
    (datetime.date(2026, 12, 31), datetime.date(2026, 12, 31), None)
    """
    numbers = re.findall(r"\d+", cell)
    if not re.fullmatch(r"\s*\d{1,4}(?:\s*[./-]\s*\d{1,4}){0,2}(?:[ T]00:00(?::00)?)?\s*", cell):
        return None
    try:
        match [len(one) for one in numbers[:3]]:
            case [4]:
                return date(int(numbers[0]), 12, 31)
            case [_, 4]:
                return _end_of_month(int(numbers[1]), int(numbers[0]))
            case [4, _]:
                return _end_of_month(int(numbers[0]), int(numbers[1]))
            case [4, _, _]:
                return date(int(numbers[0]), int(numbers[1]), int(numbers[2]))
            case [_, _, 4]:
                return _day_of(int(numbers[0]), int(numbers[1]), int(numbers[2]), dotted="." in cell)
    except ValueError:
        return None
    return None


def _end_of_month(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _day_of(first: int, second: int, year: int, *, dotted: bool) -> date | None:
    """Day and month, or the other way round; with dots the day comes first everywhere."""
    if dotted or first > _LAST_MONTH or first == second:
        return date(year, second, first)
    return date(year, first, second) if second > _LAST_MONTH else None
