"""Rounds of a Swiss or round robin: pair, preview, pair again, publish, unpublish, end early.

A seed is stored before the pairing and stays with its round, so that every pairing can be repeated. Until a
round is published only the seed is stored, and the round is published only if it equals the previewed pairing
(``seen``). In a Swiss, entries may join and leave between rounds. A round robin is drawn once for all its
rounds, in groups if it has any; its rounds are published one by one, or all at once.
"""

from collections.abc import Collection, Sequence

from django.db.models import Q

from faults import Conflict
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.chance import Seed
from tournaments.engine.lots.committed import SERVER_SOURCE, SeedSource
from tournaments.engine.lots.lists import draw_groups
from tournaments.engine.statuses import (
    EVENT_CHANGEABLE,
    STAGE_UNDER_WAY,
    EventStatus,
    MatchStatus,
    StageAction,
    StageStatus,
)
from tournaments.engine.trail.action import Pair, RoundNo
from tournaments.engine.trail.draws import (
    PairingDiscarded,
    RoundPaired,
    RoundPublished,
    RoundsEnded,
    RoundUnpublished,
)
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Event, Match, Round, Stage
from tournaments.selectors.arranged import planned_deadlines
from tournaments.selectors.draws import PLAY_OFF_CODE, Draw, load_draw
from tournaments.selectors.rounds.next import (
    NextRound,
    berger_schedule,
    is_drawn_at_random,
    open_match_count,
    published_pairing,
    rounds_left,
    rounds_to_publish,
)
from tournaments.selectors.seeding import draw_participants, next_draw_list
from tournaments.selectors.standings.tables import effective_settings, is_swiss, rounds_settings
from tournaments.store.arranged import (
    clear_next_round,
    write_deadlines,
    write_groups,
    write_rests,
    write_swaps,
)
from tournaments.store.check_in import mark_check_in_used, require_checked_in
from tournaments.store.drawing import clear_rounds, pairs_with_bye, write_rounds
from tournaments.store.event_state import finish_stage_if_over, start_event, step_stage, unstart_event
from tournaments.store.lock import get_stage, lock_for_director, record_action
from tournaments.store.lots import (
    audit_facts,
    draw_lot,
    record_lot_outcome,
    require_entry_count,
    require_same_list,
    reveal_lots,
    save_lot,
    source_for_seed,
)
from tournaments.store.results import settle_withdrawn_matches
from tournaments.store.tables import assign_free_tables

_DRAW_FIELDS = ("status", "next_seed", "draw_seed", "drawn_at", "rounds_settled")


@durable
def pair_next_round(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    seed: Seed | None = None,
    source: SeedSource = SERVER_SOURCE,
    seen: str = "",
) -> NextRound:
    """Pair the next round, or pair it again, and return the pairing; it is not published yet.

    Randomness comes from the committed secret or another ``source``; ``seed`` repeats an earlier pairing.
    ``seen``: hash of the list of entries that was read out before the dice were rolled; raises ``Conflict``
    if the list has changed. Manual changes to an earlier pairing of this round are discarded.
    """
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    draw = _draw_for_next_round(event, stage)
    source = source_for_seed(seed, source)
    entries = draw_participants(stage)
    require_entry_count(stage, entries)
    if not is_drawn_at_random(stage, draw):
        raise Conflict("round.fixed", present=stage)
    write_swaps(stage, ())
    frozen_list = next_draw_list(stage, draw, entries)
    require_same_list(frozen_list, seen)
    lot, drawn_seed = draw_lot(stage, frozen_list, source)
    stage.next_seed = lot.seed
    if not draw.rounds:
        step_stage(event, stage, StageAction.DRAW)
        stage.draw_seed, stage.drawn_at = lot.seed, lot.at
    reveal_lots(stage)
    if is_swiss(stage):
        save_lot(lot, {})
    else:
        groups = draw_groups(frozen_list, drawn_seed)
        save_lot(lot, {"groups": groups})
        write_groups(stage, groups)
        stage.rounds_settled = len(berger_schedule(stage, groups))
    (paired_round, *_later) = _planned_rounds(stage, draw)
    stage.save(update_fields=_DRAW_FIELDS)
    record_action(
        event,
        actor=actor,
        action=RoundPaired(
            round=paired_round.number,
            seed=paired_round.seed,
            pairs=tuple(Pair(*pair) for pair in paired_round.pairs),
            bye=paired_round.bye,
            **audit_facts(lot),
        ),
        subject=stage,
    )
    return paired_round


@durable
def discard_pairing(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Discard the pairing of the next round, which is not published yet. Raises ``Conflict`` without one."""
    event = lock_for_director(actor, event_id)
    return discard_pairing_locked(actor, event, round_based_stage(event, stage_id))


def discard_pairing_locked(actor: Actor, event: Event, stage: Stage) -> Stage:
    """Discard the unpublished pairing of ``stage``, for a service that has locked ``event``."""
    if not stage.next_seed:
        raise Conflict("round.none_paired", present=stage)
    seed, stage.next_seed = stage.next_seed, ""
    write_swaps(stage, ())
    if stage.status == StageStatus.DRAWN:
        step_stage(event, stage, StageAction.DISCARD)
        stage.draw_seed, stage.drawn_at, stage.rounds_settled = "", None, None
        if not is_swiss(stage):
            write_groups(stage, ())
    stage.save(update_fields=_DRAW_FIELDS)
    reveal_lots(stage)
    record_action(event, actor=actor, action=PairingDiscarded(seed=seed), subject=stage)
    return stage


@durable
def publish_round(
    *, actor: Actor, event_id: int, stage_id: int, seen: str, absent: Collection[int] = ()
) -> Round:
    """Publish the paired round and assign tables; return the round.

    If all rounds of the stage are published at once, returns the first. ``seen``: version of the pairing that
    the director previewed; raises ``Conflict`` if it has changed. ``absent``: ids of entries that are not
    checked in and play anyway; the first round of a day requires the check-in of that day.
    """
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    draw = _draw_for_next_round(event, stage)
    new_rounds = _planned_rounds(stage, draw)
    if new_rounds[0].version != seen:
        raise Conflict("round.changed", present=stage)
    check_in, missing = require_checked_in(event, stage, seated_entry_ids(new_rounds), absent)
    if not draw.rounds:
        step_stage(event, stage, StageAction.PUBLISH)
    if is_swiss(stage):
        record_lot_outcome(
            stage, new_rounds[0].number, new_rounds[0].seed, published_pairing(stage, draw, new_rounds[0])
        )
    reveal_lots(stage)
    clear_next_round(stage)
    published_numbers = {round_.number for round_ in new_rounds}
    write_deadlines(
        stage,
        {number: day for number, day in planned_deadlines(stage).items() if number not in published_numbers},
    )
    stage.save(update_fields=["status", "next_seed"])
    start_event(event)
    published_round = write_rounds(stage, new_rounds, first_number=len(draw.matches) + 1)
    mark_check_in_used(check_in, stage)
    assign_free_tables(event)
    settle_withdrawn_matches(event, stage)
    record_action(
        event,
        actor=actor,
        action=RoundPublished(
            round=published_round.number,
            seed=published_round.seed,
            rests=new_rounds[0].rests,
            rounds=len(new_rounds),
            pairs=pairs_by_round(new_rounds),
            absent=missing,
        ),
        subject=stage,
    )
    return published_round


@durable
def unpublish_round(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Unpublish and delete the latest round, or all rounds if they were published at once.

    The seed is kept for the preview. Raises ``Conflict`` if one of their matches has begun.
    """
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    rounds = list(Round.objects.filter(stage=stage).exclude(code=PLAY_OFF_CODE).order_by("-number"))
    if not rounds or stage.status not in STAGE_UNDER_WAY or event.status != EventStatus.RUNNING:
        raise Conflict("round.none_published", present=stage)
    cleared_rounds = rounds if rounds_settings(stage).all_at_once else rounds[:1]
    begun_matches = Match.objects.filter(round__in=cleared_rounds).exclude(
        Q(status=MatchStatus.READY) | Q(status=MatchStatus.CONFIRMED, result_kind=ResultKind.BYE)
    )
    if begun_matches.exists():
        raise Conflict("draw.begun", present=stage)
    earliest = cleared_rounds[-1]
    if earliest.number == 1:
        step_stage(event, stage, StageAction.UNPUBLISH)
    clear_next_round(stage)
    stage.next_seed = earliest.seed
    write_rests(stage, {int(entry): points for entry, points in earliest.rests.items()})
    write_swaps(stage, [(EntryId(a), EntryId(b)) for a, b in earliest.swaps])
    write_deadlines(
        stage,
        {
            **planned_deadlines(stage),
            **{round_.number: round_.deadline for round_ in cleared_rounds if round_.deadline},
        },
    )
    stage.save(update_fields=["status", "next_seed"])
    unstart_event(event)
    clear_rounds(cleared_rounds)
    record_action(event, actor=actor, action=RoundUnpublished(round=earliest.number), subject=stage)
    return stage


@durable
def end_stage(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """End the stage early: no more rounds follow. Raises ``Conflict`` if a match has no result yet."""
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    draw = load_draw(stage)
    if not draw.rounds or stage.status not in STAGE_UNDER_WAY or event.status != EventStatus.RUNNING:
        raise Conflict("round.none_published", present=stage)
    _require_round_over(stage, draw)
    before = effective_settings(stage).rounds
    stage.rounds_settled = len(draw.rounds)
    clear_next_round(stage)
    stage.save(update_fields=["rounds_settled", "next_seed"])
    finish_stage_if_over(event, stage)
    record_action(
        event,
        actor=actor,
        action=RoundsEnded(rounds=len(draw.rounds), planned=before),
        subject=stage,
    )
    return stage


def round_based_stage(event: Event, stage_id: int) -> Stage:
    """Return a Swiss or round robin of the locked event, loaded with the stage that its entries come from."""
    return get_stage(event, stage_id, Stage.IN_ROUNDS)


def _draw_for_next_round(event: Event, stage: Stage) -> Draw:
    """Return the rounds that were played. Raises ``Conflict`` if no further round may be paired now."""
    draw = load_draw(stage)
    if event.status not in ([EventStatus.RUNNING] if draw.rounds else EVENT_CHANGEABLE):
        raise Conflict("draw.event_closed", present=event)
    if stage.status == StageStatus.FINISHED or rounds_left(stage, draw) == 0:
        raise Conflict("round.none_left", present=stage)
    _require_round_over(stage, draw)
    return draw


def _require_round_over(stage: Stage, draw: Draw) -> None:
    open_count = open_match_count(draw)
    if open_count:
        raise Conflict("round.not_over", count=open_count, present=stage)


def _planned_rounds(stage: Stage, draw: Draw) -> tuple[NextRound, ...]:
    """Return the paired rounds that would be published next. Raises ``Conflict`` if none is paired."""
    rounds = rounds_to_publish(stage, draw)
    if not rounds:
        raise Conflict("round.none_paired", present=stage)
    return rounds


def seated_entry_ids(new_rounds: Sequence[NextRound]) -> set[int]:
    """Return the ids of the entries that play in these rounds or have a bye, without those that sit out."""
    return {
        entry
        for round_ in new_rounds
        for pair in pairs_with_bye(round_)
        for entry in pair
        if entry is not None
    }


def pairs_by_round(new_rounds: Sequence[NextRound]) -> dict[RoundNo, tuple[Pair, ...]]:
    """Return the pairs of each round, keyed by round number, as the audit log stores them.

    A bye is a pair without a second entry.
    """
    return {
        RoundNo(round_.number): tuple(Pair(*sides) for sides in pairs_with_bye(round_))
        for round_ in new_rounds
    }
