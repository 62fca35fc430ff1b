"""Analyses asked for by many at a time, for a match, a stage, an event: they wait behind whatever somebody asks for alone, and can be called off.

Nothing is read here: a hundred records would take a page seconds. Rows say what is wanted, and the worker reads each record when it comes to it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.analysis.engines import installed_engine
from games.analysis.port import NO_ENGINE, NOT_FIT, Engine, EngineError
from games.models import RecordAnalysis
from games.services.analyses import engine_key, notify_worker
from people.transactions import durable

State = RecordAnalysis.State
_ACTIVE_STATES: Final = {State.WAITING, State.WORKING}


@dataclass(frozen=True, slots=True)
class BulkRequestResult:
    """How many analyses were asked for; how many were there, or on their way; how many cannot be made."""

    asked: int
    there: int
    impossible_count: int


def request_in_background(*, record_ids: Collection[int]) -> BulkRequestResult:
    """Ask for the analyses of these records, behind everything else. Asking again changes nothing, but that one that failed is tried again.

    Raises `EngineError` where no engine is installed.
    """
    engine = installed_engine()
    if engine is None:
        raise EngineError(NO_ENGINE)
    return _request_in_background(record_ids=list(record_ids), engine=engine)


@durable
def _request_in_background(*, record_ids: list[int], engine: Engine) -> BulkRequestResult:
    own = engine_key(engine)
    rows: dict[int, list[RecordAnalysis]] = {}
    for row in RecordAnalysis.objects.filter(record__in=record_ids):
        rows.setdefault(row.record_id, []).append(row)
    there = {pk for pk, found in rows.items() if any(_is_sufficient(row, own) for row in found)}
    failed = {
        row.pk: row
        for found in rows.values()
        for row in found
        if _is_by_engine(row, own) and row.record_id not in there
    }
    hopeless = {row.record_id for row in failed.values() if row.failure == NOT_FIT}
    again = [pk for pk, row in failed.items() if row.record_id not in hopeless]
    RecordAnalysis.objects.filter(pk__in=again, state=State.FAILED).update(
        state=State.WAITING, failure="", tries=0, behind=True, asked_at=timezone.now()
    )
    new = sorted(set(record_ids) - there - {row.record_id for row in failed.values()})
    RecordAnalysis.objects.bulk_create(
        [RecordAnalysis(record_id=pk, behind=True, rates=engine.rates, **own) for pk in new],
        batch_size=200,
        ignore_conflicts=True,  # somebody asked in the same moment
    )
    if new or again:
        transaction.on_commit(notify_worker, robust=True)
    return BulkRequestResult(len(new) + len(again), len(there), len(hopeless))


def _is_by_engine(row: RecordAnalysis, own: dict[str, str]) -> bool:
    return all(getattr(row, name) == value for name, value in own.items())


def _is_sufficient(row: RecordAnalysis, own: dict[str, str]) -> bool:
    """Whether it is on its way, or done so well that this engine would add nothing."""
    return row.state in _ACTIVE_STATES or (row.state == State.DONE and (row.rates or _is_by_engine(row, own)))


@durable
def cancel_requests(*, record_ids: Collection[int]) -> int:
    """Ask no longer for those of these that were asked for by many and wait; how many. What is being made is made."""
    waiting = RecordAnalysis.objects.filter(record__in=list(record_ids), state=State.WAITING, behind=True)
    # Locked before they go: whoever asks for one alone, or begins with it, in the same moment keeps it.
    found = list(waiting.select_for_update().order_by("pk").values_list("pk", flat=True))
    RecordAnalysis.objects.filter(pk__in=found).delete()
    return len(found)
