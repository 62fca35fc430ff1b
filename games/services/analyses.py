"""Analyse records: requested once for each record and engine, processed one at a time, written whole.

The database holds the work. A worker takes a record by one query guarded by a constraint, so that never two
are processed at once; this claim is renewed while the engine runs. A worker that dies leaves a claim that
expires; the sweep puts the record back. A worker that has lost its claim writes nothing, so each analysis is
written once.
"""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.analysis.engines import installed_engine
from games.analysis.port import NO_ENGINE, NOT_FIT, Engine, EngineError
from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from games.records.analysis import Analysis, Decision, DecisionKind
from games.records.errors import UnreadableRecord
from games.records.model import Record
from games.records.performance import ErrorClass, cube_error, error_class, match_course
from games.records.registry import read_record
from games.records.replaying import Replay
from games.records.summing import MatchSum, summarize_match
from games.records.validation import validate
from games.selectors import stored_decisions
from games.services.sums import empty_sums, side_rows
from people import versions
from people.rows import one_or_none
from people.services.hints import RESEND_SECONDS, enqueue_task
from people.services.versions import raise_versions
from people.transactions import durable

log = logging.getLogger(__name__)

ANALYSE_TASK: Final = "games.tasks.analyse"
CLAIM_TIMEOUT: Final = timedelta(seconds=90)
RENEW_SECONDS: Final = 10.0  # seconds
MAX_TRIES: Final = 3  # workers that may die on one record
SUMS_PER_RUN: Final = 5
MAX_STORED_PLAYS: Final = 12  # of a decision, including the actual play
XG_ENGINE: Final = "eXtreme Gammon"
XG_FORMAT: Final = "xg"  # other files name the engine as text, which anyone can edit
State = RecordAnalysis.State


@dataclass(frozen=True, slots=True)
class LoadedRecord:
    """A stored record, read and replayed; ``own``: the analysis in its file."""

    record: Record
    replay: Replay
    own: Analysis


def load_record(stored_record: StoredRecord) -> LoadedRecord:
    """Return the record, read and replayed. Raises `EngineError` if nothing can be replayed."""
    try:
        result = read_record(bytes(stored_record.content), stored_record.filename)
    except UnreadableRecord as error:
        raise EngineError(NOT_FIT, reason=error.code) from error
    replay = validate(result.record, None, None, result.findings).replay
    if replay is None or not replay.games:
        raise EngineError(NOT_FIT, reason="games")
    return LoadedRecord(result.record, replay, result.analysis)


def engine_key(engine: Engine) -> dict[str, str]:
    """Return the fields of `RecordAnalysis` that identify an engine.

    The same engine requested again is the same analysis.
    """
    return {"engine": engine.code, "version": engine.version, "level": engine.level}


def has_xg_analysis(loaded: LoadedRecord) -> bool:
    """Return whether the file has eXtreme Gammon's own analysis, so that no other one is needed."""
    return loaded.record.format == XG_FORMAT and any(row.lost is not None for row in loaded.own.decisions)


def request_analysis(*, record_id: int) -> RecordAnalysis:
    """Request the analysis of a record; eXtreme Gammon's own in the file is stored at once. Idempotent.

    Raises `EngineError` if no engine is installed or nothing can be replayed.
    """
    stored_record = StoredRecord.objects.get(pk=record_id)
    loaded = load_record(stored_record)
    if has_xg_analysis(loaded):
        return store_file_analysis(record_id=record_id, loaded=loaded, code=XG_ENGINE, version="")
    engine = installed_engine()
    if engine is None:
        raise EngineError(NO_ENGINE)
    return _queue_analysis(
        record_id=record_id,
        engine=engine,
        games=len(loaded.replay.games),
        length=loaded.replay.form.length or 0,
    )


@durable
def _queue_analysis(*, record_id: int, engine: Engine, games: int, length: int) -> RecordAnalysis:
    # Locked: it may be cancelled, requested or claimed at the same time.
    row, _created = RecordAnalysis.objects.select_for_update().get_or_create(
        record_id=record_id,
        **engine_key(engine),
        defaults={"games": games, "length": length, "rates": engine.rates},
    )
    if row.state == State.FAILED:  # a new request, behind all waiting ones
        row.state, row.failure, row.tries, row.asked_at = State.WAITING, "", 0, timezone.now()
        row.save(update_fields=["state", "failure", "tries", "asked_at"])
    if row.behind:  # now requested on its own
        row.behind = False
        row.save(update_fields=["behind"])
    # One message suffices: a worker that has finished one continues with the next.
    other_pending = RecordAnalysis.objects.filter(state__in=(State.WAITING, State.WORKING)).exclude(pk=row.pk)
    if not other_pending.exists():
        transaction.on_commit(notify_worker, robust=True)
    return row


@durable
def store_file_analysis(*, record_id: int, loaded: LoadedRecord, code: str, version: str) -> RecordAnalysis:
    """Store the analysis that the file has as that of the engine with this code and version; return it."""
    return _store_file_analysis(record_id, loaded, code, version)


def _store_file_analysis(record_id: int, loaded: LoadedRecord, code: str, version: str) -> RecordAnalysis:
    levels = Counter(row.level for row in loaded.own.decisions if row.level)
    row, created = RecordAnalysis.objects.get_or_create(
        record_id=record_id,
        engine=code,
        version=version,
        level=levels.most_common(1)[0][0] if levels else "",
        defaults={
            "games": len(loaded.replay.games),
            "games_done": len(loaded.replay.games),
            "length": loaded.replay.form.length or 0,
            "rates": True,
            "of_file": code == XG_ENGINE,
            "state": State.DONE,
            "finished_at": timezone.now(),
        },
    )
    if created:
        AnalysedDecision.objects.bulk_create(decision_rows(row, loaded.own, loaded.replay), batch_size=200)
        _store_sums(row, summarize_match(loaded.own, loaded.replay))
        raise_versions([versions.ANALYSES])
    return row


def _store_sums(row: RecordAnalysis, sums: MatchSum) -> None:
    """Store the totals of both sides beside the decisions of an analysis."""
    AnalysedSide.objects.filter(analysis=row).delete()
    AnalysedSide.objects.bulk_create(side_rows(row, sums))
    RecordAnalysis.objects.filter(pk=row.pk).update(swing=sums.swing)


def request_analyses(*, record_ids: Sequence[int]) -> None:
    """Request the analyses of all these records (ids); impossible ones are marked as failed."""
    engine = installed_engine()
    if engine is None:
        return
    for pk in record_ids:
        try:
            request_analysis(record_id=pk)
        except EngineError as error:
            _note_failure(record_id=pk, engine=engine, code=error.code)


@durable
def _note_failure(*, record_id: int, engine: Engine, code: str) -> None:
    RecordAnalysis.objects.get_or_create(
        record_id=record_id,
        **engine_key(engine),
        defaults={"state": State.FAILED, "failure": code, "finished_at": timezone.now()},
    )


def notify_worker(*, lost_after: float | None = None) -> None:
    """Queue a message that an analysis waits; ``lost_after``: seconds until the message may be discarded."""
    enqueue_task(ANALYSE_TASK, lost_after=lost_after)


def notify_other_worker() -> None:
    """Queue a message for another worker if more than one record waits."""
    if RecordAnalysis.objects.filter(state=State.WAITING)[1:].exists():
        notify_worker()


def sweep_analyses() -> None:
    """Put back records of dead workers, queue waiting work, and compute missing totals."""
    add_missing_sums()
    if release_stale_claims() or RecordAnalysis.objects.filter(state=State.WAITING).exists():
        notify_worker(lost_after=RESEND_SECONDS)


@durable
def release_stale_claims() -> int:
    """Put back analyses whose worker has died; return their number.

    Analyses that several workers died of are marked as failed.
    """
    expired = RecordAnalysis.objects.filter(
        state=State.WORKING, claimed_at__lt=timezone.now() - CLAIM_TIMEOUT
    )
    expired.filter(tries__gte=MAX_TRIES).update(
        state=State.FAILED, failure="analysis.broken", claim="", finished_at=timezone.now()
    )
    return expired.update(state=State.WAITING, claim="", games_done=0)


@durable
def add_missing_sums(*, max_rows: int = SUMS_PER_RUN) -> int:
    """Compute the totals of at most ``max_rows`` analyses that lack them; return their number."""
    sums = AnalysedSide.objects.filter(analysis=OuterRef("pk"))
    without_sums = RecordAnalysis.objects.filter(~Exists(sums), state=State.DONE).select_related("record")
    # A concurrent sweep takes others.
    rows = list(without_sums.select_for_update(skip_locked=True, of=("self",)).order_by("-pk")[:max_rows])
    for row in rows:
        try:
            replay = load_record(row.record).replay
        except EngineError:  # an older reader's analysis, which no longer counts
            _store_sums(row, empty_sums())
        else:
            _store_sums(row, summarize_match(Analysis(row.engine, stored_decisions(row)), replay))
    raise_versions([versions.ANALYSES] if rows else [])
    return len(rows)


@durable
def claim_analysis() -> RecordAnalysis | None:
    """Take over the next waiting analysis; None if there is none or one is being processed."""
    rows = RecordAnalysis.objects.all()
    waiting_rows = rows.filter(state=State.WAITING).order_by("behind", "asked_at", "pk")
    while (row := waiting_rows.first()) is not None and not rows.filter(state=State.WORKING).exists():
        claim_fields = {
            "claim": uuid4().hex,
            "claimed_at": timezone.now(),
            "tries": row.tries + 1,
            "games_done": 0,
        }
        try:
            with transaction.atomic():
                claimed_count = rows.filter(pk=row.pk, state=State.WAITING).update(
                    state=State.WORKING, **claim_fields
                )
        except IntegrityError:  # another worker claimed one meanwhile
            return None
        if claimed_count:  # else it was cancelled meanwhile
            return rows.select_related("record").get(pk=row.pk)
    return None


def process_next_analysis() -> bool:
    """Analyse the next waiting record, or store why that failed; return whether there was one."""
    row = claim_analysis()
    if row is None:
        return False
    try:
        engine = installed_engine()
        if engine is None:
            raise EngineError(NO_ENGINE)
        loaded = load_record(row.record)
        if not begin_analysis(pk=row.pk, key=row.claim, loaded=loaded, engine=engine):
            return True
        analysis = engine.analyse(loaded.record, loaded.replay, _ClaimRenewal(row))
    except ClaimLost:
        return True
    except EngineError as error:
        log.warning("A record was not analysed: %s %s", error.code, error.params)
        fail_analysis(pk=row.pk, key=row.claim, code=error.code)
        return True
    rows, sums = decision_rows(row, analysis, loaded.replay), summarize_match(analysis, loaded.replay)
    finish_analysis(pk=row.pk, key=row.claim, rows=rows, sums=sums, engine=engine)
    return True


@durable
def begin_analysis(*, pk: int, key: str, loaded: LoadedRecord, engine: Engine) -> bool:
    """Store the number of games and the engine; return False if there is nothing to do.

    That is so if the file has its own analysis, which is stored instead, if another worker has the record, or
    if the engine's analysis exists. ``key``: the token of this worker's claim.
    """
    claimed = RecordAnalysis.objects.filter(pk=pk, claim=key, state=State.WORKING)
    if not claimed.update(games=len(loaded.replay.games), length=loaded.replay.form.length or 0):
        return False
    if has_xg_analysis(loaded):
        _store_file_analysis(claimed.get().record_id, loaded, XG_ENGINE, "")
        claimed.delete()
        return False
    return _assign_engine(claimed.get(), engine)


def _assign_engine(row: RecordAnalysis, engine: Engine) -> bool:
    """Assign the analysis to the engine that makes it, as engines may have changed since the request.

    Returns False if that engine's analysis exists already.
    """
    engine_fields = engine_key(engine)
    if all(getattr(row, name) == value for name, value in engine_fields.items()):
        return True
    other_rows = RecordAnalysis.objects.filter(record_id=row.record_id, **engine_fields)
    other_rows.filter(state=State.FAILED).delete()
    if other_rows.exists():
        row.delete()
        return False
    RecordAnalysis.objects.filter(pk=row.pk).update(**engine_fields, rates=engine.rates)
    return True


class ClaimLost(Exception):
    """Another worker has taken the record, or the request was cancelled: the engine is ended."""


class _ClaimRenewal:
    """Renews a worker's claim and saves the progress; the engine calls it several times a second.

    Raises ``ClaimLost``.
    """

    def __init__(self, row: RecordAnalysis) -> None:
        self.row = row
        self.done = 0
        self.renewed = time.monotonic()

    def __call__(self, games_done: int) -> None:
        if games_done == self.done and time.monotonic() - self.renewed < RENEW_SECONDS:
            return
        self.done, self.renewed = games_done, time.monotonic()
        if not renew_claim(pk=self.row.pk, key=self.row.claim, games_done=games_done):
            raise ClaimLost


@durable
def renew_claim(*, pk: int, key: str, games_done: int) -> bool:
    claimed = RecordAnalysis.objects.filter(pk=pk, claim=key, state=State.WORKING)
    return bool(claimed.update(claimed_at=timezone.now(), games_done=games_done))


@durable
def fail_analysis(*, pk: int, key: str, code: str) -> None:
    """Store the code of the reason why there is no analysis; a new request tries again."""
    claimed = RecordAnalysis.objects.filter(pk=pk, claim=key, state=State.WORKING)
    claimed.update(state=State.FAILED, failure=code, claim="", finished_at=timezone.now())


@durable
def finish_analysis(
    *, pk: int, key: str, rows: list[AnalysedDecision], sums: MatchSum, engine: Engine
) -> bool:
    """Write the whole analysis if this worker still has the record; return whether it was written."""
    claimed = one_or_none(
        RecordAnalysis.objects.select_for_update().filter(pk=pk, claim=key, state=State.WORKING)
    )
    if claimed is None:
        return False
    AnalysedDecision.objects.filter(analysis=claimed).delete()
    AnalysedDecision.objects.bulk_create(rows, batch_size=200)
    claimed.state, claimed.claim, claimed.games_done, claimed.finished_at = (
        State.DONE,
        "",
        claimed.games,
        timezone.now(),
    )
    claimed.rates = engine.rates
    claimed.save(update_fields=["state", "claim", "games_done", "finished_at", "rates"])
    _store_sums(claimed, sums)
    raise_versions([versions.ANALYSES])
    return True


def decision_rows(row: RecordAnalysis, analysis: Analysis, replay: Replay) -> list[AnalysedDecision]:
    """Return the decisions of an analysis as unsaved rows of the stored analysis ``row``.

    Decisions that fit no turn of the replay are left out.
    """
    chances = {(moment.game, moment.turn): moment.white for moment in match_course(analysis, replay)}
    states = {
        (number, state.turn): state for number, game in enumerate(replay.games, 1) for state in game.states
    }
    rows = []
    for decision in analysis.decisions:
        turn_key = (decision.game, decision.turn)
        if turn_key not in states:
            continue
        is_checker = decision.kind is DecisionKind.CHECKER
        plays, played = _stored_plays(decision)
        is_wrong_cube = not is_checker and error_class(decision.lost) is not ErrorClass.FINE
        rows.append(
            AnalysedDecision(
                analysis=row,
                game=decision.game,
                turn=decision.turn,
                kind=decision.kind.value,
                side=decision.side.value,
                lost=decision.lost,
                counts=decision.counts and decision.lost is not None,
                luck=decision.luck,
                chance=round(chances[turn_key], 5) if is_checker and turn_key in chances else None,
                error=cube_error(decision, states[turn_key]).value if is_wrong_cube else "",
                played=played,
                plays=plays,
                cube=list(decision.cube) if decision.cube is not None else None,
                chances=list(decision.chances) if decision.chances is not None else None,
            )
        )
    return rows


def _stored_plays(decision: Decision) -> tuple[list[Any], int | None]:
    """Return the best plays and the actual one as rows for JSON, and the index of the actual one among them.

    Each is (steps, equity, chances, level), with chances for the best and the actual play only.
    """
    play_indexes = list(range(min(len(decision.plays), MAX_STORED_PLAYS)))
    if decision.played is not None and decision.played >= MAX_STORED_PLAYS:
        play_indexes[-1] = decision.played
    rows: list[Any] = []
    for play_index in play_indexes:
        play = decision.plays[play_index]
        steps = [[step.source, step.target] for step in play.steps]
        has_chances = play_index in {0, decision.played}
        rows.append(
            [steps, play.equity, list(play.chances) if has_chances and play.chances else None, play.level]
        )
    played = None if decision.played is None else play_indexes.index(decision.played)
    return rows, played
