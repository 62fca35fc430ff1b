"""Withdrawn entries: how they withdrew, and whether their players can reinstate them."""

from collections.abc import Sequence

from django.utils import timezone

from people.models import Player
from tournaments.engine.statuses import EVENT_CHANGEABLE, EntryStatus, EventStatus
from tournaments.engine.trail.entries import EntryWithdrawn
from tournaments.engine.trail.repairs import EntryWithdrawnAfterDraw
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.models.trail import parse_row
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.access.visibility import is_removed
from tournaments.selectors.desk_notes import last_changes
from tournaments.selectors.entries import can_change_entries


def self_reinstatement_error(event: Event, entry: Entry) -> str:
    """Return the code of the error why players cannot reinstate their withdrawn entry themselves, else empty.

    An entry that staff withdrew, or that was left out at check-in, needs a director: there may have been a
    reason.
    """
    stage = Stage.objects.filter(division=entry.division_id).order_by("position").first()
    entry_deadline = entry.division.entries_until
    if event.status not in EVENT_CHANGEABLE:
        return "own_return.over"
    if stage is None or not can_change_entries(stage):
        return "own_return.drawn"
    if entry_deadline is not None and entry_deadline < timezone.now() and not entry.slots.exists():
        return "own_return.cut_off"
    if entry.again.exists() or not is_self_withdrawn(event, entry):
        return "own_return.by_desk"
    return ""


def is_self_withdrawn(event: Event, entry: Entry) -> bool:
    """Return whether the player made the entry's last withdrawal, with a personal link or an account.

    Audit rows from before version 0.4 show it only for links.
    """
    kinds = (EntryWithdrawn.kind, EntryWithdrawnAfterDraw.kind)
    row = next(iter(last_changes(event, entry, kinds=kinds, limit=1)), None)
    withdrawal = parse_row(row) if row is not None else None
    if row is None or not isinstance(withdrawal, EntryWithdrawn):
        return False
    return withdrawal.own or row.actor_label.startswith(LINK_LABEL_PREFIX)


def own_withdrawn_entries(player: Player, event: Event | None = None) -> list[Entry]:
    """Return the withdrawn entries of ``player`` in current events, or only in ``event``.

    Entries that have re-entered are left out.
    """
    rows = Entry.objects.filter(
        entry_players__player=player,
        status=EntryStatus.WITHDRAWN,
        again=None,
        division__event__status__in=EVENT_CHANGEABLE,
    ).exclude(division__event__status=EventStatus.DRAFT)
    if event is not None:
        rows = rows.filter(division__event=event)
    rows = rows.select_related("division__event__club").order_by("division__event__starts_on", "pk")
    return [entry for entry in rows if not is_removed(entry.division.event)]


def withdrawn_ids_by_player(players: Sequence[Player], division: Division) -> dict[int, str]:
    """Return the public ids of withdrawn entries of ``players`` in ``division``, keyed by player id.

    Entries that have re-entered are left out; empty for a division of teams.
    """
    if division.team_size > 1:
        return {}
    rows = EntryPlayer.objects.filter(division=division, player__in=players, entry__again=None)
    rows = rows.filter(entry__status=EntryStatus.WITHDRAWN)
    return dict(rows.order_by("attempt").values_list("player_id", "entry__public_id"))


def withdrawn_entries(division: Division) -> list[Entry]:
    """Return the withdrawn entries of ``division``, sorted by name; entries that re-entered are left out."""
    entries = Entry.objects.filter(division=division, status=EntryStatus.WITHDRAWN, again=None)
    return sorted(entries, key=lambda entry: entry.name.casefold())
