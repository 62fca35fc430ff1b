"""What somebody who is signed in as a player, or speaks for a minor, does with their own entries."""

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
    """Leave before the draw and before the division's last day of entries; whoever waits longest takes the place."""
    found = own_entry(actor, public_id)
    event = lock_unless_removed(found.division.event_id)
    must_be_before_cutoff(event, found.division)
    return withdraw_locked(actor, event, found.pk, own=True)


def own_entry(actor: Actor, public_id: str, statuses: Sequence[EntryStatus] = CONFIRMED_STATUSES) -> Entry:
    """The entry with its division, of the player who is signed in or of a minor for whom they speak; anybody else's is unknown (404)."""
    mine = [] if actor.user is None else [player_of_user(actor.user.pk), *wards_of(actor.user.pk)]
    rows = Entry.objects.filter(
        public_id=public_id,
        entry_players__player__in=[one.pk for one in mine if one is not None],
        status__in=statuses,
    )
    found = rows.select_related("division").first()
    if found is None:
        raise Missing("entry.unknown")
    return found


@durable
def withdraw_by_link(*, entry: Entry, phone: Phone) -> Entry:
    """The same by the personal link, from a phone that speaks by it."""
    event = lock_unless_removed(entry.division.event_id)
    number = authorize_phone(event, entry, phone)
    must_be_before_cutoff(event, entry.division)
    return withdraw_locked(link_actor(entry), event, entry.pk, phone=number, own=True)
