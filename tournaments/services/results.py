"""Make a result stand: write it, move the sides on, give the tables away, enter the ledger, finish what is finished.

Only services of this package call these functions, inside their transaction and under the event's lock.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q
from django.utils import timezone

from rating.services import record_result
from tournaments.engine.brackets.progression import MatchState, Slot, SlotState, Step, fills_after
from tournaments.engine.brackets.structure import Target
from tournaments.engine.lifecycle import (
    EventAction,
    EventStatus,
    MatchAction,
    MatchStatus,
    StageAction,
    StageStatus,
    next_status,
)
from tournaments.engine.pairing.settings import SwissSettings
from tournaments.engine.reporting import outcome_of
from tournaments.engine.results import RESULT_RULES
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import EntryPlayer, Event, Match, MatchSlot, Report, Round, Stage
from tournaments.services.common import engine_refusals
from tournaments.services.tables import hand_out_tables

LIVE = (MatchStatus.CALLED, MatchStatus.PLAYING, MatchStatus.REPORTED, MatchStatus.DISPUTED)


class StageMatches(Mapping[MatchNo, MatchState]):
    """The stage's matches as the engine sees them, read from the database when the engine looks at one.

    A result touches its own match and those it feeds: three rows of a bracket of 1,024, not all of them.
    """

    def __init__(self, stage_id: int) -> None:
        self._stage_id = stage_id
        self._rows: dict[MatchNo, Match] = {}

    def row(self, number: MatchNo) -> Match:
        """The database row of match ``number``, its slots and what it feeds fetched with it."""
        if number not in self._rows:
            self._rows[number] = Match.objects.prefetch_related(
                Prefetch("slots", MatchSlot.objects.select_related("source_match")),
                Prefetch("feeds", MatchSlot.objects.select_related("match")),
            ).get(stage_id=self._stage_id, number=number)
        return self._rows[number]

    def slot(self, target: Target) -> MatchSlot:
        return next(slot for slot in self.row(target.match).slots.all() if slot.side == target.side)

    def __getitem__(self, number: MatchNo) -> MatchState:
        return state_of(self.row(number))

    def __iter__(self) -> Iterator[MatchNo]:
        numbers = Match.objects.filter(stage_id=self._stage_id).values_list("number", flat=True)
        return iter([MatchNo(number) for number in numbers])

    def __len__(self) -> int:
        return Match.objects.filter(stage_id=self._stage_id).count()


def state_of(match: Match) -> MatchState:
    """A match row (slots and feeds prefetched) as the engine's value."""
    slots = {Side(slot.side): slot_of(slot) for slot in match.slots.all()}
    targets = {
        feed.source_kind: Target(MatchNo(feed.match.number), Side(feed.side)) for feed in match.feeds.all()
    }
    outcome = None
    if match.status == MatchStatus.CONFIRMED:
        winner = Side(match.winner_side) if match.winner_side else None
        outcome = Outcome(winner, ResultKind(match.result_kind))
    return MatchState(
        number=MatchNo(match.number),
        a=slots[Side.A],
        b=slots[Side.B],
        status=MatchStatus(match.status),
        outcome=outcome,
        winner_to=targets.get(MatchSlot.SourceKind.WINNER_OF),
        loser_to=targets.get(MatchSlot.SourceKind.LOSER_OF),
    )


def slot_of(slot: MatchSlot) -> Slot:
    """Who stands in a slot: an entry, nobody for good (vacant), or nobody yet (open)."""
    if slot.entry_id is not None:
        return Slot(SlotState.ENTRY, EntryId(slot.entry_id))
    source = slot.source_match
    over = source is not None and source.status in {MatchStatus.CONFIRMED, MatchStatus.VOID}
    if slot.source_kind == MatchSlot.SourceKind.BYE or over:
        return Slot(SlotState.VACANT, None)
    return Slot(SlotState.OPEN, None)


def confirm_match(
    *, event: Event, stage: Stage, match: Match, claim: Claim, report: Report, played_at: datetime | None
) -> None:
    """The claim becomes the result: match, slots, tables, ledger, and the end of stage and event if it was the last.

    ``match`` and ``stage`` are rows of the locked event. ``played_at``: as the director said, else the first report's.
    """
    with engine_refusals(present_of(match)):
        match.status = next_status(MatchStatus(match.status), MatchAction.CONFIRM)
    begin_stage(stage)
    outcome = outcome_of(match.length, claim)
    write_result(match, claim, outcome, played_at=played_at or _first_word(match))
    matches = StageMatches(stage.pk)
    apply_step(matches, fills_after(matches, MatchNo(match.number), outcome))
    enter_ledger(event, match, report)
    hand_out_tables(event)
    finish_if_over(event, stage)


def write_result(match: Match, claim: Claim, outcome: Outcome, *, played_at: datetime) -> None:
    """Write what stands in the match's own row."""
    match.result_kind = outcome.kind
    match.winner_side = outcome.winner or ""
    match.score_a, match.score_b = claim.score_a, claim.score_b
    match.confirmed_at = timezone.now()
    match.played_at = played_at
    match.version += 1
    match.save()


def apply_step(matches: StageMatches, step: Step) -> None:
    """Write the engine's step: entries into slots, byes that follow from it, matches that can now be played."""
    for fill in step.fills:
        slot = matches.slot(Target(fill.match, fill.side))
        slot.entry_id = fill.entry
        slot.save(update_fields=["entry"])
    for settled in step.settled:
        row = matches.row(settled.match)
        action = MatchAction.VOID if settled.status is MatchStatus.VOID else MatchAction.PASS_BYE
        row.status = next_status(MatchStatus(row.status), action)
        row.result_kind = settled.outcome.kind
        row.winner_side = settled.outcome.winner or ""
        row.confirmed_at = timezone.now()
        row.version += 1
        row.save()
    for number in step.ready:
        row = matches.row(number)
        row.status = next_status(MatchStatus(row.status), MatchAction.PAIR)
        row.version += 1
        row.save(update_fields=["status", "version"])


def ledger_key(match: Match, report: Report) -> str:
    """The rating ledger's name for the result that this report made: a later one of the same match has another."""
    return f"match:{match.public_id}:{report.version}"


def ledger_facts(event: Event, match: Match) -> dict[str, Any] | None:
    """What the rating ledger has to know of a confirmed match, or None where F12 counts nothing (byes, walk-overs, teams)."""
    if not (match.winner_side and RESULT_RULES[ResultKind(match.result_kind)].rated):
        return None
    players: dict[Side, list[int]] = {Side.A: [], Side.B: []}
    for side, player_id in EntryPlayer.objects.filter(entry__slots__match=match).values_list(
        "entry__slots__side", "player_id"
    ):
        players[Side(side)].append(player_id)
    if any(len(found) != 1 for found in players.values()):
        return None
    winner = Side(match.winner_side)
    scores = {Side.A: match.score_a or 0, Side.B: match.score_b or 0}
    return {
        "club_id": event.club_id,
        "winner_id": players[winner][0],
        "loser_id": players[winner.other][0],
        "length": match.length,
        "winner_score": scores[winner],
        "loser_score": scores[winner.other],
        "kind": match.result_kind,
        "played_at": match.played_at,
        "event_key": event.public_id,
        # Ratings are public: the name of an event that only people with the link may find is not told there.
        "event_name": event.name if event.visibility == Event.Visibility.PUBLIC else "",
    }


def enter_ledger(event: Event, match: Match, report: Report) -> None:
    """One row in the rating ledger for a rateable result; rating it is a task's business, after the commit."""
    facts = ledger_facts(event, match)
    if facts is not None:
        record_result(source_key=ledger_key(match, report), **facts)


def begin_stage(stage: Stage) -> None:
    """The first call, start or report of a published stage sets it running."""
    if stage.status == StageStatus.PUBLISHED:
        stage.status = next_status(StageStatus(stage.status), StageAction.START)
        stage.save(update_fields=["status"])


def rest_stage(stage: Stage) -> None:
    """A match called by mistake and sent back leaves the stage as it was published: its draw can be taken back again."""
    if stage.status == StageStatus.RUNNING and not has_begun(stage):
        stage.status = next_status(StageStatus(stage.status), StageAction.UNSTART)
        stage.save(update_fields=["status"])


def has_begun(stage: Stage) -> bool:
    """Whether anything in the stage is called, played or reported; a bye is none of these."""
    over = Q(status=MatchStatus.CONFIRMED) & ~Q(result_kind=ResultKind.BYE)
    return Match.objects.filter(Q(status__in=LIVE) | over, stage=stage).exists()


def finish_if_over(event: Event, stage: Stage) -> None:
    """The last result finishes its stage, the last stage the event. The caller saves the event."""
    if (
        Match.objects.filter(stage=stage)
        .exclude(status__in=[MatchStatus.CONFIRMED, MatchStatus.VOID])
        .exists()
    ):
        return
    if stage.system in Stage.IN_ROUNDS and _rounds_to_come(stage):
        return
    stage.status = next_status(StageStatus(stage.status), StageAction.FINISH)
    stage.save(update_fields=["status"])
    if not Stage.objects.filter(division__event=event).exclude(status=StageStatus.FINISHED).exists():
        event.status = next_status(EventStatus(event.status), EventAction.FINISH)
        event.finished_at = timezone.now()


def _rounds_to_come(stage: Stage) -> bool:
    """Whether a Swiss or round robin has rounds that are not published yet."""
    return Round.objects.filter(stage=stage).count() < SwissSettings.of(stage.options).rounds


def present_of(match: Match) -> dict[str, Any]:
    """What a refused reporter is told about the match as it stands."""
    return {
        "match": match.public_id,
        "version": match.version,
        "status": match.status,
        "score_a": match.score_a,
        "score_b": match.score_b,
        "winner_side": match.winner_side,
    }


def _first_word(match: Match) -> datetime:
    first = match.reports.order_by("version").values_list("created_at", flat=True).first()
    return first or timezone.now()
