"""Service that sets the custom fields of an event as a whole."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from faults import Invalid, Missing
from people.actors import Actor
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.columns import CustomField, clean_custom_fields
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX
from tournaments.engine.trail.events import CustomFieldsSet
from tournaments.events.services.divisions import FIRST_YEAR, LAST_YEAR
from tournaments.models import EntryDetail, Event, EventColumn
from tournaments.selectors.columns import custom_fields_version, event_custom_fields
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed


@durable
def set_custom_fields(
    *,
    actor: Actor,
    event_id: int,
    columns: Sequence[CustomField],
    seen: str | None = None,
    until: datetime | Literal["as it is"] | None = "as it is",
) -> list[EventColumn]:
    """Set the custom fields of the event, in the order of ``columns``; return them.

    Fields that are not in ``columns`` are deleted with all their values. ``until``: deadline for players'
    changes; None: until the event runs. ``seen``: `custom_fields_version` that the director saw, or None for
    a program that overwrites whatever is stored. A removed choice stays where it was chosen.

    Raises ``Conflict`` if the fields have changed since ``seen``.
    """
    event = lock_for_director(actor, event_id)
    rows_by_id = {field.pk: field for field in event_custom_fields(event)}
    current_version = custom_fields_version(event)
    refuse_if_changed(
        seen or "", current_version, event.status, CustomFieldsSet, is_required=seen is not None
    )
    if isinstance(until, datetime) and not FIRST_YEAR <= until.year <= LAST_YEAR:
        raise Invalid("column.until_odd", field="until")
    new_fields = clean_custom_fields(
        [
            replace(
                field,
                name=clean_line(field.name),
                choices=tuple(clean_line(choice) for choice in field.choices),
            )
            for field in columns
        ]
    )
    if {field.pk for field in new_fields if field.pk} - set(rows_by_id) or len(
        {field.pk for field in new_fields if field.pk}
    ) < sum(bool(field.pk) for field in new_fields):
        raise Missing("column.unknown")
    before = [field.settings for field in rows_by_id.values()]
    removed_ids = [pk for pk in rows_by_id if pk not in {field.pk for field in new_fields}]
    _delete_values(event, removed_ids)
    saved_rows = []
    for position, field in enumerate(new_fields, start=1):
        row = rows_by_id.get(field.pk) or EventColumn(event=event)
        row.name, row.kind, row.choices = field.name, field.kind.value, list(field.choices)
        row.asked, row.printed, row.position = field.asked, field.printed, position
        row.save()
        saved_rows.append(row)
    new_until = event.columns_until if until == "as it is" else until
    if [field.settings for field in saved_rows] != before or new_until != event.columns_until:
        event.columns_until = new_until
        action = CustomFieldsSet(
            before=tuple(field.name for field in before),
            after=tuple(field.name for field in saved_rows),
            until=new_until.astimezone(UTC).isoformat(timespec="minutes") if new_until is not None else "",
        )
        record_action(event, actor=actor, action=action)
    return saved_rows


def copy_custom_fields(source: Event, target: Event) -> None:
    """Copy the custom fields of the event ``source``, without values, to the new event ``target``.

    Joins the caller's transaction.
    """
    EventColumn.objects.bulk_create(
        EventColumn(
            event=target,
            name=field.name,
            kind=field.kind,
            choices=field.choices,
            asked=field.asked,
            printed=field.printed,
            position=field.position,
        )
        for field in event_custom_fields(source)
    )


def _delete_values(event: Event, removed_ids: Sequence[int]) -> None:
    """Delete the custom fields with these ids and their values, including values stored for an undo."""
    if not removed_ids:
        return
    keys = {str(pk) for pk in removed_ids}
    rows = [
        row
        for row in EntryDetail.objects.filter(entry__division__event=event).exclude(extra={})
        if keys & set(row.extra)
    ]
    for row in rows:
        row.extra = {key: value for key, value in row.extra.items() if key not in keys}
    EntryDetail.objects.bulk_update(rows, ["extra"], batch_size=200)
    undo_rows = list(EntryDetail.objects.filter(entry__division__event=event).exclude(undo={}))
    for row in undo_rows:
        row.undo = {
            save: {
                cell: texts
                for cell, texts in cells.items()
                if cell.removeprefix(CUSTOM_FIELD_PREFIX) not in keys
            }
            for save, cells in row.undo.items()
        }
    EntryDetail.objects.bulk_update(undo_rows, ["undo"], batch_size=200)
    EventColumn.objects.filter(pk__in=removed_ids).delete()
