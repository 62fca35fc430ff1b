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
    """Correct the names of players of an entry, in all entries of the event; return the entry.

    ``names``: corrected names, keyed by player id; unchanged names have no effect. Other events keep the
    names under which they were played. Raises the errors of ``correct_name``, for example ``Invalid`` for an
    invalid name.
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
    current_names = {row.player_id: row.player.name for row in rows if row.entry_id == entry.pk}
    if not set(names) <= set(current_names):
        raise Missing("player.unknown")
    corrected_names = dict(current_names)
    for player_id in sorted(names):
        corrected_names[player_id] = correct_name(
            actor=actor, club=event.club, player_id=player_id, name=names[player_id]
        ).name
    changed_names = {
        player_id: name for player_id, name in corrected_names.items() if name != current_names[player_id]
    }
    members: dict[int, list[EntryPlayer]] = {}
    for row in rows:
        members.setdefault(row.entry_id, []).append(row)
    for entry_rows in members.values():
        changed_entry = entry_rows[0].entry
        before, after = changed_entry.name, _entry_name(entry_rows, changed_names)
        if before != after:
            changed_entry.name = after
            changed_entry.save(update_fields=["name"])
            action = EntryUpdated(before={"name": before}, after={"name": after})
            record_action(event, actor=actor, action=action, subject=changed_entry)
    entry.refresh_from_db()
    return entry


def _entry_name(rows: Sequence[EntryPlayer], changed_names: Mapping[int, str]) -> str:
    """Return the name of an entry after its players' names were corrected.

    A name made of players' names changes with them and keeps the number of a re-entry; a team's own name
    stays.
    """
    current_name = rows[0].entry.name
    old = team_name([row.player.name for row in rows])
    new = team_name([changed_names.get(row.player_id, row.player.name) for row in rows])
    return (
        (new + current_name[len(old) :])[:MAX_TEAM_NAME_LENGTH]
        if current_name.startswith(old)
        else current_name
    )
