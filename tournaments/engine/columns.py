"""Custom fields: what a director wants to know of every player (board, clock, lunch), and valid values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from faults import Fault, raise_faults

MAX_CUSTOM_FIELDS: Final = 12
MAX_NAME_LENGTH: Final = 40
MAX_CHOICES: Final = 12
MAX_CHOICE_LENGTH: Final = 40
MAX_TEXT_LENGTH: Final = 80
TICKED_VALUE: Final = "yes"  # stored value of a ticked box


class CustomFieldKind(StrEnum):
    """The type of a custom field: a line of text, one of several choices, or a tick box."""

    TEXT = "text"
    CHOICE = "choice"
    TICK = "tick"


@dataclass(frozen=True, slots=True)
class CustomField:
    """A custom field.

    ``pk``: its database id, 0 if it is new. ``asked``: players fill it in when they enter by the link;
    ``printed``: it is printed on the door list.
    """

    name: str
    kind: CustomFieldKind = CustomFieldKind.TEXT
    choices: tuple[str, ...] = ()
    asked: bool = False
    printed: bool = False
    pk: int = 0


def clean_custom_fields(columns: Sequence[CustomField]) -> list[CustomField]:
    """Return the fields with whitespace normalized, or raise ``Invalid``.

    All faults are raised together, each at ``name-N`` or ``choices-N``, counted from 1.

    >>> clean_custom_fields([CustomField("  Own  board ")])[0].name
    'Own board'
    """
    faults: list[Fault] = []
    found: list[CustomField] = []
    names: set[str] = set()
    if len(columns) > MAX_CUSTOM_FIELDS:
        faults.append(Fault("column.too_many", "name", {"limit": MAX_CUSTOM_FIELDS}))
    for number, column in enumerate(columns, start=1):
        name = " ".join(column.name.split())
        choices = tuple(dict.fromkeys(" ".join(one.split()) for one in column.choices if one.strip()))
        if not name or len(name) > MAX_NAME_LENGTH:
            faults.append(Fault("column.name_odd", f"name-{number}", {"limit": MAX_NAME_LENGTH}))
        elif name.casefold() in names:
            faults.append(Fault("column.twice", f"name-{number}", {"name": name}))
        if column.kind is CustomFieldKind.CHOICE and not (
            2 <= len(choices) <= MAX_CHOICES and all(len(one) <= MAX_CHOICE_LENGTH for one in choices)
        ):
            limits = {"most": MAX_CHOICES, "limit": MAX_CHOICE_LENGTH}
            faults.append(Fault("column.choices_odd", f"choices-{number}", limits))
        names.add(name.casefold())
        kept = choices if column.kind is CustomFieldKind.CHOICE else ()
        found.append(CustomField(name, column.kind, kept, column.asked, column.printed, column.pk))
    raise_faults(faults)
    return found


def clean_custom_value(column: CustomField, text: str, field: str) -> str:
    """Return the value to store, empty for none; raises ``Invalid`` at ``field`` if it is not valid.

    >>> clean_custom_value(CustomField("Lunch", CustomFieldKind.TICK), "on", "lunch")
    'yes'
    """
    value = " ".join(text.split())
    if column.kind is CustomFieldKind.TICK:
        return TICKED_VALUE if value and value != "no" else ""
    odd = len(value) > MAX_TEXT_LENGTH or (
        column.kind is CustomFieldKind.CHOICE and value != "" and value not in column.choices
    )
    if odd:
        raise_faults([Fault("column.value_odd", field, {"name": column.name, "limit": MAX_TEXT_LENGTH})])
    return value
