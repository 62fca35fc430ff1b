"""A play-off among entries that a table leaves equal: matches to one point, or an order that the director records.

Its matches are called, played, reported and corrected like any other; whether they are rated is F12's (usually a match to
one point is not). Everybody meets everybody once; who is equal even then can play again. They belong to the stage, which
runs until they are over, and count for nothing but the play-off. ``seen``: the version of the event that was looked at; if
anything was changed since, it is a conflict.
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
    PlayOffsForgotten,
    PlayOffStarted,
    PlayOffTakenBack,
)
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, Match, Round, Stage
from tournaments.rounds.services.rounds import pairs_of, stage_in_rounds
from tournaments.selectors.arranged import play_off_of
from tournaments.selectors.draws import PLAY_OFF, draw_of
from tournaments.selectors.rounds.next import NextRound
from tournaments.selectors.rounds.play_offs import MOST_IN_PLAY_OFF, may_break_ties, next_is_drawn
from tournaments.selectors.standings.tables import settings_of, still_tied, to_play_off
from tournaments.store.arranged import forget_play_off, write_play_off
from tournaments.store.drawing import clear_rounds, write_rounds
from tournaments.store.event_state import finish_if_over, reopen
from tournaments.store.lock import changed, lock_for_director, written_now
from tournaments.store.places import record_places
from tournaments.store.results import pass_the_absent
from tournaments.store.tables import hand_out_tables

LENGTH: Final = 1


@durable
def start_play_off(
    *, actor: Actor, event_id: int, stage_id: int, entries: Sequence[int], seen: int | None = None
) -> Stage:
    """Matches to one point among all of a tied group, each against each. The stage, and its event, run until they are over."""
    event, stage = _looked_at(actor, event_id, stage_id, seen)
    _must_be_over(event, stage)
    if settings_of(stage).lives:
        raise Conflict("play_off.with_lives", present=stage)
    if next_is_drawn(stage):
        raise Conflict("play_off.next_drawn", present=stage)
    if len(set(entries)) < len(entries):
        raise Invalid("play_off.twice", field="entry")
    draw = draw_of(stage)
    group = next((tied for tied in to_play_off(draw) if set(tied) == set(entries)), None)
    if group is None:
        raise Invalid("play_off.not_tied", field="entry")
    if len(group) > MOST_IN_PLAY_OFF:
        raise Invalid("play_off.too_many", field="entry", limit=MOST_IN_PLAY_OFF)
    first = len(draw.rounds) + len(draw.play_offs)
    planned = [_round(first + one.number, one.pairs, one.rests) for one in round_robin(group)]
    reopen(event, stage)
    written_now(event, "status", "finished_at")  # who hands out tables looks at running events
    write_rounds(stage, planned, first_number=len(draw.matches) + 1, code=PLAY_OFF)
    hand_out_tables(event)
    pass_the_absent(event, stage)
    names = Entry.objects.in_bulk(group)
    action = PlayOffStarted(names=tuple(names[pk].name for pk in group), pairs=pairs_of(planned))
    changed(event, actor=actor, action=action, subject=stage)
    return stage


@durable
def take_back_play_off(*, actor: Actor, event_id: int, stage_id: int, seen: int | None = None) -> Stage:
    """The last play-off is gone again: possible while none of its matches has begun."""
    event, stage = _looked_at(actor, event_id, stage_id, seen)
    back = rounds_of_last(stage)
    if not back:
        raise Conflict("play_off.none", present=stage)
    if Match.objects.filter(round__in=back).exclude(status=MatchStatus.READY).exists():
        raise Conflict("draw.begun", present=stage)
    first = min(one.number for one in back)
    clear_rounds(back)
    finish_if_over(event, stage)
    changed(event, actor=actor, action=PlayOffTakenBack(round=first), subject=stage)
    return stage


def rounds_of_last(stage: Stage) -> list[Round]:
    """The rounds of the latest play-off: so many as its entries need to meet each other."""
    rounds = list(Round.objects.filter(stage=stage, code=PLAY_OFF).order_by("-number"))
    if not rounds:
        return []
    entries = rounds[0].entries_left
    return rounds[: entries - 1 + entries % 2]


@durable
def record_play_off(
    *, actor: Actor, event_id: int, stage_id: int, order: Sequence[int], seen: int | None = None
) -> Stage:
    """The tied entries in the order of a play-off on the side, best first: all of a tied group, each once. Again: replaces it.

    It tells apart only those whom matches of a play-off, if there were any, have left equal.
    """
    event, stage = _looked_at(actor, event_id, stage_id, seen)
    _must_be_over(event, stage)
    if len(set(order)) < len(order):
        raise Invalid("play_off.twice", field="order")
    if set(order) not in [set(tied) for tied in still_tied(draw_of(stage))]:
        raise Invalid("play_off.not_tied", field="order")
    write_play_off(stage, order)
    record_places(event=event, stage=stage)
    names = Entry.objects.in_bulk(order)
    action = PlayOffRecorded(order=tuple(names[pk].name for pk in order))
    changed(event, actor=actor, action=action, subject=stage)
    return stage


@durable
def forget_play_offs(*, actor: Actor, event_id: int, stage_id: int, seen: int | None = None) -> Stage:
    """Recorded play-offs count no more: those who were tied are tied again."""
    event, stage = _looked_at(actor, event_id, stage_id, seen)
    if not play_off_of(stage):
        raise Conflict("play_off.none", present=stage)
    forget_play_off(stage)
    record_places(event=event, stage=stage)
    changed(event, actor=actor, action=PlayOffsForgotten(), subject=stage)
    return stage


def _looked_at(actor: Actor, event_id: int, stage_id: int, seen: int | None) -> tuple[Event, Stage]:
    event = lock_for_director(actor, event_id)
    stage = stage_in_rounds(event, stage_id)
    if seen is not None and seen != event.version:
        raise Conflict("play_off.changed", present={"status": stage.status, "version": event.version})
    return event, stage


def _must_be_over(event: Event, stage: Stage) -> None:
    if not may_break_ties(event, stage):
        raise Conflict("play_off.too_early", present=stage)


def _round(number: int, pairs: tuple[tuple[EntryId, EntryId], ...], rests: tuple[EntryId, ...]) -> NextRound:
    """One round of it; who does not play in it rests, so that every round names the whole group."""
    return NextRound(
        number=number,
        length=LENGTH,
        seed="",
        pairs=pairs,
        bye=None,
        rests=dict.fromkeys(rests, 0),
        rematches=(),
        version="",
    )
