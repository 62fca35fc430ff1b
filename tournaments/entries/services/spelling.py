"""Correction of misspelt names of players from an entry, in all their entries of the event."""

from collections.abc import Mapping, Sequence

from faults import Missing
from people.actors import Actor
from people.rows import one_or_none
from people.services.players import correct_name
from people.transactions import durable
from tournaments.engine.trail.entries import EntryUpdated
from tournaments.entries.services.teams import MAX_TEAM_NAME_LENGTH, team_name
from tournaments.models import Entry, EntryPlayer
from tournaments.store.lock import lock_for_director, record_action


@durable
def correct_names(*, actor: Actor, event_id: int, entry_id: int, names: Mapping[int, str]) -> Entry:
    """Correct the names of players of an entry, by player id. Unchanged names have no effect.

    Other events keep the names under which they were played. Raises what ``correct_name`` raises.
    """
    event = lock_for_director(actor, event_id)
    entry = one_or_none(Entry.objects.filter(pk=entry_id, division__event=event))
    if entry is None:
        raise Missing("entry.unknown")
    rows = (
        EntryPlayer.objects.filter(entry__division__event=event)
        .select_related("player", "entry")
        .order_by("position")
    )
    known = {row.player_id: row.player.name for row in rows if row.entry_id == entry.pk}
    if not set(names) <= set(known):
        raise Missing("player.unknown")
    right = dict(known)
    for player in sorted(names):
        right[player] = correct_name(actor=actor, club=event.club, player_id=player, name=names[player]).name
    fresh = {player: name for player, name in right.items() if name != known[player]}
    members: dict[int, list[EntryPlayer]] = {}
    for row in rows:
        members.setdefault(row.entry_id, []).append(row)
    for there in members.values():
        one = there[0].entry
        before, after = one.name, _entry_name(there, fresh)
        if before != after:
            one.name = after
            one.save(update_fields=["name"])
            action = EntryUpdated(before={"name": before}, after={"name": after})
            record_action(event, actor=actor, action=action, subject=one)
    entry.refresh_from_db()
    return entry


def _entry_name(rows: Sequence[EntryPlayer], fresh: Mapping[int, str]) -> str:
    """Return the entry's name after correction.

    Names made of players' names follow, with the number of a re-entry; a team's own name stays.
    """
    own = rows[0].entry.name
    old = team_name([row.player.name for row in rows])
    new = team_name([fresh.get(row.player_id, row.player.name) for row in rows])
    return (new + own[len(old) :])[:MAX_TEAM_NAME_LENGTH] if own.startswith(old) else own
