"""Match a name on a list against known persons: certain, candidates, or unknown.

A match is certain only if exactly one known person has the same folded name and nothing contradicts it; with
the words in another order, only if that order cannot be another person's name (Thomas James is not James
Thomas). Other spellings, initials, typing errors and omitted names give candidates for the director to choose
from.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from names.folding import fold_text, search_key

MAX_CANDIDATES: Final = 5
MAX_RATING_DIFFERENCE: Final = (
    300.0  # rating points; two statements that differ by more are taken to be about different people
)
_COMMON_CLUB_WORDS: Final = frozenset(
    "bc bg bk bgc bgk ks sk sc ev e v club klub klubb klubben backgammon verein the de der die of und och og backgammonclub backgammonklub bgv".split()
)
_PARTICLES: Final = frozenset("van von de der den da do dos di del la le v d".split())


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A known person; ``key`` is the caller's. Blank country, rating and club match anything."""

    key: int
    name: str
    country: str = ""
    rating: float | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The result of a search: ``certain``, or ``candidates`` (likeliest first) for the director, or none."""

    certain: KnownPerson | None = None
    candidates: tuple[KnownPerson, ...] = ()


class NameDirectory:
    """An index of known persons for many searches."""

    def __init__(self, known: Iterable[KnownPerson]) -> None:
        self._known = list(known)
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        self._words: list[list[str]] = []
        self._first: Counter[str] = Counter()
        for at, one in enumerate(self._known):
            words = fold_text(one.name).split()
            self._words.append(words)
            self._first.update(words[:1])
            self._exact[" ".join(sorted(words))].append(at)
            for word in set(words):
                self._by_word[word].append(at)
            self._by_initials[_sorted_initials(words)].append(at)

    def find(self, name: str, country: str = "", rating: float | None = None, club: str = "") -> NameMatch:
        """Return who ``name`` may be, with country, rating and club if the list states them."""
        words = fold_text(name).split()
        if not words:
            return NameMatch()
        alike = self._exact.get(" ".join(sorted(words))) or []
        exact = [self._known[at] for at in alike]
        stated = KnownPerson(0, name, country, rating, club)
        if len(exact) == 1 and not _contradicts(stated, exact[0]) and not self._is_reordered(words, alike[0]):
            return NameMatch(certain=exact[0], candidates=(exact[0],))
        if exact:
            return NameMatch(candidates=tuple(exact[:MAX_CANDIDATES]))
        near = {at for word in words if len(word) > 1 for at in self._by_word.get(word, ())}
        if len(words) == 1:
            named = sorted(near)
            return NameMatch(candidates=tuple(self._known[at] for at in named) if len(named) <= 3 else ())
        near |= set(self._by_initials.get(_sorted_initials(words), ()))
        scored = []
        for at in near:
            cost = _name_cost(words, self._words[at])
            if cost is not None:
                against = 1 if _contradicts(stated, self._known[at]) else 0
                scored.append((cost + against, self._known[at].name, at))
        return NameMatch(candidates=tuple(self._known[at] for _, _, at in sorted(scored)[:MAX_CANDIDATES]))

    def _is_reordered(self, words: list[str], at: int) -> bool:
        """Return whether the words differ in order from name ``at`` and begin with a known first name."""
        return words != self._words[at] and self._first[words[0]] > 0


def edit_distance(one: str, other: str, most: int) -> int:
    """Return the number of missing, extra, changed or transposed letters, at most ``most`` + 1.

    Optimal string alignment: Damerau's four errors, no letter edited twice.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _sorted_initials(words: list[str]) -> str:
    return "".join(sorted(word[0] for word in words if word not in _PARTICLES))


def _simplify_spelling(text: str) -> str:
    """Reduce ``ae``, ``oe``, ``ue``, ``aa`` (typed for ä, ö, ü, å) and ``th`` to one letter each."""
    return text.replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("aa", "a").replace("th", "t")


def _name_cost(stated: list[str], known: list[str]) -> float | None:
    """Return the distance of two names, None if they are too different to be confused."""
    if sorted(_simplify_spelling(word) for word in stated) == sorted(
        _simplify_spelling(word) for word in known
    ):
        return 0.2
    if "".join(stated) == "".join(known):
        return 0.3
    short, long = (stated, known) if len(stated) <= len(known) else (known, stated)
    free = list(long)
    cost, same = 0.0, 0
    for word in sorted(short, key=lambda one: (one not in long, -len(one))):
        costs = [(own, other) for other in free if (own := _word_cost(word, other)) is not None]
        if not costs:
            return None
        best, other = min(costs, key=lambda pair: pair[0])
        cost += best
        same += best == 0 and len(word) > 2
        free.remove(other)
    left = [word for word in free if word not in _PARTICLES]
    if not same and (cost > 2 or left):
        return None
    full = sum(len(word) > 1 for word in short)
    return cost + len(left) if full > 1 or same else None


def _word_cost(one: str, other: str) -> float | None:
    """Return 0 for equal words, below 1 for an abbreviation, 1 or 2 for typing errors, else None."""
    if one == other:
        return 0.0
    short, long = sorted((one, other), key=len)
    if long.startswith(short) and (len(short) == 1 or (len(short) >= 3 and len(long) - len(short) >= 2)):
        return 0.5
    most = 0 if len(long) < 4 else 1 if len(long) < 8 else 2
    if _simplify_spelling(one) == _simplify_spelling(other):
        return 0.5
    found = edit_distance(one, other, most)
    return float(found) if 0 < found <= most else None


def _contradicts(stated: KnownPerson, known: KnownPerson) -> bool:
    if stated.country and known.country and stated.country != known.country:
        return True
    if (
        stated.rating is not None
        and known.rating is not None
        and abs(stated.rating - known.rating) > MAX_RATING_DIFFERENCE
    ):
        return True
    return bool(stated.club and known.club) and not _may_be_same_club(stated.club, known.club)


def _may_be_same_club(one: str, other: str) -> bool:
    """Return whether two names may mean one club: by a distinctive word, or initials of the other."""
    first, second = fold_text(one).split(), fold_text(other).split()
    if set(first) & set(second) - _COMMON_CLUB_WORDS or search_key(one) == search_key(other):
        return True
    return any(
        len(short) == 1 and short[0] == "".join(word[0] for word in long)
        for short, long in ((first, second), (second, first))
    )
