"""Columns of an event's own, and what stands in them."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from tournaments.engine.statuses import EVENT_OVER, EVENT_UPCOMING, EntryStatus
from tournaments.models import EntryDetail, EntryPlayer, Event, EventColumn


@dataclass(frozen=True, slots=True)
class CustomFieldAnswers:
    """What a player says in the columns that players fill, by their ids, and the entries beside which it stands. ``version``: another one
    whenever it says something else or something else is asked.
    """

    values: Mapping[int, str]
    entries: tuple[int, ...]
    version: str


def event_custom_fields(event: Event) -> list[EventColumn]:
    """The columns of ``event``, in order."""
    return list(EventColumn.objects.filter(event=event).order_by("position", "pk"))


def custom_fields_version(event: Event) -> str:
    """Another text whenever a column is another one."""
    return _version((event.columns_until, [one.settings for one in event_custom_fields(event)]))


def are_answers_open(event: Event, now: datetime) -> bool:
    """Whether players change what they filled in: until the time that a director has set; without one until the event runs."""
    if event.columns_until is None:
        return event.status in EVENT_UPCOMING
    return event.status not in EVENT_OVER and now <= event.columns_until


def custom_field_answers(event: Event, player: int) -> CustomFieldAnswers:
    """What a player of ``event``, by database id, says there; three queries."""
    rows = EntryPlayer.objects.filter(division__event=event, player=player)
    coming = rows.exclude(entry__status=EntryStatus.WITHDRAWN).order_by("entry_id")
    entries = tuple(coming.values_list("entry_id", flat=True))
    extra: dict[str, str] = {}
    for row in EntryDetail.objects.filter(entry__in=entries, player=player).order_by("pk"):
        extra |= row.extra
    columns = [one for one in event_custom_fields(event) if one.asked]
    values = {one.pk: extra.get(str(one.pk), "") for one in columns}
    return CustomFieldAnswers(values, entries, _version((values, [one.settings for one in columns], entries)))


def has_player_fields(event: Event) -> bool:
    """Whether players fill any column of ``event``."""
    return EventColumn.objects.filter(event=event, asked=True).exists()


def custom_field_values(divisions: Collection[int]) -> Mapping[tuple[int, int], Mapping[str, str]]:
    """What stands in the columns, by ids of entry and player, and by the id of the column as text."""
    rows = EntryDetail.objects.filter(entry__division__in=list(divisions)).exclude(extra={})
    return {(row.entry_id, row.player_id): row.extra for row in rows}


def _version(whole: object) -> str:
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:16]
