"""Re-entries: several entries of one person in a division."""

from tournaments.engine.types import EntryId
from tournaments.models import Entry


def first_entries(division_id: int) -> dict[EntryId, EntryId]:
    """Return the first entry of the same players for each re-entry, as a dictionary of entry ids.

    Re-entries are included even if the event no longer allows new ones.
    """
    first_by_entry: dict[EntryId, EntryId] = {}
    rows = Entry.objects.filter(division=division_id, again_of__isnull=False).order_by("pk")
    for pk, previous_pk in rows.values_list("pk", "again_of"):
        previous_id = EntryId(previous_pk or pk)
        first_by_entry[EntryId(pk)] = first_by_entry.get(previous_id, previous_id)
    return first_by_entry
