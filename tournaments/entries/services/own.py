"""Services with which a signed-in player, or a minor's guardian, changes their own entries."""

from collections.abc import Sequence

from faults import Missing
from people.actors import Actor
from people.selectors import player_of_user, wards_of
from people.transactions import durable
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.entries import must_be_before_cutoff, withdraw_locked
from tournaments.models import Entry
from tournaments.selectors.access.phones import Phone, link_actor
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.store.lock import lock_unless_removed
from tournaments.store.phones import authorize_phone


@durable
def withdraw_own_entry(*, actor: Actor, public_id: str) -> Entry:
    """Withdraw before the draw and the division's cut-off.

    The first entry on the waiting list takes the place.
    """
    entry = own_entry(actor, public_id)
    event = lock_unless_removed(entry.division.event_id)
    must_be_before_cutoff(event, entry.division)
    return withdraw_locked(actor, event, entry.pk, own=True)


def own_entry(actor: Actor, public_id: str, statuses: Sequence[EntryStatus] = CONFIRMED_STATUSES) -> Entry:
    """Return the entry, with its division, of the signed-in player or a minor they represent.

    Raises ``Missing`` for any other.
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
def withdraw_by_link(*, entry: Entry, phone: Phone) -> Entry:
    """Withdraw as `withdraw_own_entry` does, by the personal link, from an authorised phone."""
    event = lock_unless_removed(entry.division.event_id)
    number = authorize_phone(event, entry, phone)
    must_be_before_cutoff(event, entry.division)
    return withdraw_locked(link_actor(entry), event, entry.pk, phone=number, own=True)
