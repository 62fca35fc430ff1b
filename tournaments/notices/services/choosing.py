"""Services that save which notifications a player wants, by which channels, and the quiet hours."""

from collections.abc import Collection, Mapping
from datetime import time

from faults import Invalid
from people.transactions import durable
from tournaments.engine.alerts import ALERT_KINDS, Channel
from tournaments.models import Entry, NotificationChoice
from tournaments.store.phones import require_current_link

WaysByKind = Mapping[str, Collection[Channel]]


@durable
def save_choice_by_link(
    *, entry: Entry, channels_by_kind: WaysByKind, quiet_hours: tuple[time, time]
) -> None:
    """Save the notification settings for the entry of a personal link, with one row for each entry.

    ``channels_by_kind``: the channels wanted for each code of a kind. ``quiet_hours``: start and end.
    """
    require_current_link(entry)
    NotificationChoice.objects.update_or_create(
        entry=entry, defaults=_choice_fields(channels_by_kind, quiet_hours)
    )


@durable
def save_choice(
    *, user_id: int, event_id: int | None, channels_by_kind: WaysByKind, quiet_hours: tuple[time, time]
) -> None:
    """Save the notification settings of an account: for one event, or in general if ``event_id`` is None."""
    rows = NotificationChoice.objects.select_for_update().filter(user=user_id, event=event_id)
    row = rows.first() or NotificationChoice(user_id=user_id, event_id=event_id)
    for name, value in _choice_fields(channels_by_kind, quiet_hours).items():
        setattr(row, name, value)
    row.save()


@durable
def reset_choice(*, user_id: int, event_id: int) -> None:
    """Delete the account's settings for an event, so that its general settings apply there."""
    NotificationChoice.objects.filter(user=user_id, event=event_id).delete()


@durable
def unsubscribe_from_mail(*, user_id: int, kinds: Collection[str]) -> None:
    """Turn off mail of these kinds in all settings of the account; other channels and kinds stay."""
    rows = list(NotificationChoice.objects.select_for_update().filter(user=user_id))
    if not any(row.event_id is None for row in rows):
        rows.append(NotificationChoice(user_id=user_id))
    for row in rows:
        for code in kinds:
            kind = ALERT_KINDS.get(code)
            if kind is not None:
                before = row.ways.get(code, [str(channel) for channel in kind.default_channels])
                row.ways[code] = [channel for channel in before if channel != Channel.MAIL]
        row.save()


def _choice_fields(channels_by_kind: WaysByKind, quiet_hours: tuple[time, time]) -> dict[str, object]:
    if not set(channels_by_kind) <= set(ALERT_KINDS):
        raise Invalid("notice.kind_unknown")
    codes_by_kind = {
        kind: sorted(str(channel) for channel in channels) for kind, channels in channels_by_kind.items()
    }
    return {"ways": codes_by_kind, "quiet_from": quiet_hours[0], "quiet_until": quiet_hours[1]}
