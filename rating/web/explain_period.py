"""The working of a Glicko-2 period in the paper's own steps. Every number comes from the computation itself."""

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rating.formulas.glicko2 import CENTRE, SCALE
from rating.selectors.periods import Bout, SidePeriod
from rating.selectors.shown import delta_text, number_text, rating_text, sign_of
from rating.web.reason import Reason

DIGITS = 6


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


def period_words(side: SidePeriod) -> PeriodWords:
    """All of it for the page "why"."""
    summary = ngettext(
        "Rating period from %(first)s to %(last)s (UTC): %(count)s match, rated with the numbers from before the period.",
        "Rating period from %(first)s to %(last)s (UTC): %(count)s matches, all rated together with the numbers from"
        " before the period.",
        len(side.bouts),
    ) % {
        "first": date_format(side.begins, "SHORT_DATE_FORMAT"),
        "last": date_format(side.ends, "SHORT_DATE_FORMAT"),
        "count": len(side.bouts),
    }
    return PeriodWords(side.player.name, summary, [_bout(bout) for bout in side.bouts], period_steps(side))


def _bout(bout: Bout) -> BoutWords:
    return BoutWords(
        bout,
        bout.opponent.name,
        rating_text(bout.rating),
        number_text(bout.deviation),
        number_text(bout.weight, DIGITS),
        number_text(bout.chance, DIGITS),
        delta_text(bout.share),
        sign_of(bout.share),
    )


def _n(value: float) -> str:
    return number_text(value, DIGITS)


def period_steps(side: SidePeriod) -> list[Reason]:
    """Steps 1 to 8 of the paper with this period's numbers."""
    w, player = side.working, side.working.player
    scale, centre = str(SCALE), f"{CENTRE:g}"
    return [
        Reason("r", rating_text(player.rating), _("rating before the period")),
        Reason(
            "RD",
            number_text(player.deviation),
            _("deviation before the period, grown in the periods without a match"),
        ),
        Reason("σ", _n(player.volatility), _("volatility before the period")),
        Reason("μ", _n(w.mu), f"(r − {centre}) / {scale}"),
        Reason("φ", _n(w.phi), f"RD / {scale}"),
        Reason("v", _n(w.variance), _("1 / Σ g² · E · (1 − E): how much the results leave open")),
        Reason("Δ", _n(w.delta), _("v · Σ g · (s − E): what the results alone would say")),
        Reason(
            "σ'", _n(w.after.volatility), _("new volatility, from σ, φ, v, Δ and τ (step 5 of the paper)")
        ),
        Reason("φ*", _n(w.grown), "√(φ² + σ'²)"),
        Reason("φ'", _n(w.new_phi), "1 / √(1 / φ*² + 1 / v)"),
        Reason("Σ g · (s − E)", _n(w.surprise), _("over all matches of the period")),
        Reason("μ'", _n(w.new_mu), "μ + φ'² · Σ g · (s − E)"),
        Reason(
            "RD'",
            number_text(w.after.deviation),
            _("new deviation: %(formula)s") % {"formula": f"{scale} · φ'"},
        ),
        Reason(
            "r'",
            rating_text(w.after.rating),
            _("new rating: %(formula)s") % {"formula": f"{scale} · μ' + {centre}"},
        ),
    ]
