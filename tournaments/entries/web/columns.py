"""Form fields for the custom fields that players fill in when they enter."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict

from people.ids import parse_row_id
from tournaments.engine.columns import MAX_CUSTOM_FIELDS, MAX_TEXT_LENGTH
from tournaments.models import Event
from tournaments.selectors.columns import event_custom_fields

CUSTOM_FIELD_PREFIX: Final = "own-"


def custom_values_from(sent: QueryDict) -> dict[int, str]:
    """Return the posted values of custom fields, keyed by field id, cut to a safe length."""
    values: dict[int, str] = {}
    for name in list(sent)[: 100 * MAX_CUSTOM_FIELDS]:
        if name.startswith(CUSTOM_FIELD_PREFIX) and (
            number := parse_row_id(name.removeprefix(CUSTOM_FIELD_PREFIX))
        ):
            values[number] = str(sent[name]).replace("\0", "")[: 4 * MAX_TEXT_LENGTH]
    return values


def custom_field_inputs(event: Event, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the template context of each custom field that players fill in.

    ``typed``: values to show, keyed by the name of the form field (`CUSTOM_FIELD_PREFIX` with the field id).
    """
    return [
        {
            "field": f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}",
            "name": custom_field.name,
            "kind": custom_field.kind,
            "choices": custom_field.choices,
            "value": typed.get(f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}", ""),
        }
        for custom_field in event_custom_fields(event)
        if custom_field.asked
    ]
