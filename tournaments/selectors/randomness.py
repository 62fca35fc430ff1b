"""Public random numbers (drand rounds, lottery numbers) named for draws, and how the draws used them."""

from collections.abc import Collection, Sequence
from datetime import datetime

from tournaments.engine.lots.committed import SeedSourceKind
from tournaments.engine.lots.randomness import RandomnessKind
from tournaments.models import Lot, PublicRandomness, Stage


def open_randomness(stage: Stage) -> PublicRandomness | None:
    """Return the public number that is named for the stage's next draw, or None.

    Naming ends when a draw uses the number or is made without it. A late entry placed at random ends it, too,
    because it uses up the secret of the stage.
    """
    return open_randomness_by_stage([stage]).get(stage.pk)


def open_randomness_by_stage(stages: Collection[Stage]) -> dict[int, PublicRandomness]:
    """Return the public numbers named for the next draws of these stages, keyed by stage id.

    Stages without a named number are left out.
    """
    promises = {stage.pk: stage.promise for stage in stages}
    rows = PublicRandomness.objects.filter(of_stage__in=promises, promise__in=list(promises.values()))
    randomness_rows = list(rows.order_by("number"))
    used_ids = set(Lot.objects.filter(randomness__in=randomness_rows).values_list("randomness_id", flat=True))
    open_rows = (
        latest_open_randomness([row for row in randomness_rows if row.of_stage == pk], promise, used_ids)
        for pk, promise in promises.items()
    )
    return {row.of_stage: row for row in open_rows if row is not None}


def latest_open_randomness(
    randomness_rows: Sequence[PublicRandomness], promise: str, used_ids: Collection[int | None]
) -> PublicRandomness | None:
    """Return the latest of a stage's public numbers if it is named for the next draw, else None.

    ``promise``: the commitment of the stage's next draw; ``used_ids``: ids of numbers that a draw has used or
    has passed over.
    """
    if not randomness_rows or randomness_rows[-1].promise != promise or randomness_rows[-1].pk in used_ids:
        return None
    return randomness_rows[-1]


def was_passed_over(lot: Lot, randomness_rows: Sequence[PublicRandomness]) -> bool:
    """Return whether a number was named for this draw, but not used.

    That is if the draw was made without the number, or if another number was named when the first was already
    known. ``randomness_rows``: all public numbers of the draw's stage, in order.
    """
    if lot.randomness_id is not None and lot.by != SeedSourceKind.PUBLIC:
        return True
    unused_numbers = [
        row for row in randomness_rows if row.promise == lot.promise and row.pk != lot.randomness_id
    ]
    return bool(lot.promise) and any(
        row.due_at <= _ended_at(row, randomness_rows, lot.at) for row in unused_numbers
    )


def has_list_changed(lot: Lot, randomness_rows: Sequence[PublicRandomness]) -> bool:
    """Return whether a draw with a public number used another list than the number was named for."""
    return lot.by == SeedSourceKind.PUBLIC and any(
        row.pk == lot.randomness_id and row.list_hash != lot.list_hash for row in randomness_rows
    )


def _ended_at(
    row: PublicRandomness, randomness_rows: Sequence[PublicRandomness], drawn_at: datetime
) -> datetime:
    """Return when another number replaced the number ``row``, or else when the draw was made."""
    return min([drawn_at, *(other.named_at for other in randomness_rows if other.number > row.number)])


def randomness_to_fetch(*, since: datetime, until: datetime) -> list[PublicRandomness]:
    """Return the public numbers to be fetched from drand now.

    They are due between these times, have no value yet, and are still named for the next draw of their stage.
    """
    rows = PublicRandomness.objects.filter(
        kind=RandomnessKind.DRAND, value="", due_at__gte=since, due_at__lte=until
    ).select_related("stage")
    due_rows = list(rows.order_by("due_at"))
    open_by_stage = open_randomness_by_stage([row.stage for row in due_rows if row.stage is not None])
    return [row for row in due_rows if open_by_stage.get(row.of_stage) == row]
