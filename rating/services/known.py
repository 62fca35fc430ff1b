"""Compare an import with the ledger: which rows are known, without their score, corrected or voided since.

A match is identified by its players (merged ones as the remaining player, not by name), time, length and
event. Several such matches of one pair are distinguished by their score, then by their order in the file and
in the ledger. A row without a score has the score length to 0, which counts as unknown.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faults import Fault
from rating.models import Fact, FactKind
from rating.services.ledger import ledger_position
from rating.store.reading import has_no_score, merged_players

BATCH = 500
WEIGHT_FIELDS = ("event_weight", "division_rank")
PR_FIELDS = ("winner_pr", "loser_pr")
IMPORT_PREFIXES = ("csv:", "opening:")

Identity = tuple[object, ...]


@dataclass(slots=True)
class FactCandidate:
    """A line of a file as an unsaved fact.

    ``keys``: its own key first, then those it may already have in the ledger. ``scored``: the file states a
    score. ``origin``: its key in the ledger from which it was exported. ``has_unknown_player``: a name is
    unknown, so only keys can match. ``former``: keys it has if its time was read differently when it was
    imported.
    """

    fact: Fact
    line: int
    keys: Sequence[str]
    scored: bool
    origin: str
    has_unknown_player: bool
    former: Sequence[str] = ()


@dataclass(slots=True)
class ComparisonResult:
    """The lines of an import by what the ledger knows of them, unordered.

    Lines to be entered have unused keys.

    ``known``: number of lines that need no entry.
    """

    fresh: list[FactCandidate] = field(default_factory=list)
    filled: list[FactCandidate] = field(default_factory=list)  # their facts replace those without a score
    taken_back: list[FactCandidate] = field(default_factory=list)  # may be entered again
    known: int = 0
    notes: list[Fault] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    """An imported fact (``root``), and the last of its corrections; ``gone``: the last one was voided."""

    root: Fact
    last: Fact
    gone: bool = False
    used: bool = False

    @property
    def corrected(self) -> bool:
        return self.last.source_key.startswith("hand:")


@dataclass(slots=True)
class ComparisonState:
    """State shared by the parts of a file: merges, and the keys that its lines have used so far."""

    merges: Mapping[int, int] = field(default_factory=merged_players)
    called: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    used: set[str] = field(default_factory=set)


def compare_with_ledger(candidates: Sequence[FactCandidate], ledger: ComparisonState) -> ComparisonResult:
    """Sort ``candidates`` by what the ledger knows of them.

    They are part of a file and include all its lines of each time that occurs. Matched by key, then by
    content, then by former keys; what is left is new and gets an unused key.
    """
    found = ComparisonResult()
    own = _exported_from_here([one for one in candidates if one.origin], ledger.merges)
    found.known += len(own)
    by_key = [one for one in candidates if (one.origin or one.has_unknown_player) and id(one) not in own]
    by_content = [one for one in candidates if not (one.origin or one.has_unknown_player)]
    _match_by_keys(by_key, found, ledger.called)
    _match_by_content(by_content, found, ledger.merges)
    _match_by_former_keys(found)
    _assign_free_keys([*found.fresh, *found.filled, *found.taken_back], ledger)
    return found


def _line_note(code: str, one: FactCandidate, field: str | None = None, **more: object) -> Fault:
    return Fault(code, field, {"line": one.line, **more})


def _count_known(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
    """Count a line that the ledger has unchanged."""
    found.known += 1
    _compare_weights(one, entry.root, found)
    if any(getattr(one.fact, name) not in (None, getattr(entry.root, name)) for name in PR_FIELDS):
        found.notes.append(_line_note("rating.csv.other_play", one, "winner_pr"))


def _compare_weights(one: FactCandidate, root: Fact, found: ComparisonResult) -> None:
    if any(getattr(root, name) != getattr(one.fact, name) for name in WEIGHT_FIELDS):
        found.notes.append(_line_note("rating.csv.other_weight", one, "event_weight"))


def _recognise(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
    """Count a line that the ledger has; note it for the director if it was corrected by hand since."""
    _count_known(one, entry, found)
    if entry.corrected:
        found.notes.append(_line_note("rating.csv.corrected", one))


def _add_removed(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
    """Add a line whose fact was voided; a line with unknown names gets the players of that fact."""
    if one.has_unknown_player:
        one.fact.winner_id, one.fact.loser_id = entry.root.winner_id, entry.root.loser_id
        one.has_unknown_player = False
    found.notes.append(_line_note("rating.csv.taken_back", one))
    found.taken_back.append(one)


def _match_by_content(
    candidates: Sequence[FactCandidate], found: ComparisonResult, merges: Mapping[int, int]
) -> None:
    """Match each line with at most one entry of the ledger: the most certain first, then in order."""
    standing: dict[Identity, list[_Entry]] = defaultdict(list)
    earlier: dict[Identity, list[_Entry]] = defaultdict(list)
    for entry in _ledger_entries([one.fact for one in candidates]):
        as_it_came, as_it_is = _identity(entry.root, merges), _identity(entry.last, merges)
        (earlier if entry.gone else standing)[as_it_is].append(entry)
        if entry.gone or as_it_came != as_it_is or _fact_score(entry.root) != _fact_score(entry.last):
            earlier[as_it_came].append(entry)

    def fill(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
        target = entry.last
        fact = one.fact
        found.notes.append(
            _line_note("rating.csv.score_filled", one, value=f"{fact.winner_score}–{fact.loser_score}")
        )
        _compare_weights(one, entry.root, found)
        fact.kind, fact.target, fact.stands_at = FactKind.REPLACEMENT, target, ledger_position(target)
        fact.event_key, fact.discipline = target.event_key, target.discipline
        fact.event_weight, fact.division_rank = entry.root.event_weight, entry.root.division_rank
        for name in PR_FIELDS:
            if getattr(fact, name) is None:
                setattr(fact, name, getattr(target, name))
        found.filled.append(one)

    def equal(one: FactCandidate, fact: Fact) -> bool:
        return _fact_score(fact) == _fact_score(one.fact)

    def scoreless(one: FactCandidate, fact: Fact) -> bool:
        return not one.scored or _has_no_score(fact)

    passes: list[
        tuple[
            Mapping[Identity, list[_Entry]],
            _MatchTest,
            Callable[[FactCandidate, _Entry, ComparisonResult], None],
        ]
    ] = [
        (standing, lambda one, entry: equal(one, entry.last), _count_known),
        (earlier, lambda one, entry: not entry.gone and equal(one, entry.root), _recognise),
        (standing, lambda one, _entry: not one.scored, _count_known),
        (
            earlier,
            lambda one, entry: entry.gone and (equal(one, entry.last) or equal(one, entry.root)),
            _add_removed,
        ),
        (standing, lambda _one, entry: _has_no_score(entry.last), fill),
        (
            earlier,
            lambda one, entry: not entry.gone and entry.corrected and scoreless(one, entry.root),
            _recognise,
        ),
        (earlier, lambda one, entry: entry.gone and scoreless(one, entry.root), _add_removed),
    ]
    left = list(candidates)
    for index, fits, then in passes:
        unmatched = []
        for one in left:
            taken = _first_match(index.get(_identity(one.fact, merges), ()), one, fits)
            if taken is None:
                unmatched.append(one)
            else:
                taken.used = True
                then(one, taken, found)
        left = unmatched
    found.fresh += left


_MatchTest = Callable[[FactCandidate, _Entry], bool]


def _first_match(entries: Iterable[_Entry], one: FactCandidate, fits: _MatchTest) -> _Entry | None:
    return next((entry for entry in entries if not entry.used and fits(one, entry)), None)


def _identity(fact: Fact, merges: Mapping[int, int]) -> Identity:
    """Return what identifies the match of a fact, apart from the score."""
    winner, loser = (_current_player_id(pk, merges) for pk in (fact.winner_id, fact.loser_id))
    if fact.kind == FactKind.OPENING:
        deviation = fact.opening_deviation
        return (
            FactKind.OPENING,
            fact.rating_list_id,
            fact.moment,
            winner,
            fact.opening_rating,
            deviation,
        )
    return (FactKind.RESULT, fact.moment, winner, loser, fact.length, fact.event_name)


def _current_player_id(player: int | None, merges: Mapping[int, int]) -> int | None:
    """Return the player's id after merges; None for None."""
    return player and merges.get(player, player)


def _fact_score(fact: Fact) -> tuple[int, int]:
    return fact.winner_score, fact.loser_score


def _has_no_score(fact: Fact) -> bool:
    return has_no_score(fact.length, _fact_score(fact))


def _ledger_entries(facts: Sequence[Fact]) -> list[_Entry]:
    """Return the imported facts of the club at the times of ``facts``, with corrections, in ledger order.

    Without places, which are matched by their keys alone.
    """
    moments = sorted({fact.moment for fact in facts})
    entries: list[_Entry] = []
    for start in range(0, len(moments), BATCH):
        rows = (
            Fact.objects.filter(
                club_id=facts[0].club_id, moment__in=moments[start : start + BATCH], target=None
            )
            .exclude(kind=FactKind.PLACE)
            .order_by("moment", "pk")
        )
        entries += [_Entry(row, row) for row in rows if row.source_key.startswith(IMPORT_PREFIXES)]
    _follow_corrections(entries)
    return entries


def _follow_corrections(entries: Sequence[_Entry]) -> None:
    """Set ``last`` and ``gone`` of each entry by following the facts that supersede it."""
    ends: dict[int | None, _Entry] = {entry.last.pk: entry for entry in entries}
    while ends:
        numbers = list(ends)
        further: dict[int | None, _Entry] = {}
        for start in range(0, len(numbers), BATCH):
            for later in Fact.objects.filter(target_id__in=numbers[start : start + BATCH]):
                entry = ends[later.target_id]
                if later.kind == FactKind.VOID:
                    entry.gone = True
                else:
                    entry.last = later
                    further[later.pk] = entry
        ends = further


def _match_by_keys(
    candidates: Sequence[FactCandidate], found: ComparisonResult, called: Counter[str]
) -> None:
    """Match lines by their keys: those exported from a ledger, and those with unknown names.

    A voided fact is skipped and the key of its next re-entry (``:again1``…) is tried.
    """
    _number_duplicates(candidates, called)
    left: list[tuple[FactCandidate, str, list[_Entry]]] = [
        (one, one.fact.source_key, []) for one in candidates
    ]
    while left:
        entries = _entries_by_key([key for one, key, _gone in left for key in _alternative_keys(one, key)])
        later = []
        for one, key, gone in left:
            entry = next((entries[name] for name in _alternative_keys(one, key) if name in entries), None)
            if entry is None:
                one.fact.source_key = key
                if gone:
                    _add_removed(one, gone[-1], found)
                else:
                    found.fresh.append(one)
            elif entry.gone:
                base = key.partition(":again")[0]
                later.append((one, f"{base}:again{len(gone) + 1}", [*gone, entry]))
            else:
                _recognise(one, entry, found)
        left = later


def _match_by_former_keys(found: ComparisonResult) -> None:
    """Match lines that seem new by the keys of releases that read their time differently."""
    seen: Counter[str] = Counter()
    asked: list[tuple[FactCandidate, list[str]]] = []
    for one in found.fresh:
        keys = []
        for key in one.former:
            seen[key] += 1
            keys.append(_numbered_key(key, seen[key]))
        asked.append((one, keys))
    entries = _entries_by_key([key for _one, keys in asked for key in keys])
    found.fresh = []
    for one, keys in asked:
        entry = next((entries[key] for key in keys if key in entries), None)
        if entry is None:
            found.fresh.append(one)
        elif entry.gone:
            _add_removed(one, entry, found)
        else:
            _recognise(one, entry, found)


def _alternative_keys(one: FactCandidate, key: str) -> list[str]:
    """Return ``key`` and its counterparts of the line's other possible keys."""
    rest = key.removeprefix(one.keys[0])
    return [f"{name}{rest}" for name in one.keys]


def _number_duplicates(candidates: Iterable[FactCandidate], seen: Counter[str]) -> None:
    """Number equal rows of a file, which are separate results: the second gets a key of its own."""
    for one in candidates:
        key = one.keys[0]
        seen[key] += 1
        one.fact.source_key = key if seen[key] == 1 else f"{key}:{seen[key]}"


def _entries_by_key(keys: Sequence[str]) -> dict[str, _Entry]:
    """Return the facts of these keys with their present effective ones."""
    entries = {}
    for start in range(0, len(keys), BATCH):
        for row in Fact.objects.filter(source_key__in=keys[start : start + BATCH]):
            entries[row.source_key] = _Entry(row, row)
    _follow_corrections(list(entries.values()))
    return entries


def _exported_from_here(candidates: Sequence[FactCandidate], merges: Mapping[int, int]) -> set[int]:
    """Return the ``id()`` of each candidate that was exported from this very ledger."""
    here: set[tuple[object, ...]] = set()
    for start in range(0, len(candidates), BATCH):
        rows = Fact.objects.filter(source_key__in=[one.origin for one in candidates[start : start + BATCH]])
        for key, club, moment, winner, rating_list in rows.values_list(
            "source_key", "club_id", "moment", "winner_id", "rating_list_id"
        ):
            here.add((key, club, moment, _current_player_id(winner, merges), rating_list))
    return {
        id(one)
        for one in candidates
        if (one.origin, one.fact.club_id, one.fact.moment, one.fact.winner_id, one.fact.rating_list_id)
        in here
    }


def _assign_free_keys(candidates: Sequence[FactCandidate], ledger: ComparisonState) -> None:
    """Append a number to keys that other facts or lines have already."""
    used, seen = ledger.used, ledger.wanted
    left = []
    for one in candidates:
        seen[one.fact.source_key] += 1
        left.append((one, one.fact.source_key, seen[one.fact.source_key]))
    while left:
        keys = [_numbered_key(key, number) for _one, key, number in left]
        for start in range(0, len(keys), BATCH):
            rows = Fact.objects.filter(source_key__in=keys[start : start + BATCH])
            used.update(rows.values_list("source_key", flat=True))
        later = []
        for one, key, number in left:
            name = _numbered_key(key, number)
            if name in used:
                later.append((one, key, number + 1))
            else:
                used.add(name)
                one.fact.source_key = name
        left = later


def _numbered_key(key: str, number: int) -> str:
    return key if number == 1 else f"{key}:{number}"
