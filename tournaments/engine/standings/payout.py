"""Amounts of prizes: pools are split to the last coin, and prizes of shared places are divided.

All amounts are whole numbers of the smallest coin (cents of EUR, yen of JPY). Nothing is lost: remainders go
where a rule says, and unpaid money is reported.

- A pool in per cent: each place gets its per cent rounded down to the unit. With 100 per cent the first place
  gets all that is left of the pool; with fewer the prizes together are that part of the pool, rounded down to
  the unit, and the first gets what is left of it.
- Shared places: their prizes are added up and divided equally; remaining coins go one each to those who were
  entered first.
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
    """The amounts of a section's prizes, in coins.

    `money`: amounts, first place first; None if prizes in per cent have no pool. `pool`: the section's pool,
    None if none is set.
    """

    prizes: SectionPrizes
    money: tuple[int, ...] | None
    pool: int | None

    @property
    def total(self) -> int:
        return sum(self.money or ())

    @property
    def left_over(self) -> int | None:
        """Coins of the pool that no prize uses; negative if the prizes exceed the pool.

        None without a pool.
        """
        return None if self.pool is None or self.money is None else self.pool - self.total

    @property
    def gifts(self) -> tuple[str, ...]:
        return tuple(prize.gift for prize in self.prizes.places)


@dataclass(frozen=True, slots=True)
class PrizeShares:
    """What each entry gets.

    `each`: coins by entry; `gifts`: gifts by entry; `unpaid`: coins of places that no entry took.
    """

    each: Mapping[EntryId, int]
    gifts: Mapping[EntryId, tuple[str, ...]]
    unpaid: int


def to_coins(amount: Decimal, digits: int) -> int:
    """Return an amount of money in the smallest coin of its currency; smaller fractions are cut off.

    `digits`: decimals of the currency.

    >>> to_coins(Decimal("12.50"), 2)
    1250
    """
    return int(amount.scaleb(digits))


def from_coins(coins: int, digits: int) -> Decimal:
    """Return coins as an amount of money; `digits`: decimals of the currency.

    >>> from_coins(1250, 2)
    Decimal('12.50')
    """
    return Decimal(coins).scaleb(-digits)


def split_pool(pool: int, shares: Sequence[Decimal], unit: int) -> tuple[int, ...]:
    """Return the amounts into which a pool is split by `shares` in per cent, in whole `unit`s.

    All amounts are in coins. The remainder goes to the first non-zero share. Raises `BadInput` for a negative
    pool or share, or more than 100 per cent.

    >>> split_pool(2140, [Decimal(50), Decimal(30), Decimal(20)], 50)
    (1140, 600, 400)
    """
    if pool < 0 or any(share < 0 for share in shares) or sum(shares) > HUNDRED_PER_CENT:
        raise BadInput("prizes.negative")
    amounts = [_round_down(pool * Fraction(share) / 100, unit) for share in shares]
    if not any(shares):
        return tuple(amounts)
    share_sum = sum(map(Fraction, shares), Fraction(0))
    target = pool if share_sum == HUNDRED_PER_CENT else _round_down(pool * share_sum / 100, unit)
    first = next(index for index, share in enumerate(shares) if share)
    amounts[first] += target - sum(amounts)
    return tuple(amounts)


def prize_lists(
    pool: Decimal | None, sections: Sequence[SectionPrizes], digits: int
) -> tuple[PrizeList, ...]:
    """Return the prize list of each section of a division.

    `pool`: the division's pool, of which sections take a part; `digits`: decimals of the currency. Parts are
    rounded down to the largest unit among them; with 100 per cent the first part gets what is left.
    """
    pool_sections = [section for section in sections if section.part is not None]
    unit = max((_unit_in_coins(section, digits) for section in pool_sections), default=1)
    parts: dict[int, int] = {}
    if pool is not None:
        shares = [section.part or Decimal(0) for section in pool_sections]
        amounts = split_pool(to_coins(pool, digits), shares, unit)
        parts = {id(section): amount for section, amount in zip(pool_sections, amounts, strict=True)}
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
    """Return what each entry gets of `prizes` (in coins) and `gifts`, both first place first.

    `places`: the places that each entry shares in the final table, as (first, last). If there are fewer
    entries than places (a match without a winner), the best prizes are shared and the others stay unpaid.
    Raises `BadInput` if there are more.

    >>> share_prizes([100, 50, 25], {EntryId(1): (1, 1), EntryId(2): (2, 3), EntryId(3): (2, 3)}).each
    {1: 100, 2: 38, 3: 37}
    """
    if any(prize < 0 for prize in prizes):
        raise BadInput("prizes.negative")
    entries_by_place: dict[tuple[int, int], list[EntryId]] = {}
    for entry, place in places.items():
        entries_by_place.setdefault(place, []).append(entry)
    amount_by_entry: dict[EntryId, int] = {}
    gifts_by_entry: dict[EntryId, tuple[str, ...]] = {}
    for (first, last), entries in entries_by_place.items():
        if len(entries) > last - first + 1:
            raise BadInput("prizes.places_open", first=first, last=last)
        place_slice = slice(first - 1, first - 1 + len(entries))
        share, remainder = divmod(sum(prizes[place_slice]), len(entries))
        for number, entry in enumerate(sorted(entries)):
            amount_by_entry[entry] = share + (number < remainder)
            gifts_by_entry[entry] = tuple(_nonempty_gifts(gifts[place_slice]))
    return PrizeShares(amount_by_entry, gifts_by_entry, sum(prizes) - sum(amount_by_entry.values()))


def best_entry_places(
    places: Mapping[EntryId, tuple[int, int]], first_entry: Mapping[EntryId, EntryId]
) -> dict[EntryId, tuple[int, int]]:
    """Return the places with only the best entry of each person (one prize per person); others move up.

    `first_entry`: for each re-entry the first entry of the same person.

    >>> best_entry_places({EntryId(1): (1, 1), EntryId(2): (2, 2), EntryId(3): (3, 3)}, {EntryId(2): EntryId(1)})
    {1: (1, 1), 3: (2, 2)}
    """
    placed_people: set[EntryId] = set()
    excluded: set[EntryId] = set()
    for entry in sorted(places, key=lambda entry: (*places[entry], entry)):
        person = first_entry.get(entry, entry)
        if person in placed_people:
            excluded.add(entry)
        placed_people.add(person)
    return places_without(places, excluded)


def _nonempty_gifts(gifts: Iterable[str]) -> Iterable[str]:
    return (gift for gift in gifts if gift)


def _unit_in_coins(section: SectionPrizes, digits: int) -> int:
    """Return the unit to which a section's prizes are rounded, in coins, at least 1."""
    return max(1, to_coins(section.unit, digits))


def _round_down(amount: Fraction, unit: int) -> int:
    return int(amount // unit) * unit
