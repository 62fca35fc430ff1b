"""The working of a Glicko-2 period in the paper's own steps, in numbers that add up as they stand.

Every number comes from the computation itself and is printed with as many digits as the lines after it need.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rating.formulas.glicko2 import CENTRE, SCALE, STEEPEST, volatility
from rating.selectors.periods import Bout, SidePeriod
from rating.selectors.shown import sign_of
from rating.web.printed import FINEST, SHOWN, adds_up, given, holding, printed, signed, text
from rating.web.reason import Reason

USUAL = 6  # digits to begin with
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class BoutWords:
    """A match of the period as a row."""

    bout: Bout
    opponent: str
    rating: str
    deviation: str
    weight: str
    chance: str
    share: str
    sign: int


@dataclass(frozen=True, slots=True)
class PeriodWords:
    """A player's period: what it was, its matches, and the steps to the new numbers."""

    name: str
    summary: str
    bouts: list[BoutWords]
    steps: list[Reason]
    knows_length: bool


class Unfit(Exception):
    """With so many digits a line does not add up."""


@dataclass(frozen=True, slots=True)
class BoutNumbers:
    rating: Decimal
    deviation: Decimal
    weight: Decimal
    chance: Decimal
    share: Decimal
    stretch: str  # the sum of c; empty where the length plays no part


@dataclass(frozen=True, slots=True)
class PeriodNumbers:
    """Everything that is printed of a period, with the paper's names."""

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


def period_words(side: SidePeriod) -> PeriodWords:
    """All of it for the page "why"."""
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
    n = numbers_of(side)
    bouts = [_bout(bout, numbers) for bout, numbers in zip(side.bouts, n.bouts, strict=True)]
    return PeriodWords(side.player.name, summary, bouts, _steps(side, n), side.knows_length)


def _bout(bout: Bout, n: BoutNumbers) -> BoutWords:
    return BoutWords(
        bout,
        bout.opponent.name,
        text(n.rating),
        text(n.deviation),
        text(n.weight),
        text(n.chance),
        signed(n.share),
        sign_of(bout.share),
    )


def numbers_of(side: SidePeriod) -> PeriodNumbers:
    """The fewest digits with which every line adds up.

    Where somebody was all but certain to win (1 - E below some 10^-6) no digits of a float are enough: then just many of them.
    """
    for end in range(SHOWN, SHOWN + 3):
        for most in range(USUAL, FINEST - 2):
            try:
                return _printed(side, most, end)
            except Unfit:
                continue
    return _printed(side, FINEST - 3, SHOWN, as_it_is=True)


def _fit(value: float, computed: float, most: int, *, as_it_is: bool) -> Decimal:
    if as_it_is:
        return printed(value, most)
    found = holding(value, computed, most, fewest=SHOWN)
    if found is None:
        raise Unfit
    return found


def _exactly(value: float, computed: float, digits: int, *, as_it_is: bool) -> Decimal:
    found = printed(value, digits)
    if not as_it_is and not adds_up(computed, found):
        raise Unfit
    return found


def _printed(side: SidePeriod, most: int, end: int, *, as_it_is: bool = False) -> PeriodNumbers:
    fit, exactly = partial(_fit, as_it_is=as_it_is), partial(_exactly, as_it_is=as_it_is)
    w, player = side.working, side.working.player
    rating, deviation = printed(player.rating, most), printed(player.deviation, most)
    sigma = printed(player.volatility, most + 2)
    mu = fit(w.mu, (float(rating) - CENTRE) / SCALE, most + 1)
    phi = fit(w.phi, float(deviation) / SCALE, most + 1)
    bouts = []
    information = surprise = 0.0
    for row, bout in zip(side.bouts, w.bouts, strict=True):
        other, other_deviation = printed(row.rating, most), printed(row.deviation, most)
        g = row.stretch / math.sqrt(1.0 + 3.0 * (float(other_deviation) / SCALE) ** 2 / math.pi**2)
        weight = fit(row.weight, g, most + 1)
        steep = float(weight) * (float(mu) - (float(other) - CENTRE) / SCALE)
        chance = fit(row.chance, 1.0 / (1.0 + math.exp(-max(-STEEPEST, min(STEEPEST, steep)))), most + 1)
        information += float(weight) ** 2 * float(chance) * (1.0 - float(chance))
        surprise += float(weight) * (bout.score - float(chance))
        stretch = ""
        if side.knows_length:
            typical, exponent = text(given(side.typical)), text(given(side.exponent))
            stretch = f"({row.length} / {typical})^{exponent}"
        bouts.append(BoutNumbers(other, other_deviation, weight, chance, Decimal(0), stretch))
    if not information:  # every chance is printed as 1 or 0
        raise Unfit
    variance = fit(w.variance, 1.0 / information, most)
    shown_surprise = fit(w.surprise, surprise, most)
    delta = fit(w.delta, float(variance) * float(shown_surprise), most)
    found = volatility(float(sigma), float(phi), float(variance), float(delta), side.tau)
    new_sigma = fit(w.after.volatility, found, min(most, 8))
    grown = fit(w.grown, math.hypot(float(phi), float(new_sigma)), most)
    new_phi = fit(w.new_phi, 1.0 / math.sqrt(1.0 / float(grown) ** 2 + 1.0 / float(variance)), most)
    square = float(new_phi) ** 2
    new_mu = fit(w.new_mu, float(mu) + square * float(shown_surprise), most)
    new_deviation = exactly(w.after.deviation, SCALE * float(new_phi), end)
    new_rating = exactly(w.after.rating, SCALE * float(new_mu) + CENTRE, end)
    shared = []
    for row, bout, n in zip(side.bouts, w.bouts, bouts, strict=True):
        part = SCALE * square * float(n.weight) * (bout.score - float(n.chance))
        share = fit(row.share, part, most)
        shared.append(BoutNumbers(n.rating, n.deviation, n.weight, n.chance, share, n.stretch))
    if not as_it_is and not adds_up(float(rating + sum((n.share for n in shared), Decimal(0))), new_rating):
        raise Unfit
    return PeriodNumbers(
        rating,
        deviation,
        sigma,
        mu,
        phi,
        shared,
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


def period_steps(side: SidePeriod, *, with_bouts: bool = False) -> list[Reason]:
    """Steps 1 to 8 of the paper with this period's numbers; ``with_bouts``: the matches, too, for who has no table of them."""
    return _steps(side, numbers_of(side), with_bouts=with_bouts)


def _steps(side: SidePeriod, n: PeriodNumbers, *, with_bouts: bool = False) -> list[Reason]:
    scale, centre = text(given(SCALE)), text(given(CENTRE))
    variance_sum = surprise_sum = ""
    if len(n.bouts) == 1:
        (bout,) = n.bouts
        g, e = text(bout.weight), text(bout.chance)
        variance_sum = f"1 / ({g}^2 · {e} · (1 {MINUS} {e}))"
        surprise_sum = f"{g} · ({side.bouts[0].won} {MINUS} {e})"
    phi2 = f"{text(n.new_phi)}^2"
    return [
        Reason("r", text(n.rating), _("rating before the period")),
        Reason(
            "RD", text(n.deviation), _("deviation before the period, increased for periods without a match")
        ),
        Reason("σ", text(n.sigma), _("volatility before the period")),
        Reason(
            "μ", text(n.mu), f"(r − {centre}) / {scale}", f"({text(n.rating)} {MINUS} {centre}) / {scale}"
        ),
        Reason("φ", text(n.phi), f"RD / {scale}", f"{text(n.deviation)} / {scale}"),
        *(_bout_steps(side, n) if with_bouts else ()),
        Reason(
            "v",
            text(n.variance),
            _("1 / Σ g² · E · (1 − E): the uncertainty left by the results"),
            variance_sum,
        ),
        Reason("Σ g · (s − E)", text(n.surprise), _("over all matches of the period"), surprise_sum),
        Reason(
            "Δ",
            text(n.delta),
            _("v · Σ g · (s − E): the change suggested by the results alone"),
            f"{text(n.variance)} · {_bracket(n.surprise)}",
        ),
        Reason(
            "σ'", text(n.new_sigma), _("new volatility from σ, φ, v, Δ and τ (step 5 of the Glicko-2 paper)")
        ),
        Reason("φ*", text(n.grown), "√(φ² + σ'²)", f"√({text(n.phi)}^2 + {text(n.new_sigma)}^2)"),
        Reason(
            "φ'",
            text(n.new_phi),
            "1 / √(1 / φ*² + 1 / v)",
            f"1 / √(1 / {text(n.grown)}^2 + 1 / {text(n.variance)})",
        ),
        Reason(
            "μ'",
            text(n.new_mu),
            "μ + φ'² · Σ g · (s − E)",
            f"{text(n.mu)} + {phi2} · {_bracket(n.surprise)}",
        ),
        Reason(
            "RD'",
            text(n.new_deviation),
            _("new deviation: %(formula)s") % {"formula": f"{scale} · φ'"},
            f"{scale} · {text(n.new_phi)}",
        ),
        Reason(
            "r'",
            text(n.new_rating),
            _("new rating: %(formula)s") % {"formula": f"{scale} · μ' + {centre}"},
            f"{scale} · {_bracket(n.new_mu)} + {centre}",
        ),
    ]


def _bracket(number: Decimal) -> str:
    return f"({text(number)})" if number < 0 else text(number)


def _bout_steps(side: SidePeriod, n: PeriodNumbers) -> list[Reason]:
    scale, centre = text(given(SCALE)), text(given(CENTRE))
    steps = []
    for at, (bout, numbers) in enumerate(zip(side.bouts, n.bouts, strict=True), 1):
        words = _("match %(number)s, against %(name)s: r %(rating)s, RD %(deviation)s, s %(score)s") % {
            "number": at,
            "name": bout.opponent.name,
            "rating": text(numbers.rating),
            "deviation": text(numbers.deviation),
            "score": bout.won,
        }
        front = numbers.stretch or "1"
        g = f"{front} / √(1 + 3 · ({text(numbers.deviation)} / {scale})^2 / π^2)"
        mu = f"({text(n.mu)} {MINUS} ({text(numbers.rating)} {MINUS} {centre}) / {scale})"
        part = f"{scale} · {text(n.new_phi)}^2 · {text(numbers.weight)} · ({bout.won} {MINUS} {text(numbers.chance)})"
        steps += [
            Reason(f"g {at}", text(numbers.weight), words, g),
            Reason(
                f"E {at}", text(numbers.chance), "", f"1 / (1 + exp({MINUS}{text(numbers.weight)} · {mu}))"
            ),
            Reason(f"{_('Share of the change')} {at}", signed(numbers.share), "", part),
        ]
    return steps
