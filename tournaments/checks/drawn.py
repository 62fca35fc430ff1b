"""Verify the draws of an event: the engine repeats each from its frozen list and seed alone."""

from collections.abc import Iterator, Mapping

from people.models import AuditEntry
from tournaments.engine.errors import BadInput
from tournaments.engine.lots.committed import (
    DrawKind,
    Publicity,
    SeedResult,
    SeedSource,
    SeedSourceKind,
    commitment_for,
    derive_seed,
    json_digest,
)
from tournaments.engine.lots.lists import draw_groups, draw_late_place, draw_lines, replay_round
from tournaments.engine.lots.randomness import drand_number
from tournaments.engine.trail.action import RoundNo
from tournaments.engine.trail.draws import RoundPublished
from tournaments.engine.types import EntryId
from tournaments.models import Event, Lot, PublicRandomness
from tournaments.models.trail import audit_scope, parse_row


def draw_faults(event: Event) -> Iterator[str]:
    """Yield a message for every draw of the event that does not follow from its stored data.

    Rounds of a Swiss are paired again from their list and seed, and compared with the pairings in the audit
    log; ``checks.soundness`` compares the log with the tables.
    """
    published = _published_pairs(event)
    for randomness in PublicRandomness.objects.filter(event=event).order_by("pk"):
        if (
            randomness.compute_commitment() != randomness.commitment
            or randomness.named_at >= randomness.due_at
        ):
            yield f"public randomness {randomness.number} of {randomness.named_at:%Y-%m-%d %H:%M}: it does not match its commitment"
    for lot in Lot.objects.filter(event=event).select_related("randomness").order_by("pk"):
        try:
            fault = _lot_fault(lot) or _publication_fault(lot, published)
        except (BadInput, KeyError, TypeError, ValueError, IndexError):
            fault = "its stored data is not a valid draw"
        if fault:
            yield f"draw {lot.number} of {lot.at:%Y-%m-%d %H:%M}: {fault}"


def _lot_fault(lot: Lot) -> str:
    if json_digest(lot.listed) != lot.list_hash:
        return "its list was changed"
    if lot.promise and commitment_for(lot.secret) != lot.promise:
        return "its secret does not match the commitment"
    if lot.publicity == Publicity.PUBLIC and not (
        lot.promise and lot.public_since and lot.public_since <= lot.at
    ):
        return "its commitment was not public before the draw"
    if lot.publicity == Publicity.PRIVATE and lot.public_since is not None:
        return "its commitment is recorded as private but was public"
    if lot.by == SeedSourceKind.PUBLIC and (fault := _randomness_fault(lot)):
        return fault
    if lot.what == DrawKind.LATE and lot.by == SeedSourceKind.HAND:
        return "" if lot.outcome["place"] in lot.listed["places"] else "the place was not free"
    order = tuple(map(EntryId, lot.order))
    seed = derive_seed(SeedSource(SeedSourceKind(lot.by), lot.typed, order), lot.secret, lot.list_hash)
    if str(seed) != lot.seed:
        return "its seed does not follow from the list and secret"
    return (
        "" if _matches_outcome(lot, SeedResult(seed, order)) else "its outcome does not follow from the seed"
    )


def _randomness_fault(lot: Lot) -> str:
    """Return what is wrong with the public number of a draw; "" if nothing."""
    randomness = lot.randomness
    if randomness is None or (randomness.value, randomness.promise) != (lot.typed, lot.promise):
        return "its public number is not the one named for it"
    if randomness.due_at > lot.at:
        return "it was drawn before the time of its public number"
    if randomness.signature and drand_number(randomness.signature) != randomness.value:
        return "its public number does not follow from the signature of the drand round"
    if lot.public_since is not None and lot.public_since >= randomness.due_at:
        return "its public number was not named publicly before its time"
    return ""


def _matches_outcome(lot: Lot, drawn_seed: SeedResult) -> bool:
    match DrawKind(lot.what):
        case DrawKind.LATE:
            return bool(lot.outcome["place"] == draw_late_place(lot.listed, drawn_seed))
        case DrawKind.DRAW if "groups" in lot.outcome:
            return bool(
                [list(group) for group in draw_groups(lot.listed, drawn_seed)] == lot.outcome["groups"]
            )
        case DrawKind.DRAW if "lines" in lot.outcome:
            return bool(list(draw_lines(lot.listed, drawn_seed)) == lot.outcome["lines"])
        case DrawKind.ROUND if lot.outcome:
            replayed = replay_round(lot.outcome, drawn_seed.seed)
            return all(lot.outcome[name] == value for name, value in replayed.items())
        case _:  # draws of a round that was never published, a stage whose lines are not drawn
            return True


RoundKey = tuple[int | None, int | None, str]
"""A stage, the number of a round in it, and the seed: one that is typed may come again with each round."""
PairSet = frozenset[tuple[int, ...]]


def _published_pairs(event: Event) -> dict[RoundKey, set[PairSet]]:
    """Return the pairs of each published round, as sets of pairs keyed by stage, round and seed.

    Of rounds published together only the first. Early entries of the audit log have no pairs.
    """
    pair_sets: dict[RoundKey, set[PairSet]] = {}
    for row in AuditEntry.objects.filter(scope=audit_scope(event), action=RoundPublished.kind).order_by("pk"):
        action = parse_row(row)
        if isinstance(action, RoundPublished) and action.pairs is not None:
            pairs = action.pairs.get(RoundNo(action.round), ())
            pairs_met = ((first, second) for first, second in pairs if second is not None)
            pair_sets.setdefault((row.subject_id, action.round, action.seed), set()).add(PairSet(pairs_met))
    return pair_sets


def _publication_fault(lot: Lot, published: Mapping[RoundKey, set[PairSet]]) -> str:
    if lot.what != DrawKind.ROUND or not lot.outcome:
        return ""
    published_pairs = published.get((lot.stage_id, lot.round, lot.seed))
    pairs = PairSet(map(tuple, lot.outcome["pairs"]))
    return (
        ""
        if published_pairs is None or pairs in published_pairs
        else "the audit log has a different published pairing"
    )
