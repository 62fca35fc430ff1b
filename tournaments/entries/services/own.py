"""Services with which a signed-in player, or a minor's guardian, changes their own entries."""

from collections.abc import Sequence

from faults import Missing
from people.actors import Actor
from people.selectors import player_of_user, wards_of
from people.transactions import durable
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.entries import require_before_cutoff, withdraw_locked
from tournaments.models import Entry
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.store.lock import lock_unless_removed
from tournaments.store.phones import authorize_device


@durable
def withdraw_own_entry(*, actor: Actor, public_id: str) -> Entry:
    """Withdraw the signed-in player's entry, or that of a minor whose guardian the user is; return the entry.

    Only before the draw and before the division's last time for entries. The first entry on the waiting list
    takes the place.
    """
    entry = own_entry(actor, public_id)
    event = lock_unless_removed(entry.division.event_id)
    require_before_cutoff(event, entry.division)
    return withdraw_locked(actor, event, entry.pk, by_player=True)


def own_entry(actor: Actor, public_id: str, statuses: Sequence[EntryStatus] = CONFIRMED_STATUSES) -> Entry:
    """Return the entry with this public id, if it belongs to the signed-in player or the guardian's minor.

    ``statuses``: which statuses the entry may have. Raises ``Missing`` for any other entry. The division is
    loaded.
    """
    own_players = [] if actor.user is None else [player_of_user(actor.user.pk), *wards_of(actor.user.pk)]
    rows = Entry.objects.filter(
        public_id=public_id,
        entry_players__player__in=[player.pk for player in own_players if player is not None],
        status__in=statuses,
    )
    entry = rows.select_related("division").first()
    if entry is None:
        raise Missing("entry.unknown")
    return entry


@durable
def withdraw_by_link(*, entry: Entry, phone: RequestOrigin) -> Entry:
    """Withdraw the entry of a personal link, on behalf of its player, from an authorised device.

    Only before the draw and before the division's last time for entries. The first entry on the waiting list
    takes the place.
    """
    event = lock_unless_removed(entry.division.event_id)
    number = authorize_device(event, entry, phone)
    require_before_cutoff(event, entry.division)
    return withdraw_locked(link_actor(entry), event, entry.pk, device_number=number, by_player=True)
