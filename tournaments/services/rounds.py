"""A Swiss or round robin, round by round: pair, look, pair again, publish, take back, and end it early.

A seed is stored before anything is paired and stays with its round, so that every pairing can be repeated. Until a round
is published it exists as its seed alone; what is published is what was seen (``seen``), or nothing. In a Swiss entries
may come and go between rounds. A round robin is drawn once for all its rounds, and they are published one by one.
"""

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from people.actors import Actor
from people.errors import Conflict, Invalid, Missing
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.chance import MAX_SEED, Chance
from tournaments.engine.lifecycle import (
    EntryStatus,
    EventAction,
    EventStatus,
    MatchStatus,
    StageAction,
    StageStatus,
    next_status,
)
from tournaments.engine.pairing.settings import REST_POINTS
from tournaments.engine.types import EntryId, ResultKind, Side
from tournaments.models import Entry, Event, Match, MatchSlot, Round, Stage
from tournaments.selectors.draws import Draw, draw_of
from tournaments.selectors.pairings import (
    NextRound,
    asked_rests,
    next_round,
    open_matches,
    rounds_left,
    schedule,
)
from tournaments.selectors.standings import is_swiss
from tournaments.services.common import changed, engine_refusals, lock_for_director
from tournaments.services.results import finish_if_over
from tournaments.services.tables import hand_out_tables

MOST_IN_ROUND_ROBIN = 40
RUNNING = (StageStatus.PUBLISHED, StageStatus.RUNNING)


@transaction.atomic(durable=True)
def pair_next_round(*, actor: Actor, event_id: int, stage_id: int, seed: int | None = None) -> NextRound:
    """Pair (again) the round that comes next. ``seed`` repeats an earlier pairing; without one a new seed is taken."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    draw = _ready_for_a_round(event, stage)
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise Invalid("draw.seed_odd", field="seed", limit=MAX_SEED)
    entries = list(
        Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE).order_by("pk")
    )
    most = most_entries(stage)
    if not MIN_ENTRIES <= len(entries) <= most:
        raise Invalid("draw.entries_odd", count=len(entries), least=MIN_ENTRIES, most=most)
    if draw.rounds and not is_swiss(stage):
        raise Conflict("round.fixed", present={"status": stage.status})
    number = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    stage.next_round = {**stage.next_round, "seed": str(number)}
    if not draw.rounds:
        with engine_refusals({"status": stage.status}):
            stage.status = next_status(StageStatus(stage.status), StageAction.DRAW)
        stage.draw_seed = str(number)
        stage.drawn_at = timezone.now()
    if not is_swiss(stage):
        order = _order(stage, entries, number)
        stage.options = {**stage.options, "order": order, "rounds": len(schedule(stage, order))}
    found = _paired(stage, draw)
    stage.save(update_fields=["status", "next_round", "draw_seed", "drawn_at", "options"])
    changed(
        event,
        actor=actor,
        action="round.pair",
        subject=stage,
        data={"round": found.number, "seed": found.seed, "pairs": found.pairs, "bye": found.bye},
    )
    return found


@transaction.atomic(durable=True)
def discard_pairing(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Throw the pairing away that is not published yet."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    if not stage.next_round.get("seed"):
        raise Conflict("round.none_paired", present={"status": stage.status})
    seed = stage.next_round["seed"]
    stage.next_round = {key: value for key, value in stage.next_round.items() if key != "seed"}
    if stage.status == StageStatus.DRAWN:
        stage.status = next_status(StageStatus(stage.status), StageAction.DISCARD)
        stage.draw_seed, stage.drawn_at = "", None
    stage.save(update_fields=["status", "next_round", "draw_seed", "drawn_at"])
    changed(event, actor=actor, action="round.discard", subject=stage, data={"seed": seed})
    return stage


@transaction.atomic(durable=True)
def publish_round(*, actor: Actor, event_id: int, stage_id: int, seen: str) -> Round:
    """Show the paired round to everybody and give out tables. ``seen`` is the pairing that the director looked at."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    draw = _ready_for_a_round(event, stage)
    planned = _paired(stage, draw)
    if planned.seen != seen:
        raise Conflict("round.changed", present={"status": stage.status})
    if not draw.rounds:
        with engine_refusals({"status": stage.status}):
            stage.status = next_status(StageStatus(stage.status), StageAction.PUBLISH)
        with engine_refusals({"status": event.status}):
            event.status = next_status(EventStatus(event.status), EventAction.START)
        event.registration_open = False
    stage.next_round = {}
    stage.save(update_fields=["status", "next_round"])
    made = _write(stage, planned, first_number=len(draw.matches) + 1)
    hand_out_tables(event)
    changed(
        event,
        actor=actor,
        action="round.publish",
        subject=stage,
        data={"round": made.number, "seed": made.seed, "rests": made.rests},
    )
    return made


@transaction.atomic(durable=True)
def take_back_round(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Un-publish the latest round: possible while none of its matches has begun. Its seed is kept for the preview."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    last = Round.objects.filter(stage=stage).order_by("-number").first()
    if last is None or stage.status not in RUNNING or event.status != EventStatus.RUNNING:
        raise Conflict("round.none_published", present={"status": stage.status})
    begun = Match.objects.filter(round=last).exclude(
        Q(status=MatchStatus.READY) | Q(status=MatchStatus.CONFIRMED, result_kind=ResultKind.BYE)
    )
    if begun.exists():
        raise Conflict("draw.begun", present={"status": stage.status})
    if last.number == 1:
        with engine_refusals({"status": stage.status}):
            stage.status = next_status(StageStatus(stage.status), StageAction.UNPUBLISH)
        with engine_refusals({"status": event.status}):
            event.status = next_status(EventStatus(event.status), EventAction.UNSTART)
    stage.next_round = {"seed": last.seed, "rests": last.rests}
    stage.save(update_fields=["status", "next_round"])
    MatchSlot.objects.filter(match__round=last).delete()
    Match.objects.filter(round=last).delete()
    number = last.number
    last.delete()
    changed(event, actor=actor, action="round.take_back", subject=stage, data={"round": number})
    return stage


@transaction.atomic(durable=True)
def sit_out(*, actor: Actor, event_id: int, stage_id: int, entry_id: int, points: int | None) -> Stage:
    """An entry sits out the next round for so many half points; None: it plays after all."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    if not is_swiss(stage):
        raise Conflict("stage.other_system", present={"status": stage.status})
    if stage.status == StageStatus.FINISHED or rounds_left(stage, draw_of(stage)) == 0:
        raise Conflict("round.none_left", present={"status": stage.status})
    entry = Entry.objects.filter(
        pk=entry_id, division_id=stage.division_id, status=EntryStatus.ACTIVE
    ).first()
    if entry is None:
        raise Missing("entry.unknown")
    if points is not None and points not in REST_POINTS:
        raise Invalid("swiss.points_odd", field="points", value=points)
    rests = {str(pk): asked for pk, asked in asked_rests(stage).items() if pk != entry.pk}
    if points is not None:
        rests[str(entry.pk)] = points
    stage.next_round = {**stage.next_round, "rests": rests}
    stage.save(update_fields=["next_round"])
    changed(
        event,
        actor=actor,
        action="round.sit_out",
        subject=entry,
        data={"name": entry.name, "points": points},
    )
    return stage


@transaction.atomic(durable=True)
def end_stage(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """No further round: the rounds that are published become the whole event."""
    event = lock_for_director(actor, event_id)
    stage = _stage(event, stage_id)
    draw = draw_of(stage)
    if not draw.rounds or stage.status not in RUNNING or event.status != EventStatus.RUNNING:
        raise Conflict("round.none_published", present={"status": stage.status})
    _must_be_over(stage, draw)
    before = stage.options.get("rounds")
    stage.options = {**stage.options, "rounds": len(draw.rounds)}
    stage.next_round = {}
    stage.save(update_fields=["options", "next_round"])
    finish_if_over(event, stage)
    changed(
        event,
        actor=actor,
        action="round.end",
        subject=stage,
        data={"rounds": len(draw.rounds), "planned": before},
    )
    return stage


def most_entries(stage: Stage) -> int:
    """A round robin of more would not end: it has as many rounds as entries."""
    return MAX_ENTRIES if is_swiss(stage) else MOST_IN_ROUND_ROBIN


def _order(stage: Stage, entries: Sequence[Entry], seed: int) -> list[EntryId]:
    """Places in the Berger table: the seeded first where the draw is seeded, the others by lot."""
    seeded = stage.draw_method == Stage.DrawMethod.SEEDED
    first = [entry for entry in entries if seeded and entry.seed is not None]
    others = [EntryId(entry.pk) for entry in entries if entry not in first]
    in_order = [EntryId(entry.pk) for entry in sorted(first, key=lambda entry: entry.seed or 0)]
    return in_order + list(Chance(seed, "round robin").shuffled(others))


def _ready_for_a_round(event: Event, stage: Stage) -> Draw:
    """The draw so far, if another round may follow it now."""
    draw = draw_of(stage)
    wanted = {EventStatus.RUNNING} if draw.rounds else {EventStatus.DRAFT, EventStatus.OPEN}
    if event.status not in wanted:
        raise Conflict("draw.event_closed", present={"status": event.status})
    if rounds_left(stage, draw) == 0:
        raise Conflict("round.none_left", present={"status": stage.status})
    _must_be_over(stage, draw)
    return draw


def _must_be_over(stage: Stage, draw: Draw) -> None:
    left = open_matches(draw)
    if left:
        raise Conflict("round.not_over", count=left, present={"status": stage.status})


def _paired(stage: Stage, draw: Draw) -> NextRound:
    with engine_refusals():
        found = next_round(stage, draw)
    if found is None:
        raise Conflict("round.none_paired", present={"status": stage.status})
    return found


def _stage(event: Event, stage_id: int) -> Stage:
    stage = Stage.objects.select_for_update(of=("self",)).filter(pk=stage_id, division__event=event).first()
    if stage is None:
        raise Missing("stage.unknown")
    if stage.system not in Stage.IN_ROUNDS:
        raise Conflict("stage.other_system", present={"status": stage.status})
    return stage


def _write(stage: Stage, planned: NextRound, *, first_number: int) -> Round:
    """The round with its matches; the bye is a match that is over."""
    made = Round.objects.create(
        stage=stage,
        number=planned.number,
        code=f"round_{planned.number}",
        entries_left=2 * len(planned.pairs) + (planned.bye is not None) + len(planned.rests),
        length=planned.length,
        seed=planned.seed,
        rests={str(entry): points for entry, points in planned.rests.items()},
    )
    sides: list[tuple[EntryId, EntryId | None]] = list(planned.pairs)
    if planned.bye is not None:
        sides.append((planned.bye, None))
    matches = Match.objects.bulk_create(
        [
            _match(made, first_number + index, index + 1, is_bye=second is None)
            for index, (_first, second) in enumerate(sides)
        ]
    )
    _seat(matches, sides)
    return made


def _match(round_: Round, number: int, position: int, *, is_bye: bool) -> Match:
    match = Match(
        stage_id=round_.stage_id,
        round=round_,
        number=number,
        position=position,
        length=round_.length,
        status=MatchStatus.CONFIRMED if is_bye else MatchStatus.READY,
    )
    if is_bye:
        match.result_kind = ResultKind.BYE
        match.winner_side = Side.A
        match.confirmed_at = timezone.now()
    return match


def _seat(matches: Sequence[Match], sides: Sequence[tuple[EntryId, EntryId | None]]) -> None:
    MatchSlot.objects.bulk_create(
        [
            MatchSlot(
                match=match,
                side=side,
                source_kind=MatchSlot.SourceKind.BYE if entry is None else MatchSlot.SourceKind.ENTRY,
                entry_id=entry,
            )
            for match, pair in zip(matches, sides, strict=True)
            for side, entry in zip(Side, pair, strict=True)
        ]
    )
