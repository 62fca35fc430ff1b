"""Draw from a random source and save the record of the draw: the only way for a service to get randomness.

The caller holds the event's lock. The secret of a stage is used once and replaced in the same moment; the
commitment to the next secret is public before the next draw. So five draws are five records, and none can be
tried out beforehand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from faults import Conflict, Invalid
from people.ids import new_secret
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.chance import Seed
from tournaments.engine.lots.committed import (
    SECRET_KINDS,
    SERVER_SOURCE,
    DrawKind,
    DrawReason,
    Publicity,
    SeedResult,
    SeedSource,
    SeedSourceKind,
    derive_seed,
    json_digest,
    parse_rolls,
)
from tournaments.engine.lots.lists import unseeded_entries
from tournaments.models import Entry, Lot, PublicRandomness, Stage
from tournaments.selectors.lots import commitment_public_since, number_public_since
from tournaments.selectors.randomness import open_randomness
from tournaments.selectors.seeding import max_entries
from tournaments.store.randomness import VALUE_FIELDS, resolve_value

FrozenList = Mapping[str, Any]


def source_for_seed(seed: Seed | None, source: SeedSource) -> SeedSource:
    """Return the source of randomness.

    A given ``seed``, which repeats an earlier draw, replaces ``source``.
    """
    return source if seed is None else SeedSource(SeedSourceKind.TYPED, str(seed), why=source.why)


def draw_lot(
    stage: Stage, frozen_list: FrozenList, source: SeedSource = SERVER_SOURCE
) -> tuple[Lot, SeedResult]:
    """Draw on a frozen list; return the unsaved record of the draw (see ``save_lot``) and the seed.

    Raises ``Invalid`` for a manual order that does not match the list, and the engine's error for an unusable
    source.
    """
    if source.by is SeedSourceKind.HAND:
        unseeded = unseeded_entries(frozen_list) if frozen_list["what"] == DrawKind.DRAW else []
        if not unseeded or sorted(source.order) != sorted(unseeded):
            raise Invalid("lot.order_odd", field="order", count=len(unseeded), have=len(source.order))
    randomness = open_randomness(stage)
    if source.by is SeedSourceKind.PUBLIC:
        randomness = resolve_value(randomness, source)
        source = replace(source, typed=randomness.value)
    seed = derive_seed(source, stage.secret, json_digest(frozen_list))
    return _build_lot(stage, frozen_list, source, seed, randomness), SeedResult(seed, source.order)


def build_manual_lot(stage: Stage, frozen_list: FrozenList) -> Lot:
    """Return an unsaved draw record without randomness: for a place that the director chose."""
    return _build_lot(stage, frozen_list, SeedSource(SeedSourceKind.HAND), "", None)


def _build_lot(
    stage: Stage, frozen_list: FrozenList, source: SeedSource, seed: Seed, randomness: PublicRandomness | None
) -> Lot:
    earlier_lots = list(stage.lots.values_list("number", "what", "round"))
    is_repeated = frozen_list["what"] != DrawKind.LATE and any(
        (what, number) == (frozen_list["what"], frozen_list.get("round"))
        for _nth, what, number in earlier_lots
    )
    is_committed = source.by in SECRET_KINDS
    public_since = _committed_since(stage, source, randomness) if is_committed else None
    publicity = (
        Publicity.UNRECORDED if not is_committed else Publicity.PUBLIC if public_since else Publicity.PRIVATE
    )
    return Lot(
        event_id=stage.division.event_id,
        stage=stage,
        number=1 + max((nth for nth, _what, _round in earlier_lots), default=0),
        what=frozen_list["what"],
        round=frozen_list.get("round"),
        by=source.by,
        why=source.why if is_repeated else DrawReason.FIRST,
        at=timezone.now(),
        promise=stage.promise if is_committed else "",
        promised_at=stage.promised_at if is_committed else None,
        publicity=publicity,
        public_since=public_since,
        randomness=randomness,
        secret=stage.secret if is_committed else "",
        typed=_typed_value(source, seed),
        order=list(source.order),
        listed=frozen_list,
        list_hash=json_digest(frozen_list),
        seed=str(seed),
    )


def _committed_since(
    stage: Stage, source: SeedSource, randomness: PublicRandomness | None
) -> datetime | None:
    """Return since when anyone could read the commitment to this draw; None if it is not public."""
    event = stage.division.event
    if source.by is SeedSourceKind.PUBLIC and randomness is not None:
        return number_public_since(event, stage, randomness)
    return commitment_public_since(event, stage)


def _typed_value(source: SeedSource, seed: Seed) -> str:
    """Return what was typed as the source of the draw, in canonical form; "" if nothing was."""
    if source.by is SeedSourceKind.DICE:
        return parse_rolls(source.typed)
    if source.by is SeedSourceKind.PUBLIC:
        return source.typed
    return str(seed) if source.by is SeedSourceKind.TYPED else ""


def save_lot(lot: Lot, outcome: Mapping[str, Any]) -> None:
    """Save the draw record with its outcome; if the secret was used, replace it by a new one."""
    lot.outcome = dict(outcome)
    if lot.by == SeedSourceKind.PUBLIC and lot.randomness is not None:
        lot.randomness.save(update_fields=VALUE_FIELDS)
    lot.save(force_insert=True)
    if lot.by in SECRET_KINDS and lot.stage is not None:
        stage = lot.stage
        stage.secret, stage.promised_at = new_secret(), timezone.now()
        stage.save(update_fields=["secret", "promised_at"])


def audit_facts(lot: Lot) -> dict[str, Any]:
    """Return what the audit log stores of a draw record, beside the seed."""
    return {
        "number": lot.number,
        "by": lot.by,
        "why": lot.why,
        "list_hash": lot.list_hash,
        "commitment": lot.promise,
        "publicity": lot.publicity,
        "randomness": lot.randomness.number if lot.randomness is not None else 0,
        "value": lot.typed if lot.by == SeedSourceKind.PUBLIC else "",
        "next_commitment": lot.stage.promise if lot.stage is not None else "",
    }


def require_entry_count(stage: Stage, entries: Sequence[Entry]) -> None:
    """Raise ``Invalid`` if the stage has too few or too many entries to be drawn."""
    max_count = max_entries(stage)
    if not MIN_ENTRIES <= len(entries) <= max_count:
        raise Invalid("draw.entries_odd", count=len(entries), least=MIN_ENTRIES, most=max_count)


def require_same_list(frozen_list: FrozenList, expected_hash: str) -> None:
    """Raise ``Conflict`` if the list to be drawn differs from the one that the user saw.

    ``expected_hash``: of the list that was shown; "" disables the check.
    """
    if expected_hash and expected_hash != json_digest(frozen_list):
        raise Conflict("lot.list_changed", present={})


def record_lot_outcome(stage: Stage, number: int, seed: str, outcome: Mapping[str, Any]) -> None:
    """Add the outcome to the draw record of a Swiss round, once the round is published."""
    lot = stage.lots.filter(what=DrawKind.ROUND, round=number, seed=seed).order_by("-number").first()
    if lot is not None:
        lot.outcome = {**lot.outcome, **outcome}
        lot.save(update_fields=["outcome"])


def reveal_lots(stage: Stage) -> None:
    """Make all draw records of the stage fully public: the draw is published, discarded or replaced."""
    stage.lots.filter(shown_at=None).update(shown_at=timezone.now())
