"""What somebody wants to be told, by which way, and when nothing is to sound."""

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
    """For the one entry whose personal link somebody holds."""
    require_current_link(entry)
    NotificationChoice.objects.update_or_create(entry=entry, defaults=_choice_fields(ways, quiet))


@durable
def save_choice(*, user_id: int, event_id: int | None, ways: WaysByKind, quiet: tuple[time, time]) -> None:
    """For an account: for one event, or in general."""
    rows = NotificationChoice.objects.select_for_update().filter(user=user_id, event=event_id)
    row = rows.first() or NotificationChoice(user_id=user_id, event_id=event_id)
    for name, value in _choice_fields(ways, quiet).items():
        setattr(row, name, value)
    row.save()


@durable
def reset_choice(*, user_id: int, event_id: int) -> None:
    """For this event as in general."""
    NotificationChoice.objects.filter(user=user_id, event=event_id).delete()


@durable
def unsubscribe_from_mail(*, user_id: int, kinds: Collection[str]) -> None:
    """No more mail of these kinds, in general and for each event; all else stays as it was chosen."""
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
