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
    """A known person; ``key`` is an id of the caller's. An empty country, rating or club matches anything."""

    key: int
    name: str
    country: str = ""
    rating: float | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The result of a search: ``certain_person``, or ``candidates`` (likeliest first) to choose from, or neither."""

    certain_person: KnownPerson | None = None
    candidates: tuple[KnownPerson, ...] = ()


class NameDirectory:
    """An index of known persons, to search for many names."""

    def __init__(self, people: Iterable[KnownPerson]) -> None:
        self._known = list(people)
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_initials: dict[str, list[int]] = defaultdict(list)
        self._words: list[list[str]] = []
        self._first: Counter[str] = Counter()
        for index, person in enumerate(self._known):
            words = fold_text(person.name).split()
            self._words.append(words)
            self._first.update(words[:1])
            self._exact[" ".join(sorted(words))].append(index)
            for word in set(words):
                self._by_word[word].append(index)
            self._by_initials[_sorted_initials(words)].append(index)

    def find(self, name: str, country: str = "", rating: float | None = None, club: str = "") -> NameMatch:
        """Return who of the known persons ``name`` may be.

        Country, rating and club as far as a list states them.
        """
        words = fold_text(name).split()
        if not words:
            return NameMatch()
        exact_indexes = self._exact.get(" ".join(sorted(words))) or []
        exact = [self._known[index] for index in exact_indexes]
        stated = KnownPerson(0, name, country, rating, club)
        if (
            len(exact) == 1
            and not _contradicts(stated, exact[0])
            and not self._is_reordered(words, exact_indexes[0])
        ):
            return NameMatch(certain_person=exact[0], candidates=(exact[0],))
        if exact:
            return NameMatch(candidates=tuple(exact[:MAX_CANDIDATES]))
        similar_indexes = {index for word in words if len(word) > 1 for index in self._by_word.get(word, ())}
        if len(words) == 1:
            sorted_indexes = sorted(similar_indexes)
            return NameMatch(
                candidates=tuple(self._known[index] for index in sorted_indexes)
                if len(sorted_indexes) <= 3
                else ()
            )
        similar_indexes |= set(self._by_initials.get(_sorted_initials(words), ()))
        scored = []
        for index in similar_indexes:
            cost = _name_cost(words, self._words[index])
            if cost is not None:
                penalty = 1 if _contradicts(stated, self._known[index]) else 0
                scored.append((cost + penalty, self._known[index].name, index))
        return NameMatch(
            candidates=tuple(self._known[index] for _, _, index in sorted(scored)[:MAX_CANDIDATES])
        )

    def _is_reordered(self, words: list[str], index: int) -> bool:
        """Return whether ``words`` is another order of name ``index`` and begins with a known first name."""
        return words != self._words[index] and self._first[words[0]] > 0


def edit_distance(word: str, other: str, max_distance: int) -> int:
    """Return the number of missing, extra, changed or transposed letters, at most ``max_distance`` + 1.

    Optimal string alignment: Damerau's four errors, no letter edited twice.
    """
    if abs(len(word) - len(other)) > max_distance:
        return max_distance + 1
    previous_row: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, start=1):
        earlier_row, previous_row, row = previous_row, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(previous_row[j] + 1, row[j - 1] + 1, previous_row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
                cost = min(cost, earlier_row[j - 2] + 1)
            row.append(cost)
        if min(row) > max_distance:
            return max_distance + 1
    return min(row[-1], max_distance + 1)


def _sorted_initials(words: list[str]) -> str:
    return "".join(sorted(word[0] for word in words if word not in _PARTICLES))


def _simplify_spelling(text: str) -> str:
    """Reduce ``ae``, ``oe``, ``ue``, ``aa`` (typed for ä, ö, ü, å) and ``th`` to one letter each."""
    return text.replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("aa", "a").replace("th", "t")


def _name_cost(stated_words: list[str], known_words: list[str]) -> float | None:
    """Return how far two names differ, from 0; None if they are too different to be confused."""
    if sorted(_simplify_spelling(word) for word in stated_words) == sorted(
        _simplify_spelling(word) for word in known_words
    ):
        return 0.2
    if "".join(stated_words) == "".join(known_words):
        return 0.3
    shorter, longer = (
        (stated_words, known_words) if len(stated_words) <= len(known_words) else (known_words, stated_words)
    )
    unmatched = list(longer)
    cost, equal_count = 0.0, 0
    for word in sorted(shorter, key=lambda candidate: (candidate not in longer, -len(candidate))):
        costs = [
            (word_cost, other) for other in unmatched if (word_cost := _word_cost(word, other)) is not None
        ]
        if not costs:
            return None
        lowest_cost, other = min(costs, key=lambda pair: pair[0])
        cost += lowest_cost
        equal_count += lowest_cost == 0 and len(word) > 2
        unmatched.remove(other)
    leftover = [word for word in unmatched if word not in _PARTICLES]
    if not equal_count and (cost > 2 or leftover):
        return None
    full_word_count = sum(len(word) > 1 for word in shorter)
    return cost + len(leftover) if full_word_count > 1 or equal_count else None


def _word_cost(word: str, other: str) -> float | None:
    """Return how far two words differ: 0 if equal, below 1 for an abbreviation, 1 or 2 for typing errors.

    None if they are different words.
    """
    if word == other:
        return 0.0
    shorter, longer = sorted((word, other), key=len)
    if longer.startswith(shorter) and (
        len(shorter) == 1 or (len(shorter) >= 3 and len(longer) - len(shorter) >= 2)
    ):
        return 0.5
    max_distance = 0 if len(longer) < 4 else 1 if len(longer) < 8 else 2
    if _simplify_spelling(word) == _simplify_spelling(other):
        return 0.5
    distance = edit_distance(word, other, max_distance)
    return float(distance) if 0 < distance <= max_distance else None


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


def _may_be_same_club(name: str, other: str) -> bool:
    """Return whether two names may mean one club.

    They share a distinctive word, or one is the other's initials.
    """
    first, second = fold_text(name).split(), fold_text(other).split()
    if set(first) & set(second) - _COMMON_CLUB_WORDS or search_key(name) == search_key(other):
        return True
    return any(
        len(short) == 1 and short[0] == "".join(word[0] for word in long)
        for short, long in ((first, second), (second, first))
    )
