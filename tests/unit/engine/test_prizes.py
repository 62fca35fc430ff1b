"""Prizes: pools that are split to the last coin, shared places, and what may be set."""

from decimal import Decimal

import pytest

from tournaments.engine.errors import BadInput
from tournaments.engine.standings.payout import prize_lists, share_prizes, split_pool
from tournaments.engine.standings.prizes import (
    SPLITS,
    Prize,
    PrizePlan,
    PrizeUnit,
    SectionPrizes,
    check_first_prizes,
    check_prizes,
    prizes_from_amounts,
)
from tournaments.engine.types import EntryId


def per_cent(*shares, **more):
    places = tuple(Prize(Decimal(str(share))) for share in shares)
    return SectionPrizes(way=PrizeUnit.PER_CENT, places=places, **more)


def decimals(*values):
    return tuple(Decimal(str(value)) for value in values)


@pytest.mark.parametrize(
    ("pool", "shares", "unit", "expected"),
    [
        (214_000, (50, 30, 20), 1_000, (108_000, 64_000, 42_000)),  # what is below 10 goes to the first
        (100, (33.33, 33.33, 33.33), 1, (33, 33, 33)),  # 99.99 per cent of a euro
        (100_01, (50, 30, 20), 1_00, (50_01, 30_00, 20_00)),  # the pool itself is no whole unit
        (333_00, (50, 30), 10_00, (170_00, 90_00)),  # 80 per cent: 266.40, rounded down to 260
        (1_000, (0, 60, 40), 300, (0, 700, 300)),  # the first that has a share
        (5, (60, 40), 100, (5, 0)),
        (0, (60, 40), 1, (0, 0)),
        (1_000, (0, 0), 1, (0, 0)),
        (1_000, (), 1, ()),
    ],
)
def test_pool_when_split_then_rounded_down_and_the_first_gets_what_is_left(pool, shares, unit, expected):
    assert split_pool(pool, decimals(*shares), unit) == expected


def test_pool_when_a_share_is_below_nothing_or_all_above_a_hundred_then_it_is_refused():
    for pool, shares in ((100, (-1, 50)), (100, (60, 41)), (-1, (50,))):
        with pytest.raises(BadInput):
            split_pool(pool, decimals(*shares), 1)


def test_usual_splits_are_of_the_whole_pool_and_never_rise():
    for split in SPLITS:
        assert sum(split) == 100
        assert list(split) == sorted(split, reverse=True)


def test_lists_when_parts_share_the_pool_of_their_division_then_nothing_of_it_is_lost():
    main = per_cent(60, 40, part=Decimal(70), unit=Decimal(10))
    consolation = per_cent(50, 30, section="consolation", part=Decimal(30), unit=Decimal(5))
    first, second = prize_lists(Decimal("2141.50"), [main, consolation], 2)
    assert (first.pool, second.pool) == (150_150, 64_000)  # to whole tens, and the rest to the first part
    assert first.money == (901_50, 600_00)
    assert (second.money, second.left_over) == ((320_00, 190_00), 130_00)


def test_list_when_nobody_said_how_much_there_is_then_per_cent_have_no_amount_and_amounts_no_rest():
    open_, fixed = prize_lists(
        None, [per_cent(60, 40, part=Decimal(70)), *prizes_from_amounts((300, 150))], 2
    )
    assert (open_.money, open_.left_over, open_.total) == (None, None, 0)
    assert (fixed.money, fixed.left_over, fixed.total) == ((300_00, 150_00), None, 450_00)


def test_list_when_prizes_are_more_than_the_pool_then_that_is_told():
    (one,) = prize_lists(None, [SectionPrizes(places=(Prize(Decimal(300)),), pool=Decimal(250))], 0)
    assert one.left_over == -50


def test_list_when_the_currency_has_no_cents_then_whole_amounts_are_split():
    (one,) = prize_lists(None, [per_cent(50, 30, 20, pool=Decimal(10_007), unit=Decimal("0.01"))], 0)
    assert one.money == (5_004, 3_002, 2_001)  # 5003.5, 3002.1, 2001.4: the rest goes to the first
    assert sum(one.money) == 10_007


def test_shared_places_share_their_prizes_to_the_coin_and_odd_ones_go_to_who_was_entered_first():
    places = {EntryId(1): (1, 1), EntryId(9): (2, 4), EntryId(5): (2, 4), EntryId(7): (2, 4)}
    shares = share_prizes([50_000, 30_000, 15_001, 1], places, ["Cup", "", "Medal", ""])
    assert shares.each == {1: 50_000, 5: 15_001, 7: 15_001, 9: 15_000}
    assert sum(shares.each.values()) == 95_002
    assert shares.unpaid == 0
    assert shares.gifts == {1: ("Cup",), 5: ("Medal",), 7: ("Medal",), 9: ("Medal",)}
    assert share_prizes([], places).each == dict.fromkeys((1, 5, 7, 9), 0)


def test_places_that_nobody_took_are_unpaid_and_their_prizes_go_to_nobody_else():
    shares = share_prizes([100, 60, 40, 40], {EntryId(1): (1, 1), EntryId(3): (3, 4)})
    assert shares.each == {1: 100, 3: 40}
    assert shares.unpaid == 100


@pytest.mark.parametrize(
    ("prizes", "places", "code"),
    [
        ([-1], {1: (1, 1)}, "prizes.negative"),
        ([100], {1: (1, 2), 2: (1, 2), 3: (1, 2)}, "prizes.places_open"),
    ],
)
def test_prizes_when_below_nothing_or_a_place_is_full_then_they_are_not_shared(prizes, places, code):
    with pytest.raises(BadInput) as refused:
        share_prizes(prizes, places)
    assert refused.value.code == code


def test_plan_when_everything_is_wrong_then_every_fault_is_at_its_field():
    main = SectionPrizes(
        places=(Prize(Decimal("0.005")), Prize(Decimal(10**9 + 1), "x" * 81), Prize(Decimal("NaN"))),
        pool=Decimal("1.234"),
        part=Decimal(60),
        unit=Decimal(3),
    )
    other = per_cent(60, 40.5, "33.3333", section="consolation", part=Decimal(41))
    plan = PrizePlan(
        pools={4: Decimal(-1)}, stages={7: (main, other), 8: (SectionPrizes(places=(Prize(),) * 65),)}
    )
    found = {(fault.code, fault.field) for fault in check_prizes(plan, {4: [7, 8]}, 2)}
    assert found == {
        ("prizes.amount_odd", "pools.4"),
        ("prizes.amount_fine", "stages.7.main.places.0.value"),
        ("prizes.amount_odd", "stages.7.main.places.1.value"),
        ("prizes.gift_long", "stages.7.main.places.1.gift"),
        ("prizes.amount_odd", "stages.7.main.places.2.value"),
        ("prizes.amount_fine", "stages.7.main.pool"),
        ("prizes.pool_twice", "stages.7.main.pool"),
        ("prizes.unit_unknown", "stages.7.main.unit"),
        ("prizes.per_cent_odd", "stages.7.consolation.places.2.value"),
        ("prizes.shares_over", "stages.7.consolation.places"),
        ("prizes.parts_over", "pools.4"),
        ("prizes.too_many", "stages.8.main.places"),
    }
    assert check_prizes(PrizePlan(stages={7: (per_cent(60, 40, part=Decimal(100)),)}), {4: [7]}, 2) == ()


def test_prizes_of_a_new_stage_when_odd_then_one_fault_says_so():
    for amounts in ((100, -1), (1,) * 65, (10**9 + 1,)):
        assert [fault.code for fault in check_first_prizes(prizes_from_amounts(amounts))] == ["prizes.odd"]
    assert check_first_prizes(prizes_from_amounts((300, 0, 10**9))) == ()
