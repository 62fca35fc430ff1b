"""Withdrawal of missing players before a draw. They can return by reinstatement or as late entries."""

from collections.abc import Collection

from faults import Conflict
from people.actors import Actor
from people.transactions import durable
from tournaments.draws.services.draws import discard_draw_locked
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.statuses import EntryStatus, StageStatus
from tournaments.entries.services.entries import withdraw_locked as take_out_before
from tournaments.entries.services.several import DivisionEntriesState, record_withdrawals
from tournaments.models import CheckIn, Entry, Event, Stage
from tournaments.repairs.services.withdraw import withdraw_after_draw_locked
from tournaments.rounds.services.rounds import discard_pairing_locked
from tournaments.selectors.check_in import missing_entries, required_check_in
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.standings.tables import is_round_based, is_swiss
from tournaments.store.lock import get_stage, lock_for_director


@durable
def withdraw_missing(*, actor: Actor, event_id: int, stage_id: int, listed: Collection[int]) -> list[Entry]:
    """Withdraw those entries of ``listed`` (ids) that are still not checked in; return the withdrawn ones.

    An unpublished draw or pairing is discarded. Entries checked in since stay; those missing since are not
    withdrawn, so the draw reports them again. Entries on the waiting list that are checked in move up; others
    that would move up are withdrawn, too.

    Raises ``Conflict`` if no check-in is required (``check_in.not_asked``), a round robin is in progress
    (``check_in.by_hand``: the director decides about its results), or too few entries would be left
    (``check_in.too_few_here``: most likely nobody was checked in).
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id)
    check_in = required_check_in(event, stage)
    if check_in is None:
        raise Conflict("check_in.not_asked", present=stage)
    missing = [entry for entry in missing_entries(check_in, listed) if entry.division_id == stage.division_id]
    if not missing:
        return []
    _discard_draw(actor, event, stage)
    first_stage = _first_stage(stage)
    if can_change_entries(first_stage):
        withdrawn = _withdraw_before_draw(actor, event, check_in, missing)
    elif (
        is_round_based(first_stage)
        and not is_swiss(first_stage)
        and first_stage.status != StageStatus.FINISHED
    ):
        raise Conflict("check_in.by_hand", present=first_stage)
    else:
        withdrawn = [withdraw_after_draw_locked(actor, event, entry.pk) for entry in missing]
    if len(_entries_with_place(check_in)) < MIN_ENTRIES:
        raise Conflict("check_in.too_few_here", present=stage)
    return withdrawn


def _discard_draw(actor: Actor, event: Event, stage: Stage) -> None:
    if is_round_based(stage):
        if stage.next_seed:
            discard_pairing_locked(actor, event, stage)
    elif stage.status == StageStatus.DRAWN:
        discard_draw_locked(actor, event, stage)


def _withdraw_before_draw(actor: Actor, event: Event, check_in: CheckIn, missing: list[Entry]) -> list[Entry]:
    """Withdraw ``missing``, then entries that move up and are missing, too, and so on; return all of them."""
    withdrawn: list[Entry] = []
    placed_ids, snapshot = _entries_with_place(check_in), DivisionEntriesState.of(missing)
    while missing:
        withdrawn += [take_out_before(actor, event, entry.pk) for entry in missing]
        moved_up = _entries_with_place(check_in) - placed_ids
        placed_ids |= moved_up
        missing = missing_entries(check_in, moved_up)
    record_withdrawals(actor, event, snapshot, withdrawn)
    return withdrawn


def _entries_with_place(check_in: CheckIn) -> set[int]:
    rows = Entry.objects.filter(division=check_in.division_id, status=EntryStatus.ACTIVE)
    return set(rows.values_list("pk", flat=True))


def _first_stage(stage: Stage) -> Stage:
    first = Stage.objects.filter(division=stage.division_id).select_related("division", "fed_by")
    return first.order_by("position")[0]
