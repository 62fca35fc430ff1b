"""Limits of divisions by rating, and what lists say in columns that an event asks: pure."""

from datetime import date

import pytest

from people.countries import countries
from tournaments.engine.columns import CustomField, CustomFieldKind
from tournaments.engine.limits import (
    DivisionProposal,
    LimitComparison,
    LimitStanding,
    LimitVerdict,
    Rating,
    RatingLimit,
    check_rating_limit,
    limit_verdict,
    propose_division,
)
from tournaments.engine.lists.asked import parse_last_day
from tournaments.engine.lists.reader import parse_list
from tournaments.engine.lists.words import ColumnRole

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("rating", "fit"),
    [
        (1199.9, LimitComparison.BELOW),
        (1200, LimitComparison.INSIDE),
        (1500, LimitComparison.INSIDE),
        (1500.5, LimitComparison.ABOVE),
    ],
)
def test_rating_at_the_ends_of_a_limit_is_inside(rating, fit):
    assert limit_verdict(RatingLimit("USBGF", 1200, 1500), Rating(rating), TODAY) == LimitVerdict(
        fit, Rating(rating)
    )


def test_rating_of_a_year_ago_counts_and_is_old_the_day_after():
    limit = RatingLimit("USBGF", most=1500)
    assert not limit_verdict(limit, Rating(1400, date(2025, 11, 23)), TODAY).is_rating_old
    old = limit_verdict(limit, Rating(1400, date(2025, 11, 22)), TODAY)
    assert (old.fit, old.is_rating_old) == (LimitComparison.INSIDE, True)
    assert limit_verdict(limit, None, TODAY) == LimitVerdict(LimitComparison.UNKNOWN)


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        (("", None, None), []),
        (("USBGF", None, 1500.0), []),
        (("", 1200.0, None), ["division.limit_source_missing"]),
        (("USBGF", None, None), ["division.limit_empty"]),
        (("USBGF", 1500.0, 1200.0), ["division.limit_turned"]),
        (("USBGF", float("nan"), None), ["division.limit_odd"]),
        (("USBGF", None, float("inf")), ["division.limit_odd"]),
        (("x" * 61, None, 1.0), ["division.limit_source_long"]),
    ],
)
def test_limit_that_cannot_be_is_refused_at_its_field(given, codes):
    assert [fault.code for fault in check_rating_limit(*given)] == codes


def test_proposal_moves_nobody_whom_it_cannot_place():
    inside, above, unknown = (
        LimitVerdict(fit, Rating(1))
        for fit in (LimitComparison.INSIDE, LimitComparison.ABOVE, LimitComparison.UNKNOWN)
    )
    out, into = (
        LimitStanding(inside, there=False, can_change=True),
        LimitStanding(inside, there=True, can_change=True),
    )
    wrong, locked = (
        LimitStanding(above, there=True, can_change=True),
        LimitStanding(inside, there=False, can_change=False),
    )
    assert propose_division({1: out, 2: out}, [2, 1]) == DivisionProposal(target_division=2)
    assert propose_division({1: wrong, 2: into}, [1, 2]) == DivisionProposal(left_divisions=(1,))
    assert propose_division({1: wrong, 2: locked}, [1, 2]) == DivisionProposal()  # nowhere to go: they stay
    assert propose_division(
        {1: LimitStanding(unknown, there=False, can_change=True)}, [1]
    ) == DivisionProposal(is_rating_unknown=True)


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("2026-12-31", date(2026, 12, 31)),
        ("2026-12-31 00:00:00", date(2026, 12, 31)),
        ("31/12/2026", date(2026, 12, 31)),
        ("12/31/2026", date(2026, 12, 31)),
        ("3.4.2026", date(2026, 4, 3)),
        ("2/2026", date(2026, 2, 28)),
        ("3/4/2026", None),
        ("31.02.2026", None),
        ("for life", None),
        ("99", None),
    ],
)
def test_day_of_a_cell_is_read_where_it_can_be_one_day_alone(cell, day):
    assert parse_last_day(cell) == day


def test_columns_that_the_event_asks_are_known_by_their_heads_and_the_rest_is_a_note():
    own = [
        CustomField("Lunch", CustomFieldKind.CHOICE, ("Meat", "None"), pk=5),
        CustomField("Board", CustomFieldKind.TICK, pk=6),
        CustomField("Hotel room", pk=7),
    ]
    text = (
        "Name;USBGF #;USBGF valid until;lunch;BOARD;Hotel room;Shoe size\n"
        "Ann Abell;1870;31.12.2026;meat;x;12 b;40\n"
        "Bo Ek;;12/2026;fish;no;;41\n"
    )
    found = parse_list(text, countries(), own=own)
    ann, bo = found.people
    assert [one.role for one in found.columns][2:] == [
        *(ColumnRole.VALID_UNTIL, ColumnRole.CUSTOM, ColumnRole.CUSTOM, ColumnRole.CUSTOM),
        found.columns[6].role,
    ]
    assert (ann.numbers, ann.until) == ((("USBGF", "1870"),), (("USBGF", date(2026, 12, 31)),))
    assert dict(ann.own) == {5: "Meat", 6: "yes", 7: "12 b"}
    assert dict(bo.own) == {6: ""}
    assert "lunch: fish" in bo.note
    assert "USBGF valid until: 12/2026" in bo.note  # of no number
    without = parse_list(text, countries()).people[0]
    assert (without.own, "lunch: meat" in without.note) == ((), True)
