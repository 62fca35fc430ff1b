"""Actions on several entries at once: withdraw, or move to another division.

They apply to all of the entries or, if anything is wrong, to none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Player
from people.transactions import durable
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import (
    ENTRY_HOLDS_PLACE,
    ENTRY_LISTED,
    ENTRY_ON_WAITING_LIST,
    EntryAction,
    EntryStatus,
    StageStatus,
)
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import EntriesMoved, EntriesWithdrawn, PreviousPlacement
from tournaments.engine.types import EntryId
from tournaments.entries.services.entries import (
    get_division,
    require_before_cutoff,
    require_entries_open,
    require_not_over,
    require_not_reentered,
    withdraw_locked,
)
from tournaments.entries.services.limits import record_overrules, require_within_limit
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.models.arranged import PairRequest
from tournaments.selectors.waiting import next_queue_number
from tournaments.store.check_in import move_check_ins
from tournaments.store.event_state import step_entry
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.waiting import allocate_places, fill_places

MOVED_FIELDS: Final = ("division", "seed", "status", "queue_number")


@durable
def withdraw_entries(*, actor: Actor, event_id: int, entry_ids: Sequence[int]) -> list[Entry]:
    """Withdraw several entries before the draw. They stay on the list as withdrawn and can be reinstated.

    Two or more are one step that can be undone.
    """
    event = lock_for_director(actor, event_id)
    previous = DivisionEntriesState.of(_lock_entries(event, entry_ids))
    withdrawn = [withdraw_locked(actor, event, entry_id) for entry_id in dict.fromkeys(entry_ids)]
    record_withdrawals(actor, event, previous, withdrawn)
    return withdrawn


@dataclass(frozen=True, slots=True)
class DivisionEntriesState:
    """Statuses and seeds of all entries of some divisions at one time, both keyed by entry id.

    Entries without a seed are not in ``seeds``.
    """

    status: Mapping[int, EntryStatus]
    seeds: Mapping[int, int]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "DivisionEntriesState":
        """Read the statuses and seeds of all entries in the divisions of ``entries``."""
        rows = list(
            Entry.objects.filter(division__in={entry.division_id for entry in entries}).values_list(
                "pk", "status", "seed"
            )
        )
        return cls(
            {pk: EntryStatus(status) for pk, status, _seed in rows},
            {pk: seed for pk, _status, seed in rows if seed is not None},
        )


def record_withdrawals(
    actor: Actor, event: Event, previous: DivisionEntriesState, withdrawn: Sequence[Entry]
) -> None:
    """Record that two or more entries were withdrawn together, with what an undo needs.

    ``previous``: snapshot from before the withdrawals. Joins the transaction of the caller, which holds the
    lock of ``event``.
    """
    if len(withdrawn) < 2:
        return
    current = DivisionEntriesState.of(withdrawn)
    withdrawn_ids = {entry.pk for entry in withdrawn}
    action = EntriesWithdrawn(
        entries=tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in withdrawn),
        seeds={EntryId(pk): seed for pk, seed in previous.seeds.items() if pk in withdrawn_ids},
        waited=tuple(
            EntryId(pk) for pk in sorted(withdrawn_ids) if previous.status.get(pk) in ENTRY_ON_WAITING_LIST
        ),
        moved=tuple(
            EntryId(pk)
            for pk, status in sorted(current.status.items())
            if status in ENTRY_HOLDS_PLACE and previous.status.get(pk) in ENTRY_ON_WAITING_LIST
        ),
    )
    divisions = {entry.division for entry in withdrawn}
    record_action(event, actor=actor, action=action, subject=divisions.pop() if len(divisions) == 1 else None)


@durable
def move_entries(
    *,
    actor: Actor,
    event_id: int,
    entry_ids: Sequence[int],
    division_id: int,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
) -> list[Entry]:
    """Move entries to another division before their own is drawn; return the entries that moved.

    They keep players, travel group and personal link, and lose their seeds. ``overrule``: reason for entries
    outside the rating limit of the new division; ``when_full``: what to do without enough free places there.
    """
    event = lock_for_director(actor, event_id)
    target = get_division(event, division_id)
    entries = _lock_entries(event, entry_ids)
    require_not_over(event)
    require_before_cutoff(event, target)
    moving = [entry for entry in entries if entry.division_id != target.pk]
    _must_be_movable(entries, moving, target)
    teams = _teams(moving)
    new_entries = [NewEntry(partners=(NewEntry(),) * (len(team) - 1), overrule=overrule) for team in teams]
    require_within_limit(event, target, new_entries, teams, EntryStatus.ACTIVE)
    left_divisions = {entry.division_id: entry.division for entry in moving}
    if moving:
        came_from = tuple(
            PreviousPlacement(EntryId(entry.pk), entry.division_id, entry.seed) for entry in moving
        )
        active_entries = [entry for entry in moving if entry.status == EntryStatus.ACTIVE]
        waiting = active_entries[allocate_places(actor, event, target, len(active_entries), when_full) :]
        _move_entries(actor, event, moving, target, came_from, waiting)
        record_overrules(actor, event, target, moving, new_entries, teams)
        for division in left_divisions.values():
            fill_places(actor, event, division)
    return moving


def return_to_division(actor: Actor, event: Event, entries: Sequence[Entry], target: Division) -> None:
    """Move locked entries back to the division ``target`` that they came from, whatever its rating limit.

    Joins the transaction of the caller, which holds the lock of ``event``.
    """
    _must_be_movable(entries, entries, target)
    _move_entries(actor, event, entries, target)


def _move_entries(
    actor: Actor,
    event: Event,
    moving: Sequence[Entry],
    target: Division,
    came_from: tuple[PreviousPlacement, ...] = (),
    waiting: Sequence[Entry] = (),
) -> None:
    """Write the move of the entries ``moving`` to ``target`` and record it.

    ``came_from``: previous divisions and seeds for an undo; ``waiting``: those of ``moving`` that get no
    place.
    """
    queue_number = next_queue_number(target) if waiting else 0
    for entry in moving:
        entry.division, entry.seed = target, None
    for entry in waiting:
        entry.queue_number = queue_number
        step_entry(entry, EntryAction.MOVE_BACK)
    Entry.objects.bulk_update(moving, MOVED_FIELDS, batch_size=200)
    EntryPlayer.objects.filter(entry__in=moving).update(division=target)
    move_check_ins(moving, target)
    named_entries = tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in moving)
    action = EntriesMoved(entries=named_entries, division=target.name, came_from=came_from)
    record_action(event, actor=actor, action=action, subject=target)


def _must_be_movable(entries: Sequence[Entry], moving: Sequence[Entry], target: Division) -> None:
    require_entries_open(target)
    _must_not_be_drawn(entries)
    raise_faults(
        [
            *_team_size_faults(moving, target),
            *_duplicate_player_faults(moving, target),
            *_kept_apart_faults(moving),
        ]
    )
    for entry in moving:
        require_not_reentered(entry)
        if entry.status not in ENTRY_LISTED:
            raise Conflict("entry.not_in", present=entry, name=entry.name)


def _teams(entries: Sequence[Entry]) -> list[list[Player]]:
    rows = EntryPlayer.objects.filter(entry__in=entries).select_related("player").order_by("position")
    players: dict[int, list[Player]] = {}
    for row in rows:
        players.setdefault(row.entry_id, []).append(row.player)
    return [players[entry.pk] for entry in entries]


def _must_be_chosen(entry_ids: Sequence[int]) -> None:
    if not entry_ids:
        raise Invalid("entry.none_chosen", field="chosen")


def _lock_entries(event: Event, entry_ids: Sequence[int]) -> list[Entry]:
    _must_be_chosen(entry_ids)
    entries = list(
        Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk__in=entry_ids, division__event=event)
        .order_by("pk")
    )
    if len(entries) < len(set(entry_ids)):
        raise Missing("entry.unknown")
    return entries


def _must_not_be_drawn(entries: Sequence[Entry]) -> None:
    """Raise ``Conflict`` if a stage in the divisions of these entries is drawn.

    A paired round of a Swiss counts as drawn, because the standings table contains its players.
    """
    divisions = {entry.division_id for entry in entries}
    drawn_stage = (
        Stage.objects.filter(division__in=divisions).exclude(status=StageStatus.SETUP).order_by("pk").first()
    )
    if drawn_stage is not None:
        code = "entry.drawn" if drawn_stage.status == StageStatus.DRAWN else "entry.too_late"
        raise Conflict(code, present={"status": drawn_stage.status})


def _team_size_faults(moving: Sequence[Entry], target: Division) -> list[Fault]:
    faults = [
        Fault("entry.other_size", "division", {"name": entry.name, "division": str(target)})
        for entry in moving
        if entry.division.team_size != target.team_size
    ]
    entry_count = Entry.objects.filter(division=target, status=EntryStatus.ACTIVE).count()
    if entry_count + len(moving) > MAX_ENTRIES:
        faults.append(Fault("entry.too_many", "division", {"limit": MAX_ENTRIES, "have": entry_count}))
    return faults


def _duplicate_player_faults(moving: Sequence[Entry], target: Division) -> list[Fault]:
    """Return an error for each player who is already in the division ``target``, or in two moved entries."""
    rows = list(
        EntryPlayer.objects.filter(entry__in=moving)
        .select_related("player")
        .order_by("player__name", "player")
    )
    present_ids = set(
        EntryPlayer.objects.filter(division=target, player__in=[row.player_id for row in rows]).values_list(
            "player_id", flat=True
        )
    )
    duplicate_names: dict[int, str] = {}
    seen_ids: set[int] = set()
    for row in rows:
        if row.player_id in present_ids or row.player_id in seen_ids:
            duplicate_names[row.player_id] = row.player.name
        seen_ids.add(row.player_id)
    return [Fault("entry.twice", "division", {"name": name}) for name in duplicate_names.values()]


def _kept_apart_faults(moving: Sequence[Entry]) -> list[Fault]:
    """Return an error for each moved entry that is to be kept apart from another in early rounds.

    Such requests are for one division, so the director must remove them first.
    """
    names = {entry.pk: entry.name for entry in moving}
    requests = PairRequest.objects.filter(first__in=moving) | PairRequest.objects.filter(second__in=moving)
    kept_apart_ids = {pk for pair in requests.values_list("first", "second") for pk in pair if pk in names}
    return [Fault("entry.kept_apart", "chosen", {"name": names[pk]}) for pk in sorted(kept_apart_ids)]
