"""Printed numbers from which the results on the same page can be computed again.

A number is rounded once, from the computed value, and shown with so many digits that the line it ends adds up
to its last digit from the numbers printed before it. These digits are found by trying (``matches_printed``).
"""

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from rating.selectors.shown import number_text

MIN_DIGITS = 2  # of a rating, wherever it is printed alone
MAX_DIGITS = 15
# A line counts as adding up if it stays this far from a rounding boundary: no rounding rule matters then.
_MARGIN = 0.4999


def round_printed(value: float, digits: int) -> Decimal:
    """Return ``value`` rounded to ``digits`` decimals, or to two if that loses nothing."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value)
        for decimals in {min(MIN_DIGITS, digits), digits}:
            rounded = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
            if decimals == digits or rounded == exact:
                return rounded + 0 if rounded else abs(rounded)  # zero has no sign
    raise AssertionError


def exact_decimal(value: float) -> Decimal:
    """Return ``value``, a setting or a plain fraction, with all its digits."""
    return Decimal(int(value)) if value == int(value) else Decimal(f"{Decimal(repr(value)):f}")


def format_number(number: Decimal) -> str:
    """Return the number as text with the active language's decimal mark and a real minus sign."""
    digits = max(0, -int(number.as_tuple().exponent))
    digits_text = number_text(abs(float(number)), digits) if digits <= MAX_DIGITS else f"{abs(number):f}"
    return f"\N{MINUS SIGN}{digits_text}" if number < 0 else digits_text


def format_signed(number: Decimal) -> str:
    """Return a change as text with its sign; no sign for zero."""
    return f"+{format_number(number)}" if number > 0 else format_number(number)


def decimal_places(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def matches_printed(computed: float, number: Decimal) -> bool:
    """Return whether ``computed``, from printed numbers, agrees with ``number`` in all printed digits."""
    if not math.isfinite(computed):
        return False
    return abs(Decimal(computed) - number) < Decimal(_MARGIN).scaleb(-decimal_places(number))


@dataclass(frozen=True, slots=True)
class PrintedSum:
    """A player's rating before, the change and the rating after, as printed."""

    before: Decimal
    change: Decimal
    after: Decimal

    @property
    def is_consistent(self) -> bool:
        return matches_printed(float(self.before + self.change), self.after)

    @property
    def before_text(self) -> str:
        return format_number(self.before)

    @property
    def change_text(self) -> str:
        return format_signed(self.change)

    @property
    def after_text(self) -> str:
        return format_number(self.after)

    @property
    def text(self) -> str:
        """Return the sum as text, such as “1536.4575 + 3.204”."""
        sign = "\N{MINUS SIGN}" if self.change < 0 else "+"
        return f"{format_number(self.before)} {sign} {format_number(abs(self.change))}"


def build_sum(before: float, after: float) -> PrintedSum:
    """Return a rating, its change and the new rating with the fewest digits with which they add up.

    The new rating has two digits if possible, as everywhere.
    """
    change = after - before
    for end_digits in range(MIN_DIGITS, MAX_DIGITS):
        for digits in range(end_digits, MAX_DIGITS):
            printed_sum = PrintedSum(
                round_printed(before, digits), round_printed(change, digits), round_printed(after, end_digits)
            )
            if printed_sum.is_consistent:
                return printed_sum
    return PrintedSum(exact_decimal(before), exact_decimal(change), exact_decimal(after))


def round_to_match(value: float, computed: float, digits: int, fewest: int = MIN_DIGITS) -> Decimal | None:
    """Return ``value`` with as many decimals as possible so that ``computed`` agrees with it when printed.

    Tried are ``digits`` down to ``fewest`` decimals; None if none of them fits.
    """
    for decimals in range(digits, fewest - 1, -1):
        number = round_printed(value, decimals)
        if matches_printed(computed, number):
            return number
    return None
