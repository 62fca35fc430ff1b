"""The public record of an event's draws: commitments, draws, repetitions; for pages, API and scripts."""

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
    """Stages of an event or division that use draws, each with its ``lots`` in order."""
    stages = Stage.objects.filter(division__event=event).exclude(system=Stage.System.MONEY)
    if division is not None:
        stages = stages.filter(division=division)
    return list(
        stages.select_related("division__event")
        .prefetch_related("lots", "randomness")
        .order_by("division__position", "position", "pk")
    )


def lots_of_removed_stages(event: Event) -> dict[int, list[Lot]]:
    """Records of stages that were deleted since, by the id of the stage."""
    found: dict[int, list[Lot]] = {}
    for lot in Lot.objects.filter(event=event, stage=None).order_by("pk"):
        found.setdefault(int(lot.listed["stage"]), []).append(lot)
    return found


def stage_lots(stage: Stage) -> list[Lot]:
    """Records of a stage from ``stages_with_lots``, in order."""
    return list(stage.lots.all())


def stage_randomness(stage: Stage) -> list[PublicRandomness]:
    """Public numbers of a stage from ``stages_with_lots``, in order."""
    return list(stage.randomness.all())


def randomness_of_removed_stages(event: Event) -> dict[int, list[PublicRandomness]]:
    """Public numbers of stages that were removed since, by the id of the stage."""
    found: dict[int, list[PublicRandomness]] = {}
    for named in PublicRandomness.objects.filter(event=event, stage=None).order_by("of_stage", "number"):
        found.setdefault(named.of_stage, []).append(named)
    return found


def count_draws(lots: Sequence[Lot]) -> int:
    """How often a stage was drawn; late entries and lots of rounds do not count."""
    return sum(lot.what == DrawKind.DRAW for lot in lots)


def is_revealed(lot: Lot) -> bool:
    """Return whether the record is fully public."""
    return lot.shown_at is not None or lot.stage_id is None


def commitment_public_since(event: Event, stage: Stage) -> datetime | None:
    """Since when the commitment to the stage's next draw is public; None if it is not."""
    if event.public_since is None or event.club.shut:
        return None
    return max(event.public_since, stage.promised_at)


def number_public_since(event: Event, stage: Stage, named: PublicRandomness) -> datetime | None:
    """Since when the number named for the stage's next draw is public; None if not before its time."""
    since = commitment_public_since(event, stage)
    if since is None:
        return None
    since = max(since, named.named_at)
    return since if since < named.due_at else None


def is_repeat_draw(lots: Sequence[Lot], lot: Lot) -> bool:
    """Return whether a draw repeats the previous one on the same list, or a place for the same late entry."""
    before = [
        one for one in lots if (one.what, one.round) == (lot.what, lot.round) and one.number < lot.number
    ]
    if lot.what == DrawKind.LATE:  # other entries come in between, so it counts for whom a place was drawn
        return lot.by in SECRET_KINDS and any(
            one.by in SECRET_KINDS and one.listed["entry"] == lot.listed["entry"] for one in before
        )
    return bool(before) and before[-1].list_hash == lot.list_hash


def draws_document(event: Event) -> dict[str, Any]:
    """All draws as JSON with a digest, for ``tools/verify_draw.py``. Contains ids and no names."""
    stages = stages_with_lots(event)
    gone, gone_randomness = lots_of_removed_stages(event), randomness_of_removed_stages(event)
    lots = {stage.pk: stage_lots(stage) for stage in stages} | gone
    document: dict[str, Any] = {
        "v": DOCUMENT_VERSION,
        "kind": DOCUMENT_KIND,
        "event": event.public_id,
        "stages": [
            _stage_row(stage.pk, stage.promise, stage.promised_at, lots[stage.pk], stage_randomness(stage))
            for stage in stages
        ]
        + [
            _stage_row(number, "", None, gone.get(number, []), gone_randomness.get(number, []))
            for number in sorted(gone.keys() | gone_randomness.keys())
        ],
        "audit": list(_audit_rows(event, lots)),
    }
    return {**document, "digest": json_digest(document)}


def _stage_row(
    number: int,
    promise: str,
    promised_at: datetime | None,
    lots: Sequence[Lot],
    named: Sequence[PublicRandomness],
) -> dict[str, Any]:
    numbers = {row.pk: row.number for row in named}
    return {
        "stage": number,
        "promise": promise,
        "promised_at": _format_time(promised_at),
        "randomness": [_randomness_row(row) for row in named],
        "draws": [_public_row(lot, numbers) for lot in lots],
    }


def _randomness_row(named: PublicRandomness) -> dict[str, Any]:
    return {
        "number": named.number,
        **{name: value for name, value in named.named().items() if name != "stage"},
        "promised_at": _format_time(named.promised_at),
        "named_at": _format_time(named.named_at),
        "commitment": named.commitment,
        "value": named.value,
        "signature": named.signature,
        "previous_signature": named.previous,
        "origin": named.origin,
        "read_from": named.read_from,
        "value_at": _format_time(named.value_at),
    }


def _audit_rows(event: Event, lots: Mapping[int, Sequence[Lot]]) -> Iterator[dict[str, Any]]:
    """Audit rows with commitments, each with the input of its link. Draws that are not shown are left out."""
    shown = {(stage, lot.number) for stage, drawn in lots.items() for lot in drawn if is_revealed(lot)}
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event), action__in=(*COMMITMENT_ACTION_KINDS, *_DRAW_ACTIONS)
    )
    for row in rows.exclude(link="").order_by("pk"):
        action = parse_row(row)
        drawn = isinstance(action, DrawMade | RoundPaired) and (row.subject_id, action.number) in shown
        if row.action in COMMITMENT_ACTION_KINDS or drawn:
            yield chain.row_proof(to_chain_row(row), chain.RowSeal.of(row.seal))


def _public_row(lot: Lot, numbers: Mapping[int, int]) -> dict[str, Any]:
    """The public part of a record: until it is shown, that it was made and on which list."""
    shown = is_revealed(lot)
    whole = {
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
        "shown": shown,
        "promise": lot.promise,
        "promised_at": _format_time(lot.promised_at),
        "publicity": lot.publicity,
        "public_since": _format_time(lot.public_since),
        "randomness": numbers.get(lot.randomness_id or 0),
        "list_hash": lot.list_hash,
        **(whole if shown else dict.fromkeys(whole)),
    }


def _format_time(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at is not None else None
