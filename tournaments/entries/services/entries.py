"""Services with which directors add, change and withdraw entries, one entry or a list at a time.

Players enter themselves in `registration`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from people.services.quotas import ENTRIES, require_quota
from people.transactions import durable
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.new_entry import MARK_LIMITS, EntryMarks, NewEntry, WhenFull
from tournaments.engine.statuses import (
    ENTRY_HOLDS_PLACE,
    ENTRY_ON_WAITING_LIST,
    ENTRY_UNCONFIRMED,
    EVENT_CHANGEABLE,
    EVENT_OVER,
    EntryAction,
    EntryStatus,
    StageStatus,
)
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntryUpdated,
    EntryWithdrawn,
    SeedsSet,
)
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import clean_marks, save_details
from tournaments.entries.services.limits import (
    record_overrules,
    require_within_limit,
    require_within_limit_on_return,
)
from tournaments.entries.services.numbers import save_custom_values, save_numbers
from tournaments.entries.services.teams import clean_team_name, get_or_create_players
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.waiting import next_queue_number
from tournaments.store.event_state import step_entry
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.waiting import allocate_places, fill_places, schedule_start_if_full


@durable
def add_entry(
    *,
    actor: Actor,
    event_id: int,
    division_id: int,
    entry: NewEntry,
    when_full: WhenFull = WhenFull.ASK,
) -> Entry:
    """Enter a player or a team into a division and return the entry.

    ``when_full``: what to do if the division has no free place. A known player cannot be entered twice; a new
    name creates a player of the club.
    """
    event = lock_for_director(actor, event_id)
    return add_to_division(actor, event, get_division(event, division_id), [entry], when_full=when_full)[0]


@durable
def add_entries(
    *,
    actor: Actor,
    event_id: int,
    division_id: int,
    entries: Sequence[NewEntry],
    when_full: WhenFull = WhenFull.ASK,
) -> list[Entry]:
    """Enter a list of players or teams into a division: all of them or, if anything is wrong, none.

    The list is one step that can be undone. ``when_full``: what to do if there are not enough free places.
    """
    event = lock_for_director(actor, event_id)
    division = get_division(event, division_id)
    return add_to_division(actor, event, division, entries, when_full=when_full, is_undoable=True)


@durable
def update_entry(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    marks: EntryMarks,
    team: str = "",
    members: Sequence[NewEntry] | None = None,
    overrule: str = "",
) -> Entry:
    """Change the marks, the team name and, until the draw, the players of an entry; return the entry.

    ``marks``: notes such as the travel group; ``team``: new name of a team; ``members``: all players in
    order, None to keep them; ``overrule``: reason for new players outside the division's rating limit.
    """
    event = lock_for_director(actor, event_id)
    entry = locked_entry(event, entry_id)
    division = entry.division
    before = {"name": entry.name, **asdict(entry.marks)}
    entry_players = list(EntryPlayer.objects.filter(entry=entry).select_related("player"))
    names = [row.player.name for row in entry_players]
    new_players: list[Player] = []
    if members is not None and [member.player_id for member in members] != [
        row.player_id for row in entry_players
    ]:
        require_entries_open(division)
        require_not_reentered(entry)
        new_entry = replace(members[0], partners=tuple(members[1:])) if members else NewEntry()
        (players,) = get_or_create_players(actor, event, division, [new_entry], excluded_id=entry.pk)
        EntryPlayer.objects.filter(entry=entry).delete()
        EntryPlayer.objects.bulk_create(
            EntryPlayer(entry=entry, player=player, division=division, position=position)
            for position, player in enumerate(players, start=1)
        )
        names = [player.name for player in players]
        new_players = [
            player for player in players if player.pk not in {row.player_id for row in entry_players}
        ]
    for name, text in asdict(clean_marks(marks)).items():
        setattr(entry, name, text)
    if division.team_size > 1 or members is not None:
        entry.name = clean_team_name(team, names)
    entry.save(update_fields=[*MARK_LIMITS, "name"])
    require_within_limit_on_return(actor, event, entry, overrule, players=new_players)
    after = {"name": entry.name, **asdict(entry.marks)}
    record_action(event, actor=actor, action=EntryUpdated(before=before, after=after), subject=entry)
    return entry


@durable
def withdraw_entry(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """Withdraw an entry before the draw. The entry stays on the list as withdrawn and can be reinstated."""
    return withdraw_locked(actor, lock_for_director(actor, event_id), entry_id)


@durable
def set_seeds(*, actor: Actor, event_id: int, division_id: int, seeds: Mapping[int, int | None]) -> None:
    """Set the seeds of entries of a division: ranks from 1, or None for no seed, keyed by entry id.

    Raises ``Invalid`` with all errors (out of range, used twice); nothing is then written.
    """
    event = lock_for_director(actor, event_id)
    division = get_division(event, division_id)
    require_not_over(event)
    require_entries_open(division)
    entries = {entry.pk: entry for entry in Entry.objects.filter(division=division)}
    if set(seeds) - set(entries):
        raise Missing("entry.unknown")
    new_seeds = {pk: seeds.get(pk, entry.seed) for pk, entry in entries.items()}
    seed_counts = Counter(seed for seed in new_seeds.values() if seed is not None)
    faults = [
        Fault("seed.odd", f"seed-{pk}", {"limit": len(entries)})
        for pk, seed in new_seeds.items()
        if seed is not None and not 1 <= seed <= len(entries)
    ]
    faults += [
        Fault("seed.twice", f"seed-{pk}", {"seed": seed})
        for pk, seed in new_seeds.items()
        if seed is not None and seed_counts[seed] > 1
    ]
    if faults:
        raise Invalid(faults=faults)
    changed_entries = [entry for pk, entry in entries.items() if entry.seed != new_seeds[pk]]
    before = {EntryId(entry.pk): entry.seed for entry in changed_entries}
    write_seeds(actor, event, division, changed_entries, new_seeds, before)


def write_seeds(
    actor: Actor,
    event: Event,
    division: Division,
    changed_entries: Sequence[Entry],
    new_seeds: Mapping[int, int | None],
    before: Mapping[EntryId, int | None] | None = None,
) -> None:
    """Write the seeds of ``changed_entries``. ``before``: previous seeds, which make an undo possible.

    ``new_seeds``: keyed by entry id; no other entry may have these seeds. Joins the transaction of the
    caller, which holds the lock of ``event``.
    """
    # Two steps, because the database rejects a duplicate seed even within the transaction.
    Entry.objects.filter(pk__in=[entry.pk for entry in changed_entries]).update(seed=None)
    for entry in changed_entries:
        entry.seed = new_seeds[entry.pk]
    Entry.objects.bulk_update(changed_entries, ["seed"], batch_size=200)
    seeds = {EntryId(entry.pk): entry.seed for entry in changed_entries}
    record_action(event, actor=actor, action=SeedsSet(seeds=seeds, before=before or {}), subject=division)


def add_to_division(
    actor: Actor,
    event: Event,
    division: Division,
    new_entries: Sequence[NewEntry],
    *,
    source: Entry.Source = Entry.Source.DIRECTOR,
    status: EntryStatus = EntryStatus.ACTIVE,
    when_full: WhenFull = WhenFull.ASK,
    is_undoable: bool = False,
) -> list[Entry]:
    """Enter players or teams into a division that is open for entries; return the entries.

    Joins the transaction of the caller, which holds the lock of ``event``. ``when_full``: what to do without
    a free place, only for a director's entries with a place; entries through the registration link have the
    ``status`` that the caller computed. ``is_undoable``: True records one step that can be undone.
    """
    if event.status not in EVENT_CHANGEABLE:
        raise Conflict("entry.too_late", present=event)
    require_entries_open(division)
    require_before_cutoff(event, division)
    if not new_entries:
        raise Invalid("entry.none", field="name")
    # Entries by link are limited including the waiting list, which does not limit a director's entries.
    counted_statuses = (
        [EntryStatus.ACTIVE]
        if source == Entry.Source.DIRECTOR
        else (*ENTRY_HOLDS_PLACE, *ENTRY_ON_WAITING_LIST)
    )
    entry_count = Entry.objects.filter(division=division, status__in=counted_statuses).count()
    if entry_count + len(new_entries) > MAX_ENTRIES:
        raise Invalid("entry.too_many", field="name", limit=MAX_ENTRIES, have=entry_count)
    # First who they are: "already entered" must not be hidden behind "full".
    teams = get_or_create_players(actor, event, division, new_entries)
    places = len(new_entries)
    if source == Entry.Source.DIRECTOR and status in ENTRY_HOLDS_PLACE:
        places = allocate_places(actor, event, division, len(new_entries), when_full)
    entries = create_entries(
        actor, event, division, new_entries, teams, source=source, status=status, places=places
    )
    schedule_start_if_full(division)
    record_action(
        event,
        actor=actor,
        action=EntriesAdded(
            entries=tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in entries),
            together=is_undoable,
        ),
        subject=entries[0] if len(entries) == 1 else division,
    )
    return entries


def create_entries(
    actor: Actor,
    event: Event,
    division: Division,
    new_entries: Sequence[NewEntry],
    teams: Sequence[Sequence[Player]],
    *,
    source: Entry.Source,
    status: EntryStatus = EntryStatus.ACTIVE,
    places: int | None = None,
) -> list[Entry]:
    """Create new entries with their details; the caller checks whether the division is open.

    ``teams``: the players of each of them (`teams.get_or_create_players`).
    ``places``: how many of the entries get a place, None for all; the others go on the waiting list.
    """
    event_entries = Entry.objects.filter(division__event=event)
    require_quota(
        ENTRIES, actor=actor, owner=event.club, get_count=event_entries.count, added=len(new_entries)
    )
    require_within_limit(event, division, new_entries, teams, status)
    place_count = len(new_entries) if places is None else places
    statuses = [status if index < place_count else EntryStatus.WAITING for index in range(len(new_entries))]
    queue_number = next_queue_number(division) if set(statuses) & set(ENTRY_ON_WAITING_LIST) else 0
    entries = Entry.objects.bulk_create(
        Entry(
            division=division,
            name=clean_team_name(
                new_entry.team if division.team_size > 1 else "", [player.name for player in players]
            ),
            **asdict(clean_marks(new_entry.marks)),
            source=source,
            status=entry_status,
            queue_number=queue_number if entry_status in ENTRY_ON_WAITING_LIST else 0,
        )
        for new_entry, players, entry_status in zip(new_entries, teams, statuses, strict=True)
    )
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            entry=entry,
            player=player,
            division=division,
            position=position,
            is_new=status in ENTRY_UNCONFIRMED and member.player_id is None,
        )
        for entry, players, new_entry in zip(entries, teams, new_entries, strict=True)
        for position, (player, member) in enumerate(zip(players, new_entry.members, strict=True), start=1)
    )
    save_details(entries, teams, new_entries)
    save_numbers(event, entries, teams, new_entries)
    save_custom_values(event, teams, new_entries)
    record_overrules(actor, event, division, entries, new_entries, teams)
    return entries


def withdraw_locked(
    actor: Actor, event: Event, entry_id: int, *, device_number: int = 0, by_player: bool = False
) -> Entry:
    """Withdraw an entry before the draw, in the transaction of a service that holds the lock of ``event``.

    ``by_player``: True if players withdraw themselves; ``device_number``: number of their device. A free place goes to the
    waiting list.
    """
    entry = locked_entry(event, entry_id)
    require_not_over(event)
    require_entries_open(entry.division)
    step_entry(entry, EntryAction.WITHDRAW)
    entry.seed = None
    entry.save(update_fields=["status", "seed"])
    action = EntryWithdrawn(name=entry.name, phone=device_number, own=by_player)
    record_action(event, actor=actor, action=action, subject=entry)
    fill_places(actor, event, entry.division)
    schedule_start_if_full(entry.division)
    return entry


def require_not_over(event: Event) -> None:
    """Raise ``Conflict`` if the event is finished or cancelled."""
    if event.status in EVENT_OVER:
        raise Conflict("event.over", present=event)


def require_not_reentered(entry: Entry, *, reject_reentries: bool = True) -> None:
    """Raise ``Conflict`` if the players of the entry have re-entered.

    ``reject_reentries``: True raises also if the entry is a re-entry itself.
    """
    if entry.again.exists() or (reject_reentries and entry.again_of_id is not None):
        raise Conflict("entry.bought_back", present=entry, name=entry.name)


def get_division(event: Event, division_id: int) -> Division:
    """Return the division with this id. Raises ``Missing`` unless the division belongs to ``event``."""
    division = one_or_none(Division.objects.filter(pk=division_id, event=event))
    if division is None:
        raise Missing("division.unknown")
    return division


def locked_entry(event: Event, entry_id: int) -> Entry:
    """Return the entry with this id with its row locked.

    Raises ``Missing`` unless the entry is in ``event``.
    """
    entry = one_or_none(
        Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk=entry_id, division__event=event)
    )
    if entry is None:
        raise Missing("entry.unknown")
    return entry


def require_entries_open(division: Division) -> None:
    """Raise ``Conflict`` unless the entries of the division may still change.

    They may until the draw is made (a director can discard it first), in a Swiss until its last round.
    """
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if stage is not None and can_change_entries(stage):
        return
    status = stage.status if stage is not None else ""
    code = "entry.drawn" if status == StageStatus.DRAWN else "entry.too_late"
    raise Conflict(code, present={"status": status})


def require_before_cutoff(event: Event, division: Division) -> None:
    """Raise ``Conflict`` after the division's last time for entries, also for directors.

    They can change that time first.
    """
    until = division.entries_until
    if until is not None and timezone.now() > until:
        raise Conflict("entry.cut_off", present=event, until=until.astimezone(ZoneInfo(event.timezone)))
