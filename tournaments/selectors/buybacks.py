"""Re-entries: several entries of one person in a division."""

from tournaments.engine.types import EntryId
from tournaments.models import Entry


def first_entries(division_id: int) -> dict[EntryId, EntryId]:
    """The first entry of the same players for each re-entry of a division, also if re-entries have ended."""
    found: dict[EntryId, EntryId] = {}
    rows = Entry.objects.filter(division=division_id, again_of__isnull=False).order_by("pk")
    for pk, again_of in rows.values_list("pk", "again_of"):
        before = EntryId(again_of or pk)
        found[EntryId(pk)] = found.get(before, before)
    return found
