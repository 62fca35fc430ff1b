"""Withdrawn entries: how they left, and whether their players can come back by themselves."""

from collections.abc import Sequence

from django.utils import timezone

from people.models import Player
from tournaments.engine.statuses import EVENT_GOING_ON, EntryStatus, EventStatus
from tournaments.engine.trail.entries import EntryWithdrawn
from tournaments.engine.trail.repairs import WithdrawnAfterDraw
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.models.trail import read_row
from tournaments.selectors.access.phones import LINK_LABEL
from tournaments.selectors.access.visibility import is_removed
from tournaments.selectors.desk_notes import last_changes
from tournaments.selectors.entries import takes_entries


def why_not_by_oneself(event: Event, entry: Entry) -> str:
    """The code of the reason why the player of a withdrawn entry cannot come back without a director; empty if they can.

    Who was withdrawn by the desk, or left out at check-in, asks there: a director may have had a reason.
    """
    stage = Stage.objects.filter(division=entry.division_id).order_by("position").first()
    until = entry.division.entries_until
    if event.status not in EVENT_GOING_ON:
        return "own_return.over"
    if stage is None or not takes_entries(stage):
        return "own_return.drawn"
    if until is not None and until < timezone.now() and not entry.slots.exists():
        return "own_return.cut_off"
    if entry.again.exists() or not left_by_oneself(event, entry):
        return "own_return.by_desk"
    return ""


def left_by_oneself(event: Event, entry: Entry) -> bool:
    """Whether the player withdrew, by link or account, when the entry was withdrawn last.

    Rows of the audit log from before 0.4 tell it of links alone.
    """
    kinds = (EntryWithdrawn.kind, WithdrawnAfterDraw.kind)
    row = next(iter(last_changes(event, entry, kinds=kinds, most=1)), None)
    left = read_row(row) if row is not None else None
    if row is None or not isinstance(left, EntryWithdrawn):
        return False
    return left.own or row.actor_label.startswith(LINK_LABEL)


def own_withdrawn(player: Player, event: Event | None = None) -> list[Entry]:
    """Withdrawn entries of ``player`` in events that go on, or in ``event`` alone; not those that were bought back."""
    rows = Entry.objects.filter(
        entry_players__player=player,
        status=EntryStatus.WITHDRAWN,
        again=None,
        division__event__status__in=EVENT_GOING_ON,
    ).exclude(division__event__status=EventStatus.DRAFT)
    if event is not None:
        rows = rows.filter(division__event=event)
    rows = rows.select_related("division__event__club").order_by("division__event__starts_on", "pk")
    return [entry for entry in rows if not is_removed(entry.division.event)]


def withdrawn_of(players: Sequence[Player], division: Division) -> dict[int, str]:
    """Public ids of the withdrawn entries of ``players`` in ``division``, by the player; not of teams, nor of who bought back."""
    if division.team_size > 1:
        return {}
    rows = EntryPlayer.objects.filter(division=division, player__in=players, entry__again=None)
    rows = rows.filter(entry__status=EntryStatus.WITHDRAWN)
    return dict(rows.order_by("attempt").values_list("player_id", "entry__public_id"))


def withdrawn_in(division: Division) -> list[Entry]:
    """Who withdrew from ``division`` or was left out, by name; not who bought back."""
    entries = Entry.objects.filter(division=division, status=EntryStatus.WITHDRAWN, again=None)
    return sorted(entries, key=lambda entry: entry.name.casefold())
