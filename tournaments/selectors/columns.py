"""Custom fields of an event and their values."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from tournaments.engine.statuses import EVENT_OVER, EVENT_UPCOMING, EntryStatus
from tournaments.models import EntryDetail, EntryPlayer, Event, EventColumn


@dataclass(frozen=True, slots=True)
class CustomFieldAnswers:
    """A player's answers to custom fields of an event.

    ``values``: field id to answer; ``entries``: ids of the player's entries that store them; ``version``: a
    hash that changes whenever an answer or a field changes.
    """

    values: Mapping[int, str]
    entries: tuple[int, ...]
    version: str


def event_custom_fields(event: Event) -> list[EventColumn]:
    """Return the custom fields of ``event`` in display order."""
    return list(EventColumn.objects.filter(event=event).order_by("position", "pk"))


def custom_fields_version(event: Event) -> str:
    """Return a hash that changes whenever a custom field or the closing time for answers changes."""
    return _version(
        (event.columns_until, [custom_field.settings for custom_field in event_custom_fields(event)])
    )


def are_answers_open(event: Event, now: datetime) -> bool:
    """Return whether players may change their answers to custom fields at ``now``.

    They may until the event's closing time for answers, or without one, until the event runs.
    """
    if event.columns_until is None:
        return event.status in EVENT_UPCOMING
    return event.status not in EVENT_OVER and now <= event.columns_until


def custom_field_answers(event: Event, player: int) -> CustomFieldAnswers:
    """Return the answers of a player (database id) to the custom fields of ``event`` that players fill in.

    Three queries. Withdrawn entries are left out.
    """
    rows = EntryPlayer.objects.filter(division__event=event, player=player)
    active_rows = rows.exclude(entry__status=EntryStatus.WITHDRAWN).order_by("entry_id")
    entries = tuple(active_rows.values_list("entry_id", flat=True))
    answer_by_field: dict[str, str] = {}
    for row in EntryDetail.objects.filter(entry__in=entries, player=player).order_by("pk"):
        answer_by_field |= row.extra
    answerable = [custom_field for custom_field in event_custom_fields(event) if custom_field.asked]
    values = {custom_field.pk: answer_by_field.get(str(custom_field.pk), "") for custom_field in answerable}
    return CustomFieldAnswers(
        values, entries, _version((values, [custom_field.settings for custom_field in answerable], entries))
    )


def has_player_fields(event: Event) -> bool:
    """Return whether ``event`` has a custom field that players fill in."""
    return EventColumn.objects.filter(event=event, asked=True).exists()


def custom_field_values(divisions: Collection[int]) -> Mapping[tuple[int, int], Mapping[str, str]]:
    """Return the values of custom fields in these divisions, as (entry id, player id) to field id to value.

    The field ids are text. Pairs without values are left out.
    """
    rows = EntryDetail.objects.filter(entry__division__in=list(divisions)).exclude(extra={})
    return {(row.entry_id, row.player_id): row.extra for row in rows}


def _version(content: object) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]
