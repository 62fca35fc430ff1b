"""What of an import the ledger holds already: as it was, with its score to be filled in, corrected since, or taken back since.

A match is known by who played it (players, never names; merged ones as who they are now), when, to which length and in
which event. Several such matches of one pair are told apart by their score, and where that does not tell, by their order in
the file and in the ledger. A score of length to 0 is what a row without a score has: it counts as one that is not told yet.
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

    ``keys``: what it is to be called, and what it may be called already. ``origin``: the key that it had in the ledger it was
    exported from. ``has_unknown_player``: nobody known has a name that it holds; so it can be known by its keys alone. ``former``: keys
    that it has if it came in when its time was taken for another one.
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
    """The lines of an import against the ledger, in no order. What is to be entered has a key that is free."""

    fresh: list[FactCandidate] = field(default_factory=list)
    filled: list[FactCandidate] = field(default_factory=list)  # their facts replace those without a score
    taken_back: list[FactCandidate] = field(default_factory=list)  # ready to be entered again
    known: int = 0
    notes: list[Fault] = field(default_factory=list)


@dataclass(slots=True)
class _Entry:
    """A fact that was imported, and what stands for it now; ``last`` is what was taken back where it is ``gone``."""

    root: Fact
    last: Fact
    gone: bool = False
    used: bool = False

    @property
    def corrected(self) -> bool:
        return self.last.source_key.startswith("hand:")


@dataclass(slots=True)
class ComparisonState:
    """What is known from one part of a file to the next: who was merged, and the keys that its lines have taken so far."""

    merges: Mapping[int, int] = field(default_factory=merged_players)
    called: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    used: set[str] = field(default_factory=set)


def compare_with_ledger(candidates: Sequence[FactCandidate], ledger: ComparisonState) -> ComparisonResult:
    """Sort ``candidates`` by what the ledger knows of them. A part of a file has all lines of the times that it has."""
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
    """A line that the ledger holds as it is."""
    found.known += 1
    _compare_weights(one, entry.root, found)
    if any(getattr(one.fact, name) not in (None, getattr(entry.root, name)) for name in PR_FIELDS):
        found.notes.append(_line_note("rating.csv.other_play", one, "winner_pr"))


def _compare_weights(one: FactCandidate, root: Fact, found: ComparisonResult) -> None:
    if any(getattr(root, name) != getattr(one.fact, name) for name in WEIGHT_FIELDS):
        found.notes.append(_line_note("rating.csv.other_weight", one, "event_weight"))


def _recognise(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
    """A line that the ledger holds; its director hears of it if something else counts since."""
    _count_known(one, entry, found)
    if entry.corrected:
        found.notes.append(_line_note("rating.csv.corrected", one))


def _add_removed(one: FactCandidate, entry: _Entry, found: ComparisonResult) -> None:
    """A line that was taken back; if it comes in again, then of those whom the ledger has, whatever they are called since."""
    if one.has_unknown_player:
        one.fact.winner_id, one.fact.loser_id = entry.root.winner_id, entry.root.loser_id
        one.has_unknown_player = False
    found.notes.append(_line_note("rating.csv.taken_back", one))
    found.taken_back.append(one)


def _match_by_content(
    candidates: Sequence[FactCandidate], found: ComparisonResult, merges: Mapping[int, int]
) -> None:
    """Each line takes one entry of the ledger at most: the surest ones first, and among equals in order."""
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
    """What two facts have in common that tell of the same; scores apart."""
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
    """Who somebody is since merges; None for nobody."""
    return player and merges.get(player, player)


def _fact_score(fact: Fact) -> tuple[int, int]:
    return fact.winner_score, fact.loser_score


def _has_no_score(fact: Fact) -> bool:
    return has_no_score(fact.length, _fact_score(fact))


def _ledger_entries(facts: Sequence[Fact]) -> list[_Entry]:
    """All that was imported for the club at the times of ``facts``, in the order of the ledger; places are known by their keys alone."""
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
    """What became of each."""
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
    """Lines that are known by what they are called: those of a ledger's own file, and those of people whom nobody knows by name."""
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
    """Of what seems to be new: what came in by another time of its own."""
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
    """``key`` and the same of the other keys that the line may have been given."""
    rest = key.removeprefix(one.keys[0])
    return [f"{name}{rest}" for name in one.keys]


def _number_duplicates(candidates: Iterable[FactCandidate], seen: Counter[str]) -> None:
    """Equal rows of one file are as many results: the second gets a key of its own."""
    for one in candidates:
        key = one.keys[0]
        seen[key] += 1
        one.fact.source_key = key if seen[key] == 1 else f"{key}:{seen[key]}"


def _entries_by_key(keys: Sequence[str]) -> dict[str, _Entry]:
    """Facts of these keys and what became of them."""
    entries = {}
    for start in range(0, len(keys), BATCH):
        for row in Fact.objects.filter(source_key__in=keys[start : start + BATCH]):
            entries[row.source_key] = _Entry(row, row)
    _follow_corrections(list(entries.values()))
    return entries


def _exported_from_here(candidates: Sequence[FactCandidate], merges: Mapping[int, int]) -> set[int]:
    """Those (by ``id``) that this very ledger was exported with."""
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
    """Number what has a key that another fact has."""
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
