"""Consents to photos, film, streaming and publication of games, as players or guardians change them.

Directors change consents in `details`.
"""

from collections.abc import Mapping

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.permissions import can_decide_for
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event
from tournaments.selectors.consents import event_entries_of_player
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.store.lock import lock_event, record_action


@durable
def set_consents_by_link(*, actor: Actor, entry_id: int, player_id: int, replies: Mapping[str, str]) -> None:
    """Save the consents of a player of the entry, given with its personal link, for all the player's entries.

    ``replies``: code of the reply, keyed by code of the consent. All entries of the player in this event
    change. Raises ``Conflict`` for minors: a guardian's account or staff answers for them.
    """
    event, entry, player = _lock_entry_player(entry_id, player_id)
    if player.minor:
        raise Conflict("consent.minor")
    _save_replies(actor, event, entry, player, replies)


@durable
def set_consents_by_account(
    *, actor: Actor, public_id: str, player_id: int, replies: Mapping[str, str]
) -> None:
    """Save the consents of the signed-in player, or of a minor whose guardian the user is.

    ``public_id``: of an entry of the player; all entries of the player in this event change. ``replies``:
    code of the reply, keyed by code of the consent. Raises ``Missing`` or ``Conflict`` if the user may not
    decide for the player.
    """
    unlocked_entry = one_or_none(Entry.objects.filter(public_id=public_id, status__in=CONFIRMED_STATUSES))
    if unlocked_entry is None or actor.user is None:
        raise Missing("entry.unknown")
    event, entry, player = _lock_entry_player(unlocked_entry.pk, player_id)
    if not can_decide_for(actor.user, player):
        if player.user_id == actor.user.pk:
            raise Conflict("consent.minor")
        raise Missing("entry.unknown")
    _save_replies(actor, event, entry, player, replies)


def clean_replies(replies: Mapping[str, str]) -> dict[str, str]:
    """Return the replies unchanged, keyed by code of the consent.

    Raises ``Invalid`` for an unknown consent or reply.
    """
    for kind, reply in replies.items():
        if kind not in set(Consent) or reply not in set(Reply):
            raise Invalid("consent.odd", field=kind)
    return dict(replies)


def _lock_entry_player(entry_id: int, player_id: int) -> tuple[Event, Entry, Player]:
    unlocked_entry = one_or_none(Entry.objects.select_related("division").filter(pk=entry_id))
    if unlocked_entry is None:
        raise Missing("entry.unknown")
    event = lock_event(unlocked_entry.division.event_id)
    entry = Entry.objects.select_related("division").get(pk=entry_id)
    entry_player = EntryPlayer.objects.filter(entry=entry, player=player_id).select_related("player").first()
    if entry_player is None:
        raise Missing("player.unknown")
    return event, entry, entry_player.player


def write_replies(entry: Entry, player: Player, replies: Mapping[str, str]) -> dict[str, str]:
    """Write a player's consents to all entries of the player in the event; return the replies that changed.

    ``entry``: any of these entries; ``replies``: code of the reply, keyed by code of the consent. Joins the
    caller's transaction. Nothing is validated.
    """
    changed_replies: dict[str, str] = {}
    player_ids = [
        player.pk,
        *player.merged.values_list("pk", flat=True),
    ]  # rows of merged duplicates count, too
    for event_entry in event_entries_of_player(entry, player.pk):
        row = EntryDetail.objects.filter(entry=event_entry, player__in=player_ids).first()
        row = row or EntryDetail(entry=event_entry, player=player)
        row_changes = {kind: reply for kind, reply in replies.items() if getattr(row, kind) != reply}
        for kind, reply in row_changes.items():
            setattr(row, kind, reply)
        if row_changes:
            row.save()
        changed_replies |= row_changes
    return changed_replies


def _save_replies(
    actor: Actor, event: Event, entry: Entry, player: Player, replies: Mapping[str, str]
) -> None:
    changed_replies = write_replies(entry, player, clean_replies(replies))
    if changed_replies:
        record_action(
            event,
            actor=actor,
            action=EntryDetailsSet(fields=tuple(changed_replies), replies=changed_replies),
            subject=entry,
        )
