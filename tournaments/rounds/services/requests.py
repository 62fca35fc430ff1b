"""Director's requests for the next round of a Swiss: entries that sit out, pairs to avoid, swaps.

Each changes the preview of the pairing at once. A manual swap is stored with the round, and the check of the
pairing lists the criteria that the swap violates.
"""

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.stages.swiss import REST_POINTS, AvoidancePolicy
from tournaments.engine.statuses import EntryStatus, StageStatus
from tournaments.engine.trail.draws import EntriesKeptApart, EntriesSwapped, SitOutSet, SwapsUndone
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.services.rounds import round_based_stage
from tournaments.selectors.arranged import pairs_apart, requested_swaps
from tournaments.selectors.draws import Draw, load_draw
from tournaments.selectors.rounds.next import NextRound, next_round, rounds_left
from tournaments.selectors.standings.tables import is_swiss
from tournaments.store.arranged import write_pair_request, write_rests, write_swaps
from tournaments.store.lock import lock_for_director, record_action

MAX_PAIRS_APART = 200
MAX_SWAPS = 40


@durable
def sit_out(*, actor: Actor, event_id: int, stage_id: int, entry_id: int, points: int | None) -> Stage:
    """Let an entry sit out the next round for ``points`` half points; with None, the entry plays after all.

    Raises ``Invalid`` for other points than those in `REST_POINTS`.
    """
    event = lock_for_director(actor, event_id)
    stage, _draw = _stage_with_next_round(event, stage_id)
    (entry,) = _active_entries(stage, entry_id)
    if points is not None and points not in REST_POINTS:
        raise Invalid("swiss.points_odd", field="points", value=points)
    write_rests(stage, {entry.pk: points})
    record_action(
        event,
        actor=actor,
        action=SitOutSet(name=entry.name, points=points),
        subject=entry,
    )
    return stage


@durable
def keep_apart(
    *, actor: Actor, event_id: int, stage_id: int, first_id: int, second_id: int, strictness: str
) -> Stage:
    """Set how strictly the pairing of two entries is avoided in the stage.

    ``strictness``: a value of `AvoidancePolicy`: never, avoid (unless unavoidable) or ignore.
    """
    event = lock_for_director(actor, event_id)
    stage, _draw = _stage_with_next_round(event, stage_id)
    first, second = _two_entries(stage, first_id, second_id)
    if strictness not in set(AvoidancePolicy):
        raise Invalid("apart.wish_odd", field="strictness", value=strictness)
    pair = (EntryId(min(first.pk, second.pk)), EntryId(max(first.pk, second.pk)))
    is_apart = strictness != AvoidancePolicy.IGNORE
    if is_apart and len(pairs_apart(stage).keys() | {pair}) > MAX_PAIRS_APART:
        raise Invalid("apart.too_many", limit=MAX_PAIRS_APART)
    write_pair_request(stage, pair, strictness if is_apart else None)
    action = EntriesKeptApart(first=first.name, second=second.name, wish=AvoidancePolicy(strictness))
    record_action(event, actor=actor, action=action, subject=stage)
    return stage


@durable
def swap_entries(
    *, actor: Actor, event_id: int, stage_id: int, first_id: int, second_id: int, seen: str
) -> NextRound:
    """Swap two entries in the preview of the next round, and return the new preview. The bye is also a place.

    ``seen``: version of the pairing that the director saw; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id)
    stage, draw = _stage_with_next_round(event, stage_id)
    before = _require_next_round(stage, draw)
    if before.version != seen:
        raise Conflict("round.changed", present=stage)
    first, second = _two_entries(stage, first_id, second_id)
    swapped_ids = {EntryId(first.pk), EntryId(second.pk)}
    seated_ids = {entry for pair in before.pairs for entry in pair} | {before.bye}
    if not swapped_ids <= seated_ids:
        raise Invalid("swap.not_playing", field="second")
    if any(swapped_ids == set(pair) for pair in before.pairs):
        raise Invalid("swap.already_meet", field="second", first=first.name, second=second.name)
    if len(before.swaps) >= MAX_SWAPS:
        raise Invalid("swap.too_many", limit=MAX_SWAPS)
    write_swaps(stage, [*requested_swaps(stage), (EntryId(first.pk), EntryId(second.pk))])
    after = _require_next_round(stage, draw)
    action = EntriesSwapped(round=after.number, first=first.name, second=second.name)
    record_action(event, actor=actor, action=action, subject=stage)
    return after


@durable
def undo_swaps(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Undo all swaps in the preview of the next round. Raises ``Conflict`` if there are none."""
    event = lock_for_director(actor, event_id)
    stage, _draw = _stage_with_next_round(event, stage_id)
    if not requested_swaps(stage):
        raise Conflict("swap.none", present=stage)
    write_swaps(stage, ())
    record_action(event, actor=actor, action=SwapsUndone(), subject=stage)
    return stage


def _stage_with_next_round(event: Event, stage_id: int) -> tuple[Stage, Draw]:
    """Return a Swiss stage and its draw. Raises ``Conflict`` if no round is left to publish."""
    stage = round_based_stage(event, stage_id)
    if not is_swiss(stage):
        raise Conflict("stage.other_system", present=stage)
    draw = load_draw(stage)
    if stage.status == StageStatus.FINISHED or rounds_left(stage, draw) == 0:
        raise Conflict("round.none_left", present=stage)
    return stage, draw


def _require_next_round(stage: Stage, draw: Draw) -> NextRound:
    upcoming = next_round(stage, draw)
    if upcoming is None:
        raise Conflict("round.none_paired", present=stage)
    return upcoming


def _active_entries(stage: Stage, *ids: int) -> list[Entry]:
    """Return the active entries of the division with these ids, in the order of ``ids``.

    Raises ``Missing`` if one is not found.
    """
    rows = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE).in_bulk(ids)
    if not rows.keys() >= set(ids):
        raise Missing("entry.unknown")
    return [rows[pk] for pk in ids]


def _two_entries(stage: Stage, first_id: int, second_id: int) -> list[Entry]:
    if first_id == second_id:
        raise Invalid("apart.same_entry", field="second")
    return _active_entries(stage, first_id, second_id)
