"""Make a result stand: write it, move the sides on, give the tables away, enter the ledger, finish what is finished.

Only services call these functions, inside their transaction and under the event's lock.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from people.actors import Actor
from people.services import audit
from rating.services import record_result
from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.brackets.progression import MatchState, Slot, SlotState, Step, fills_after
from tournaments.engine.brackets.structure import Target
from tournaments.engine.lifecycle import (
    BEGUN,
    OVER,
    EntryStatus,
    EventAction,
    EventStatus,
    MatchAction,
    MatchStatus,
    StageAction,
    StageStatus,
    next_status,
)
from tournaments.engine.reporting import outcome_of
from tournaments.engine.stages.elimination import BracketSettings, drop_rule
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Score, Side
from tournaments.models import Event, Match, MatchSlot, Report, Stage
from tournaments.models.refusals import engine_refusals
from tournaments.models.trail import scope_of
from tournaments.selectors.ledger import ledger_facts, ledger_key
from tournaments.selectors.pairings import round_to_come
from tournaments.store.event_state import finish_event_if_over
from tournaments.store.places import record_places
from tournaments.store.tables import hand_out_tables

SLOT_FIELDS = ("match", "side", "source_kind", "entry", "by_hand", "has_won", "source_match__status")
FEED_FIELDS = (
    "source_match",
    "source_kind",
    "side",
    "match__number",
    "match__round__section",
    "match__round__code",
)


class StageMatches(Mapping[MatchNo, MatchState]):
    """The stage's matches as the engine sees them, read from the database when the engine looks at one.

    A result touches its own match and those it feeds: three rows of a bracket of 1,024, not all of them; they are read
    together if the match is given (``around``).
    """

    def __init__(self, stage: Stage, around: Match | None = None) -> None:
        self._stage_id = stage.pk
        self._settings = stage.settings.bracket
        self._rows: dict[MatchNo, Match] = {}
        if around is not None:
            fed = MatchSlot.objects.filter(source_match=around).values_list("match_id", flat=True)
            self._read(Q(pk__in=[around.pk, *fed]))

    def row(self, number: MatchNo) -> Match:
        """The database row of match ``number``, its slots and what it feeds fetched with it."""
        if number not in self._rows:
            self._read(Q(number=number))
        return self._rows[number]

    def _read(self, which: Q) -> None:
        feeds = MatchSlot.objects.select_related("match__round")
        rows = Match.objects.filter(which, stage_id=self._stage_id).prefetch_related(
            Prefetch("slots", _slots()), Prefetch("feeds", feeds.only(*FEED_FIELDS))
        )
        self._rows |= {MatchNo(row.number): row for row in rows}
        read_sources([slot for row in rows for slot in row.slots.all()])

    def slot(self, target: Target) -> MatchSlot:
        return next(slot for slot in self.row(target.match).slots.all() if slot.side == target.side)

    def __getitem__(self, number: MatchNo) -> MatchState:
        return state_of(self.row(number), self._settings)

    def __iter__(self) -> Iterator[MatchNo]:
        numbers = Match.objects.filter(stage_id=self._stage_id).values_list("number", flat=True)
        return iter([MatchNo(number) for number in numbers])

    def __len__(self) -> int:
        return Match.objects.filter(stage_id=self._stage_id).count()


def state_of(match: Match, settings: BracketSettings) -> MatchState:
    """A match row (slots, feeds and the rounds of the feeds prefetched) as the engine's value."""
    slots = {Side(slot.side): slot_of(slot) for slot in match.slots.all()}
    targets = {}
    for feed in match.feeds.all():
        rule = None
        if feed.source_kind == MatchSlot.SourceKind.LOSER_OF:
            rule = drop_rule(settings, feed.match.round.section, feed.match.round.code)
        targets[feed.source_kind] = Target(MatchNo(feed.match.number), Side(feed.side), rule)
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


def _slots() -> QuerySet[MatchSlot]:
    return MatchSlot.objects.select_related("source_match").only(*SLOT_FIELDS)


def read_sources(slots: Iterable[MatchSlot]) -> None:
    """Fetch what ``slot_of`` asks of the matches whose losers are to come: one query for all of them, and one for each
    part of the bracket that those in turn are to lose into them from (main, consolation, last chance: two at most).
    """
    while sources := [slot.source_match for slot in slots if slot.source_match and _loser_to_come(slot)]:
        prefetch_related_objects(sources, Prefetch("slots", _slots()))
        slots = [one for source in sources for one in source.slots.all()]


def slot_of(slot: MatchSlot) -> Slot:
    """Who stands in a slot (``read_sources``): an entry, nobody for good (vacant), or nobody yet (open)."""
    if slot.entry_id is not None:
        return Slot(SlotState.ENTRY, EntryId(slot.entry_id), slot.has_won, slot.by_hand)
    source = slot.source_match
    over = source is not None and source.status in OVER
    bye = slot.source_kind == MatchSlot.SourceKind.BYE
    if bye or slot.by_hand or over or _nobody_loses(slot):
        return Slot(SlotState.VACANT, by_hand=slot.by_hand)
    return Slot(SlotState.OPEN)


def _nobody_loses(slot: MatchSlot) -> bool:
    """Whether the loser of a match is to come, and one of its own slots stays vacant."""
    source = slot.source_match
    if source is None or not _loser_to_come(slot):
        return False
    return any(slot_of(one).state is SlotState.VACANT for one in source.slots.all())


def _loser_to_come(slot: MatchSlot) -> bool:
    """Whether nobody stands there yet and the loser of a match that is not over may."""
    source = slot.source_match
    return (
        slot.source_kind == MatchSlot.SourceKind.LOSER_OF
        and slot.entry_id is None
        and not slot.by_hand
        and source is not None
        and source.status not in OVER
    )


def confirm_match(
    *, event: Event, stage: Stage, match: Match, claim: Claim, report: Report, played_at: datetime
) -> None:
    """The claim becomes the result: match, slots, tables, ledger, and the end of stage and event if it was the last.

    ``match`` and ``stage`` are rows of the locked event. ``played_at``: as the director said, else when it was first reported.
    """
    with engine_refusals(present_of(match)):
        match.status = next_status(MatchStatus(match.status), MatchAction.CONFIRM)
    begin_stage(stage)
    outcome = outcome_of(match.length, claim)
    matches = StageMatches(stage, match)
    step = fills_after(
        matches, MatchNo(match.number), outcome
    )  # before the result is written: its slots are open
    write_result(match, claim, outcome, played_at=played_at)
    apply_step(matches, step)
    enter_ledger(event, match, report)
    _pass_the_absent(event, stage, [matches.row(number) for number in step.ready])
    hand_out_tables(event)
    if (
        not step.ready
    ):  # whatever can now be played is to come, or was passed just now and looked after this itself
        finish_if_over(event, stage)


def _pass_the_absent(event: Event, stage: Stage, ready: Sequence[Match]) -> None:
    """A match against an entry that is withdrawn is a walk-over as soon as it comes up; between two of them nobody wins."""
    gone = MatchSlot.objects.filter(match__in=ready, entry__status=EntryStatus.WITHDRAWN) if ready else ()
    absent: dict[int, list[Side]] = {}
    for slot in gone:
        absent.setdefault(slot.match_id, []).append(Side(slot.side))
    for row in ready:
        if row.pk in absent:
            claim = absence_claim(row.length, Score(row.start_a, row.start_b), absent[row.pk])
            report = Report.objects.create(
                match=row,
                version=row.reports.count() + 1,
                submission_key=f"absent-{row.version}",
                reporter_kind=Report.Reporter.DIRECTOR,
                score_a=claim.score_a,
                score_b=claim.score_b,
                kind=claim.kind,
                winner_side=claim.winner or "",
                state=Report.State.CONFIRMED,
                decision="confirmed",
            )
            confirm_match(
                event=event, stage=stage, match=row, claim=claim, report=report, played_at=timezone.now()
            )
            trace_absence(event, row, claim)


def trace_absence(event: Event, match: Match, claim: Claim) -> None:
    """The audit row of a result that follows from a withdrawal and that nobody reported."""
    audit.record(
        actor=Actor.program(),
        action="match.absent",
        subject=match,
        club=event.club,
        scope=scope_of(event),
        data={**told_claim(claim), "decision": "confirmed"},
    )


def told_claim(claim: Claim) -> dict[str, Any]:
    """A claim as the audit trail keeps it."""
    return {
        "score_a": claim.score_a,
        "score_b": claim.score_b,
        "kind": claim.kind,
        "winner": claim.winner or "",
    }


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
        slot.entry_id, slot.has_won = fill.entry, fill.has_won
        slot.save(update_fields=["entry", "has_won"])
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
    return Match.objects.filter(Q(status__in=BEGUN) | over, stage=stage).exists()


def finish_if_over(event: Event, stage: Stage) -> None:
    """The last result finishes its stage, the last stage the event. The caller saves the event."""
    if Match.objects.filter(stage=stage).exclude(status__in=OVER).exists():
        return
    if round_to_come(stage):
        return
    stage.status = next_status(StageStatus(stage.status), StageAction.FINISH)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    finish_event_if_over(event)


def reopen(event: Event, stage: Stage) -> None:
    """A stage that was over goes on, and so does its event. The caller saves the event."""
    with engine_refusals({"status": stage.status}):
        stage.status = next_status(StageStatus(stage.status), StageAction.REOPEN)
    stage.save(update_fields=["status"])
    record_places(event=event, stage=stage)
    if event.status == EventStatus.FINISHED:
        event.status = next_status(EventStatus(event.status), EventAction.REOPEN)
        event.finished_at = None


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
