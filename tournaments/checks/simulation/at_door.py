"""Who comes by the registration link before the draw: expected, waiting, approved, turned away, let in past the list."""

from collections.abc import Collection

from people.actors import Actor
from tournaments.checks.simulation.hall import Hall, Step
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import QUEUES, UNCONFIRMED, EntryStatus
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.registration import (
    approve_entries,
    let_in,
    register_self,
    set_approval,
    turn_away,
)
from tournaments.events.services.divisions import DivisionDetails, division_settings_version, update_division
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Division, Entry, EntryPlayer
from tournaments.repairs.services.reinstating import reinstate
from tournaments.selectors.access.links import join_token

MOST_AT_THE_DOOR = 6


def at_the_door(hall: Hall) -> list[Step]:
    """What happens while registration is open: first places are limited, at the end whoever is left is approved, for a draw needs it."""
    some = (
        _enter,
        _enter,
        _enter_as_known,
        _enter_as_known,
        _approve_one,
        _turn_away,
        _let_in,
        _leave,
        _room,
        _who,
    )
    chosen = hall.rng.choices(some, k=hall.rng.randrange(4, 16))
    return [_open, _limit, *chosen, _approve_all, _close]


def _open(hall: Hall) -> str:
    hall.event = set_registration(**hall.where, is_open=True)
    return "registration open"


def _close(hall: Hall) -> str:
    hall.event = set_registration(**hall.where, is_open=False)
    return "registration closed"


def _enter(hall: Hall) -> str:
    """Somebody new, or several from one place in a short time; into some of the divisions."""
    hall.event.refresh_from_db()
    if Entry.objects.filter(division__event=hall.event, source=Entry.Source.SELF).count() >= MOST_AT_THE_DOOR:
        return "enough at the door"
    register_self(
        actor=Actor.program(),
        token=join_token(hall.event),
        entry=NewEntry(name=f"Guest {hall.key()}"),
        partners=_wanted(hall, teams="Friend"),
        crowd=hall.rng.random() < 0.3,
    )
    return "somebody entering"


def _enter_as_known(hall: Hall) -> str:
    """Somebody says that they are a player who plays in another division already, or in this one."""
    players = list(
        EntryPlayer.objects.filter(division__event=hall.event)
        .order_by("pk")
        .values_list("player_id", flat=True)
    )
    hall.event.refresh_from_db()
    register_self(
        actor=Actor.program(),
        token=join_token(hall.event),
        entry=NewEntry(player_id=hall.rng.choice(players)),
        partners=_wanted(hall, teams="Mate"),
    )
    return "a known player entering"


def _wanted(hall: Hall, *, teams: str) -> dict[int, list[str]]:
    rows = list(Division.objects.filter(event=hall.event).order_by("position"))
    chosen = hall.rng.sample(rows, hall.rng.randint(1, len(rows)))
    return {row.pk: [f"{teams} {hall.key()}" for _ in range(row.team_size - 1)] for row in chosen}


def _approve_one(hall: Hall) -> str:
    entry = _some_of(hall, UNCONFIRMED)
    if entry is None:
        return "nobody to approve"
    approve_entries(**hall.where, entry_ids=[entry.pk])
    return f"{entry.name} approved"


def _approve_all(hall: Hall) -> str:
    return f"{len(approve_entries(**hall.where))} approved"


def _turn_away(hall: Hall) -> str:
    entry = _some_of(hall, UNCONFIRMED)
    if entry is None:
        return "nobody to turn away"
    turn_away(**hall.where, entry_id=entry.pk)
    return f"{entry.name} turned away"


def _let_in(hall: Hall) -> str:
    entry = _some_of(hall, QUEUES)
    if entry is None:
        return "nobody waits"
    let_in(**hall.where, entry_id=entry.pk, when_full=WhenFull.ADD)
    return f"{entry.name} let in"


def _leave(hall: Hall) -> str:
    """Somebody who has a place goes, and comes back when somebody else may have it."""
    entry = hall.some_entry()
    if entry is None or entry.source != Entry.Source.SELF:
        return "nobody leaves"
    withdraw_entry(**hall.where, entry_id=entry.pk)
    if hall.rng.random() < 0.3:
        reinstate(**hall.where, entry_id=entry.pk, when_full=hall.rng.choice((WhenFull.ADD, WhenFull.WAIT)))
    return f"{entry.name} leaving the list"


def _limit(hall: Hall) -> str:
    return _places(hall, most=2)


def _room(hall: Hall) -> str:
    return _places(hall, most=4)


def _places(hall: Hall, *, most: int) -> str:
    """So many places as there are entries and a few more, or as many as come."""
    division = hall.rng.choice(list(Division.objects.filter(event=hall.event).order_by("position")))
    there = Entry.objects.filter(division=division, status=EntryStatus.ACTIVE).count()
    capacity = hall.rng.choice([None, there + hall.rng.randrange(most)])
    details = DivisionDetails(
        name=division.name,
        team_size=division.team_size,
        entries_until=division.entries_until,
        capacity=capacity,
        reentries=division.reentries,
        moving=division.moving,
    )
    update_division(
        **hall.where, division_id=division.pk, division=details, seen=division_settings_version(division)
    )
    return f"{capacity} places"


def _who(hall: Hall) -> str:
    """The director wants to see every new name, or known ones alone; or the link was shown to the wrong people."""
    if hall.rng.random() < 0.3:
        hall.event = renew_registration_link(**hall.where)
        return "another link"
    hall.event = set_approval(**hall.where, everybody=hall.rng.random() < 0.5)
    return "whom to approve"


def _some_of(hall: Hall, statuses: Collection[EntryStatus]) -> Entry | None:
    found = list(Entry.objects.filter(division__event=hall.event, status__in=statuses).order_by("pk"))
    return hall.rng.choice(found) if found else None
