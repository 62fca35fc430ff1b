"""Services that save which notifications a player wants, by which channel, and the quiet hours."""

from collections.abc import Collection, Mapping
from datetime import time

from faults import Invalid
from people.transactions import durable
from tournaments.engine.alerts import ALERT_KINDS, Channel
from tournaments.models import Entry, NotificationChoice
from tournaments.store.phones import require_current_link

WaysByKind = Mapping[str, Collection[Channel]]


@durable
def save_choice_by_link(*, entry: Entry, ways: WaysByKind, quiet: tuple[time, time]) -> None:
    """Save the choice for the entry of a personal link."""
    require_current_link(entry)
    NotificationChoice.objects.update_or_create(entry=entry, defaults=_choice_fields(ways, quiet))


@durable
def save_choice(*, user_id: int, event_id: int | None, ways: WaysByKind, quiet: tuple[time, time]) -> None:
    """Save the choice of an account, for one event or, with ``event_id`` None, in general."""
    rows = NotificationChoice.objects.select_for_update().filter(user=user_id, event=event_id)
    row = rows.first() or NotificationChoice(user_id=user_id, event_id=event_id)
    for name, value in _choice_fields(ways, quiet).items():
        setattr(row, name, value)
    row.save()


@durable
def reset_choice(*, user_id: int, event_id: int) -> None:
    """Delete the account's choice for an event, so that its general choice applies."""
    NotificationChoice.objects.filter(user=user_id, event=event_id).delete()


@durable
def unsubscribe_from_mail(*, user_id: int, kinds: Collection[str]) -> None:
    """Turn off mail of these kinds, in general and for each event, and keep every other choice."""
    rows = list(NotificationChoice.objects.select_for_update().filter(user=user_id))
    if not any(row.event_id is None for row in rows):
        rows.append(NotificationChoice(user_id=user_id))
    for row in rows:
        for code in kinds:
            kind = ALERT_KINDS.get(code)
            if kind is not None:
                before = row.ways.get(code, [str(way) for way in kind.usual])
                row.ways[code] = [way for way in before if way != Channel.MAIL]
        row.save()


def _choice_fields(ways: WaysByKind, quiet: tuple[time, time]) -> dict[str, object]:
    if not set(ways) <= set(ALERT_KINDS):
        raise Invalid("notice.kind_unknown")
    chosen = {kind: sorted(str(way) for way in by) for kind, by in ways.items()}
    return {"ways": chosen, "quiet_from": quiet[0], "quiet_until": quiet[1]}
