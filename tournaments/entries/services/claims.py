"""Service that unlinks an account from a player that it does not belong to."""

from faults import Missing
from people.actors import Actor
from people.models import Club, Player
from people.permissions import require_director
from people.rows import one_or_none
from people.services.claims import unlink_player
from people.transactions import durable
from tournaments.engine.statuses import EVENT_CHANGEABLE
from tournaments.engine.trail.events import LinkRenewed
from tournaments.models import Entry, Event
from tournaments.store.lock import record_action


@durable
def release_player(*, actor: Actor, club_id: int, player_id: int) -> Player:
    """Unlink the account of a player, and renew the player's personal links in ongoing events.

    The account has seen these links. Only for directors of the player's home club. A new request to link the
    account is possible at once. Locks the events in the order of their ids, then the player.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    entries = Entry.objects.filter(
        entry_players__player=player_id, division__event__status__in=EVENT_CHANGEABLE
    )
    # Lock events by id, then the player: the same order everywhere.
    ongoing_events = Event.objects.filter(pk__in=entries.values("division__event"))
    events = {
        event.pk: event
        for event in ongoing_events.select_for_update(of=("self",)).select_related("club").order_by("pk")
    }
    rows = Player.objects.select_for_update(of=("self",)).select_related("home_club")
    player = one_or_none(rows.filter(pk=player_id, club_links__club=club, merged_into=None))
    if player is None:
        raise Missing("player.unknown")
    unlink_player(actor=actor, club=club, player=player)
    for entry in entries.select_related("division").order_by("pk"):
        if entry.division.event_id in events:
            entry.link_version += 1
            entry.save(update_fields=["link_version"])
            record_action(events[entry.division.event_id], actor=actor, action=LinkRenewed(), subject=entry)
    return player
