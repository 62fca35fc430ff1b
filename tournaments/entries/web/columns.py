"""Fields for the columns of an event's own that players fill when they enter."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict

from people.ids import row_number
from tournaments.engine.columns import MOST_COLUMNS, TEXT_LIMIT
from tournaments.models import Event
from tournaments.selectors.columns import columns_of

OWN: Final = "own-"


def own_columns_in(sent: QueryDict) -> dict[int, str]:
    """What was sent for each column, by its id."""
    found: dict[int, str] = {}
    for name in list(sent)[: 100 * MOST_COLUMNS]:
        if name.startswith(OWN) and (number := row_number(name.removeprefix(OWN))):
            found[number] = str(sent[name]).replace("\0", "")[: 4 * TEXT_LIMIT]
    return found


def own_column_fields(event: Event, typed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The columns that players fill, as the form shows them, with what was typed."""
    return [
        {
            "field": f"{OWN}{one.pk}",
            "name": one.name,
            "kind": one.kind,
            "choices": one.choices,
            "value": typed.get(f"{OWN}{one.pk}", ""),
        }
        for one in columns_of(event)
        if one.asked
    ]
