"""Who has bought back: several entries of one person."""

from tournaments.engine.types import EntryId
from tournaments.models import Entry


def first_entries(division_id: int) -> dict[EntryId, EntryId]:
    """By each entry of a division that was bought back the first one of the same players, also where nobody may buy back any more."""
    found: dict[EntryId, EntryId] = {}
    rows = Entry.objects.filter(division=division_id, again_of__isnull=False).order_by("pk")
    for pk, again_of in rows.values_list("pk", "again_of"):
        before = EntryId(again_of or pk)
        found[EntryId(pk)] = found.get(before, before)
    return found
