"""Columns of an event's own: what a director wants to know of everybody (a board, a clock, lunch), and what may stand in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from faults import Fault, refuse

MOST_COLUMNS: Final = 12
NAME_LIMIT: Final = 40
MOST_CHOICES: Final = 12
CHOICE_LIMIT: Final = 40
TEXT_LIMIT: Final = 80
TICK: Final = "yes"  # what stands in a column of ticks


class ColumnKind(StrEnum):
    """The type of a custom field: a line of text, one of several choices, or a tick box."""

    TEXT = "text"
    CHOICE = "choice"
    TICK = "tick"


@dataclass(frozen=True, slots=True)
class ColumnSettings:
    """A column. ``pk``: its database id, 0 of a new one. ``asked``: players fill it when they enter by the link; ``printed``: it stands on
    the list for the door.
    """

    name: str
    kind: ColumnKind = ColumnKind.TEXT
    choices: tuple[str, ...] = ()
    asked: bool = False
    printed: bool = False
    pk: int = 0


def clean_columns(columns: Sequence[ColumnSettings]) -> list[ColumnSettings]:
    """The same with single blanks; refuses, all together, what cannot be: each fault at ``name-1`` or ``choices-1``, counted from 1.

    >>> clean_columns([ColumnSettings("  Own  board ")])[0].name
    'Own board'
    """
    faults: list[Fault] = []
    found: list[ColumnSettings] = []
    names: set[str] = set()
    if len(columns) > MOST_COLUMNS:
        faults.append(Fault("column.too_many", "name", {"limit": MOST_COLUMNS}))
    for number, column in enumerate(columns, start=1):
        name = " ".join(column.name.split())
        choices = tuple(dict.fromkeys(" ".join(one.split()) for one in column.choices if one.strip()))
        if not name or len(name) > NAME_LIMIT:
            faults.append(Fault("column.name_odd", f"name-{number}", {"limit": NAME_LIMIT}))
        elif name.casefold() in names:
            faults.append(Fault("column.twice", f"name-{number}", {"name": name}))
        if column.kind is ColumnKind.CHOICE and not (
            2 <= len(choices) <= MOST_CHOICES and all(len(one) <= CHOICE_LIMIT for one in choices)
        ):
            limits = {"most": MOST_CHOICES, "limit": CHOICE_LIMIT}
            faults.append(Fault("column.choices_odd", f"choices-{number}", limits))
        names.add(name.casefold())
        kept = choices if column.kind is ColumnKind.CHOICE else ()
        found.append(ColumnSettings(name, column.kind, kept, column.asked, column.printed, column.pk))
    refuse(faults)
    return found


def clean_value(column: ColumnSettings, text: str, field: str) -> str:
    """What is to stand in a column, empty for nothing; refuses what cannot stand there, at ``field``.

    >>> clean_value(ColumnSettings("Lunch", ColumnKind.TICK), "on", "lunch")
    'yes'
    """
    value = " ".join(text.split())
    if column.kind is ColumnKind.TICK:
        return TICK if value and value != "no" else ""
    odd = len(value) > TEXT_LIMIT or (
        column.kind is ColumnKind.CHOICE and value != "" and value not in column.choices
    )
    if odd:
        refuse([Fault("column.value_odd", field, {"name": column.name, "limit": TEXT_LIMIT})])
    return value
