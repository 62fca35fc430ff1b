"""Compute a whole list from the ledger into a new generation, to which the list then switches.

The work is committed in pieces, so that its progress is visible, it can be stopped, and on SQLite others can
write in between. Facts added meanwhile stay pending and are applied just before the switch, under the list's
lock.
"""

import gc
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from faults import Conflict
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.services import audit
from people.services.versions import raise_versions
from people.versions import rating_list_topic as topic_of
from rating.formulas import get_system
from rating.formulas.periods import replay_periods
from rating.formulas.replay import Row, State, rater_for_system
from rating.models import Generation, GenerationState, Pending, RatingList, Standing
from rating.models.history import COMMON_PARTITION
from rating.outside import event_source
from rating.services.intake import apply_pending_facts, open_period_number
from rating.services.locks import lock_list
from rating.services.queue import queue_rebuild
from rating.store import partitions
from rating.store.reading import counted_facts, merged_players, read_extras, read_rows, superseded_fact_ids
from rating.store.spans import counted_spans, span_club_ids
from rating.store.tail import generation_merges
from rating.store.writing import (
    StandingRow,
    delete_history_rows,
    periodic_rows,
    standing_rows,
    step_writer,
    write_standings,
    write_steps,
)

logger = logging.getLogger(__name__)

STEPS_PER_TRANSACTION = 50_000  # facts rated and committed at a time: in between others write, progress is saved, and a stop is noticed
WRITE_PAUSE_SECONDS = 0.11  # seconds between two pieces on SQLite, where waiting writers retry every 0.1 s
PROGRESS_STEPS = 5_000  # facts passed to the database at a time
READER_GRACE = timedelta(seconds=60)
STOPPED_PAUSE = timedelta(minutes=10)
ROWS_PER_SWEEP = 100_000  # rows of an old history deleted in one sweep
WORKER_TIMEOUT = timedelta(seconds=20)  # a rebuild without a sign of life for so long is considered dead
MAX_TRIES = 3  # workers that may die of a requested rebuild
TRIES_WINDOW = timedelta(hours=6)


class RebuildStopped(Exception):
    """The rebuild was stopped, or a newer one replaced it."""


def rebuild_list(*, list_id: int, started_by: str = "") -> Generation | None:
    """Rebuild a list and switch to the result. None if another rebuild runs, or this one was stopped.

    ``started_by``: the label of the person or program that requested it; "" for an automatic rebuild.
    """
    generation = begin_rebuild(list_id=list_id, started_by=started_by)
    if generation is None:
        return None
    try:
        with _without_collector():
            included_ids = _build(generation)
        _switch_generation(generation, included_ids=included_ids)
    except RebuildStopped:
        _discard_generation(generation, GenerationState.STOPPED)
        return None
    except BaseException:
        _discard_generation(generation, GenerationState.FAILED)
        raise
    return generation


@contextmanager
def _without_collector() -> Iterator[None]:
    """Disable Python's garbage collector, which would scan millions of rows without cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def begin_rebuild(*, list_id: int, started_by: str = "") -> Generation | None:
    """Create a generation to fill; None while another one is being filled or an automatic rebuild pauses.

    On a list of master points, final places of finished events are written to the ledger first.
    """
    rating_list = RatingList.objects.get(pk=list_id)
    clubs = span_club_ids(counted_spans(rating_list))
    if get_system(rating_list.system).is_points_system:
        event_source().record_places(clubs)
    _wait_for_results(clubs)
    with transaction.atomic():
        rating_list = lock_list(list_id)
        building = Generation.objects.filter(rating_list=rating_list, state=GenerationState.BUILDING)
        if building.filter(_alive_q()).exists():
            return None
        if not started_by and paused_until(rating_list):
            return None
        building.filter(begun=False).delete()
        building.update(state=GenerationState.FAILED, finished_at=timezone.now())
        generation = Generation(
            rating_list=rating_list,
            started_by=started_by[:160],
            clubs=counted_spans(rating_list),
            merges={str(player): survivor for player, survivor in merged_players().items()},
        )
        if get_system(rating_list.system).is_periodic:
            generation.closed = open_period_number(rating_list)
        generation.save()
        return generation


def _alive_q() -> Q:
    """Return a filter for rebuilds whose worker is alive.

    A time in the future is from before a clock was set back.
    """
    now = timezone.now()
    return Q(begun=True, touched_at__gt=now - WORKER_TIMEOUT, touched_at__lte=now + WORKER_TIMEOUT)


def run_requested_rebuild(*, list_id: int) -> Generation | None:
    """Run a rebuild that a director requested and that was interrupted or not begun.

    None if there is none.
    """
    requested = _dead_generations().filter(rating_list=list_id).exclude(started_by="").first()
    if requested is None or requested.stop_requested:
        return None
    return rebuild_list(list_id=list_id, started_by=requested.started_by)


def interrupted_list_ids() -> list[int]:
    """Return the ids of lists with a requested rebuild that no worker runs: not begun, or its worker died.

    All other dead rebuilds are ended here, and those that failed several times: what the list itself needs
    begins again automatically (``apply.outdated_lists``).
    """
    list_ids = []
    for generation in _dead_generations().order_by("pk"):
        if generation.stop_requested:
            _discard_generation(generation, GenerationState.STOPPED)
        elif generation.started_by and not _has_failed_often(generation):
            list_ids.append(generation.rating_list_id)
        else:
            logger.error("the rebuild %s of list %s was given up", generation.pk, generation.rating_list_id)
            _discard_generation(generation, GenerationState.FAILED)
    return list_ids


def _dead_generations() -> QuerySet[Generation]:
    return Generation.objects.filter(state=GenerationState.BUILDING).exclude(_alive_q())


def _has_failed_often(generation: Generation) -> bool:
    failed = Generation.objects.filter(
        rating_list=generation.rating_list_id,
        state=GenerationState.FAILED,
        started_by=generation.started_by,
        finished_at__gt=timezone.now() - TRIES_WINDOW,
    )
    return failed.count() >= MAX_TRIES


def paused_until(rating_list: RatingList) -> datetime | None:
    """Return until when a rebuild that a director stopped is not restarted automatically, or None."""
    now = timezone.now()
    stopped = Generation.objects.filter(
        rating_list=rating_list,
        state=GenerationState.STOPPED,
        stop_requested=True,
        finished_at__gt=now - STOPPED_PAUSE,
        finished_at__lte=now + STOPPED_PAUSE,
    )
    last = stopped.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return None if last is None else last + STOPPED_PAUSE


@transaction.atomic
def _wait_for_results(clubs: list[int]) -> None:
    """Wait for results that are being written and may not know that this list counts ``clubs`` (ids).

    Their writers hold the club's row until they commit. A transaction of its own, without other locks.
    """
    list(Club.objects.select_for_update().filter(pk__in=clubs).order_by("pk").values_list("pk"))


@transaction.atomic
def request_rebuild(*, actor: Actor, list_id: int) -> None:
    """Queue a rebuild of the list; its present ratings stay until the rebuild is done.

    Raises ``Conflict`` while a rebuild runs.
    """
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    building = Generation.objects.filter(rating_list=rating_list, state=GenerationState.BUILDING)
    if building.filter(_alive_q()).exists():
        raise Conflict("rating.rebuild_running")
    audit.record_action(actor=actor, action="rating_list.rebuild", subject=rating_list, club=rating_list.club)
    if not building.exists():
        Generation.objects.create(rating_list=rating_list, started_by=actor.label[:160], begun=False)
    queue_rebuild(list_id)


def stop_rebuild(*, actor: Actor, list_id: int) -> None:
    """Request that the running rebuild stops; the list stays as it is. Raises ``Conflict`` if none runs."""
    rating_list = RatingList.objects.select_related("club").get(pk=list_id)
    require_director(actor, rating_list.club)
    with transaction.atomic():
        building = Generation.objects.filter(rating_list=rating_list, state=GenerationState.BUILDING)
        stopped_count = building.update(stop_requested=True)
        # No worker runs it that could notice.
        building.exclude(_alive_q()).update(state=GenerationState.STOPPED, finished_at=timezone.now())
        if not stopped_count:
            raise Conflict("rating.no_rebuild")
        audit.record_action(
            actor=actor, action="rating_list.stop_rebuild", subject=rating_list, club=rating_list.club
        )


def _report_progress(generation: Generation, **values: object) -> None:
    """Save ``values`` and a sign of life of the rebuild.

    Raises ``RebuildStopped`` if the rebuild should end.
    """
    is_running = Generation.objects.filter(
        pk=generation.pk, state=GenerationState.BUILDING, stop_requested=False
    ).update(touched_at=timezone.now(), **values)
    if not is_running:
        raise RebuildStopped


def read_all_rows(rating_list: RatingList, generation: Generation) -> list[Row]:
    return read_rows(
        counted_facts(rating_list, generation.clubs),
        excluded_ids=superseded_fact_ids(),
        merges=generation_merges(generation),
        bulk=True,
    )


def _build(generation: Generation) -> set[int]:
    """Fill the generation; return the ids of the pending facts that it includes."""
    rating_list = RatingList.objects.get(pk=generation.rating_list_id)
    included_ids = set(Pending.objects.filter(rating_list=rating_list).values_list("fact_id", flat=True))
    rows = read_all_rows(rating_list, generation)
    if partitions.is_postgresql() and len(rows) > partitions.OWN_PARTITION_ABOVE:
        generation.shelf = generation.pk
    # Recorded before it is created, so that a cleanup after a crash finds it.
    rule = {"system": rating_list.system, "parameters": rating_list.parameters, "start": rating_list.start}
    _report_progress(generation, total=len(rows), shelf=generation.shelf, rule=rule)
    if generation.shelf != COMMON_PARTITION:
        partitions.add_partition(generation)
    generation.total = len(rows)
    if get_system(rating_list.system).is_periodic:
        standings = _build_periodic(rating_list, generation, rows)
    else:
        standings = _build_sequential(rating_list, generation, rows)
    with transaction.atomic():
        write_standings(generation, standings)
    if generation.shelf != COMMON_PARTITION:
        partitions.index_partition(generation)
    _report_progress(generation, done=len(rows))
    return included_ids


def _build_sequential(rating_list: RatingList, generation: Generation, rows: list[Row]) -> list[StandingRow]:
    system = get_system(rating_list.system)
    rate = rater_for_system(system, system.read(rating_list.parameters), start=rating_list.start)
    extras = read_extras(counted_facts(rating_list, generation.clubs), system)
    states: dict[int, State] = {}
    for start in range(0, len(rows), STEPS_PER_TRANSACTION):
        if start:
            _let_others_write()
        end = min(start + STEPS_PER_TRANSACTION, len(rows))
        with transaction.atomic(), step_writer(generation) as write:
            for index in range(start, end, PROGRESS_STEPS):
                write(rate(rows[index : min(index + PROGRESS_STEPS, end)], states, extras=extras))
        _report_progress(generation, done=end)
    return standing_rows(states)


def _build_periodic(rating_list: RatingList, generation: Generation, rows: list[Row]) -> list[StandingRow]:
    system = get_system(rating_list.system)
    replay = replay_periods(
        rows,
        system.read(rating_list.parameters),
        start=rating_list.start,
        end_period=generation.closed,
        extras=read_extras(counted_facts(rating_list, generation.clubs), system),
    )
    for start in range(0, len(replay.steps), STEPS_PER_TRANSACTION):
        if start:
            _let_others_write()
        with transaction.atomic():
            write_steps(
                generation,
                replay.steps[start : start + STEPS_PER_TRANSACTION],
                replay.after[start : start + STEPS_PER_TRANSACTION],
            )
        _report_progress(generation, done=min(start + STEPS_PER_TRANSACTION, len(rows)))
    return periodic_rows(replay)


def _let_others_write() -> None:
    """Pause on SQLite, which has one writer and no queue: a continuous writer would block all others."""
    if not partitions.is_postgresql():
        time.sleep(WRITE_PAUSE_SECONDS)


@transaction.atomic
def _switch_generation(generation: Generation, *, included_ids: set[int]) -> None:
    """Apply facts added since the building began and make the generation current, in one transaction.

    ``included_ids``: the facts that were pending when the building began.
    """
    rating_list = lock_list(generation.rating_list_id)
    _report_progress(generation)
    if generation.shelf != COMMON_PARTITION:
        partitions.attach_partition(generation)
    apply_pending_facts(rating_list, generation, included_ids=included_ids)
    if rating_list.generation_id is not None:
        Generation.objects.filter(pk=rating_list.generation_id).update(
            state=GenerationState.RETIRED, touched_at=timezone.now()
        )
    Generation.objects.filter(pk=generation.pk).update(
        state=GenerationState.CURRENT, finished_at=timezone.now()
    )
    RatingList.objects.filter(pk=rating_list.pk).update(
        generation=generation, needs_rebuild=False, version=F("version") + 1
    )
    raise_versions([topic_of(rating_list.pk)])


def _discard_generation(generation: Generation, state: GenerationState) -> None:
    Generation.objects.filter(pk=generation.pk, state=GenerationState.BUILDING).update(
        state=state, finished_at=timezone.now()
    )


def empty_old_generations(*, limit: int = ROWS_PER_SWEEP, grace: timedelta = READER_GRACE) -> int:
    """Delete the history of generations that are no longer shown; return how many were emptied completely.

    ``limit``: rows deleted of one generation. Generations changed within ``grace`` stay, for running readers.
    """
    old_generations = Generation.objects.filter(emptied=False, touched_at__lt=timezone.now() - grace).exclude(
        state__in=[GenerationState.CURRENT, GenerationState.BUILDING]
    )
    emptied_count = 0
    for generation in old_generations.order_by("pk"):
        try:
            with transaction.atomic():
                emptied_count += _empty_generation(generation, limit)
        except OperationalError:
            logger.info("generation %s is still being read; it goes later", generation.pk)
    return emptied_count


def _empty_generation(generation: Generation, limit: int) -> bool:
    Standing.objects.filter(generation=generation).delete()
    if generation.shelf != COMMON_PARTITION:
        partitions.drop_partition(generation)
    elif delete_history_rows(generation, limit=limit) >= limit:
        return False
    Generation.objects.filter(pk=generation.pk).update(emptied=True)
    return True
