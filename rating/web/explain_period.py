"""The explanation of a Glicko-2 rating period in the paper's own steps, with printed numbers that add up.

Every number comes from the computation itself and is printed with as many digits as the lines after it need.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rating.formulas.glicko2 import CENTRE, MAX_EXPONENT, SCALE, new_volatility
from rating.selectors.periods import MatchInPeriod, PlayerPeriod
from rating.selectors.shown import sign_of
from rating.web.printed import (
    MAX_DIGITS,
    MIN_DIGITS,
    exact_decimal,
    format_number,
    format_signed,
    matches_printed,
    round_printed,
    round_to_match,
)
from rating.web.reason import ExplanationStep

USUAL_DIGITS = 6  # digits to begin with
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class MatchTexts:
    """A match of a rating period as texts for a row of the page."""

    bout: MatchInPeriod
    opponent: str
    rating: str
    deviation: str
    weight: str
    chance: str
    share: str
    sign: int


@dataclass(frozen=True, slots=True)
class PeriodDescription:
    """A player's rating period on the page "Why?": summary, matches, and the steps to the new rating."""

    name: str
    summary: str
    bouts: list[MatchTexts]
    steps: list[ExplanationStep]
    knows_length: bool


class DigitsDoNotFit(Exception):
    """With this number of digits, a printed line does not add up."""


@dataclass(frozen=True, slots=True)
class BoutNumbers:
    rating: Decimal
    deviation: Decimal
    weight: Decimal
    chance: Decimal
    share: Decimal
    stretch: str  # the sum of c; empty where the length has no effect


@dataclass(frozen=True, slots=True)
class PeriodNumbers:
    """Every number of a rating period as printed, with the paper's names."""

    rating: Decimal
    deviation: Decimal
    sigma: Decimal
    mu: Decimal
    phi: Decimal
    bouts: list[BoutNumbers]
    variance: Decimal
    delta: Decimal
    new_sigma: Decimal
    grown: Decimal
    new_phi: Decimal
    surprise: Decimal
    new_mu: Decimal
    new_deviation: Decimal
    new_rating: Decimal


def describe_period(side: PlayerPeriod) -> PeriodDescription:
    """Return a player's rating period as texts for the page "Why?"."""
    summary = ngettext(
        "Rating period from %(first)s to %(last)s (UTC): %(count)s match, rated with the values from "
        "before the period.",
        "Rating period from %(first)s to %(last)s (UTC): %(count)s matches, all rated together with the "
        "values from before the period.",
        len(side.bouts),
    ) % {
        "first": date_format(side.begins, "SHORT_DATE_FORMAT"),
        "last": date_format(side.ends, "SHORT_DATE_FORMAT"),
        "count": len(side.bouts),
    }
    n = period_numbers(side)
    bouts = [_bout_texts(bout, numbers) for bout, numbers in zip(side.bouts, n.bouts, strict=True)]
    return PeriodDescription(side.player.name, summary, bouts, _period_steps(side, n), side.knows_length)


def _bout_texts(bout: MatchInPeriod, n: BoutNumbers) -> MatchTexts:
    return MatchTexts(
        bout,
        bout.opponent.name,
        format_number(n.rating),
        format_number(n.deviation),
        format_number(n.weight),
        format_number(n.chance),
        format_signed(n.share),
        sign_of(bout.share),
    )


def period_numbers(side: PlayerPeriod) -> PeriodNumbers:
    """Return the printed numbers of a period, with the fewest digits with which every line adds up.

    If a win was nearly certain (1 - E below some 10^-6), no number of digits is enough: then the maximum is
    used.
    """
    for end_digits in range(MIN_DIGITS, MIN_DIGITS + 3):
        for max_digits in range(USUAL_DIGITS, MAX_DIGITS - 2):
            try:
                return _numbers_with_digits(side, max_digits, end_digits)
            except DigitsDoNotFit:
                continue
    return _numbers_with_digits(side, MAX_DIGITS - 3, MIN_DIGITS, as_it_is=True)


def _fitting_number(value: float, computed: float, max_digits: int, *, as_it_is: bool) -> Decimal:
    if as_it_is:
        return round_printed(value, max_digits)
    rounded = round_to_match(value, computed, max_digits, fewest=MIN_DIGITS)
    if rounded is None:
        raise DigitsDoNotFit
    return rounded


def _exact_number(value: float, computed: float, digits: int, *, as_it_is: bool) -> Decimal:
    rounded = round_printed(value, digits)
    if not as_it_is and not matches_printed(computed, rounded):
        raise DigitsDoNotFit
    return rounded


def _numbers_with_digits(
    side: PlayerPeriod, max_digits: int, end_digits: int, *, as_it_is: bool = False
) -> PeriodNumbers:
    fit, exactly = partial(_fitting_number, as_it_is=as_it_is), partial(_exact_number, as_it_is=as_it_is)
    w, player = side.working, side.working.player
    rating, deviation = round_printed(player.rating, max_digits), round_printed(player.deviation, max_digits)
    sigma = round_printed(player.volatility, max_digits + 2)
    mu = fit(w.mu, (float(rating) - CENTRE) / SCALE, max_digits + 1)
    phi = fit(w.phi, float(deviation) / SCALE, max_digits + 1)
    bouts = []
    information = surprise = 0.0
    for row, bout in zip(side.bouts, w.bouts, strict=True):
        other, other_deviation = (
            round_printed(row.rating, max_digits),
            round_printed(row.deviation, max_digits),
        )
        g = row.stretch / math.sqrt(1.0 + 3.0 * (float(other_deviation) / SCALE) ** 2 / math.pi**2)
        weight = fit(row.weight, g, max_digits + 1)
        steep = float(weight) * (float(mu) - (float(other) - CENTRE) / SCALE)
        chance = fit(
            row.chance, 1.0 / (1.0 + math.exp(-max(-MAX_EXPONENT, min(MAX_EXPONENT, steep)))), max_digits + 1
        )
        information += float(weight) ** 2 * float(chance) * (1.0 - float(chance))
        surprise += float(weight) * (bout.score - float(chance))
        stretch = ""
        if side.knows_length:
            typical, exponent = (
                format_number(exact_decimal(side.typical)),
                format_number(exact_decimal(side.exponent)),
            )
            stretch = f"({row.length} / {typical})^{exponent}"
        bouts.append(BoutNumbers(other, other_deviation, weight, chance, Decimal(0), stretch))
    if not information:  # every chance is printed as 1 or 0
        raise DigitsDoNotFit
    variance = fit(w.variance, 1.0 / information, max_digits)
    shown_surprise = fit(w.surprise, surprise, max_digits)
    delta = fit(w.delta, float(variance) * float(shown_surprise), max_digits)
    volatility = new_volatility(float(sigma), float(phi), float(variance), float(delta), side.tau)
    new_sigma = fit(w.after.volatility, volatility, min(max_digits, 8))
    grown = fit(w.grown_phi, math.hypot(float(phi), float(new_sigma)), max_digits)
    new_phi = fit(w.new_phi, 1.0 / math.sqrt(1.0 / float(grown) ** 2 + 1.0 / float(variance)), max_digits)
    square = float(new_phi) ** 2
    new_mu = fit(w.new_mu, float(mu) + square * float(shown_surprise), max_digits)
    new_deviation = exactly(w.after.deviation, SCALE * float(new_phi), end_digits)
    new_rating = exactly(w.after.rating, SCALE * float(new_mu) + CENTRE, end_digits)
    bouts_with_share = []
    for row, bout, n in zip(side.bouts, w.bouts, bouts, strict=True):
        computed_share = SCALE * square * float(n.weight) * (bout.score - float(n.chance))
        share = fit(row.share, computed_share, max_digits)
        bouts_with_share.append(BoutNumbers(n.rating, n.deviation, n.weight, n.chance, share, n.stretch))
    if not as_it_is and not matches_printed(
        float(rating + sum((n.share for n in bouts_with_share), Decimal(0))), new_rating
    ):
        raise DigitsDoNotFit
    return PeriodNumbers(
        rating,
        deviation,
        sigma,
        mu,
        phi,
        bouts_with_share,
        variance,
        delta,
        new_sigma,
        grown,
        new_phi,
        shown_surprise,
        new_mu,
        new_deviation,
        new_rating,
    )


def period_steps(side: PlayerPeriod, *, with_bouts: bool = False) -> list[ExplanationStep]:
    """Return steps 1 to 8 of the paper with the numbers of this period.

    ``with_bouts``: True adds the steps of each match.
    """
    return _period_steps(side, period_numbers(side), with_bouts=with_bouts)


def _period_steps(side: PlayerPeriod, n: PeriodNumbers, *, with_bouts: bool = False) -> list[ExplanationStep]:
    scale, centre = format_number(exact_decimal(SCALE)), format_number(exact_decimal(CENTRE))
    variance_sum = surprise_sum = ""
    if len(n.bouts) == 1:
        (bout,) = n.bouts
        g, e = format_number(bout.weight), format_number(bout.chance)
        variance_sum = f"1 / ({g}^2 · {e} · (1 {MINUS} {e}))"
        surprise_sum = f"{g} · ({side.bouts[0].won} {MINUS} {e})"
    phi2 = f"{format_number(n.new_phi)}^2"
    return [
        ExplanationStep("r", format_number(n.rating), _("rating before the period")),
        ExplanationStep(
            "RD",
            format_number(n.deviation),
            _("deviation before the period, increased for periods without a match"),
        ),
        ExplanationStep("σ", format_number(n.sigma), _("volatility before the period")),
        ExplanationStep(
            "μ",
            format_number(n.mu),
            f"(r − {centre}) / {scale}",
            f"({format_number(n.rating)} {MINUS} {centre}) / {scale}",
        ),
        ExplanationStep(
            "φ", format_number(n.phi), f"RD / {scale}", f"{format_number(n.deviation)} / {scale}"
        ),
        *(_bout_steps(side, n) if with_bouts else ()),
        ExplanationStep(
            "v",
            format_number(n.variance),
            _("1 / Σ g² · E · (1 − E): the uncertainty left by the results"),
            variance_sum,
        ),
        ExplanationStep(
            "Σ g · (s − E)", format_number(n.surprise), _("over all matches of the period"), surprise_sum
        ),
        ExplanationStep(
            "Δ",
            format_number(n.delta),
            _("v · Σ g · (s − E): the change suggested by the results alone"),
            f"{format_number(n.variance)} · {_in_brackets(n.surprise)}",
        ),
        ExplanationStep(
            "σ'",
            format_number(n.new_sigma),
            _("new volatility from σ, φ, v, Δ and τ (step 5 of the Glicko-2 paper)"),
        ),
        ExplanationStep(
            "φ*",
            format_number(n.grown),
            "√(φ² + σ'²)",
            f"√({format_number(n.phi)}^2 + {format_number(n.new_sigma)}^2)",
        ),
        ExplanationStep(
            "φ'",
            format_number(n.new_phi),
            "1 / √(1 / φ*² + 1 / v)",
            f"1 / √(1 / {format_number(n.grown)}^2 + 1 / {format_number(n.variance)})",
        ),
        ExplanationStep(
            "μ'",
            format_number(n.new_mu),
            "μ + φ'² · Σ g · (s − E)",
            f"{format_number(n.mu)} + {phi2} · {_in_brackets(n.surprise)}",
        ),
        ExplanationStep(
            "RD'",
            format_number(n.new_deviation),
            _("new deviation: %(formula)s") % {"formula": f"{scale} · φ'"},
            f"{scale} · {format_number(n.new_phi)}",
        ),
        ExplanationStep(
            "r'",
            format_number(n.new_rating),
            _("new rating: %(formula)s") % {"formula": f"{scale} · μ' + {centre}"},
            f"{scale} · {_in_brackets(n.new_mu)} + {centre}",
        ),
    ]


def _in_brackets(number: Decimal) -> str:
    return f"({format_number(number)})" if number < 0 else format_number(number)


def _bout_steps(side: PlayerPeriod, n: PeriodNumbers) -> list[ExplanationStep]:
    scale, centre = format_number(exact_decimal(SCALE)), format_number(exact_decimal(CENTRE))
    steps = []
    for number, (bout, numbers) in enumerate(zip(side.bouts, n.bouts, strict=True), 1):
        text = _("match %(number)s, against %(name)s: r %(rating)s, RD %(deviation)s, s %(score)s") % {
            "number": number,
            "name": bout.opponent.name,
            "rating": format_number(numbers.rating),
            "deviation": format_number(numbers.deviation),
            "score": bout.won,
        }
        numerator = numbers.stretch or "1"
        g = f"{numerator} / √(1 + 3 · ({format_number(numbers.deviation)} / {scale})^2 / π^2)"
        mu = f"({format_number(n.mu)} {MINUS} ({format_number(numbers.rating)} {MINUS} {centre}) / {scale})"
        share_sum = f"{scale} · {format_number(n.new_phi)}^2 · {format_number(numbers.weight)} · ({bout.won} {MINUS} {format_number(numbers.chance)})"
        steps += [
            ExplanationStep(f"g {number}", format_number(numbers.weight), text, g),
            ExplanationStep(
                f"E {number}",
                format_number(numbers.chance),
                "",
                f"1 / (1 + exp({MINUS}{format_number(numbers.weight)} · {mu}))",
            ),
            ExplanationStep(
                f"{_('Share of the change')} {number}", format_signed(numbers.share), "", share_sum
            ),
        ]
    return steps
