"""Numbers as they are printed, so that what stands on a page can be computed again from what stands on it.

A number is rounded once, from what was computed, and shown with so many digits that the line it ends adds up to its last
digit from the numbers printed before it. Which digits these are is found by trying (`adds_up`).
"""

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from rating.selectors.shown import number_text

SHOWN = 2  # digits of a rating, wherever it stands alone
FINEST = 15
# A line counts as adding up if it stays this far from the middle between two last digits: no rounding rule matters then.
_MARGIN = 0.4999


def printed(value: float, digits: int) -> Decimal:
    """``value`` rounded to ``digits``; with two, where nothing is lost by it."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value)
        for few in {min(SHOWN, digits), digits}:
            rounded = exact.quantize(Decimal(1).scaleb(-few), ROUND_HALF_EVEN)
            if few == digits or rounded == exact:
                return rounded + 0 if rounded else abs(rounded)  # nothing has no sign
    raise AssertionError


def given(value: float) -> Decimal:
    """A number that somebody has set or that is a plain fraction: all its digits."""
    return Decimal(int(value)) if value == int(value) else Decimal(f"{Decimal(repr(value)):f}")


def text(number: Decimal) -> str:
    """With the language's decimal mark, and a minus that is one."""
    digits = max(0, -int(number.as_tuple().exponent))
    shown = number_text(abs(float(number)), digits) if digits <= FINEST else f"{abs(number):f}"
    return f"\N{MINUS SIGN}{shown}" if number < 0 else shown


def signed(number: Decimal) -> str:
    """A change with its sign; none for nothing."""
    return f"+{text(number)}" if number > 0 else text(number)


def digits_of(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def adds_up(computed: float, number: Decimal) -> bool:
    """Whether what was ``computed`` from printed numbers is the printed ``number`` to its last digit."""
    if not math.isfinite(computed):
        return False
    return abs(Decimal(computed) - number) < Decimal(_MARGIN).scaleb(-digits_of(number))


@dataclass(frozen=True, slots=True)
class Sum:
    """Before, change and after of one player: what is printed adds up."""

    before: Decimal
    change: Decimal
    after: Decimal

    @property
    def holds(self) -> bool:
        return adds_up(float(self.before + self.change), self.after)

    @property
    def before_text(self) -> str:
        return text(self.before)

    @property
    def change_text(self) -> str:
        return signed(self.change)

    @property
    def after_text(self) -> str:
        return text(self.after)

    @property
    def text(self) -> str:
        """“1536.4575 + 3.204”."""
        sign = "\N{MINUS SIGN}" if self.change < 0 else "+"
        return f"{text(self.before)} {sign} {text(abs(self.change))}"


def sum_of(before: float, after: float) -> Sum:
    """With the fewest digits that add up; what comes out has two, as everywhere."""
    change = after - before
    for end in range(SHOWN, FINEST):
        for digits in range(end, FINEST):
            found = Sum(printed(before, digits), printed(change, digits), printed(after, end))
            if found.holds:
                return found
    return Sum(given(before), given(change), given(after))


def holding(value: float, computed: float, digits: int, fewest: int = SHOWN) -> Decimal | None:
    """``value`` as it is printed with the most digits, ``digits`` or fewer, to which it is what was ``computed``."""
    for few in range(digits, fewest - 1, -1):
        number = printed(value, few)
        if adds_up(computed, number):
            return number
    return None
