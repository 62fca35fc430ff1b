"""Service with which players change their values of custom fields after entering."""

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
def set_own_answers(
    *, actor: Actor, public_id: str, values: Mapping[int, str], expected_version: str
) -> Entry:
    """Save a player's values of custom fields in all entries of the player in the event; return the entry.

    The player is the signed-in user or a minor whose guardian the user is. ``public_id``: of the entry;
    ``values``: keyed by field id; only fields that players fill in are saved; ``expected_version``: version
    that the player saw. The audit log records that values changed, not the values.

    Raises ``Conflict`` after the director's deadline or once the event runs (``entry.answers_closed``), and
    if the values have changed since ``expected_version`` (``entry.answers_changed``); ``Invalid`` for an
    invalid value.
    """
    event = lock_unless_removed(own_entry(actor, public_id).division.event_id)
    entry = own_entry(actor, public_id)
    entry.division.event = event
    if not are_answers_open(event, timezone.now()):
        raise Conflict("entry.answers_closed", present=event)
    player = represented_player(actor, entry)
    answers = custom_field_answers(event, player.pk)
    if expected_version != answers.version:
        raise Conflict("entry.answers_changed", present=entry)
    cleaned = clean_custom_values(event, values, asked_only=True)
    for changed_entry in write_custom_values(player.pk, answers.entries, cleaned):
        record_action(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=changed_entry)
    return entry


def represented_player(actor: Actor, entry: Entry) -> Player:
    """Return the player of the entry for whom the signed-in user acts.

    This is the user's own player or, if that is not in the entry, the first of the minors whose guardian the
    user is.
    """
    user_id = actor.user.pk if actor.user is not None else 0
    own_players = [player for player in (player_of_user(user_id), *wards_of(user_id)) if player is not None]
    entry_player_ids = set(EntryPlayer.objects.filter(entry=entry).values_list("player_id", flat=True))
    return next(player for player in own_players if player.pk in entry_player_ids)
