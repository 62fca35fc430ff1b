"""Request many analyses in the background, for a match, a stage or an event; the requests can be cancelled.

They wait behind single requests. Nothing is read here: a hundred records would take a page seconds. Rows hold
the requests, and the worker reads each record in its turn.
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
    """How many analyses were requested (``asked``), exist or wait already (``there``), or are impossible."""

    asked: int
    there: int
    impossible_count: int


def request_in_background(*, record_ids: Collection[int]) -> BulkRequestResult:
    """Request the analyses of these records (ids) behind all others. Idempotent; failed ones are tried again.

    Raises `EngineError` if no engine is installed.
    """
    engine = installed_engine()
    if engine is None:
        raise EngineError(NO_ENGINE)
    return _request_in_background(record_ids=list(record_ids), engine=engine)


@durable
def _request_in_background(*, record_ids: list[int], engine: Engine) -> BulkRequestResult:
    engine_fields = engine_key(engine)
    rows: dict[int, list[RecordAnalysis]] = {}
    for row in RecordAnalysis.objects.filter(record__in=record_ids):
        rows.setdefault(row.record_id, []).append(row)
    sufficient_ids = {
        pk
        for pk, record_rows in rows.items()
        if any(_is_sufficient(row, engine_fields) for row in record_rows)
    }
    failed_rows = {
        row.pk: row
        for record_rows in rows.values()
        for row in record_rows
        if _is_by_engine(row, engine_fields) and row.record_id not in sufficient_ids
    }
    unfit_ids = {row.record_id for row in failed_rows.values() if row.failure == NOT_FIT}
    retried_ids = [pk for pk, row in failed_rows.items() if row.record_id not in unfit_ids]
    RecordAnalysis.objects.filter(pk__in=retried_ids, state=State.FAILED).update(
        state=State.WAITING, failure="", tries=0, behind=True, asked_at=timezone.now()
    )
    new_ids = sorted(set(record_ids) - sufficient_ids - {row.record_id for row in failed_rows.values()})
    RecordAnalysis.objects.bulk_create(
        [RecordAnalysis(record_id=pk, behind=True, rates=engine.rates, **engine_fields) for pk in new_ids],
        batch_size=200,
        ignore_conflicts=True,  # requested by another user meanwhile
    )
    if new_ids or retried_ids:
        transaction.on_commit(notify_worker, robust=True)
    return BulkRequestResult(len(new_ids) + len(retried_ids), len(sufficient_ids), len(unfit_ids))


def _is_by_engine(row: RecordAnalysis, engine_fields: dict[str, str]) -> bool:
    return all(getattr(row, name) == value for name, value in engine_fields.items())


def _is_sufficient(row: RecordAnalysis, engine_fields: dict[str, str]) -> bool:
    """Return whether the analysis waits or runs, or is so good that this engine would add nothing."""
    return row.state in _ACTIVE_STATES or (
        row.state == State.DONE and (row.rates or _is_by_engine(row, engine_fields))
    )


@durable
def cancel_requests(*, record_ids: Collection[int]) -> int:
    """Cancel waiting background requests of these records (ids); return how many. Running ones continue."""
    waiting_rows = RecordAnalysis.objects.filter(
        record__in=list(record_ids), state=State.WAITING, behind=True
    )
    # Locked first: a concurrent single request or worker keeps its row.
    request_ids = list(waiting_rows.select_for_update().order_by("pk").values_list("pk", flat=True))
    RecordAnalysis.objects.filter(pk__in=request_ids).delete()
    return len(request_ids)
