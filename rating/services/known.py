"""What of an import the ledger holds already: as it was, corrected since, or taken back since."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from faults import Fault
from rating.models import Fact, FactKind

BATCH = 500
WEIGHTS = ("event_weight", "division_rank")


@dataclass(slots=True)
class Compared:
    """The facts of an import against the ledger."""

    fresh: list[Fact] = field(default_factory=list)
    known: int = 0
    taken_back: list[Fact] = field(default_factory=list)  # under a new key, ready to be entered again
    notes: list[Fault] = field(default_factory=list)


def against_ledger(
    facts: Sequence[Fact], lines: Sequence[int], origins: Sequence[str] | None = None
) -> Compared:
    """Sort ``facts`` (of ``lines``, unsaved) by what became of their keys. Their keys are made unique on the way.

    ``origins``: keys that they had in the ledger they were exported from; where that is this one, they are known.
    """
    _number_equals(facts)
    found = Compared()
    own = _still_here(facts, origins) if origins is not None else set()
    found.known = len(own)
    same = []
    left = [
        (fact, line, fact.source_key, 0)
        for fact, line in zip(facts, lines, strict=True)
        if fact.source_key not in own
    ]
    while left:
        ends = _ends(fact.source_key for fact, *_ in left)
        later = []
        for fact, line, key, attempt in left:
            end = ends.get(fact.source_key)
            if end is None:
                (found.taken_back if attempt else found.fresh).append(fact)
                if attempt:
                    found.notes.append(Fault("rating.csv.taken_back", None, {"line": line}))
            elif end == FactKind.VOID:
                fact.source_key = f"{key}:again{attempt + 1}"
                later.append((fact, line, key, attempt + 1))
            else:
                found.known += 1
                if end == FactKind.REPLACEMENT:
                    found.notes.append(Fault("rating.csv.corrected", None, {"line": line}))
                same.append((fact, line))
        left = later
    found.notes += _weighed_otherwise(same)
    found.notes.sort(key=lambda note: int(note.params["line"]))
    return found


def _number_equals(facts: Iterable[Fact]) -> None:
    """Equal rows of one file are as many results: the second gets a key of its own."""
    seen: Counter[str] = Counter()
    for fact in facts:
        seen[fact.source_key] += 1
        if seen[fact.source_key] > 1:
            fact.source_key = f"{fact.source_key}:{seen[fact.source_key]}"


def _ends(keys: Iterable[str]) -> dict[str, int]:
    """What became of the facts of these keys: RESULT or OPENING as entered, REPLACEMENT corrected, VOID taken back."""
    wanted = list(keys)
    last: dict[str, tuple[int, int]] = {}
    for start in range(0, len(wanted), BATCH):
        rows = Fact.objects.filter(source_key__in=wanted[start : start + BATCH])
        last.update({key: (pk, kind) for key, pk, kind in rows.values_list("source_key", "pk", "kind")})
    open_keys = list(last)
    while open_keys:
        targets = {last[key][0]: key for key in open_keys}
        numbers = list(targets)
        open_keys = []
        for start in range(0, len(numbers), BATCH):
            rows = Fact.objects.filter(target_id__in=numbers[start : start + BATCH])
            for target, pk, kind in rows.values_list("target_id", "pk", "kind"):
                key = targets[target]
                last[key] = (pk, kind)
                if kind == FactKind.REPLACEMENT:
                    open_keys.append(key)
    return {key: kind for key, (_pk, kind) in last.items()}


def _still_here(facts: Sequence[Fact], origins: Sequence[str]) -> set[str]:
    """Keys of those that this very ledger was exported from, by their ``origins``."""
    here: set[tuple[object, ...]] = set()
    for start in range(0, len(origins), BATCH):
        rows = Fact.objects.filter(source_key__in=origins[start : start + BATCH])
        here.update(rows.values_list("source_key", "club_id", "moment", "winner_id"))
    return {
        fact.source_key
        for fact, origin in zip(facts, origins, strict=True)
        if (origin, fact.club_id, fact.moment, fact.winner_id) in here
    }


def _weighed_otherwise(same: Sequence[tuple[Fact, int]]) -> list[Fault]:
    """Lines whose fact is known with another weight, which stays: facts never change."""
    weights: dict[str, tuple[float, int]] = {}
    for start in range(0, len(same), BATCH):
        keys = [fact.source_key for fact, _line in same[start : start + BATCH]]
        rows = Fact.objects.filter(source_key__in=keys)
        weights.update(
            {key: (weight, rank) for key, weight, rank in rows.values_list("source_key", *WEIGHTS)}
        )
    return [
        Fault("rating.csv.other_weight", "event_weight", {"line": line})
        for fact, line in same
        if weights[fact.source_key] != (fact.event_weight, fact.division_rank)
    ]
