"""Numbers as directors type them into the table of prizes, and as readers of a language see them."""

from decimal import Decimal

import pytest
from django.utils.translation import override

from people.currencies import (
    currency_codes,
    currency_decimals,
    format_money,
    format_number,
    format_percentage,
)
from tournaments.prizes.web.sheet import parse_number


@pytest.mark.parametrize(
    ("text", "digits", "expected"),
    [
        ("300", 2, "300"),
        ("12.5", 2, "12.5"),
        ("12,50", 2, "12.50"),
        ("1,250", 2, "1250"),
        ("1.250", 2, "1250"),
        ("1.250", 3, "1.250"),  # of a currency with three decimals
        ("12.500", 0, "12.500"),  # per cent
        ("0.125", 2, "0.125"),
        ("1,250.50", 2, "1250.50"),
        ("1.250,50", 2, "1250.50"),
        ("1.250.000", 2, "1250000"),
        ("1 250 000,00", 2, "1250000.00"),
        ("1’250.50", 2, "1250.50"),
        ("€ 300,-", 2, "300"),
        ("£300", 2, "300"),
        ("1250.50", 2, "1250.50"),
    ],
)
def test_number_when_typed_as_people_do_then_it_is_read(text, digits, expected):
    assert parse_number(text, digits) == Decimal(expected)


@pytest.mark.parametrize(
    "text",
    ["ten", "-5", "1e3", "1.2.3", "1,25,000", "1.25,00.5", "1,2.3,4", ".", "5.", "∞", "½", "٣", "9" * 30],
)
def test_number_when_it_is_none_then_it_is_refused(text):
    with pytest.raises(ValueError, match=r".*"):
        parse_number(text, 2)


def test_number_when_shown_in_a_field_then_it_is_read_back_the_same():
    for language in ("en", "de"):
        with override(language):
            for value in ("0.01", "12.50", "1250", "1250000.5", "33.333"):
                assert parse_number(format_number(Decimal(value)), 2) == Decimal(value) or value == "33.333"
                assert parse_number(format_number(Decimal(value)), 0) == Decimal(value)


def test_money_when_written_then_as_the_language_does():
    amount = Decimal("1250.50")
    assert format_money(amount, "EUR") == "€1,250.50"
    assert format_money(Decimal(300), "EUR", omit_zeros=True) == "€300"
    assert format_money(amount, "CHF") == "CHF\N{NO-BREAK SPACE}1,250.50"
    assert format_money(Decimal(300), "JPY") == "¥300"
    assert format_money(amount, "", omit_zeros=True) == "1,250.50"
    assert format_percentage(Decimal("12.50")) == "12.5%"
    with override("de"):
        assert format_money(amount, "EUR") == "1.250,50\N{NO-BREAK SPACE}€"
        assert format_percentage(Decimal("12.5")) == "12,5\N{NO-BREAK SPACE}%"


def test_currencies_are_those_that_somebody_pays_with_and_know_their_smallest_coin():
    codes = currency_codes()
    assert {"EUR", "USD", "GBP", "DKK", "JPY", "TRY"} <= set(codes)
    assert not {"DEM", "XXX", "XTS"} & set(codes)
    assert [currency_decimals(code) for code in ("EUR", "JPY", "KWD", "")] == [2, 0, 3, 2]
    assert max(map(currency_decimals, codes)) == 3
