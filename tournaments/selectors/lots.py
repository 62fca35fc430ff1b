"""The public record of an event's draws, for pages, API and scripts: commitments, draws, repeated draws."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from people.models import AuditEntry
from tournaments.engine.lots.committed import SECRET_KINDS, DrawKind, json_digest
from tournaments.engine.trail import chain
from tournaments.engine.trail.draws import COMMITMENT_ACTION_KINDS, DrawMade, RoundPaired
from tournaments.models import Event, Lot, PublicRandomness, Stage
from tournaments.models.trail import audit_scope, parse_row, to_chain_row

DOCUMENT_KIND = "crawford-draws"
DOCUMENT_VERSION = 1
# Audit actions that contain commitments of draws, too; in the file once the draws are shown.
_DRAW_ACTIONS = (DrawMade.kind, RoundPaired.kind)


def stages_with_lots(event: Event, division: int | None = None) -> list[Stage]:
    """Return the event's stages except money play, with ``lots`` (draw records) prefetched, in order.

    Also prefetched is ``randomness`` (public numbers). ``division``: only stages of the division with this
    id.
    """
    stages = Stage.objects.filter(division__event=event).exclude(system=Stage.System.MONEY)
    if division is not None:
        stages = stages.filter(division=division)
    return list(
        stages.select_related("division__event")
        .prefetch_related("lots", "randomness")
        .order_by("division__position", "position", "pk")
    )


def lots_of_removed_stages(event: Event) -> dict[int, list[Lot]]:
    """Return the draw records of deleted stages of ``event``, keyed by stage id."""
    lots_by_stage: dict[int, list[Lot]] = {}
    for lot in Lot.objects.filter(event=event, stage=None).order_by("pk"):
        lots_by_stage.setdefault(int(lot.listed["stage"]), []).append(lot)
    return lots_by_stage


def stage_lots(stage: Stage) -> list[Lot]:
    """Return the draw records of a stage from ``stages_with_lots``, in order."""
    return list(stage.lots.all())


def stage_randomness(stage: Stage) -> list[PublicRandomness]:
    """Return the public numbers named for draws of a stage from ``stages_with_lots``, in order."""
    return list(stage.randomness.all())


def randomness_of_removed_stages(event: Event) -> dict[int, list[PublicRandomness]]:
    """Return the public numbers of deleted stages of ``event``, keyed by stage id."""
    numbers_by_stage: dict[int, list[PublicRandomness]] = {}
    for randomness in PublicRandomness.objects.filter(event=event, stage=None).order_by("of_stage", "number"):
        numbers_by_stage.setdefault(randomness.of_stage, []).append(randomness)
    return numbers_by_stage


def count_draws(lots: Sequence[Lot]) -> int:
    """Return how often a stage was drawn; records of late entries and of rounds do not count."""
    return sum(lot.what == DrawKind.DRAW for lot in lots)


def is_revealed(lot: Lot) -> bool:
    """Return whether the whole draw record is public: it was published, or its stage was deleted."""
    return lot.shown_at is not None or lot.stage_id is None


def commitment_public_since(event: Event, stage: Stage) -> datetime | None:
    """Return since when the commitment (hash of the secret) for the stage's next draw has been public.

    None if it is not public.
    """
    if event.public_since is None or event.club.shut:
        return None
    return max(event.public_since, stage.promised_at)


def number_public_since(event: Event, stage: Stage, randomness: PublicRandomness) -> datetime | None:
    """Return since when it has been public which number the stage's next draw will use.

    None if the event is not public, or if the choice became public only after the number was due.
    """
    since = commitment_public_since(event, stage)
    if since is None:
        return None
    since = max(since, randomness.named_at)
    return since if since < randomness.due_at else None


def is_repeat_draw(lots: Sequence[Lot], lot: Lot) -> bool:
    """Return whether a draw repeats the previous one on the same list of entries.

    For a late entry: whether a place was drawn for the same entry before, both times with a secret.
    """
    earlier_lots = [
        earlier_lot
        for earlier_lot in lots
        if (earlier_lot.what, earlier_lot.round) == (lot.what, lot.round) and earlier_lot.number < lot.number
    ]
    if lot.what == DrawKind.LATE:  # other entries come in between, so it counts for whom a place was drawn
        return lot.by in SECRET_KINDS and any(
            earlier_lot.by in SECRET_KINDS and earlier_lot.listed["entry"] == lot.listed["entry"]
            for earlier_lot in earlier_lots
        )
    return bool(earlier_lots) and earlier_lots[-1].list_hash == lot.list_hash


def draws_document(event: Event) -> dict[str, Any]:
    """Return the record of all draws of ``event`` as a JSON document, for ``tools/verify_draw.py``.

    It contains a digest of itself, ids and no names.
    """
    stages = stages_with_lots(event)
    removed_lots, removed_randomness = lots_of_removed_stages(event), randomness_of_removed_stages(event)
    lots = {stage.pk: stage_lots(stage) for stage in stages} | removed_lots
    document: dict[str, Any] = {
        "v": DOCUMENT_VERSION,
        "kind": DOCUMENT_KIND,
        "event": event.public_id,
        "stages": [
            _stage_row(stage.pk, stage.promise, stage.promised_at, lots[stage.pk], stage_randomness(stage))
            for stage in stages
        ]
        + [
            _stage_row(
                removed_stage_id,
                "",
                None,
                removed_lots.get(removed_stage_id, []),
                removed_randomness.get(removed_stage_id, []),
            )
            for removed_stage_id in sorted(removed_lots.keys() | removed_randomness.keys())
        ],
        "audit": list(_audit_rows(event, lots)),
    }
    return {**document, "digest": json_digest(document)}


def _stage_row(
    stage_id: int,
    commitment: str,
    committed_at: datetime | None,
    lots: Sequence[Lot],
    randomness_rows: Sequence[PublicRandomness],
) -> dict[str, Any]:
    number_by_id = {row.pk: row.number for row in randomness_rows}
    return {
        "stage": stage_id,
        "promise": commitment,
        "promised_at": _format_time(committed_at),
        "randomness": [_randomness_row(row) for row in randomness_rows],
        "draws": [_public_row(lot, number_by_id) for lot in lots],
    }


def _randomness_row(randomness: PublicRandomness) -> dict[str, Any]:
    return {
        "number": randomness.number,
        **{name: value for name, value in randomness.named().items() if name != "stage"},
        "promised_at": _format_time(randomness.promised_at),
        "named_at": _format_time(randomness.named_at),
        "commitment": randomness.commitment,
        "value": randomness.value,
        "signature": randomness.signature,
        "previous_signature": randomness.previous,
        "origin": randomness.origin,
        "read_from": randomness.read_from,
        "value_at": _format_time(randomness.value_at),
    }


def _audit_rows(event: Event, lots: Mapping[int, Sequence[Lot]]) -> Iterator[dict[str, Any]]:
    """Yield proofs of the audit rows with commitments and published draws, each with its hash's input."""
    revealed = {
        (stage, lot.number)
        for stage, lots_of_stage in lots.items()
        for lot in lots_of_stage
        if is_revealed(lot)
    }
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event), action__in=(*COMMITMENT_ACTION_KINDS, *_DRAW_ACTIONS)
    )
    for row in rows.exclude(link="").order_by("pk"):
        action = parse_row(row)
        is_revealed_draw = (
            isinstance(action, DrawMade | RoundPaired) and (row.subject_id, action.number) in revealed
        )
        if row.action in COMMITMENT_ACTION_KINDS or is_revealed_draw:
            yield chain.row_proof(to_chain_row(row), chain.RowSeal.of(row.seal))


def _public_row(lot: Lot, number_by_id: Mapping[int, int]) -> dict[str, Any]:
    """Return the public part of a draw record.

    Until the draw is published, that is only when and how it was made, and the hash of its list.
    """
    is_public = is_revealed(lot)
    hidden_fields = {
        "secret": lot.secret,
        "typed": lot.typed,
        "order": lot.order,
        "seed": lot.seed,
        "listed": lot.listed,
        "outcome": lot.outcome,
    }
    return {
        "number": lot.number,
        "what": lot.what,
        "round": lot.round,
        "by": lot.by,
        "why": lot.why,
        "at": _format_time(lot.at),
        "shown": is_public,
        "promise": lot.promise,
        "promised_at": _format_time(lot.promised_at),
        "publicity": lot.publicity,
        "public_since": _format_time(lot.public_since),
        "randomness": number_by_id.get(lot.randomness_id or 0),
        "list_hash": lot.list_hash,
        **(hidden_fields if is_public else dict.fromkeys(hidden_fields)),
    }


def _format_time(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at is not None else None
