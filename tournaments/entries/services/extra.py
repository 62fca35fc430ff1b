"""Values of an event's custom fields, stored with the entries of each player."""

from collections.abc import Mapping, Sequence

from people.text import clean_line
from tournaments.engine.columns import clean_custom_value
from tournaments.models import Entry, EntryDetail, Event
from tournaments.selectors.columns import event_custom_fields


def clean_custom_values(
    event: Event, values: Mapping[int, str], *, asked_only: bool = False
) -> dict[int, str]:
    """Return the cleaned values of custom fields, keyed by field id.

    Fields that the event does not have are omitted. ``asked_only``: True omits also fields that players do
    not fill in. Raises ``Invalid`` at the form field ``own-`` with the id of the custom field.
    """
    columns = {
        custom_field.pk: custom_field.settings
        for custom_field in event_custom_fields(event)
        if custom_field.asked or not asked_only
    }
    return {
        pk: clean_custom_value(columns[pk], clean_line(text), f"own-{pk}")
        for pk, text in values.items()
        if pk in columns
    }


def write_custom_values(player_id: int, entry_ids: Sequence[int], values: Mapping[int, str]) -> list[Entry]:
    """Write cleaned values of custom fields for a player to these entries; return the entries that changed.

    ``player_id``: id of the player; ``entry_ids``: ids of the entries; ``values``: keyed by field id, an empty
    text deletes. Joins the caller's transaction.
    """
    rows = {row.entry_id: row for row in EntryDetail.objects.filter(entry__in=entry_ids, player=player_id)}
    changed_ids = []
    for pk in entry_ids:
        row = rows.get(pk) or EntryDetail(entry_id=pk, player_id=player_id)
        new_values = {**row.extra, **{str(column): value for column, value in values.items()}}
        new_values = {column: value for column, value in new_values.items() if value}
        if new_values != row.extra:
            row.extra = new_values
            row.save()
            changed_ids.append(pk)
    return list(Entry.objects.filter(pk__in=changed_ids).order_by("pk"))
