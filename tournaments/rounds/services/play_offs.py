"""Play-offs between tied entries of a table: matches to one point, or an order that the director records.

The matches are called, played, reported and corrected like any other; rule F12 decides whether they are rated
(a match to one point usually is not). Each entry meets each other once; those still tied can play again. The
matches belong to the stage, which runs until they are over, and count only for the play-off. ``seen``:
version of the event that the director saw; raises ``Conflict`` if it has changed.
"""

from collections.abc import Sequence
from typing import Final

from faults import Conflict, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.pairing.round_robin import round_robin
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.draws import (
    PlayOffRecorded,
    PlayOffsDiscarded,
    PlayOffStarted,
    PlayOffUndone,
)
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, Match, Round, Stage
from tournaments.rounds.services.rounds import pairs_by_round, round_based_stage
from tournaments.selectors.arranged import play_off_points
from tournaments.selectors.draws import PLAY_OFF_CODE, load_draw
from tournaments.selectors.rounds.next import NextRound
from tournaments.selectors.rounds.play_offs import MAX_PLAY_OFF_ENTRIES, can_break_ties, is_next_stage_drawn
from tournaments.selectors.standings.tables import play_off_ties, rounds_settings, unbroken_ties
from tournaments.store.arranged import clear_play_off, write_play_off
from tournaments.store.drawing import clear_rounds, write_rounds
from tournaments.store.event_state import finish_stage_if_over, reopen_stage
from tournaments.store.lock import lock_for_director, record_action, save_before_audit
from tournaments.store.places import record_places
from tournaments.store.results import settle_withdrawn_matches
from tournaments.store.tables import assign_free_tables

MATCH_LENGTH_POINTS: Final = 1


@durable
def start_play_off(
    *, actor: Actor, event_id: int, stage_id: int, entries: Sequence[int], seen: int | None = None
) -> Stage:
    """Create the one-point matches of a play-off between all entries of a tied group.

    ``entries``: their ids. The stage and its event run until the play-off is over. Raises ``Invalid`` unless
    the entries are exactly a tied group, and ``Conflict`` if the stage is not over, has lives, or feeds a
    drawn stage.
    """
    event, stage = _lock_expected_stage(actor, event_id, stage_id, seen)
    _require_stage_over(event, stage)
    if rounds_settings(stage).lives:
        raise Conflict("play_off.with_lives", present=stage)
    if is_next_stage_drawn(stage):
        raise Conflict("play_off.next_drawn", present=stage)
    if len(set(entries)) < len(entries):
        raise Invalid("play_off.twice", field="entry")
    draw = load_draw(stage)
    group = next((tied for tied in play_off_ties(draw) if set(tied) == set(entries)), None)
    if group is None:
        raise Invalid("play_off.not_tied", field="entry")
    if len(group) > MAX_PLAY_OFF_ENTRIES:
        raise Invalid("play_off.too_many", field="entry", limit=MAX_PLAY_OFF_ENTRIES)
    first_number = len(draw.rounds) + len(draw.play_offs)
    new_rounds = [
        _play_off_round(first_number + round_.number, round_.pairs, round_.rests)
        for round_ in round_robin(group)
    ]
    reopen_stage(event, stage)
    save_before_audit(event, "status", "finished_at")  # the assignment of tables reads running events
    write_rounds(stage, new_rounds, first_number=len(draw.matches) + 1, code=PLAY_OFF_CODE)
    assign_free_tables(event)
    settle_withdrawn_matches(event, stage)
    names = Entry.objects.in_bulk(group)
    action = PlayOffStarted(names=tuple(names[pk].name for pk in group), pairs=pairs_by_round(new_rounds))
    record_action(event, actor=actor, action=action, subject=stage)
    return stage


@durable
def cancel_play_off(*, actor: Actor, event_id: int, stage_id: int, seen: int | None = None) -> Stage:
    """Delete the matches of the last play-off. Raises ``Conflict`` if one of them has begun."""
    event, stage = _lock_expected_stage(actor, event_id, stage_id, seen)
    cleared_rounds = last_play_off_rounds(stage)
    if not cleared_rounds:
        raise Conflict("play_off.none", present=stage)
    if Match.objects.filter(round__in=cleared_rounds).exclude(status=MatchStatus.READY).exists():
        raise Conflict("draw.begun", present=stage)
    first = min(round_.number for round_ in cleared_rounds)
    clear_rounds(cleared_rounds)
    finish_stage_if_over(event, stage)
    record_action(event, actor=actor, action=PlayOffUndone(round=first), subject=stage)
    return stage


def last_play_off_rounds(stage: Stage) -> list[Round]:
    """Return the rounds of the latest play-off, last round first.

    They are as many as its entries need to meet each other.
    """
    rounds = list(Round.objects.filter(stage=stage, code=PLAY_OFF_CODE).order_by("-number"))
    if not rounds:
        return []
    entries = rounds[0].entries_left
    return rounds[: entries - 1 + entries % 2]


@durable
def record_play_off(
    *, actor: Actor, event_id: int, stage_id: int, order: Sequence[int], seen: int | None = None
) -> Stage:
    """Record the order of a tied group after a play-off held elsewhere; replaces an earlier order.

    ``order``: entry ids, best first; all that are tied, after the matches of a play-off if there were any.
    Raises ``Invalid`` for other entries.
    """
    event, stage = _lock_expected_stage(actor, event_id, stage_id, seen)
    _require_stage_over(event, stage)
    if len(set(order)) < len(order):
        raise Invalid("play_off.twice", field="order")
    if set(order) not in [set(tied) for tied in unbroken_ties(load_draw(stage))]:
        raise Invalid("play_off.not_tied", field="order")
    write_play_off(stage, order)
    record_places(event=event, stage=stage)
    names = Entry.objects.in_bulk(order)
    action = PlayOffRecorded(order=tuple(names[pk].name for pk in order))
    record_action(event, actor=actor, action=action, subject=stage)
    return stage


@durable
def discard_recorded_play_offs(
    *, actor: Actor, event_id: int, stage_id: int, seen: int | None = None
) -> Stage:
    """Discard all recorded play-off orders of a stage: the entries are tied again."""
    event, stage = _lock_expected_stage(actor, event_id, stage_id, seen)
    if not play_off_points(stage):
        raise Conflict("play_off.none", present=stage)
    clear_play_off(stage)
    record_places(event=event, stage=stage)
    record_action(event, actor=actor, action=PlayOffsDiscarded(), subject=stage)
    return stage


def _lock_expected_stage(
    actor: Actor, event_id: int, stage_id: int, expected_version: int | None
) -> tuple[Event, Stage]:
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    if expected_version is not None and expected_version != event.version:
        raise Conflict("play_off.changed", present={"status": stage.status, "version": event.version})
    return event, stage


def _require_stage_over(event: Event, stage: Stage) -> None:
    if not can_break_ties(event, stage):
        raise Conflict("play_off.too_early", present=stage)


def _play_off_round(
    number: int, pairs: tuple[tuple[EntryId, EntryId], ...], rests: tuple[EntryId, ...]
) -> NextRound:
    """Build a round of a play-off.

    Entries without a match in the round rest, so that every round names the whole group.
    """
    return NextRound(
        number=number,
        length=MATCH_LENGTH_POINTS,
        seed="",
        pairs=pairs,
        bye=None,
        rests=dict.fromkeys(rests, 0),
        rematches=(),
        version="",
    )
