"""Numbers as they are printed, so that what stands on a page can be computed again from what stands on it.

A number is rounded once, from what was computed, and shown with so many digits that the line it ends adds up to its last
digit from the numbers printed before it. Which digits these are is found by trying (`matches_printed`).
"""

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from rating.selectors.shown import number_text

MIN_DIGITS = 2  # digits of a rating, wherever it stands alone
MAX_DIGITS = 15
# A line counts as adding up if it stays this far from the middle between two last digits: no rounding rule matters then.
_MARGIN = 0.4999


def round_printed(value: float, digits: int) -> Decimal:
    """``value`` rounded to ``digits``; with two, where nothing is lost by it."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value)
        for few in {min(MIN_DIGITS, digits), digits}:
            rounded = exact.quantize(Decimal(1).scaleb(-few), ROUND_HALF_EVEN)
            if few == digits or rounded == exact:
                return rounded + 0 if rounded else abs(rounded)  # nothing has no sign
    raise AssertionError


def exact_decimal(value: float) -> Decimal:
    """A number that somebody has set or that is a plain fraction: all its digits."""
    return Decimal(int(value)) if value == int(value) else Decimal(f"{Decimal(repr(value)):f}")


def format_number(number: Decimal) -> str:
    """With the language's decimal mark, and a minus that is one."""
    digits = max(0, -int(number.as_tuple().exponent))
    shown = number_text(abs(float(number)), digits) if digits <= MAX_DIGITS else f"{abs(number):f}"
    return f"\N{MINUS SIGN}{shown}" if number < 0 else shown


def format_signed(number: Decimal) -> str:
    """A change with its sign; none for nothing."""
    return f"+{format_number(number)}" if number > 0 else format_number(number)


def decimal_places(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def matches_printed(computed: float, number: Decimal) -> bool:
    """Whether what was ``computed`` from printed numbers is the printed ``number`` to its last digit."""
    if not math.isfinite(computed):
        return False
    return abs(Decimal(computed) - number) < Decimal(_MARGIN).scaleb(-decimal_places(number))


@dataclass(frozen=True, slots=True)
class PrintedSum:
    """Before, change and after of one player: what is printed adds up."""

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
        """“1536.4575 + 3.204”."""
        sign = "\N{MINUS SIGN}" if self.change < 0 else "+"
        return f"{format_number(self.before)} {sign} {format_number(abs(self.change))}"


def build_sum(before: float, after: float) -> PrintedSum:
    """With the fewest digits that add up; what comes out has two, as everywhere."""
    change = after - before
    for end in range(MIN_DIGITS, MAX_DIGITS):
        for digits in range(end, MAX_DIGITS):
            found = PrintedSum(
                round_printed(before, digits), round_printed(change, digits), round_printed(after, end)
            )
            if found.is_consistent:
                return found
    return PrintedSum(exact_decimal(before), exact_decimal(change), exact_decimal(after))


def round_to_match(value: float, computed: float, digits: int, fewest: int = MIN_DIGITS) -> Decimal | None:
    """``value`` as it is printed with the most digits, ``digits`` or fewer, to which it is what was ``computed``."""
    for few in range(digits, fewest - 1, -1):
        number = round_printed(value, few)
        if matches_printed(computed, number):
            return number
    return None
