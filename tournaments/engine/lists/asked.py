"""Columns of an imported list that hold an event's custom fields or the validity of memberships."""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from names.folding import fold_text
from tournaments.engine.columns import MAX_TEXT_LENGTH, TICKED_VALUE, CustomField, CustomFieldKind
from tournaments.engine.lists.values import ListColumn
from tournaments.engine.lists.words import REPLY_NO_WORDS, REPLY_YES_WORDS, ColumnRole

CustomFieldsByHeader = Mapping[str, CustomField]
_NAME_ROLES: Final = frozenset({ColumnRole.NAME, ColumnRole.FIRST, ColumnRole.LAST, ColumnRole.PARTNER})
_DECEMBER: Final = 12
_VALID_UNTIL_HEADER: Final = re.compile(
    r"\s*(?:([A-Za-z]{3,10})[\s\-_./:]*)?"
    r"(?:(?:member(?:ship)?|mitglied(?:schaft)?|licen[cs]e|lizenz|number|nummer)[\s\-_./:]*)?"
    r"(?:valid (?:until|to|till|thru|through)|expir(?:es|ation|y)(?: date| on)?|g[üu](?:e)?ltig bis|ablauf(?:datum)?|valable jusqu.{0,4}au|"
    r"fino al|v[áa]lid[oa] hasta|geldig tot|gyldig til|voimassa)\.?\s*",
    re.IGNORECASE,
)
_MEMBERSHIP_WORDS: Final = frozenset(
    {"member", "membership", "mitglied", "licence", "license", "lizenz", "number", "nummer"}
)


def custom_fields_by_header(custom_fields: Sequence[CustomField]) -> CustomFieldsByHeader:
    """Return the custom fields keyed by name (in small letters, no accents), for comparison with headers."""
    return {
        fold_text(custom_field.name): custom_field
        for custom_field in custom_fields
        if fold_text(custom_field.name)
    }


def validity_federation(head: str) -> str | None:
    """Return the federation named in a column header such as "valid until".

    Empty if such a header names no federation; None for other headers.

    >>> validity_federation("USBGF valid until"), validity_federation("Gültig bis"), validity_federation("Until when?")
    ('USBGF', '', None)
    """
    match = _VALID_UNTIL_HEADER.fullmatch(head)
    if match is None:
        return None
    federation = match.group(1) or ""
    return "" if federation.casefold() in _MEMBERSHIP_WORDS else federation


def assign_extra_roles(
    columns: Sequence[ListColumn], custom_fields: CustomFieldsByHeader
) -> list[ListColumn]:
    """Return the columns, with the roles set for those of custom fields and of validity dates.

    Columns of names keep their role.
    """
    return [replace(column, role=_extra_role(column, custom_fields)) for column in columns]


def _extra_role(column: ListColumn, custom_fields: CustomFieldsByHeader) -> ColumnRole:
    if column.role in _NAME_ROLES:
        return column.role
    if fold_text(column.head) in custom_fields:
        return ColumnRole.CUSTOM
    return ColumnRole.VALID_UNTIL if validity_federation(column.head) is not None else column.role


def parse_custom_value(custom_field: CustomField, cell: str) -> str | None:
    """Return the value to store for a custom field; None if the text of the cell is not valid.

    >>> parse_custom_value(CustomField("Board", CustomFieldKind.TICK), "Ja")
    'yes'
    """
    text = " ".join(cell.split())
    folded = fold_text(text) or text
    if custom_field.kind is CustomFieldKind.TICK:
        return TICKED_VALUE if folded in REPLY_YES_WORDS else "" if folded in REPLY_NO_WORDS else None
    if custom_field.kind is CustomFieldKind.CHOICE:
        return next((choice for choice in custom_field.choices if fold_text(choice) == folded), None)
    return text if len(text) <= MAX_TEXT_LENGTH else None


def parse_last_day(cell: str) -> date | None:
    """Return the last day of the date, month or year in a cell; None if it is ambiguous or no date.

    >>> parse_last_day("31.12.2026"), parse_last_day("2026"), parse_last_day("3/4/2026")
    (datetime.date(2026, 12, 31), datetime.date(2026, 12, 31), None)
    """
    numbers = re.findall(r"\d+", cell)
    if not re.fullmatch(r"\s*\d{1,4}(?:\s*[./-]\s*\d{1,4}){0,2}(?:[ T]00:00(?::00)?)?\s*", cell):
        return None
    try:
        match [len(number) for number in numbers[:3]]:
            case [4]:
                return date(int(numbers[0]), 12, 31)
            case [_, 4]:
                return _end_of_month(int(numbers[1]), int(numbers[0]))
            case [4, _]:
                return _end_of_month(int(numbers[0]), int(numbers[1]))
            case [4, _, _]:
                return date(int(numbers[0]), int(numbers[1]), int(numbers[2]))
            case [_, _, 4]:
                return _build_date(int(numbers[0]), int(numbers[1]), int(numbers[2]), dotted="." in cell)
    except ValueError:
        return None
    return None


def _end_of_month(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _build_date(first: int, second: int, year: int, *, dotted: bool) -> date | None:
    """Return the date with these numbers; None if it is not clear which number is the day.

    ``dotted``: the numbers were separated by dots, so the day comes first.
    """
    if dotted or first > _DECEMBER or first == second:
        return date(year, second, first)
    return date(year, first, second) if second > _DECEMBER else None
