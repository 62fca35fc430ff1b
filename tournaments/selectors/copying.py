"""Entries that can be copied from one event to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q

from people.audience import FORMER_PLAYER_NAME
from people.models import Club
from people.selectors import players_for_club
from tournaments.engine.new_entry import EntryMarks
from tournaments.engine.statuses import EntryStatus, EventStatus
from tournaments.models import Division, Entry, EntryPlayer, Event, MatchSlot


@dataclass(frozen=True, slots=True)
class CopiedEntry:
    """An entry to be created anew in another event.

    ``name``: the entry's name, a team's own or composed of its players' names; ``players`` and ``names``: ids
    and names of its players, in the same order; ``marks``: the entry's marks, such as its travel group.
    """

    name: str
    players: tuple[int, ...]
    names: tuple[str, ...]
    marks: EntryMarks


@dataclass(frozen=True, slots=True)
class CopiedEntries:
    """The entries to copy from one event, as division id to entries in their order.

    ``left_out``: number of entries that cannot be copied, because the club may no longer read one of their
    players.
    """

    entries: Mapping[int, tuple[CopiedEntry, ...]]
    left_out: int

    @property
    def count(self) -> int:
        return sum(map(len, self.entries.values()))


def entries_to_copy(event: Event, divisions: Sequence[Division]) -> CopiedEntries:
    """Return the entries of ``event`` that took part in these divisions; three queries.

    Re-entries, pending entries and entries that withdrew before their first match are left out, and so are
    divisions that start when they are full.
    """
    division_ids = [division.pk for division in divisions if not division.starts_when_full]
    own_slots = MatchSlot.objects.filter(entry=OuterRef("pk"))
    entries = Entry.objects.filter(
        Q(status=EntryStatus.ACTIVE) | Q(Exists(own_slots), status=EntryStatus.WITHDRAWN),
        division__event=event,
        division__in=division_ids,
        again_of=None,
    ).order_by("pk")
    players: dict[int, list[tuple[int, str]]] = {}
    rows = EntryPlayer.objects.filter(entry__in=entries).order_by("entry_id", "position")
    for entry_id, player, name in rows.values_list("entry_id", "player_id", "player__name"):
        players.setdefault(entry_id, []).append((player, name))
    player_ids = {player for team in players.values() for player, _name in team}
    copyable_ids = set(
        players_for_club(event.club)
        .filter(pk__in=player_ids)
        .exclude(name=FORMER_PLAYER_NAME)
        .order_by()
        .values_list("pk", flat=True)
    )
    copied_by_division: dict[int, list[CopiedEntry]] = {pk: [] for pk in division_ids}
    left_out = 0
    for entry in entries:
        team = players.get(entry.pk, [])
        if not team or any(player not in copyable_ids for player, _name in team):
            left_out += 1
            continue
        ids, names = zip(*team, strict=True)
        copied_by_division[entry.division_id].append(CopiedEntry(entry.name, ids, names, entry.marks))
    return CopiedEntries({pk: tuple(rows) for pk, rows in copied_by_division.items()}, left_out)


def event_start_dates(club: Club, name: str, series_id: int | None = None) -> set[date]:
    """Return the first dates of the club's events of this name or series, without cancelled events."""
    name_or_series = Q(name=name) if series_id is None else Q(name=name) | Q(series=series_id)
    events = Event.objects.filter(name_or_series, club=club).exclude(status=EventStatus.CANCELLED)
    return set(events.order_by().values_list("starts_on", flat=True))
