"""Random registrations by link before the draw: pending, waiting, approved, declined, admitted."""

from collections.abc import Collection

from people.actors import Actor
from tournaments.checks.simulation.hall import Step, StepContext
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import ENTRY_ON_WAITING_LIST, ENTRY_UNCONFIRMED, EntryStatus
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.registration import (
    admit_from_waiting_list,
    approve_entries,
    decline_entry,
    register_self,
    set_approval_required,
)
from tournaments.events.services.divisions import DivisionDetails, division_settings_version, update_division
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Division, Entry, EntryPlayer
from tournaments.repairs.services.reinstating import reinstate
from tournaments.selectors.access.links import join_token

MAX_SELF_ENTRIES = 6


def registration_steps(context: StepContext) -> list[Step]:
    """Return random steps of an event that takes registrations: first, places are limited.

    At the end all pending entries are approved.
    """
    choices = (
        _register_new,
        _register_new,
        _register_known,
        _register_known,
        _approve_one,
        _decline_one,
        _admit_one,
        _withdraw_and_return,
        _extend_places,
        _change_approval,
    )
    chosen_steps = context.rng.choices(choices, k=context.rng.randrange(4, 16))
    return [_open_registration, _limit_places, *chosen_steps, _approve_all, _close_registration]


def _open_registration(context: StepContext) -> str:
    context.event = set_registration(**context.where, is_open=True)
    return "registration open"


def _close_registration(context: StepContext) -> str:
    context.event = set_registration(**context.where, is_open=False)
    return "registration closed"


def _register_new(context: StepContext) -> str:
    """Register a new player into some divisions; sometimes as one of many registrations from one network."""
    context.event.refresh_from_db()
    if (
        Entry.objects.filter(division__event=context.event, source=Entry.Source.SELF).count()
        >= MAX_SELF_ENTRIES
    ):
        return "enough at the door"
    register_self(
        actor=Actor.program(),
        token=join_token(context.event),
        entry=NewEntry(name=f"Guest {context.key()}"),
        partners=_registration_input(context, teams="Friend"),
        crowd=context.rng.random() < 0.3,
    )
    return "somebody entering"


def _register_known(context: StepContext) -> str:
    """Register a player who is already in some division of the event."""
    players = list(
        EntryPlayer.objects.filter(division__event=context.event)
        .order_by("pk")
        .values_list("player_id", flat=True)
    )
    context.event.refresh_from_db()
    register_self(
        actor=Actor.program(),
        token=join_token(context.event),
        entry=NewEntry(player_id=context.rng.choice(players)),
        partners=_registration_input(context, teams="Mate"),
    )
    return "a known player entering"


def _registration_input(context: StepContext, *, teams: str) -> dict[int, list[str]]:
    rows = list(Division.objects.filter(event=context.event).order_by("position"))
    chosen = context.rng.sample(rows, context.rng.randint(1, len(rows)))
    return {row.pk: [f"{teams} {context.key()}" for _ in range(row.team_size - 1)] for row in chosen}


def _approve_one(context: StepContext) -> str:
    entry = _some_entry_with(context, ENTRY_UNCONFIRMED)
    if entry is None:
        return "nobody to approve"
    approve_entries(**context.where, entry_ids=[entry.pk])
    return f"{entry.name} approved"


def _approve_all(context: StepContext) -> str:
    return f"{len(approve_entries(**context.where))} approved"


def _decline_one(context: StepContext) -> str:
    entry = _some_entry_with(context, ENTRY_UNCONFIRMED)
    if entry is None:
        return "nobody to turn away"
    decline_entry(**context.where, entry_id=entry.pk)
    return f"{entry.name} turned away"


def _admit_one(context: StepContext) -> str:
    entry = _some_entry_with(context, ENTRY_ON_WAITING_LIST)
    if entry is None:
        return "nobody waits"
    admit_from_waiting_list(**context.where, entry_id=entry.pk, when_full=WhenFull.ADD)
    return f"{entry.name} let in"


def _withdraw_and_return(context: StepContext) -> str:
    """Withdraw an entry and sometimes reinstate it, when another entry may have got its place."""
    entry = context.some_entry()
    if entry is None or entry.source != Entry.Source.SELF:
        return "nobody leaves"
    withdraw_entry(**context.where, entry_id=entry.pk)
    if context.rng.random() < 0.3:
        reinstate(
            **context.where, entry_id=entry.pk, when_full=context.rng.choice((WhenFull.ADD, WhenFull.WAIT))
        )
    return f"{entry.name} leaving the list"


def _limit_places(context: StepContext) -> str:
    return _set_places(context, max_extra=2)


def _extend_places(context: StepContext) -> str:
    return _set_places(context, max_extra=4)


def _set_places(context: StepContext, *, max_extra: int) -> str:
    """Limit the places to a few more than there are entries, or remove the limit."""
    division = context.rng.choice(list(Division.objects.filter(event=context.event).order_by("position")))
    entry_count = Entry.objects.filter(division=division, status=EntryStatus.ACTIVE).count()
    capacity = context.rng.choice([None, entry_count + context.rng.randrange(max_extra)])
    details = DivisionDetails(
        name=division.name,
        team_size=division.team_size,
        entries_until=division.entries_until,
        capacity=capacity,
        reentries=division.reentries,
        moving=division.moving,
    )
    update_division(
        **context.where, division_id=division.pk, division=details, seen=division_settings_version(division)
    )
    return f"{capacity} places"


def _change_approval(context: StepContext) -> str:
    """Require approval of every new name, or stop requiring it; or renew the registration link."""
    if context.rng.random() < 0.3:
        context.event = renew_registration_link(**context.where)
        return "another link"
    context.event = set_approval_required(**context.where, everybody=context.rng.random() < 0.5)
    return "whom to approve"


def _some_entry_with(context: StepContext, statuses: Collection[EntryStatus]) -> Entry | None:
    entries = list(Entry.objects.filter(division__event=context.event, status__in=statuses).order_by("pk"))
    return context.rng.choice(entries) if entries else None
