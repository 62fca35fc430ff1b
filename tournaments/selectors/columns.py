"""Columns of an event's own, and what stands in them."""

from collections.abc import Collection, Mapping

from tournaments.models import EntryDetail, Event, EventColumn


def columns_of(event: Event) -> list[EventColumn]:
    """The columns of ``event``, in order."""
    return list(EventColumn.objects.filter(event=event).order_by("position", "pk"))


def columns_version(event: Event) -> str:
    """Another text whenever a column is another one."""
    return "|".join(repr(one.settings) for one in columns_of(event)) or "none"


def extras_of(divisions: Collection[int]) -> Mapping[tuple[int, int], Mapping[str, str]]:
    """What stands in the columns, by ids of entry and player, and by the id of the column as text."""
    rows = EntryDetail.objects.filter(entry__division__in=list(divisions)).exclude(extra={})
    return {(row.entry_id, row.player_id): row.extra for row in rows}
