"""Prizes for any pool, split and ties: nothing is lost or made, and nobody gets less than somebody behind them."""

from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.standings.payout import prize_lists, share_prizes, split_pool
from tournaments.engine.standings.prizes import Prize, PrizeUnit, SectionPrizes
from tournaments.engine.types import EntryId

coins = st.integers(0, 10**9)
units = st.sampled_from([1, 5, 10, 100, 500, 10_000])


@st.composite
def shares(draw, whole=None):
    """Per cent with three decimals, never rising; together 100 if ``whole``."""
    cuts = sorted(draw(st.lists(st.integers(0, 100_000), max_size=8)))
    parts = [after - before for before, after in zip([0, *cuts], [*cuts, 100_000], strict=True)]
    if not (draw(st.booleans()) if whole is None else whole):
        parts = parts[:-1]
    return [Decimal(part) / 1000 for part in sorted(parts, reverse=True)]


@st.composite
def final_places(draw):
    """A final table: groups that share ranges, in any order of entries."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=8))
    ids = draw(st.permutations(range(1, sum(sizes) + 1)))
    places, first = {}, 1
    for size in sizes:
        for _one in range(size):
            places[EntryId(ids[len(places)])] = (first, first + size - 1)
        first += size
    return places


@given(coins, shares(), units)
def test_split_is_never_more_than_its_part_of_the_pool_and_all_of_a_whole_one(pool, split, unit):
    money = split_pool(pool, split, unit)
    together = sum(split, Decimal(0))
    assert len(money) == len(split)
    assert all(amount >= 0 for amount in money)
    assert sum(money) == pool if together == 100 else sum(money) <= pool * together / 100
    assert list(money) == sorted(money, reverse=True)
    assert all(amount % unit == 0 for amount in money[1:])
    for amount, share in list(zip(money, split, strict=True))[1:]:
        assert 0 <= pool * share / 100 - amount < unit


@given(st.lists(coins, max_size=40), final_places())
def test_shared_places_pay_out_every_coin_of_the_places_that_are_taken(prizes, places):
    shares_ = share_prizes(prizes, places)
    assert sum(shares_.each.values()) == sum(prizes[: len(places)])
    assert shares_.unpaid == sum(prizes[len(places) :])
    for one, place in places.items():
        for other, same in places.items():
            if place == same:
                assert abs(shares_.each[one] - shares_.each[other]) <= 1
                assert shares_.each[one] >= shares_.each[other] or one > other


@given(st.lists(coins, max_size=40), final_places(), st.data())
def test_nobody_gets_less_than_somebody_behind_them_where_prizes_never_rise(prizes, places, data):
    gone = data.draw(st.sets(st.sampled_from(sorted(places)))) if places else set()
    there = {entry: place for entry, place in places.items() if entry not in gone}
    found = share_prizes(sorted(prizes, reverse=True), there)
    order = sorted(there, key=lambda entry: there[entry])
    for better, worse in pairwise(order):
        if there[better] != there[worse]:
            assert found.each[better] >= found.each[worse]
    assert sum(found.each.values()) + found.unpaid == sum(prizes)


@given(coins, shares(whole=True), st.lists(shares(whole=True), min_size=9, max_size=9), final_places())
def test_all_parts_of_a_division_together_pay_out_its_pool(pool, parts, splits, places):
    sections = [
        SectionPrizes(
            way=PrizeUnit.PER_CENT,
            places=tuple(map(Prize, split)),
            part=part,
            unit=Decimal("0.50") * (1 + number),
        )
        for number, (part, split) in enumerate(zip(parts, splits, strict=False))
    ]
    lists = prize_lists(Decimal(pool).scaleb(-2), sections, 2)
    paid = 0
    for one in lists:
        found = share_prizes(one.money, places)
        paid += sum(found.each.values()) + found.unpaid
    assert paid == pool
