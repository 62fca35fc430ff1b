"""What players say in the columns of an event's own, changed by themselves after they have entered."""

from collections.abc import Mapping

from django.utils import timezone

from faults import Conflict
from people.actors import Actor
from people.models import Player
from people.selectors import player_of_user, wards_of
from people.transactions import durable
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.entries.services.extra import clean_custom_values, write_custom_values
from tournaments.entries.services.own import own_entry
from tournaments.models import Entry, EntryPlayer
from tournaments.selectors.columns import are_answers_open, custom_field_answers
from tournaments.store.lock import lock_unless_removed, record_action


@durable
def set_own_answers(*, actor: Actor, public_id: str, values: Mapping[int, str], seen: str) -> Entry:
    """Fill the columns that players fill, by their ids, of the player who is signed in or of a minor for whom they speak, in all entries
    that they have in the event.

    Refused: after the time that the director has set, or once it runs (409 ``entry.answers_closed``); when the desk or another phone was
    quicker than ``seen``, the version of what was looked at (409 ``entry.answers_changed``); what cannot stand there (422). The trail
    tells that it was changed, not what it says.
    """
    event = lock_unless_removed(own_entry(actor, public_id).division.event_id)
    entry = own_entry(actor, public_id)
    entry.division.event = event
    if not are_answers_open(event, timezone.now()):
        raise Conflict("entry.answers_closed", present=event)
    player = represented_player(actor, entry)
    answers = custom_field_answers(event, player.pk)
    if seen != answers.version:
        raise Conflict("entry.answers_changed", present=entry)
    cleaned = clean_custom_values(event, values, asked=True)
    for touched in write_custom_values(player.pk, answers.entries, cleaned):
        record_action(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=touched)
    return entry


def represented_player(actor: Actor, entry: Entry) -> Player:
    """Which player of the entry is meant: their own, else the first of the minors for whom they speak."""
    user = actor.user.pk if actor.user is not None else 0
    mine = [one for one in (player_of_user(user), *wards_of(user)) if one is not None]
    inside = set(EntryPlayer.objects.filter(entry=entry).values_list("player_id", flat=True))
    return next(one for one in mine if one.pk in inside)
