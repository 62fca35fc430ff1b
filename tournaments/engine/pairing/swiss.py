"""Pairing of one round of a Swiss: the best pairing of a field by a fixed order of criteria.

Levels, each more important than all below it together:

 1. absolutes: forbidden opponents, and clubs or travel groups that must not meet, are not paired;
 2. as few rematches as possible (none while that is possible in this round);
 3. the bye goes to the entry with fewest byes, then fewest points;
 4. scores as equal as possible: the sum of squared differences;
 5. floats shared: a pair of unequal scores costs what its upper side has floated down and its lower side up
    before (`history.contenders_after` defines how far back, and the weight of a round);
 6. preferences: same club, country or travel group, and pairs that the director wants to avoid;
 7. fold: within a score group the upper half meets the lower half in order; between groups neighbours meet.

The order within a group is the starting rank; equal ranks are ordered by the stored random seed, so a field
without ratings is paired at random. (A random eighth level for every pair was tried: the search took ten
times as long.)

Small fields are searched completely. In large ones each entry is offered about thirty neighbours; if the
result does not reach the lower bound for levels 2 to 6 (`PairingField.lower_bound`), the search widens, up to
the whole field. So the answer is optimal in levels 1 to 6, or, above 400 entries, did not change when the
search was doubled. Points are whole numbers (half points: a win counts 2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

from tournaments.engine.chance import Chance, Seed
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.matching import Edge, cheapest_perfect_matching
from tournaments.engine.types import EntryId

DENSE_SEARCH_MAX: Final = 100  # up to this size every pair is searched from the start
DENSE_RETRY_MAX: Final = (
    400  # up to this size every pair is searched if the narrow search is not proven optimal
)
NEIGHBOUR_COUNT: Final = 32
PAIRING_PURPOSE: Final = "swiss pairing"


@dataclass(frozen=True, slots=True)
class Contender:
    """A participant of this round, with totals from the previous rounds.

    `rank`: the starting order, 1 is the strongest. `points`: half points. `met`: opponents over the board.
    `byes`: full points without play, also walkovers won (entries with one are not first for a bye).
    `floats_down`, `floats_up`: how often, weighted, the entry met one with fewer or more points. `apart`:
    codes of clubs, countries, travel groups.
    """

    entry: EntryId
    rank: int
    points: int = 0
    met: frozenset[EntryId] = frozenset()
    byes: int = 0
    floats_down: int = 0
    floats_up: int = 0
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PairingRestrictions:
    """The director's restrictions of a pairing.

    `forbidden`: pairs of entries that never meet; `avoided`: pairs that meet only if necessary;
    `forbidden_codes`: entries that share one of these codes of clubs or travel groups never meet.
    """

    forbidden: frozenset[frozenset[EntryId]] = frozenset()
    avoided: frozenset[frozenset[EntryId]] = frozenset()
    forbidden_codes: frozenset[str] = frozenset()

    def forbids(self, a: Contender, b: Contender) -> bool:
        return frozenset((a.entry, b.entry)) in self.forbidden or bool(
            a.apart & b.apart & self.forbidden_codes
        )


@dataclass(frozen=True, slots=True, order=True)
class Costs:
    """The costs of a pairing in each level, most important first; lower is better (see the module)."""

    rematches: int = 0
    bye_again: int = 0
    bye_points: int = 0
    score_gap: int = 0
    floats: int = 0
    preferences: int = 0
    fold: int = 0

    @property
    def without_fold(self) -> tuple[int, int, int, int, int, int]:
        return (
            self.rematches, self.bye_again, self.bye_points, self.score_gap, self.floats, self.preferences,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing of a round: its pairs in the order of the tables, the entry with the bye, and its costs.

    In each pair the side with more points (or the better rank) comes first.
    """

    pairs: tuple[tuple[EntryId, EntryId], ...]
    bye: EntryId | None
    costs: Costs


NO_RESTRICTIONS: Final = PairingRestrictions()


def pair_round(
    contenders: Collection[Contender], *, seed: Seed, restrictions: PairingRestrictions = NO_RESTRICTIONS
) -> Pairing:
    """Return the best pairing of a round; the same contenders and random seed always give the same pairing.

    Raises `BadInput` for fewer than two contenders, or if the restrictions allow no pairing.

    >>> field = [Contender(EntryId(1), rank=1, points=2), Contender(EntryId(2), rank=2, points=2)]
    >>> field += [Contender(EntryId(number), rank=number) for number in (3, 4, 5)]
    >>> found = pair_round(field, seed=1)
    >>> found.pairs, found.bye
    (((1, 2), (3, 4)), 5)
    """
    field = PairingField(contenders, restrictions, seed)
    size = len(field.order)
    if size < 2:
        raise BadInput("swiss.too_few", count=size)
    bound = field.lower_bound()
    is_dense, width, previous_costs = size <= DENSE_SEARCH_MAX, NEIGHBOUR_COUNT, None
    while True:
        pairing = _search_pairing(field, None if is_dense else width, rematches=False)
        if pairing is None:
            if is_dense:
                break
        elif (
            is_dense
            or pairing.costs.without_fold == bound
            or (
                previous_costs is not None
                and size > DENSE_RETRY_MAX
                and pairing.costs.without_fold == previous_costs
            )
        ):
            return pairing
        previous_costs = pairing.costs.without_fold if pairing else None
        width *= 2
        is_dense = size <= DENSE_RETRY_MAX or width >= size
    pairing = _search_pairing(field, None, rematches=True)
    if pairing is None:
        raise BadInput("swiss.no_pairing", count=size)
    return pairing


def pairing_costs(
    contenders: Collection[Contender],
    pairs: Sequence[tuple[EntryId, EntryId]],
    bye: EntryId | None,
    *,
    restrictions: PairingRestrictions = NO_RESTRICTIONS,
) -> Costs:
    """Return the costs of a given pairing.

    Whether forbidden opponents meet is not checked here (see `checker`).
    """
    field = PairingField(contenders, restrictions, seed=0)
    index_by_entry = {c.entry: i for i, c in enumerate(field.order)}
    indices = [tuple(sorted((index_by_entry[a], index_by_entry[b]))) for a, b in pairs]
    return field.costs_of([(i, j) for i, j in indices], None if bye is None else index_by_entry[bye])


def swap_entries(
    pairs: Sequence[tuple[EntryId, EntryId]], bye: EntryId | None, first: EntryId, second: EntryId
) -> tuple[tuple[tuple[EntryId, EntryId], ...], EntryId | None]:
    """Return the pairs and the bye with two entries exchanged, one of which may have the bye."""
    swapped = {first: second, second: first}
    new_pairs = tuple((swapped.get(a, a), swapped.get(b, b)) for a, b in pairs)
    return new_pairs, None if bye is None else swapped.get(bye, bye)


def _search_pairing(field: PairingField, width: int | None, *, rematches: bool) -> Pairing | None:
    """Return the best pairing of one search; None if there is none.

    `width`: over how many neighbours of each entry to search, None for every pair; `rematches`: True to allow
    them.
    """
    size = len(field.order)
    vertices = size + size % 2  # in an odd field the last vertex is the bye
    matched = cheapest_perfect_matching(vertices, field.candidate_edges(width, rematches=rematches))
    if matched is None:
        return None
    bye = next((i for i, j in matched if j >= size), None)
    pairs = [(i, j) for i, j in matched if j < size]
    pairs.sort(key=lambda p: (-field.points[p[0]] - field.points[p[1]], -field.points[p[0]], p))
    entry_pairs = tuple((field.order[i].entry, field.order[j].entry) for i, j in pairs)
    return Pairing(entry_pairs, None if bye is None else field.order[bye].entry, field.costs_of(pairs, bye))


class PairingField:
    """The contenders in order of points and rank, as plain lists, to evaluate 100,000 pairs quickly.

    Entries are given by their place in this order, from 0.
    """

    def __init__(
        self, contenders: Collection[Contender], restrictions: PairingRestrictions, seed: Seed
    ) -> None:
        entries = {c.entry for c in contenders}
        if len(entries) != len(contenders):
            raise BadInput("draw.entry_twice")
        lots = {
            entry: lot for lot, entry in enumerate(Chance(seed, PAIRING_PURPOSE).shuffled(sorted(entries)))
        }
        self.order = sorted(contenders, key=lambda c: (-c.points, c.rank, lots[c.entry]))
        index_by_entry = {c.entry: i for i, c in enumerate(self.order)}
        lowest = self.order[-1].points if self.order else 0
        unit = gcd(*(c.points - lowest for c in self.order)) or 1
        self.points = [(c.points - lowest) // unit for c in self.order]
        self.down = [c.floats_down for c in self.order]
        self.up = [c.floats_up for c in self.order]
        self.byes = [c.byes for c in self.order]
        self.apart = [c.apart for c in self.order]
        self.met = [{index_by_entry[e] for e in c.met if e in index_by_entry} for c in self.order]
        self.forbidden_codes = [c.apart & restrictions.forbidden_codes for c in self.order]
        self.forbidden = _pair_indices(restrictions.forbidden, index_by_entry)
        self.avoided = _pair_indices(restrictions.avoided, index_by_entry)
        self.end, self.fold_distances = self._group_bounds()

    def _group_bounds(self) -> tuple[list[int], list[int]]:
        """Return for every place where its score group ends, and how far below it its fold partner is.

        That is half of those who meet inside the group: without the first if another floats down to it, and
        without the last if an odd number is left then. So an ordinary round costs nothing in level 7, which
        also speeds up the search.
        """
        ends: list[int] = []
        half: list[int] = []
        size, first = len(self.points), 0
        while first < size:
            end = first
            while end < size and self.points[end] == self.points[first]:
                end += 1
            ends += [end] * (end - first)
            half += [(end - first - first % 2) // 2] * (
                end - first
            )  # an odd number before it: one floats down
            first = end
        return ends, half

    def allowed(self, i: int, j: int) -> bool:
        if (i, j) in self.forbidden:
            return False
        return self.forbidden_codes[i].isdisjoint(self.forbidden_codes[j])

    def preference_cost(self, i: int, j: int) -> int:
        shared = len(self.apart[i] & self.apart[j]) if self.apart[i] and self.apart[j] else 0
        return shared + ((i, j) in self.avoided)

    def fold_cost(self, i: int, j: int) -> int:
        """Return how far a pair is from the ideal fold.

        Ideal are half a score group apart, or neighbours in different groups.
        """
        if self.points[i] == self.points[j]:
            return abs(j - i - self.fold_distances[i])
        return j - i - 1

    def costs_of(self, pairs: Sequence[tuple[int, int]], bye: int | None) -> Costs:
        points, down, up = self.points, self.down, self.up
        uneven = [(i, j) for i, j in pairs if points[i] != points[j]]
        return Costs(
            rematches=sum(j in self.met[i] for i, j in pairs),
            bye_again=0 if bye is None else self.byes[bye],
            bye_points=0 if bye is None else points[bye],
            score_gap=sum((points[i] - points[j]) ** 2 for i, j in uneven),
            floats=sum(down[i] + up[j] for i, j in uneven),
            preferences=sum(self.preference_cost(i, j) for i, j in pairs),
            fold=sum(self.fold_cost(i, j) for i, j in pairs) + (0 if bye is None else len(points) - 1 - bye),
        )

    def lower_bound(self) -> tuple[int, int, int, int, int, int]:
        """Return the lowest conceivable costs of levels 2 to 6, if there were no restrictions.

        Entries that are neighbours by score meet then.
        """
        points, bye = list(enumerate(self.points)), (0, 0)
        if len(points) % 2:
            bye = min(zip(self.byes, self.points, strict=True))
            points.pop(max(i for i, p in points if (self.byes[i], p) == bye))
        least_down, least_up = _min_by_points(self.points, self.down), _min_by_points(self.points, self.up)
        uneven = [(a, b) for (_, a), (_, b) in zip(points[::2], points[1::2], strict=True) if a != b]
        gap = sum((a - b) ** 2 for a, b in uneven)
        floats = sum(least_down[a] + least_up[b] for a, b in uneven)
        return (0, *bye, gap, floats, 0)

    def candidate_edges(self, width: int | None, *, rematches: bool) -> list[Edge]:
        """Return the pairs to search, with their costs: the levels as digits of one number.

        `width`: how many neighbours of each entry, None for every pair; `rematches`: True to include
        rematches.
        """
        size = len(self.order)
        pairs = size // 2
        preference_unit = size * (pairs + 1) + 1
        max_preference = max(map(len, self.apart), default=0) + 1
        float_unit = preference_unit * (max_preference * pairs + 1)
        gap_unit = float_unit * ((max(self.down) + max(self.up)) * pairs + 1)
        bye_unit = gap_unit * (self.points[0] ** 2 * pairs + 1)
        again_unit = bye_unit * (self.points[0] + 1)
        rematch_unit = again_unit * (max(self.byes) + 1)
        points, down, up, met = self.points, self.down, self.up, self.met
        apart, half = self.apart, self.fold_distances
        restricted = bool(self.forbidden or self.avoided or any(self.forbidden_codes))
        edges: list[Edge] = []
        for i in range(size):
            met_i, points_i, down_i, apart_i, half_i = met[i], points[i], down[i], apart[i], half[i]
            for j in self._candidates(i, width):
                cost = 0
                if j in met_i:
                    if not rematches:
                        continue
                    cost += rematch_unit
                if restricted:
                    if not self.allowed(i, j):
                        continue
                    cost += self.preference_cost(i, j) * preference_unit
                elif apart_i and apart[j]:
                    cost += len(apart_i & apart[j]) * preference_unit
                gap = points_i - points[j]
                if gap:
                    cost += gap * gap * gap_unit + (down_i + up[j]) * float_unit + (j - i - 1)
                else:
                    cost += abs(j - i - half_i)
                edges.append((i, j, cost))
        if size % 2:
            for i in self._bye_candidates(width):
                cost = self.byes[i] * again_unit + points[i] * bye_unit + (size - 1 - i)
                edges.append((i, size, cost))
        return edges

    def _candidates(self, i: int, width: int | None) -> Iterator[int]:
        """Yield the places of possible opponents below place ``i``.

        All are yielded if ``width`` is None, else the next ones and those near the fold partner.
        """
        size = len(self.order)
        if width is None:
            yield from range(i + 1, size)
            return
        near_end = min(size, i + 1 + width // 2)
        yield from range(i + 1, near_end)
        partner = i + self.fold_distances[i]
        if partner < self.end[i]:
            yield from range(max(near_end, partner - width // 4), min(self.end[i], partner + width // 4 + 1))

    def _bye_candidates(self, width: int | None) -> list[int]:
        size = len(self.order)
        if width is None:
            return list(range(size))
        return sorted(range(size), key=lambda i: (self.byes[i], self.points[i], -i))[:width]


def _pair_indices(
    pairs: Collection[frozenset[EntryId]], index_by_entry: dict[EntryId, int]
) -> frozenset[tuple[int, int]]:
    """Return pairs of entries as pairs of places, the lower place first.

    Pairs with an entry that does not play are left out.
    """
    index_pairs = (
        sorted(index_by_entry[entry] for entry in pair if entry in index_by_entry) for pair in pairs
    )
    return frozenset((indexes[0], indexes[1]) for indexes in index_pairs if len(indexes) == 2)


def _min_by_points(points: Sequence[int], counts: Sequence[int]) -> dict[int, int]:
    """Return the smallest count in every score group, keyed by points."""
    minimum_by_score: dict[int, int] = {}
    for score, count in zip(points, counts, strict=True):
        minimum_by_score[score] = min(count, minimum_by_score.get(score, count))
    return minimum_by_score
