"""Services that renew personal links: of one entry, or of all of an event."""

from django.db.models import F

from faults import Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.trail.events import AllLinksRenewed, LinkRenewed
from tournaments.models import Entry, Event, SubscribedFor
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.push_browsers import delete_subscriptions


@durable
def renew_entry_link(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """Make the entry's personal link invalid and create a new one, for example after a device was lost.

    Browsers stop getting notifications for the entry until they subscribe again.
    """
    event = lock_for_director(actor, event_id)
    entry = one_or_none(
        Entry.objects.select_for_update(of=("self",)).filter(pk=entry_id, division__event=event)
    )
    if entry is None:
        raise Missing("entry.unknown")
    entry.link_version += 1
    entry.save(update_fields=["link_version"])
    delete_subscriptions(SubscribedFor.objects.filter(entry=entry))
    record_action(event, actor=actor, action=LinkRenewed(), subject=entry)
    return entry


@durable
def renew_all_links(*, actor: Actor, event_id: int) -> Event:
    """Renew the personal links of all entries of the event, and delete all push subscriptions for them."""
    event = lock_for_director(actor, event_id)
    count = Entry.objects.filter(division__event=event).update(link_version=F("link_version") + 1)
    delete_subscriptions(SubscribedFor.objects.filter(entry__division__event=event))
    record_action(event, actor=actor, action=AllLinksRenewed(entries=count))
    return event
