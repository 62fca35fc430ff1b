"""Write down what a repair leaves of a stage, and take the last repair back.

A repair (a correction, a late entry, a withdrawal, another player, another length) says how results and placings shall be;
here the rows that differ are written: slots, statuses, reports, the ledger, tables, the end of stage and event. What every
touched row was before goes into the audit row, and as long as nothing was built on it, the repair can be undone exactly.
Only services call these functions, inside their transaction and under the event's lock.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Model
from django.utils import timezone

from people.actors import Actor
from people.errors import Conflict
from people.models import AuditEntry
from rating.selectors import standing_keys
from rating.services import record_result, replace_result, void_result
from tournaments.engine.brackets.correction import Consequence, absence_claim
from tournaments.engine.brackets.progression import ByHand, MatchState, advance
from tournaments.engine.brackets.structure import Bracket
from tournaments.engine.lifecycle import (
    AT_TABLE,
    DRAW_SHOWN,
    EVENT_PLAYED,
    MATCH_TABLE,
    OVER,
    MatchAction,
    MatchStatus,
    StageStatus,
    next_status,
)
from tournaments.engine.repair_trail import (
    BUILT_ON,
    SLOT_COLUMNS,
    EntryBefore,
    Standing,
    Touched,
    Undo,
    changed_slots,
    changes,
)
from tournaments.engine.reporting import outcome_of
from tournaments.engine.types import Claim, MatchNo, Outcome, Score, Side
from tournaments.models import Event, Match, MatchSlot, Report, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.ledger import ledger_facts, ledger_key
from tournaments.selectors.pairings import lacks_a_round
from tournaments.store.lock import changed
from tournaments.store.places import record_places
from tournaments.store.results import begin_stage, finish_if_over, has_begun, reopen, rest_stage, write_result
from tournaments.store.tables import hand_out_tables

PARKED = 1000  # an attempt that nobody has: rows of two who change places stand there for a moment
STRUCK = "struck"  # in a stage's options: entries whose results in a round robin count for nothing
# Columns of a match that no repair touches, and the one that only rises. All others are put back by an undo.
FIXED = frozenset({"id", "public_id", "stage", "round", "number", "position"})
DERIVED = frozenset({"version"})
_FIELDS = [field for field in Match._meta.concrete_fields if field.name not in FIXED | DERIVED]  # noqa: SLF001 (public API)
_BY_NAME = {field.attname: field for field in _FIELDS}
_REPLACED = ("winner_id", "loser_id", "length", "winner_score", "loser_score", "kind", "played_at")


@dataclass(frozen=True, slots=True)
class _Before:
    """A match as it was when it was touched first."""

    columns: Mapping[str, Any]
    slots: Mapping[Side, Mapping[str, Any]]
    open: Sequence[int]
    final: int | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A result that a director gives with a repair."""

    claim: Claim
    key: str = ""
    note: str = ""
    played_at: datetime | None = None


def must_be_shown(event: Event, stage: Stage) -> None:
    """Refuse repairs where nothing is under way or over."""
    if event.status not in EVENT_PLAYED or stage.status not in DRAW_SHOWN:
        raise Conflict("match.not_running", present={"status": stage.status})


def way_to(status: MatchStatus, wanted: MatchStatus) -> tuple[MatchAction, ...]:
    """The fewest actions of the status table that lead from one status to another."""
    ways: dict[MatchStatus, tuple[MatchAction, ...]] = {status: ()}
    queue = deque([status])
    while wanted not in ways:
        here = queue.popleft()
        for (before, action), after in MATCH_TABLE.items():
            if before is here and after not in ways:
                ways[after] = (*ways[here], action)
                queue.append(after)
    return ways[wanted]


class StageRows:
    """All matches of a stage in hand. What is touched is remembered as it was and written once, by `finish`."""

    def __init__(self, event: Event, stage: Stage, actor: Actor) -> None:
        self.event, self.stage, self.actor = event, stage, actor
        rows = Match.objects.filter(stage=stage).select_related("round").order_by("number")
        self.matches = {MatchNo(match.number): match for match in rows}
        numbers = {match.pk: number for number, match in self.matches.items()}
        self.slots = {
            (numbers[slot.match_id], Side(slot.side)): slot
            for slot in MatchSlot.objects.filter(match__stage=stage)
        }
        self.reports: dict[MatchNo, list[Report]] = {number: [] for number in self.matches}
        live = Report.objects.filter(
            match__stage=stage, state__in=[Report.State.OPEN, Report.State.CONFIRMED]
        )
        for report in live.order_by("version"):
            self.reports[numbers[report.match_id]].append(report)
        self.before: dict[MatchNo, _Before] = {}
        self._keys: dict[MatchNo, str] = {}

    def final_report(self, number: MatchNo) -> Report | None:
        """The report that is the match's result."""
        found = [report for report in self.reports[number] if report.state == Report.State.CONFIRMED]
        return found[0] if found else None

    def touch(self, number: MatchNo) -> Match:
        """The match, about to be changed."""
        match = self.matches[number]
        if number not in self.before:
            final = self.final_report(number)
            self._keys[number] = self._key(number)
            self.before[number] = _Before(
                columns=self._columns(number),
                slots=self._slots(number),
                open=[r.pk for r in self.reports[number] if r.state == Report.State.OPEN],
                final=final.pk if final is not None else None,
            )
        return match

    def settle(
        self,
        bracket: Bracket,
        results: Mapping[MatchNo, Outcome],
        by_hand: ByHand,
        rulings: Mapping[MatchNo, Ruling],
    ) -> None:
        """Bring every match to what these results and placings make of the bracket; ``rulings`` are the new results."""
        for number, wanted in advance(bracket, results, by_hand).matches.items():
            moved = self._seat(number, wanted)
            if number in rulings:
                self.rule(number, rulings[number])
            elif number not in results and (moved or not self._stands(number, wanted)):
                self.reset(number, wanted)

    def carry_out(
        self, draw: Draw, done: Consequence, rulings: Mapping[MatchNo, Ruling] | None = None
    ) -> None:
        """Settle a consequence; walk-overs that it gives by itself are ruled as such."""
        given, before = dict(rulings or {}), draw.results()
        for number, outcome in done.results.items():
            if number not in given and outcome != before.get(number):
                match = self.matches[number]
                absent = [side for side in Side if side is not outcome.winner]
                start = Score(match.start_a, match.start_b)
                given[number] = Ruling(absence_claim(match.length, start, absent))
        self.settle(draw.bracket(), done.results, done.by_hand, given)

    def rule(self, number: MatchNo, ruling: Ruling) -> None:
        """The ruling becomes the match's result, whatever it had before."""
        match = self.touch(number)
        outcome = outcome_of(match.length, ruling.claim)
        self._go(match, MatchStatus.CONFIRMED)
        write_result(
            match, ruling.claim, outcome, played_at=ruling.played_at or match.played_at or timezone.now()
        )
        self._supersede(number)
        self._say(
            number,
            Report(
                score_a=ruling.claim.score_a,
                score_b=ruling.claim.score_b,
                kind=ruling.claim.kind,
                winner_side=ruling.claim.winner or "",
                note=ruling.note.strip(),
                submission_key=ruling.key,
            ),
        )

    def restate(self, number: MatchNo) -> None:
        """The result stands as it is and is entered anew, because what the ledger has to know of it has changed."""
        self.touch(number)
        final = self.final_report(number)
        if final is not None:
            self._supersede(number)
            self._repeat(number, final)

    def reset(self, number: MatchNo, wanted: MatchState | None = None) -> None:
        """Nothing was played here: the match waits, can be played, is a bye or falls away (ready, if nothing is wanted)."""
        match = self.touch(number)
        self._supersede(number)
        for field in _FIELDS:
            if field.name not in {"status", "length"}:
                setattr(match, field.attname, field.get_default())
        if wanted is None:
            return self._go(match, MatchStatus.READY)
        self._go(match, wanted.status)
        if wanted.outcome is not None:
            match.result_kind = wanted.outcome.kind
            match.winner_side = wanted.outcome.winner or ""
            match.confirmed_at = timezone.now()
        return None

    def play_on(self, number: MatchNo) -> None:
        """What was reported no longer fits: the match goes on."""
        match = self.touch(number)
        self._supersede(number)
        self._go(match, MatchStatus.PLAYING if match.started_at else MatchStatus.READY)

    def strike(self, number: MatchNo) -> None:
        """The match counts for nothing; a result that was played stays rated."""
        self._go(self.touch(number), MatchStatus.VOID)

    def put_back(self, number: MatchNo, kept: Touched) -> None:
        """Every column that the repair changed as it was before. A result that had been taken back is said anew."""
        match = self.touch(number)
        for name, (before, _after) in kept.columns.items():
            if name == "status":
                self._go(match, MatchStatus(before))
            elif name in _BY_NAME:  # a column that is gone since is nothing to put back
                setattr(match, name, _BY_NAME[name].to_python(before))
        for side, slot in kept.slots.items():
            for name, (before, _after) in slot.items():
                if name in SLOT_COLUMNS:
                    setattr(self.slots[number, side], name, before)
        final = self.final_report(number)
        if (final.pk if final is not None else None) != kept.final:
            self._supersede(number)
            if kept.final is not None:
                self._repeat(number, Report.objects.get(pk=kept.final))
        for report in Report.objects.filter(pk__in=kept.open).exclude(state=Report.State.OPEN):
            report.state = Report.State.OPEN
            report.save(update_fields=["state"])

    def finish(self) -> None:
        """Write all that was touched: rows, ledger, the end of stage and event, tables. The caller saves the event."""
        touched = [self.matches[number] for number in self.before]
        for match in touched:
            match.version += 1
        self._give_up_taken_tables(touched)
        slots = [self.slots[number, side] for number in self.before for side in Side]
        Match.objects.bulk_update(touched, [*(f.name for f in _FIELDS), "version"], batch_size=100)
        MatchSlot.objects.bulk_update(slots, ["entry", "by_hand", "has_won"], batch_size=200)
        rated = standing_keys(key for key in self._keys.values() if key)
        for number in self.before:
            key = self._key(number)
            if key != self._keys[number]:
                had = self._keys[number] if self._keys[number] in rated else ""
                facts = ledger_facts(self.event, self.matches[number]) if key else None
                self._enter(had, key, facts)
        self._begin_or_end()
        hand_out_tables(self.event)

    def touched(self) -> dict[MatchNo, Touched]:
        """What became of every touched match, for the trail; to be asked for after `finish`."""
        return {
            number: Touched(
                columns=changes(was.columns, self._columns(number)),
                slots=changed_slots(was.slots, self._slots(number)),
                was=_standing(was.columns, was.slots),
                then=self.standing(number),
                open=was.open,
                final=was.final,
            )
            for number, was in self.before.items()
        }

    def standing(self, number: MatchNo) -> Standing:
        """The match as far as somebody could build on it."""
        return _standing(self._columns(number), self._slots(number))

    def _columns(self, number: MatchNo) -> dict[str, Any]:
        return {name: _plain(getattr(self.matches[number], name)) for name in _BY_NAME}

    def _slots(self, number: MatchNo) -> dict[Side, dict[str, Any]]:
        return {
            side: {name: getattr(self.slots[number, side], name) for name in SLOT_COLUMNS} for side in Side
        }

    def _seat(self, number: MatchNo, wanted: MatchState) -> bool:
        """Fill both slots; whether somebody else stands there now."""
        moved = False
        for side in Side:
            slot, after = self.slots[number, side], wanted.slot(side)
            values = (after.entry, after.by_hand, after.has_won)
            if (slot.entry_id, slot.by_hand, slot.has_won) != values:
                self.touch(number)
                moved = moved or slot.entry_id != after.entry
                slot.entry_id, slot.by_hand, slot.has_won = values
        return moved

    def _stands(self, number: MatchNo, wanted: MatchState) -> bool:
        match = self.matches[number]
        if wanted.status is MatchStatus.READY:
            return match.status not in {*OVER, MatchStatus.WAITING}
        winner = wanted.outcome.winner if wanted.outcome is not None else None
        kind = wanted.outcome.kind if wanted.outcome is not None else ""
        return (match.status, match.result_kind, match.winner_side) == (wanted.status, kind, winner or "")

    def _go(self, match: Match, wanted: MatchStatus) -> None:
        actions = way_to(MatchStatus(match.status), wanted)
        if not actions and wanted is MatchStatus.CONFIRMED:
            actions = (MatchAction.CORRECT,)
        for action in actions:
            match.status = next_status(MatchStatus(match.status), action)

    def _supersede(self, number: MatchNo) -> None:
        live = self.reports[number]
        for report in live:
            report.state = Report.State.SUPERSEDED
        Report.objects.bulk_update(live, ["state"])
        self.reports[number] = []

    def _say(self, number: MatchNo, report: Report) -> None:
        """Keep a confirmed report of the director as the next version."""
        match = self.matches[number]
        last = Report.objects.filter(match=match).aggregate(last=Max("version"))["last"] or 0
        report.match, report.version = match, last + 1
        report.submission_key = report.submission_key or f"repair-{last + 1}"
        report.reporter_kind, report.user = Report.Reporter.DIRECTOR, self.actor.user
        report.state, report.decision = Report.State.CONFIRMED, "confirmed"
        report.save()
        self.reports[number] = [report]

    def _repeat(self, number: MatchNo, said: Report) -> None:
        told = ("score_a", "score_b", "kind", "winner_side", "note")
        record = ("record_id", "record_left", "record_clean", "record_differs")
        self._say(number, Report(**{name: getattr(said, name) for name in (*told, *record)}))

    def _key(self, number: MatchNo) -> str:
        final = self.final_report(number)
        return ledger_key(self.matches[number], final) if final is not None else ""

    def _enter(self, had: str, key: str, facts: Mapping[str, Any] | None) -> None:
        """One fact for what has changed: a replacement, a void or a new result."""
        if had and facts is not None:
            # The ledger takes everything else of a replacement (club, event, weights) from the fact it replaces.
            told = {name: facts[name] for name in _REPLACED}
            replace_result(source_key=key, replaces=had, **told)
        elif had:
            void_result(source_key=had)
        elif facts is not None:
            record_result(source_key=key, **facts)

    def _give_up_taken_tables(self, touched: list[Match]) -> None:
        """A match that comes back to a table finds it free, or gets another one."""
        live = Match.objects.filter(stage__division__event=self.event, status__in=AT_TABLE)
        others = live.exclude(pk__in=[match.pk for match in touched])
        taken = set(others.exclude(table=None).values_list("table", flat=True))
        for match in touched:
            if match.status in AT_TABLE and match.table in taken:
                match.table = None

    def _begin_or_end(self) -> None:
        over = all(match.status in OVER for match in self.matches.values())
        if self.stage.status == StageStatus.FINISHED:
            if over and not lacks_a_round(self.stage):
                record_places(event=self.event, stage=self.stage)
                return
            reopen(self.event, self.stage)
        if over or has_begun(self.stage):
            begin_stage(self.stage)
        else:
            rest_stage(self.stage)
        finish_if_over(self.event, self.stage)


def repaired(
    event: Event,
    *rows: StageRows,
    actor: Actor,
    action: str,
    subject: Model,
    data: Mapping[str, Any],
    entries: Mapping[int, EntryBefore] | None = None,
    rounds: Mapping[int, int] | None = None,
    lengths: Mapping[int, int] | None = None,
) -> AuditEntry:
    """Write the rows and leave the audit row from which `undo_repair` takes it back. The last step of every repair.

    ``entries``, ``rounds`` and ``lengths``: what else an undo has to know (`Undo`).
    """
    for stage in rows:
        stage.finish()
    touched = {stage.stage.pk: stage.touched() for stage in rows}
    kept = Undo(touched, entries or {}, rounds or {}, lengths or {})
    return changed(event, actor=actor, action=action, subject=subject, data={**data, "undo": kept.data()})


def _standing(columns: Mapping[str, Any], slots: Mapping[Side, Mapping[str, Any]]) -> Standing:
    return Standing({name: columns[name] for name in BUILT_ON}, slots)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
