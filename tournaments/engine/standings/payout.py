"""What prizes come to: pools split to the last coin, prizes of shared places added up and divided.

All amounts here are whole numbers of the smallest coin (cents of EUR, yen of JPY). Nothing is lost on the way: what cannot be
divided goes where a rule says, and what nobody gets is named.

- A pool in per cent: each place gets its per cent rounded down to the unit. With 100 per cent the first place gets all that is
  left of the pool; with fewer the prizes together are that part of the pool, rounded down to the unit, and the first gets what
  is left of it.
- Shared places: their prizes are added up and divided alike; coins that are left go one each to those who were entered first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tournaments.engine.errors import BadInput
from tournaments.engine.standings.leaving import places_without
from tournaments.engine.standings.prizes import HUNDRED_PER_CENT, PrizeUnit, SectionPrizes
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class PrizeList:
    """What the places of a part bring, first place first. `money` is None while a prize in per cent has no pool.

    `pool`: what there is for it, None where nobody said.
    """

    prizes: SectionPrizes
    money: tuple[int, ...] | None
    pool: int | None

    @property
    def total(self) -> int:
        return sum(self.money or ())

    @property
    def left_over(self) -> int | None:
        """What of the pool no place brings; below 0 if the prizes are more than there is. None without a pool."""
        return None if self.pool is None or self.money is None else self.pool - self.total

    @property
    def gifts(self) -> tuple[str, ...]:
        return tuple(prize.gift for prize in self.prizes.places)


@dataclass(frozen=True, slots=True)
class PrizeShares:
    """What each entry gets, money and gifts; `unpaid`: the money of places that nobody took."""

    each: Mapping[EntryId, int]
    gifts: Mapping[EntryId, tuple[str, ...]]
    unpaid: int


def to_coins(amount: Decimal, digits: int) -> int:
    """An amount of money in the smallest coin of its currency; what is finer is cut off.

    >>> to_coins(Decimal("12.50"), 2)
    1250
    """
    return int(amount.scaleb(digits))


def from_coins(coins: int, digits: int) -> Decimal:
    """The amount again.

    >>> from_coins(1250, 2)
    Decimal('12.50')
    """
    return Decimal(coins).scaleb(-digits)


def split_pool(pool: int, shares: Sequence[Decimal], unit: int) -> tuple[int, ...]:
    """`pool` by `shares` in per cent, to whole `unit`s; the remainder goes to the first that has a share.

    >>> split_pool(2140, [Decimal(50), Decimal(30), Decimal(20)], 50)
    (1140, 600, 400)
    """
    if pool < 0 or any(share < 0 for share in shares) or sum(shares) > HUNDRED_PER_CENT:
        raise BadInput("prizes.negative")
    each = [_round_down(pool * Fraction(share) / 100, unit) for share in shares]
    if not any(shares):
        return tuple(each)
    together = sum(map(Fraction, shares), Fraction(0))
    target = pool if together == HUNDRED_PER_CENT else _round_down(pool * together / 100, unit)
    first = next(at for at, share in enumerate(shares) if share)
    each[first] += target - sum(each)
    return tuple(each)


def prize_lists(
    pool: Decimal | None, sections: Sequence[SectionPrizes], digits: int
) -> tuple[PrizeList, ...]:
    """What all parts of a division bring. `pool`: that of the division, of which some have their part.

    Parts are rounded down to the largest unit among them; with 100 per cent the first part gets what is left.
    """
    own = [section for section in sections if section.part is not None]
    unit = max((_unit_in_coins(section, digits) for section in own), default=1)
    parts: dict[int, int] = {}
    if pool is not None:
        shares = [section.part or Decimal(0) for section in own]
        amounts = split_pool(to_coins(pool, digits), shares, unit)
        parts = {id(section): amount for section, amount in zip(own, amounts, strict=True)}
    return tuple(_prize_list(section, parts.get(id(section)), digits) for section in sections)


def _prize_list(section: SectionPrizes, part: int | None, digits: int) -> PrizeList:
    pool = to_coins(section.pool, digits) if section.pool is not None else part
    values = [prize.value for prize in section.places]
    if section.way is PrizeUnit.AMOUNTS:
        return PrizeList(section, tuple(to_coins(value, digits) for value in values), pool)
    if pool is None:
        return PrizeList(section, None, None)
    return PrizeList(section, split_pool(pool, values, _unit_in_coins(section, digits)), pool)


def share_prizes(
    prizes: Sequence[int], places: Mapping[EntryId, tuple[int, int]], gifts: Sequence[str] = ()
) -> PrizeShares:
    """`prizes` and `gifts` from the first place down; `places` as ranges (first, last) of final tables.

    Where a range has fewer entries than places (a match that nobody won), its best prizes are shared, and the others stay
    unpaid. Raises `BadInput` where it has more.

    >>> share_prizes([100, 50, 25], {EntryId(1): (1, 1), EntryId(2): (2, 3), EntryId(3): (2, 3)}).each
    {1: 100, 2: 38, 3: 37}
    """
    if any(prize < 0 for prize in prizes):
        raise BadInput("prizes.negative")
    together: dict[tuple[int, int], list[EntryId]] = {}
    for entry, place in places.items():
        together.setdefault(place, []).append(entry)
    each: dict[EntryId, int] = {}
    others: dict[EntryId, tuple[str, ...]] = {}
    for (first, last), entries in together.items():
        if len(entries) > last - first + 1:
            raise BadInput("prizes.places_open", first=first, last=last)
        taken = slice(first - 1, first - 1 + len(entries))
        share, rest = divmod(sum(prizes[taken]), len(entries))
        for number, entry in enumerate(sorted(entries)):
            each[entry] = share + (number < rest)
            others[entry] = tuple(_nonempty_gifts(gifts[taken]))
    return PrizeShares(each, others, sum(prizes) - sum(each.values()))


def best_entry_places(
    places: Mapping[EntryId, tuple[int, int]], first: Mapping[EntryId, EntryId]
) -> dict[EntryId, tuple[int, int]]:
    """`places` with the best entry of each person alone: one prize per person. Whoever stood behind the others moves up.

    `first`: by each entry that was bought back the first one of the same person.

    >>> best_entry_places({EntryId(1): (1, 1), EntryId(2): (2, 2), EntryId(3): (3, 3)}, {EntryId(2): EntryId(1)})
    {1: (1, 1), 3: (2, 2)}
    """
    taken: set[EntryId] = set()
    out: set[EntryId] = set()
    for entry in sorted(places, key=lambda entry: (*places[entry], entry)):
        person = first.get(entry, entry)
        if person in taken:
            out.add(entry)
        taken.add(person)
    return places_without(places, out)


def _nonempty_gifts(gifts: Iterable[str]) -> Iterable[str]:
    return (gift for gift in gifts if gift)


def _unit_in_coins(section: SectionPrizes, digits: int) -> int:
    """In coins, at least one."""
    return max(1, to_coins(section.unit, digits))


def _round_down(amount: Fraction, unit: int) -> int:
    return int(amount // unit) * unit
