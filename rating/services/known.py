"""Compare a table with the ledger: which rows are known, lack their score, or were corrected or voided since.

A match is identified by its players (merged ones as the remaining player, not by name), time, length and
event. Several such matches of one pair are distinguished by their score, then by their order in the file and
in the ledger. A row without a score is read as length to 0, which counts as unknown.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faults import Fault
from rating.models import Fact, FactKind
from rating.services.identity import Identity, content_identity, current_player_id, fact_score, lacks_score
from rating.services.ledger import ledger_position
from rating.store.reading import merged_players

BATCH = 500
WEIGHT_FIELDS = ("event_weight", "division_rank")
PR_FIELDS = ("winner_pr", "loser_pr")
IMPORT_PREFIXES = ("csv:", "opening:")


@dataclass(slots=True)
class FactCandidate:
    """A row of a table as an unsaved fact; ``line`` is its line number.

    ``keys``: the source key for a new fact, then those that earlier imports may have given the row;
    ``former_keys``: keys from releases that read the time differently. ``has_score``: the file states a
    score. ``origin``: the source key in the ledger from which the row was exported. ``has_unknown_player``: a
    name is unknown, so only keys can match.
    """

    fact: Fact
    line: int
    keys: Sequence[str]
    has_score: bool
    origin: str
    has_unknown_player: bool
    former_keys: Sequence[str] = ()


@dataclass(slots=True)
class ComparisonResult:
    """The rows of a table, grouped by what the ledger has of them, unordered.

    ``known``: the number of rows that need no entry. Rows to be written have unused keys.
    """

    fresh: list[FactCandidate] = field(default_factory=list)
    filled: list[FactCandidate] = field(default_factory=list)  # their facts replace those without a score
    taken_back: list[FactCandidate] = field(default_factory=list)  # may be entered again
    known: int = 0
    notes: list[Fault] = field(default_factory=list)


@dataclass(slots=True)
class _LedgerEntry:
    """An imported fact (``root``) and the last of its corrections.

    ``is_voided``: the last one was voided; ``used``: a row of the table was matched with this entry.
    """

    root: Fact
    last: Fact
    is_voided: bool = False
    used: bool = False

    @property
    def corrected(self) -> bool:
        return self.last.source_key.startswith("hand:")


@dataclass(slots=True)
class ComparisonState:
    """What the parts of a table share while they are compared.

    ``merges``: the remaining player's id, keyed by the merged player's id. ``key_counts``: how often rows had
    each key; ``new_key_counts``: how often a key was given to new rows; ``used_keys``: keys that are taken.
    """

    merges: Mapping[int, int] = field(default_factory=merged_players)
    key_counts: Counter[str] = field(default_factory=Counter)
    new_key_counts: Counter[str] = field(default_factory=Counter)
    used_keys: set[str] = field(default_factory=set)


def compare_with_ledger(candidates: Sequence[FactCandidate], ledger: ComparisonState) -> ComparisonResult:
    """Return ``candidates``, grouped by what the ledger has of them.

    They are part of a table and include all its rows of each time that occurs. Rows are matched by key, then
    by content, then by former keys; what is left is new and gets an unused key.
    """
    result = ComparisonResult()
    exported_ids = _exported_from_here(
        [candidate for candidate in candidates if candidate.origin], ledger.merges
    )
    result.known += len(exported_ids)
    by_key = [
        candidate
        for candidate in candidates
        if (candidate.origin or candidate.has_unknown_player) and id(candidate) not in exported_ids
    ]
    by_content = [
        candidate for candidate in candidates if not (candidate.origin or candidate.has_unknown_player)
    ]
    _match_by_keys(by_key, result, ledger.key_counts)
    _match_by_content(by_content, result, ledger.merges)
    _match_by_former_keys(result)
    _assign_free_keys([*result.fresh, *result.filled, *result.taken_back], ledger)
    return result


def _line_note(code: str, candidate: FactCandidate, field: str | None = None, **params: object) -> Fault:
    return Fault(code, field, {"line": candidate.line, **params})


def _count_known(candidate: FactCandidate, entry: _LedgerEntry, result: ComparisonResult) -> None:
    """Count a row that the ledger has unchanged, and note a different weight or PR."""
    result.known += 1
    _compare_weights(candidate, entry.root, result)
    if any(getattr(candidate.fact, name) not in (None, getattr(entry.root, name)) for name in PR_FIELDS):
        result.notes.append(_line_note("rating.csv.other_play", candidate, "winner_pr"))


def _compare_weights(candidate: FactCandidate, root: Fact, result: ComparisonResult) -> None:
    if any(getattr(root, name) != getattr(candidate.fact, name) for name in WEIGHT_FIELDS):
        result.notes.append(_line_note("rating.csv.other_weight", candidate, "event_weight"))


def _count_known_row(candidate: FactCandidate, entry: _LedgerEntry, result: ComparisonResult) -> None:
    """Count a row that the ledger has; note it for the director if the fact was corrected by hand since."""
    _count_known(candidate, entry, result)
    if entry.corrected:
        result.notes.append(_line_note("rating.csv.corrected", candidate))


def _add_removed(candidate: FactCandidate, entry: _LedgerEntry, result: ComparisonResult) -> None:
    """Add a row whose fact was voided; unknown players become the players of that fact."""
    if candidate.has_unknown_player:
        candidate.fact.winner_id, candidate.fact.loser_id = entry.root.winner_id, entry.root.loser_id
        candidate.has_unknown_player = False
    result.notes.append(_line_note("rating.csv.taken_back", candidate))
    result.taken_back.append(candidate)


def _match_by_content(
    candidates: Sequence[FactCandidate], result: ComparisonResult, merges: Mapping[int, int]
) -> None:
    """Match each row with at most one entry of the ledger: the most certain matches first, then in order."""
    effective: dict[Identity, list[_LedgerEntry]] = defaultdict(list)
    earlier: dict[Identity, list[_LedgerEntry]] = defaultdict(list)
    for entry in _ledger_entries([candidate.fact for candidate in candidates]):
        original_identity, current_identity = (
            content_identity(entry.root, merges),
            content_identity(entry.last, merges),
        )
        (earlier if entry.is_voided else effective)[current_identity].append(entry)
        if (
            entry.is_voided
            or original_identity != current_identity
            or fact_score(entry.root) != fact_score(entry.last)
        ):
            earlier[original_identity].append(entry)

    def fill(candidate: FactCandidate, entry: _LedgerEntry, result: ComparisonResult) -> None:
        target = entry.last
        fact = candidate.fact
        result.notes.append(
            _line_note("rating.csv.score_filled", candidate, value=f"{fact.winner_score}–{fact.loser_score}")
        )
        _compare_weights(candidate, entry.root, result)
        fact.kind, fact.target, fact.stands_at = FactKind.REPLACEMENT, target, ledger_position(target)
        fact.event_key, fact.discipline = target.event_key, target.discipline
        fact.event_weight, fact.division_rank = entry.root.event_weight, entry.root.division_rank
        for name in PR_FIELDS:
            if getattr(fact, name) is None:
                setattr(fact, name, getattr(target, name))
        result.filled.append(candidate)

    def equal(candidate: FactCandidate, fact: Fact) -> bool:
        return fact_score(fact) == fact_score(candidate.fact)

    def scoreless(candidate: FactCandidate, fact: Fact) -> bool:
        return not candidate.has_score or lacks_score(fact)

    passes: list[
        tuple[
            Mapping[Identity, list[_LedgerEntry]],
            _MatchTest,
            Callable[[FactCandidate, _LedgerEntry, ComparisonResult], None],
        ]
    ] = [
        (effective, lambda candidate, entry: equal(candidate, entry.last), _count_known),
        (
            earlier,
            lambda candidate, entry: not entry.is_voided and equal(candidate, entry.root),
            _count_known_row,
        ),
        (effective, lambda candidate, _entry: not candidate.has_score, _count_known),
        (
            earlier,
            lambda candidate, entry: (
                entry.is_voided and (equal(candidate, entry.last) or equal(candidate, entry.root))
            ),
            _add_removed,
        ),
        (effective, lambda _one, entry: lacks_score(entry.last), fill),
        (
            earlier,
            lambda candidate, entry: (
                not entry.is_voided and entry.corrected and scoreless(candidate, entry.root)
            ),
            _count_known_row,
        ),
        (
            earlier,
            lambda candidate, entry: entry.is_voided and scoreless(candidate, entry.root),
            _add_removed,
        ),
    ]
    remaining = list(candidates)
    for index, is_match, record in passes:
        unmatched = []
        for candidate in remaining:
            matched_entry = _first_match(
                index.get(content_identity(candidate.fact, merges), ()), candidate, is_match
            )
            if matched_entry is None:
                unmatched.append(candidate)
            else:
                matched_entry.used = True
                record(candidate, matched_entry, result)
        remaining = unmatched
    result.fresh += remaining


_MatchTest = Callable[[FactCandidate, _LedgerEntry], bool]


def _first_match(
    entries: Iterable[_LedgerEntry], candidate: FactCandidate, is_match: _MatchTest
) -> _LedgerEntry | None:
    return next((entry for entry in entries if not entry.used and is_match(candidate, entry)), None)


def _ledger_entries(facts: Sequence[Fact]) -> list[_LedgerEntry]:
    """Return the club's imported facts at the times of ``facts``, with corrections, in ledger order.

    Final places are left out: they are matched by their keys alone.
    """
    moments = sorted({fact.moment for fact in facts})
    entries: list[_LedgerEntry] = []
    for start in range(0, len(moments), BATCH):
        rows = (
            Fact.objects.filter(
                club_id=facts[0].club_id, moment__in=moments[start : start + BATCH], target=None
            )
            .exclude(kind=FactKind.PLACE)
            .order_by("moment", "pk")
        )
        entries += [_LedgerEntry(row, row) for row in rows if row.source_key.startswith(IMPORT_PREFIXES)]
    _follow_corrections(entries)
    return entries


def _follow_corrections(entries: Sequence[_LedgerEntry]) -> None:
    """Set ``last`` and ``gone`` of each entry, by following the facts that supersede its first one."""
    entry_by_last: dict[int | None, _LedgerEntry] = {entry.last.pk: entry for entry in entries}
    while entry_by_last:
        fact_ids = list(entry_by_last)
        next_entries: dict[int | None, _LedgerEntry] = {}
        for start in range(0, len(fact_ids), BATCH):
            for successor in Fact.objects.filter(target_id__in=fact_ids[start : start + BATCH]):
                entry = entry_by_last[successor.target_id]
                if successor.kind == FactKind.VOID:
                    entry.is_voided = True
                else:
                    entry.last = successor
                    next_entries[successor.pk] = entry
        entry_by_last = next_entries


def _match_by_keys(
    candidates: Sequence[FactCandidate], result: ComparisonResult, key_counts: Counter[str]
) -> None:
    """Match rows by their keys: rows exported from a ledger, and rows with unknown names.

    A voided fact is skipped and the key of its next re-entry (``:again1``…) is tried.
    """
    _number_duplicates(candidates, key_counts)
    remaining: list[tuple[FactCandidate, str, list[_LedgerEntry]]] = [
        (candidate, candidate.fact.source_key, []) for candidate in candidates
    ]
    while remaining:
        entries = _entries_by_key(
            [key for candidate, key, _gone in remaining for key in _alternative_keys(candidate, key)]
        )
        next_remaining = []
        for candidate, key, removed_entries in remaining:
            entry = next(
                (entries[name] for name in _alternative_keys(candidate, key) if name in entries), None
            )
            if entry is None:
                candidate.fact.source_key = key
                if removed_entries:
                    _add_removed(candidate, removed_entries[-1], result)
                else:
                    result.fresh.append(candidate)
            elif entry.is_voided:
                base = key.partition(":again")[0]
                next_remaining.append(
                    (candidate, f"{base}:again{len(removed_entries) + 1}", [*removed_entries, entry])
                )
            else:
                _count_known_row(candidate, entry, result)
        remaining = next_remaining


def _match_by_former_keys(result: ComparisonResult) -> None:
    """Match rows that seem new by the keys of releases that read times differently."""
    key_counts: Counter[str] = Counter()
    candidate_keys: list[tuple[FactCandidate, list[str]]] = []
    for candidate in result.fresh:
        keys = []
        for key in candidate.former_keys:
            key_counts[key] += 1
            keys.append(_numbered_key(key, key_counts[key]))
        candidate_keys.append((candidate, keys))
    entries = _entries_by_key([key for _one, keys in candidate_keys for key in keys])
    result.fresh = []
    for candidate, keys in candidate_keys:
        entry = next((entries[key] for key in keys if key in entries), None)
        if entry is None:
            result.fresh.append(candidate)
        elif entry.is_voided:
            _add_removed(candidate, entry, result)
        else:
            _count_known_row(candidate, entry, result)


def _alternative_keys(candidate: FactCandidate, key: str) -> list[str]:
    """Return ``key``, and the row's other possible keys with the same suffix."""
    suffix = key.removeprefix(candidate.keys[0])
    return [f"{name}{suffix}" for name in candidate.keys]


def _number_duplicates(candidates: Iterable[FactCandidate], key_counts: Counter[str]) -> None:
    """Set the source keys of rows, with a number for equal rows, which are separate results.

    ``key_counts``: how often each key has occurred so far; updated.
    """
    for candidate in candidates:
        key = candidate.keys[0]
        key_counts[key] += 1
        candidate.fact.source_key = key if key_counts[key] == 1 else f"{key}:{key_counts[key]}"


def _entries_by_key(keys: Sequence[str]) -> dict[str, _LedgerEntry]:
    """Return the facts with these source keys and their last corrections, keyed by source key."""
    entries = {}
    for start in range(0, len(keys), BATCH):
        for row in Fact.objects.filter(source_key__in=keys[start : start + BATCH]):
            entries[row.source_key] = _LedgerEntry(row, row)
    _follow_corrections(list(entries.values()))
    return entries


def _exported_from_here(candidates: Sequence[FactCandidate], merges: Mapping[int, int]) -> set[int]:
    """Return the ``id()`` of each candidate that was exported from the ledger of this site."""
    exported: set[tuple[object, ...]] = set()
    for start in range(0, len(candidates), BATCH):
        rows = Fact.objects.filter(
            source_key__in=[candidate.origin for candidate in candidates[start : start + BATCH]]
        )
        for key, club, moment, winner, rating_list in rows.values_list(
            "source_key", "club_id", "moment", "winner_id", "rating_list_id"
        ):
            exported.add((key, club, moment, current_player_id(winner, merges), rating_list))
    return {
        id(candidate)
        for candidate in candidates
        if (
            candidate.origin,
            candidate.fact.club_id,
            candidate.fact.moment,
            candidate.fact.winner_id,
            candidate.fact.rating_list_id,
        )
        in exported
    }


def _assign_free_keys(candidates: Sequence[FactCandidate], ledger: ComparisonState) -> None:
    """Give each row a source key that no other fact or row has, by appending a number if needed."""
    used_keys, key_counts = ledger.used_keys, ledger.new_key_counts
    remaining = []
    for candidate in candidates:
        key_counts[candidate.fact.source_key] += 1
        remaining.append((candidate, candidate.fact.source_key, key_counts[candidate.fact.source_key]))
    while remaining:
        keys = [_numbered_key(key, number) for _one, key, number in remaining]
        for start in range(0, len(keys), BATCH):
            rows = Fact.objects.filter(source_key__in=keys[start : start + BATCH])
            used_keys.update(rows.values_list("source_key", flat=True))
        unresolved = []
        for candidate, key, number in remaining:
            new_key = _numbered_key(key, number)
            if new_key in used_keys:
                unresolved.append((candidate, key, number + 1))
            else:
                used_keys.add(new_key)
                candidate.fact.source_key = new_key
        remaining = unresolved


def _numbered_key(key: str, number: int) -> str:
    return key if number == 1 else f"{key}:{number}"
