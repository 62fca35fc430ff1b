"""Prizes as set by a director: for each section of a stage, in money or in per cent of a pool.

Numbers are exact decimals. Amounts are in the currency of the event with at most its number of decimals
(`digits`: 2 for EUR, 0 for JPY); `engine.standings.payout` computes the payments. Prizes affect nothing else,
so they may be set before the draw, during play and after the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.leaving import WithdrawnRights

MAX_PRIZES: Final = 64
MAX_PRIZE: Final = 10**9
MAX_GIFT_LENGTH: Final = 80
PER_CENT_DIGITS: Final = 3
MAX_CURRENCY_DIGITS: Final = 3  # no currency has more decimals
HUNDRED_PER_CENT: Final = Decimal(100)
ZERO: Final = Decimal(0)
WHOLE_UNIT: Final = Decimal(1)
# Units to which prizes in per cent are rounded down; the rest of the pool goes to the first place.
UNITS: Final = tuple(map(Decimal, ("0.01", "0.10", "0.50", "1", "5", "10", "50", "100")))
# Common splits of a pool, in per cent from the first place on.
SPLITS: Final = tuple(
    tuple(Decimal(share) for share in split)
    for split in (
        (100,),
        (60, 40),
        (50, 30, 20),
        (40, 25, 20, 15),
        (50, 25, Decimal("12.5"), Decimal("12.5")),
        (40, 24, 12, 12, 3, 3, 3, 3),
    )
)


class PrizeUnit(StrEnum):
    """What the number for a place means: an amount of money, or a percentage of the pool."""

    AMOUNTS = "amounts"
    PER_CENT = "per_cent"


@dataclass(frozen=True, slots=True)
class Prize:
    """The prize of one place.

    `value`: an amount or a percentage, by the `way` of its section; `gift`: a prize beside money, such as a
    trophy.
    """

    value: Decimal = ZERO
    gift: str = ""


@dataclass(frozen=True, slots=True)
class SectionPrizes:
    """Prizes of one section of a stage, first place first; in a stage with groups, of each group.

    `section`: its code in the bracket (`main`, `consolation`…); `main` for a table. `way`: what the numbers
    mean. `pool`: its amount, or `part`: per cent of the division's pool; without both, prizes in per cent
    have no amount yet. `unit`: what prizes in per cent are rounded down to.
    """

    section: str = MAIN
    way: PrizeUnit = PrizeUnit.AMOUNTS
    places: tuple[Prize, ...] = ()
    pool: Decimal | None = None
    part: Decimal | None = None
    unit: Decimal = WHOLE_UNIT

    @property
    def is_empty(self) -> bool:
        return not self.places and self.pool is None and self.part is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan:
    """All prizes of an event.

    `currency`: ISO 4217, empty for none; `pools`: amounts by division id; `stages`: prizes by stage id.
    `withdrawn`: what withdrawn players keep, by division id; divisions that are not named remain unchanged.
    """

    currency: str = ""
    pools: Mapping[int, Decimal] = field(default_factory=dict)
    stages: Mapping[int, tuple[SectionPrizes, ...]] = field(default_factory=dict)
    withdrawn: Mapping[int, WithdrawnRights] = field(default_factory=dict)


def prizes_from_amounts(amounts: Sequence[int]) -> tuple[SectionPrizes, ...]:
    """Return the prizes of a stage from whole amounts of money for its main section, first place first."""
    places = tuple(Prize(Decimal(amount)) for amount in amounts)
    return (SectionPrizes(places=places),) if places else ()


def check_first_prizes(prizes: tuple[SectionPrizes, ...]) -> tuple[Fault, ...]:
    """Return one error if the prizes of a new stage are not valid: too many, or an amount out of range."""
    if check_prizes(PrizePlan(stages={0: prizes}), {}, MAX_CURRENCY_DIGITS):
        return (Fault("prizes.odd", "prizes", {"limit": MAX_PRIZES, "largest": MAX_PRIZE}),)
    return ()


def check_prizes(plan: PrizePlan, divisions: Mapping[int, Sequence[int]], digits: int) -> tuple[Fault, ...]:
    """Return all errors in the numbers and texts of a plan; empty if it is valid.

    `divisions`: the stage ids of each division; `digits`: decimals of the currency. Errors are at fields such
    as `pools.4`, `stages.7.consolation.places.0.value` (or `.gift`).
    """
    faults = [
        fault
        for division, pool in plan.pools.items()
        for fault in _amount_faults(f"pools.{division}", pool, digits)
    ]
    for stage, sections in plan.stages.items():
        for section in sections:
            faults += _section_faults(f"stages.{stage}.{section.section}", section, digits)
    for division, stages in divisions.items():
        division_sections = [section for stage in stages for section in plan.stages.get(stage, ())]
        parts = sum((section.part or ZERO for section in division_sections), ZERO)
        if parts > HUNDRED_PER_CENT:
            faults.append(Fault("prizes.parts_over", f"pools.{division}", {"sum": _format_decimal(parts)}))
    return tuple(faults)


def _section_faults(path: str, section: SectionPrizes, digits: int) -> list[Fault]:
    faults: list[Fault] = []
    if section.pool is not None:
        faults += _amount_faults(f"{path}.pool", section.pool, digits)
    if section.part is not None:
        faults += _per_cent_faults(f"{path}.pool", section.part)
        if section.pool is not None:
            faults.append(Fault("prizes.pool_twice", f"{path}.pool"))
    if section.unit not in UNITS:
        allowed = ", ".join(map(str, UNITS))
        faults.append(Fault("prizes.unit_unknown", f"{path}.unit", {"allowed": allowed}))
    if len(section.places) > MAX_PRIZES:
        faults.append(Fault("prizes.too_many", f"{path}.places", {"limit": MAX_PRIZES}))
    in_amounts = section.way is PrizeUnit.AMOUNTS
    for number, prize in enumerate(section.places):
        place_path = f"{path}.places.{number}"
        value = f"{place_path}.value"
        faults += (
            _amount_faults(value, prize.value, digits) if in_amounts else _per_cent_faults(value, prize.value)
        )
        if len(prize.gift) > MAX_GIFT_LENGTH:
            faults.append(Fault("prizes.gift_long", f"{place_path}.gift", {"limit": MAX_GIFT_LENGTH}))
    shares = sum((prize.value for prize in section.places if prize.value.is_finite()), ZERO)
    if not in_amounts and shares > HUNDRED_PER_CENT:
        faults.append(Fault("prizes.shares_over", f"{path}.places", {"sum": _format_decimal(shares)}))
    return faults


def _amount_faults(path: str, value: Decimal, digits: int) -> list[Fault]:
    if not value.is_finite() or not 0 <= value <= MAX_PRIZE:
        return [Fault("prizes.amount_odd", path, {"largest": MAX_PRIZE})]
    if value != round(value, digits):
        return [Fault("prizes.amount_fine", path, {"digits": digits})]
    return []


def _per_cent_faults(path: str, value: Decimal) -> list[Fault]:
    if value.is_finite() and 0 <= value <= HUNDRED_PER_CENT and value == round(value, PER_CENT_DIGITS):
        return []
    return [Fault("prizes.per_cent_odd", path, {"digits": PER_CENT_DIGITS})]


def _format_decimal(value: Decimal) -> str:
    """Return a decimal as text without trailing zeros.

    >>> _format_decimal(Decimal("100.50")), _format_decimal(Decimal("200"))
    ('100.5', '200')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
