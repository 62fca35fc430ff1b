"""The working of points that are earned, of a match and of a place, in numbers that add up as they stand."""

import math
from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from rating.formulas import Working
from rating.formulas.graded import share_of_place
from rating.formulas.master import SHARE_2015, division_weight, share_of, shared_factor
from rating.selectors import Why
from rating.selectors.rules import Rule
from rating.web.printed import FINEST, SHOWN, Sum, adds_up, given, printed, signed, text
from rating.web.reason import Reason

# The formulas whose steps are these; others have those of `plain_working`.
EARNED = frozenset({"master", "master_2019", "graded"})
MOST_TERMS = 4  # so many places that are shared are added up in full


def _digits(fewest: int = SHOWN) -> Iterator[tuple[int, int, int]]:
    """What is tried: digits of the sum, of the change in it, of its factors (``fewest`` or more); each no coarser than the one before."""
    for end in range(SHOWN, FINEST - 4):
        for change in range(end, FINEST - 2):
            for factor in range(max(change, fewest), FINEST):
                yield end, change, factor


def weight_of(why: Why) -> tuple[Decimal, Reason]:
    """Weight of the event times that of its division: both are set by somebody, so all their digits are shown."""
    event, division = given(why.fact.event_weight), given(division_weight(why.fact.division_rank))
    weight = event * division
    return weight, Reason(
        "w",
        text(weight),
        _("event weight × division weight: %(event)s · %(division)s (division %(rank)s)")
        % {"event": text(event), "division": text(division), "rank": why.fact.division_rank},
    )


def total_line(label: str, side: Sum) -> Reason:
    """The last line: what was, and what has come on top."""
    return Reason(label, text(side.after), _("previous points plus points earned"), side.text)


def match_points_reasons(why: Why, w: Working, rule: Rule) -> tuple[list[Reason], tuple[Sum, Sum]]:
    """A match that was won."""
    assert why.change is not None
    assert why.change.loser is not None
    m, winner, loser = w.meeting, why.change.winner, why.change.loser
    weight, weight_step = weight_of(why)
    lost = Sum(printed(loser.before, SHOWN), Decimal("0.00"), printed(loser.after, SHOWN))
    pays = rule.system.code != "graded"
    side, stretch = lost, Decimal(0)
    for end, change, factor in _digits():
        stretch = printed(w.stretch, factor)
        side = Sum(
            printed(winner.before, change), printed(w.winner_change, change), printed(winner.after, end)
        )
        if side.holds and adds_up(float(weight * stretch), side.change):
            break
    steps = [Reason("n", str(m.length), _("match length in points")), weight_step]
    if pays:
        steps += [
            Reason("√n / 3", text(stretch), _("weight of this match length"), f"√{m.length} / 3"),
            Reason(
                _("Winner’s points"),
                signed(side.change),
                "w · √n / 3",
                f"{text(weight)} · {text(stretch)}",
            ),
        ]
        words = _("master points are never lost")
    else:
        words = _("this list awards points for final places only")
        steps.append(Reason(_("Winner’s points"), text(side.change), words))
    steps += [
        Reason(_("Loser’s points"), text(lost.change), words),
        total_line(_("Winner’s new points"), side),
    ]
    return steps, (side, lost)


def place_reasons(why: Why, rule: Rule) -> tuple[list[Reason], tuple[Sum, Sum]]:
    """A final place."""
    assert why.change is not None
    fact, side = why.fact, why.change.winner
    weight, weight_step = weight_of(why)
    graded = rule.system.code == "graded"
    if graded:
        size, fall = rule.parameters["size"], rule.parameters["fall"]
        field = float(fact.field) ** size
        factor, share = share_of_place(fact.place, fact.tied, fact.field, fall), 1.0
    else:
        field, share = math.log2(fact.field), share_of(rule.system.code)
        factor = shared_factor(fact.place, fact.tied)
    points = side.after - side.before
    total, shown_field, shown_factor = Sum(Decimal(0), Decimal(0), Decimal(0)), Decimal(0), Decimal(0)
    for end, change, digits in _digits(4):
        shown_field, shown_factor = printed(field, digits), printed(factor, digits)
        total = Sum(printed(side.before, change), printed(points, change), printed(side.after, end))
        product = float(weight) * share * float(shown_field) * float(shown_factor)
        if total.holds and adds_up(product, total.change):
            break
    steps = [
        Reason(_("Place"), str(fact.place), place_words(fact.tied)),
        Reason("N", str(fact.field), _("number of players in the field")),
        weight_step,
    ]
    if graded:
        steps += [
            Reason("N^a", text(shown_field), _("value of the field"), f"{fact.field}^{text(given(size))}"),
            Reason(
                "r",
                text(shown_factor),
                _(
                    "factor for the place, relative to first place: ((N + 1 - p) / N)^b; tied players share equally"
                ),
                _graded_sum(fact.place, fact.tied, fact.field, fall),
            ),
        ]
        formula, parts = "w · N^a · r", [text(weight)]
    else:
        steps += [
            Reason("log2(N)", text(shown_field), _("value of the field"), f"log2({fact.field})"),
            Reason(
                "r",
                text(shown_factor),
                _("factor for the place: 1, 0.7, then 1 / (place - 1); tied players share equally"),
                _master_sum(fact.place, fact.tied),
            ),
        ]
        formula, parts = "w · log2(N) · r", [text(weight)]
        if share != SHARE_2015:
            formula = f"w · {text(given(share))} · log2(N) · r"
            parts.append(text(given(share)))
    product_text = " · ".join([*parts, text(shown_field), text(shown_factor)])
    steps += [
        Reason(_("Points"), signed(total.change), formula, product_text),
        total_line(_("New points"), total),
    ]
    return steps, (total, total)


def place_words(tied: int) -> str:
    """How many have the place."""
    if tied == 1:
        return _("not shared")
    return _("shared by %(tied)s players") % {"tied": tied}


def _mean(terms: list[str], tied: int) -> str:
    return terms[0] if tied == 1 else f"({' + '.join(terms)}) / {tied}"


def _master_sum(place: int, tied: int) -> str:
    """The factors of the places that are shared; of many, words say enough."""
    if tied > MOST_TERMS:
        return ""
    alone = [
        "1" if at == 1 else text(given(0.7)) if at == 2 else f"1 / {at - 1}"
        for at in range(place, place + tied)
    ]
    return "" if tied == 1 and place <= 2 else _mean(alone, tied)


def _graded_sum(place: int, tied: int, field: int, fall: float) -> str:
    if tied > MOST_TERMS:
        return ""
    power = text(given(fall))
    return _mean(
        [f"(({field} + 1 \N{MINUS SIGN} {at}) / {field})^{power}" for at in range(place, place + tied)], tied
    )
