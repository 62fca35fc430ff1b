"""Currencies (CLDR, ISO 4217): their codes, decimals and names, and amounts formatted for a reader."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final

from babel import Locale
from babel.core import get_global
from babel.numbers import format_currency, format_decimal, get_currency_precision
from django.utils.translation import get_language

DEFAULT_DECIMALS: Final = 2  # of amounts without a currency
_MISSING_SPACE: Final = re.compile(r"(?<=[A-Za-z])(?=[0-9])")  # CHF300: separates code and amount


@cache
def currency_codes() -> tuple[str, ...]:
    """Return the codes of all currencies in use today, about 150."""
    currencies: Mapping[str, list[tuple[str, object, object, bool]]] = get_global("territory_currencies")
    return tuple(
        sorted(
            {
                code
                for rows in currencies.values()
                for code, _since, until, is_tender in rows
                if is_tender and not until
            }
        )
    )


def currency_decimals(currency: str) -> int:
    """Return how many decimals an amount has: 2 for EUR and without a currency, 0 for JPY, 3 for KWD."""
    return int(get_currency_precision(currency)) if currency else DEFAULT_DECIMALS


def currency_name(currency: str) -> str:
    """Return the name of a currency, such as “Euro”, in the active language; the code if it has no name."""
    return str(_locale().currencies.get(currency, currency))


def format_money(amount: Decimal, currency: str, *, omit_zeros: bool = False) -> str:
    """Return an amount, such as “€1,250.00”, formatted for the active language.

    ``omit_zeros``: without decimals if all of them are zero.
    """
    locale = _locale()
    omit_zeros = omit_zeros and amount == int(amount)
    if not currency:
        return format_decimal(amount, "#,##0" if omit_zeros else "#,##0.00", locale=locale)
    if not omit_zeros:
        return _MISSING_SPACE.sub("\N{NO-BREAK SPACE}", format_currency(amount, currency, locale=locale))
    pattern = locale.currency_formats["standard"].pattern.replace(".00", "")
    text = format_currency(amount, currency, pattern, locale=locale, currency_digits=False)
    return _MISSING_SPACE.sub("\N{NO-BREAK SPACE}", text)


def format_number(number: Decimal, digits: int = 0) -> str:
    """Return a number formatted for the active language, with at least ``digits`` decimals.

    Without thousands separators; further decimals that are not zero stay, up to six.
    """
    pattern = f"0.{'0' * digits:#<6}"
    return str(format_decimal(number, pattern, locale=_locale()))


def format_percentage(share: Decimal) -> str:
    """Return a percentage, such as “12.5%” for 12.5, formatted for the active language."""
    pattern = _locale().percent_formats[None].pattern
    return str(pattern).replace("#,##0", format_number(share))


def _locale() -> Locale:
    return _parse_locale(get_language() or "en")


@lru_cache(maxsize=32)
def _parse_locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")
