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
from tournaments.engine.matrix import CUSTOM_FIELD
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
    """Set the custom fields of the event, in this order.

    Fields not among them are deleted with all their values. ``until``: deadline for players' changes; None:
    until the event runs. ``seen``: `custom_fields_version` that was displayed, or None for a program that
    overwrites whatever is stored. A removed choice stays where it was chosen.

    Raises ``Conflict`` if the fields have changed since ``seen``.
    """
    event = lock_for_director(actor, event_id)
    there = {one.pk: one for one in event_custom_fields(event)}
    now = custom_fields_version(event)
    refuse_if_changed(seen or "", now, event.status, CustomFieldsSet, must_name=seen is not None)
    if isinstance(until, datetime) and not FIRST_YEAR <= until.year <= LAST_YEAR:
        raise Invalid("column.until_odd", field="until")
    wanted = clean_custom_fields(
        [
            replace(
                one, name=clean_line(one.name), choices=tuple(clean_line(choice) for choice in one.choices)
            )
            for one in columns
        ]
    )
    if {one.pk for one in wanted if one.pk} - set(there) or len({one.pk for one in wanted if one.pk}) < sum(
        bool(one.pk) for one in wanted
    ):
        raise Missing("column.unknown")
    before = [one.settings for one in there.values()]
    gone = [pk for pk in there if pk not in {one.pk for one in wanted}]
    _delete_values(event, gone)
    made = []
    for position, one in enumerate(wanted, start=1):
        row = there.get(one.pk) or EventColumn(event=event)
        row.name, row.kind, row.choices = one.name, one.kind.value, list(one.choices)
        row.asked, row.printed, row.position = one.asked, one.printed, position
        row.save()
        made.append(row)
    later = event.columns_until if until == "as it is" else until
    if [one.settings for one in made] != before or later != event.columns_until:
        event.columns_until = later
        action = CustomFieldsSet(
            before=tuple(one.name for one in before),
            after=tuple(one.name for one in made),
            until=later.astimezone(UTC).isoformat(timespec="minutes") if later is not None else "",
        )
        record_action(event, actor=actor, action=action)
    return made


def copy_custom_fields(source: Event, made: Event) -> None:
    """Copy the custom fields of ``source``, without values, to an event made from it.

    Joins the caller's transaction.
    """
    EventColumn.objects.bulk_create(
        EventColumn(
            event=made,
            name=one.name,
            kind=one.kind,
            choices=one.choices,
            asked=one.asked,
            printed=one.printed,
            position=one.position,
        )
        for one in event_custom_fields(source)
    )


def _delete_values(event: Event, gone: Sequence[int]) -> None:
    """Delete the values of these custom fields, including those stored for an undo."""
    if not gone:
        return
    keys = {str(pk) for pk in gone}
    rows = [
        row
        for row in EntryDetail.objects.filter(entry__division__event=event).exclude(extra={})
        if keys & set(row.extra)
    ]
    for row in rows:
        row.extra = {key: value for key, value in row.extra.items() if key not in keys}
    EntryDetail.objects.bulk_update(rows, ["extra"], batch_size=200)
    kept = list(EntryDetail.objects.filter(entry__division__event=event).exclude(undo={}))
    for row in kept:
        row.undo = {
            save: {
                cell: texts for cell, texts in cells.items() if cell.removeprefix(CUSTOM_FIELD) not in keys
            }
            for save, cells in row.undo.items()
        }
    EntryDetail.objects.bulk_update(kept, ["undo"], batch_size=200)
    EventColumn.objects.filter(pk__in=gone).delete()
