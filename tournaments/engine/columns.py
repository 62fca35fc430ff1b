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
    """The type of a custom field: one line of text, one of several choices, or a tick box."""

    TEXT = "text"
    CHOICE = "choice"
    TICK = "tick"


@dataclass(frozen=True, slots=True)
class CustomField:
    """A custom field of an event.

    ``asked``: players fill in the field when they enter by the link; ``printed``: the field is printed on the
    door list; ``pk``: its database id, 0 if it is new.
    """

    name: str
    kind: CustomFieldKind = CustomFieldKind.TEXT
    choices: tuple[str, ...] = ()
    asked: bool = False
    printed: bool = False
    pk: int = 0


def clean_custom_fields(custom_fields: Sequence[CustomField]) -> list[CustomField]:
    """Return the fields with whitespace normalized; raises ``Invalid`` if any of them is not valid.

    All errors are raised together, each at the form field ``name-N`` or ``choices-N``, N counted from 1; only
    that for too many fields is at ``name``. Choices are kept for fields of that kind only.

    >>> clean_custom_fields([CustomField("  Own  board ")])[0].name
    'Own board'
    """
    faults: list[Fault] = []
    cleaned: list[CustomField] = []
    names: set[str] = set()
    if len(custom_fields) > MAX_CUSTOM_FIELDS:
        faults.append(Fault("column.too_many", "name", {"limit": MAX_CUSTOM_FIELDS}))
    for number, custom_field in enumerate(custom_fields, start=1):
        name = " ".join(custom_field.name.split())
        choices = tuple(
            dict.fromkeys(" ".join(choice.split()) for choice in custom_field.choices if choice.strip())
        )
        if not name or len(name) > MAX_NAME_LENGTH:
            faults.append(Fault("column.name_odd", f"name-{number}", {"limit": MAX_NAME_LENGTH}))
        elif name.casefold() in names:
            faults.append(Fault("column.twice", f"name-{number}", {"name": name}))
        if custom_field.kind is CustomFieldKind.CHOICE and not (
            2 <= len(choices) <= MAX_CHOICES and all(len(choice) <= MAX_CHOICE_LENGTH for choice in choices)
        ):
            limits = {"most": MAX_CHOICES, "limit": MAX_CHOICE_LENGTH}
            faults.append(Fault("column.choices_odd", f"choices-{number}", limits))
        names.add(name.casefold())
        valid_choices = choices if custom_field.kind is CustomFieldKind.CHOICE else ()
        cleaned.append(
            CustomField(
                name,
                custom_field.kind,
                valid_choices,
                custom_field.asked,
                custom_field.printed,
                custom_field.pk,
            )
        )
    raise_faults(faults)
    return cleaned


def clean_custom_value(custom_field: CustomField, text: str, field: str) -> str:
    """Return the value of a custom field as it is stored, empty for none.

    Raises ``Invalid`` with an error at the form field ``field`` if ``text`` is not valid.

    >>> clean_custom_value(CustomField("Lunch", CustomFieldKind.TICK), "on", "lunch")
    'yes'
    """
    value = " ".join(text.split())
    if custom_field.kind is CustomFieldKind.TICK:
        return TICKED_VALUE if value and value != "no" else ""
    is_invalid = len(value) > MAX_TEXT_LENGTH or (
        custom_field.kind is CustomFieldKind.CHOICE and value != "" and value not in custom_field.choices
    )
    if is_invalid:
        raise_faults(
            [Fault("column.value_odd", field, {"name": custom_field.name, "limit": MAX_TEXT_LENGTH})]
        )
    return value
