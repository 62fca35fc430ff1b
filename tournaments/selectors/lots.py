"""The draws of an event for everybody: what is promised, what was drawn, how often and why; read by pages, API and scripts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from tournaments.engine.lots.committed import What, digest_of
from tournaments.models import Event, Lot, Stage

DOCUMENT_KIND = "crawford-draws"
DOCUMENT_VERSION = 1


def drawn_stages(event: Event, division: int | None = None) -> list[Stage]:
    """The stages of an event, or of one division of it, in which something is left to the lot, each with its ``lots`` in order."""
    stages = Stage.objects.filter(division__event=event).exclude(system=Stage.System.MONEY)
    if division is not None:
        stages = stages.filter(division=division)
    return list(
        stages.select_related("division__event")
        .prefetch_related("lots")
        .order_by("division__position", "position", "pk")
    )


def lots_of_gone_stages(event: Event) -> dict[int, list[Lot]]:
    """What was drawn in stages that were taken away since, by the number the stage had: taking it away hides nothing."""
    found: dict[int, list[Lot]] = {}
    for lot in Lot.objects.filter(event=event, stage=None).order_by("pk"):
        found.setdefault(int(lot.listed["stage"]), []).append(lot)
    return found


def lots_of(stage: Stage) -> list[Lot]:
    """What was drawn in a stage of `drawn_stages`, in order."""
    return list(stage.lots.all())


def count_draws(lots: Sequence[Lot]) -> int:
    """How often a stage was drawn; late entries and the lots of rounds are no draws of their own."""
    return sum(lot.what == What.DRAW for lot in lots)


def is_shown(lot: Lot) -> bool:
    """Whether everybody sees all of it."""
    return lot.shown_at is not None or lot.stage_id is None


def public_since(event: Event, stage: Stage) -> datetime | None:
    """Since when anyone can read the commitment of the stage's next draw; None where not anyone can."""
    return None if event.public_since is None else max(event.public_since, stage.promised_at)


def same_list_before(lots: Sequence[Lot], lot: Lot) -> bool:
    """Whether a draw fell on the very list on which the one before it had fallen: nothing but the lot was new."""
    before = [
        one for one in lots if (one.what, one.round) == (lot.what, lot.round) and one.number < lot.number
    ]
    return bool(before) and lot.what != What.LATE and before[-1].list_hash == lot.list_hash


def draws_document(event: Event) -> dict[str, Any]:
    """All draws as JSON, with the digest of the rest; what `tools/verify_draw.py` reads. Ids and no names."""
    stages = drawn_stages(event)
    document: dict[str, Any] = {
        "v": DOCUMENT_VERSION,
        "kind": DOCUMENT_KIND,
        "event": event.public_id,
        "stages": [
            {
                "stage": stage.pk,
                "promise": stage.promise,
                "promised_at": _moment(stage.promised_at),
                "draws": [_public_row(lot) for lot in stage.lots.all()],
            }
            for stage in stages
        ]
        + [
            {"stage": number, "promise": "", "promised_at": None, "draws": [_public_row(lot) for lot in lots]}
            for number, lots in lots_of_gone_stages(event).items()
        ],
    }
    return {**document, "digest": digest_of(document)}


def _public_row(lot: Lot) -> dict[str, Any]:
    """A draw as everybody may know it: until it is shown, that it was made and on which list."""
    shown = is_shown(lot)
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
        "at": _moment(lot.at),
        "shown": shown,
        "promise": lot.promise,
        "promised_at": _moment(lot.promised_at),
        "publicity": lot.publicity,
        "public_since": _moment(lot.public_since),
        "list_hash": lot.list_hash,
        **(whole if shown else dict.fromkeys(whole)),
    }


def _moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at is not None else None
