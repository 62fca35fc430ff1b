"""Enter, change and withdraw: by the director one at a time or as a pasted list, or by the players themselves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from people.actors import Actor
from people.errors import Conflict, Fault, Invalid, Missing
from people.models import Player, search_key
from people.selectors import players_for_club
from people.services.players import clean_name, create_player, create_players, link_to_club
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.lifecycle import EntryAction, EntryStatus, EventStatus, StageStatus, next_status
from tournaments.links import event_of_token
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.selectors.pairings import between_rounds
from tournaments.services.common import changed, engine_refusals, lock_event, lock_for_director


@dataclass(frozen=True, slots=True)
class NewEntry:
    """One player to enter: a known one by database id, or a new one by name."""

    name: str = ""
    player_id: int | None = None


@transaction.atomic(durable=True)
def add_entry(*, actor: Actor, event_id: int, division_id: int, entry: NewEntry) -> Entry:
    """Enter one player. A known player cannot be entered twice; a new name makes a new player of the club."""
    event = lock_for_director(actor, event_id)
    return _add(actor, event, _division(event, division_id), [entry], source=Entry.Source.DIRECTOR)[0]


@transaction.atomic(durable=True)
def add_entries(*, actor: Actor, event_id: int, division_id: int, entries: Sequence[NewEntry]) -> list[Entry]:
    """Enter a whole list at once: all of them or, if anything is wrong, none."""
    event = lock_for_director(actor, event_id)
    return _add(actor, event, _division(event, division_id), entries, source=Entry.Source.DIRECTOR)


@transaction.atomic(durable=True)
def register_self(*, actor: Actor, token: str, entry: NewEntry) -> Entry:
    """A player enters by the registration link, while registration is open.

    A new name that stands among the entries already is refused: nobody looks over their shoulder, so it is far more
    often the same person, or the same form twice, than a namesake. A namesake adds something to the name.
    """
    event = lock_event(event_of_token(token).pk)
    if event_of_token(token).pk != event.pk or not event.registration_open:
        raise Conflict("registration.closed", present={"status": event.status})
    division = event.divisions.order_by("position").first()
    if division is None:
        raise Missing("division.unknown")
    namesakes = EntryPlayer.objects.filter(
        division=division, player__search_name=search_key(entry.name)[:160]
    )
    if entry.player_id is None and namesakes.exists():
        raise Invalid("entry.twice", field="name", name=" ".join(entry.name.split()))
    return _add(actor, event, division, [entry], source=Entry.Source.SELF)[0]


@transaction.atomic(durable=True)
def withdraw_entry(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """Take an entry out before the draw; it stays on the list as withdrawn and can come back."""
    return _move(actor, event_id, entry_id, EntryAction.WITHDRAW)


@transaction.atomic(durable=True)
def return_entry(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """Let a withdrawn entry take part again, before the draw."""
    return _move(actor, event_id, entry_id, EntryAction.RETURN)


@transaction.atomic(durable=True)
def set_seeds(*, actor: Actor, event_id: int, division_id: int, seeds: Mapping[int, int | None]) -> None:
    """Give entries their seeds (entry id → 1, 2, 3 … or None). The whole list is checked before any is written."""
    event = lock_for_director(actor, event_id)
    division = _division(event, division_id)
    _must_be_open(division)
    entries = {entry.pk: entry for entry in Entry.objects.filter(division=division)}
    if set(seeds) - set(entries):
        raise Missing("entry.unknown")
    wanted = {pk: seeds.get(pk, entry.seed) for pk, entry in entries.items()}
    given = Counter(seed for seed in wanted.values() if seed is not None)
    faults = [
        Fault("seed.odd", f"seed-{pk}", {"limit": len(entries)})
        for pk, seed in wanted.items()
        if seed is not None and not 1 <= seed <= len(entries)
    ]
    faults += [
        Fault("seed.twice", f"seed-{pk}", {"seed": seed})
        for pk, seed in wanted.items()
        if seed is not None and given[seed] > 1
    ]
    if faults:
        raise Invalid(faults=faults)
    touched = [entry for pk, entry in entries.items() if entry.seed != wanted[pk]]
    # Two steps, because the database forbids the same seed twice even for a moment.
    Entry.objects.filter(pk__in=[entry.pk for entry in touched]).update(seed=None)
    for entry in touched:
        entry.seed = wanted[entry.pk]
    Entry.objects.bulk_update(touched, ["seed"], batch_size=200)
    changed(
        event,
        actor=actor,
        action="entry.seed",
        subject=division,
        data={"seeds": {str(entry.pk): entry.seed for entry in touched}},
    )


def _add(
    actor: Actor, event: Event, division: Division, wanted: Sequence[NewEntry], *, source: Entry.Source
) -> list[Entry]:
    if event.status not in {EventStatus.DRAFT, EventStatus.OPEN, EventStatus.RUNNING}:
        raise Conflict("entry.too_late", present={"status": event.status})
    _must_be_open(division)
    if not wanted:
        raise Invalid("entry.none", field="name")
    have = Entry.objects.filter(division=division, status=EntryStatus.ACTIVE).count()
    if have + len(wanted) > MAX_ENTRIES:
        raise Invalid("entry.too_many", field="name", limit=MAX_ENTRIES, have=have)
    players = _players(actor, event, division, wanted)
    entries = Entry.objects.bulk_create(
        [Entry(division=division, name=player.name, source=source) for player in players]
    )
    EntryPlayer.objects.bulk_create(
        [
            EntryPlayer(entry=entry, player=player, division=division, position=1)
            for entry, player in zip(entries, players, strict=True)
        ]
    )
    changed(
        event,
        actor=actor,
        action="entry.add",
        subject=entries[0] if len(entries) == 1 else division,
        data={"entries": [[entry.pk, entry.name] for entry in entries]},
    )
    return entries


def _players(actor: Actor, event: Event, division: Division, wanted: Sequence[NewEntry]) -> list[Player]:
    """The players for ``wanted``, known ones fetched and new ones made; refuses all duplicates together."""
    ids = [item.player_id for item in wanted if item.player_id is not None]
    known = {player.pk: player for player in players_for_club(event.club).filter(pk__in=ids)}
    entered = set(
        EntryPlayer.objects.filter(division=division)
        .filter(Q(player_id__in=ids) | Q(player__merged_into_id__in=ids))
        .values_list("player_id", flat=True)
    )
    faults: list[Fault] = []
    seen_ids: set[int] = set()
    seen_names: set[str] = set()
    new_names: list[str] = []
    for number, item in enumerate(wanted, start=1):
        if item.player_id is None:
            try:
                name = clean_name(item.name)
            except Invalid as error:
                faults += [Fault(f.code, "name", {**f.params, "line": number}) for f in error.faults]
                continue
            if search_key(name) in seen_names:
                faults.append(Fault("entry.name_twice", "name", {"name": name, "line": number}))
            seen_names.add(search_key(name))
            new_names.append(name)
            continue
        player = known.get(item.player_id)
        if player is None:
            faults.append(Fault("player.unknown", "player"))
        elif player.pk in entered or player.pk in seen_ids:
            faults.append(Fault("entry.twice", "player", {"name": player.name}))
        seen_ids.add(item.player_id)
    if faults:
        raise Invalid(faults=faults)
    if len(new_names) == 1:
        made = [create_player(actor=actor, club=event.club, name=new_names[0])]
    else:
        made = create_players(actor=actor, club=event.club, names=new_names) if new_names else []
    link_to_club(players=list(known.values()), club=event.club)
    fresh = iter(made)
    return [known[item.player_id] if item.player_id is not None else next(fresh) for item in wanted]


def _move(actor: Actor, event_id: int, entry_id: int, action: EntryAction) -> Entry:
    event = lock_for_director(actor, event_id)
    entry = (
        Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk=entry_id, division__event=event)
        .first()
    )
    if entry is None:
        raise Missing("entry.unknown")
    _must_be_open(entry.division)
    with engine_refusals({"status": entry.status}):
        entry.status = next_status(EntryStatus(entry.status), action)
    entry.seed = None
    entry.save(update_fields=["status", "seed"])
    changed(event, actor=actor, action=f"entry.{action}", subject=entry, data={"name": entry.name})
    return entry


def _division(event: Event, division_id: int) -> Division:
    division = Division.objects.filter(pk=division_id, event=event).first()
    if division is None:
        raise Missing("division.unknown")
    return division


def _must_be_open(division: Division) -> None:
    """Entries may change until the draw is made (a drawn one is discarded first), in a Swiss until its last round."""
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if stage is not None and (stage.status == StageStatus.SETUP or between_rounds(stage)):
        return
    status = stage.status if stage is not None else ""
    code = "entry.drawn" if status == StageStatus.DRAWN else "entry.too_late"
    raise Conflict(code, present={"status": status})
