"""The explanation of points earned by a match or a place, with printed numbers that add up."""

import math
from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from rating.formulas import ChangeCalculation
from rating.formulas.graded import place_share
from rating.formulas.master import SHARE_2015, division_weight, edition_share, shared_factor
from rating.selectors import ChangeExplanation
from rating.selectors.rules import RatingRule
from rating.web.printed import (
    MAX_DIGITS,
    MIN_DIGITS,
    PrintedSum,
    exact_decimal,
    format_number,
    format_signed,
    matches_printed,
    round_printed,
)
from rating.web.reason import ExplanationStep

# The formulas with these steps; others have those of `plain_working`.
POINTS_SYSTEMS = frozenset({"master", "master_2019", "graded"})
MAX_TERMS = 4  # shared places added up in full


def _digit_choices(fewest: int = MIN_DIGITS) -> Iterator[tuple[int, int, int]]:
    """Yield numbers of digits to try: of the sum, of the change, and of its factors.

    The change has at least as many digits as the sum, a factor at least as many as the change and ``fewest``.
    """
    for end_digits in range(MIN_DIGITS, MAX_DIGITS - 4):
        for change_digits in range(end_digits, MAX_DIGITS - 2):
            for factor_digits in range(max(change_digits, fewest), MAX_DIGITS):
                yield end_digits, change_digits, factor_digits


def weight_and_step(explanation: ChangeExplanation) -> tuple[Decimal, ExplanationStep]:
    """Return the event's weight times the division's, and the step that explains it.

    The weight has all its digits, as both factors are settings.
    """
    event, division = (
        exact_decimal(explanation.fact.event_weight),
        exact_decimal(division_weight(explanation.fact.division_rank)),
    )
    weight = event * division
    return weight, ExplanationStep(
        "w",
        format_number(weight),
        _("event weight × division weight: %(event)s · %(division)s (division %(rank)s)")
        % {
            "event": format_number(event),
            "division": format_number(division),
            "rank": explanation.fact.division_rank,
        },
    )


def total_step(label: str, side: PrintedSum) -> ExplanationStep:
    """Return the last step: previous points plus earned points."""
    return ExplanationStep(
        label, format_number(side.after), _("previous points plus points earned"), side.text
    )


def match_points_steps(
    explanation: ChangeExplanation, w: ChangeCalculation, rule: RatingRule
) -> tuple[list[ExplanationStep], tuple[PrintedSum, PrintedSum]]:
    """Return the steps of a won match, and the printed sums of winner and loser."""
    assert explanation.change is not None
    assert explanation.change.loser is not None
    meeting, winner, loser = w.meeting, explanation.change.winner, explanation.change.loser
    weight, weight_step = weight_and_step(explanation)
    loser_sum = PrintedSum(
        round_printed(loser.before, MIN_DIGITS), Decimal("0.00"), round_printed(loser.after, MIN_DIGITS)
    )
    pays_for_matches = rule.system.code != "graded"
    winner_sum, stretch = loser_sum, Decimal(0)
    for end_digits, change_digits, factor_digits in _digit_choices():
        stretch = round_printed(w.stretch, factor_digits)
        winner_sum = PrintedSum(
            round_printed(winner.before, change_digits),
            round_printed(w.winner_change, change_digits),
            round_printed(winner.after, end_digits),
        )
        if winner_sum.is_consistent and matches_printed(float(weight * stretch), winner_sum.change):
            break
    steps = [ExplanationStep("n", str(meeting.length), _("match length in points")), weight_step]
    if pays_for_matches:
        steps += [
            ExplanationStep(
                "√n / 3", format_number(stretch), _("weight of this match length"), f"√{meeting.length} / 3"
            ),
            ExplanationStep(
                _("Winner’s points"),
                format_signed(winner_sum.change),
                "w · √n / 3",
                f"{format_number(weight)} · {format_number(stretch)}",
            ),
        ]
        reason = _("master points are never lost")
    else:
        reason = _("this list awards points for final places only")
        steps.append(ExplanationStep(_("Winner’s points"), format_number(winner_sum.change), reason))
    steps += [
        ExplanationStep(_("Loser’s points"), format_number(loser_sum.change), reason),
        total_step(_("Winner’s new points"), winner_sum),
    ]
    return steps, (winner_sum, loser_sum)


def place_steps(
    explanation: ChangeExplanation, rule: RatingRule
) -> tuple[list[ExplanationStep], tuple[PrintedSum, PrintedSum]]:
    """Return the steps of a final place, and the player's printed sum twice."""
    assert explanation.change is not None
    fact, side = explanation.fact, explanation.change.winner
    weight, weight_step = weight_and_step(explanation)
    is_graded = rule.system.code == "graded"
    if is_graded:
        size, fall = rule.parameters["size"], rule.parameters["fall"]
        field = float(fact.field) ** size
        factor, share = place_share(fact.place, fact.tied, fact.field, fall), 1.0
    else:
        field, share = math.log2(fact.field), edition_share(rule.system.code)
        factor = shared_factor(fact.place, fact.tied)
    points = side.after - side.before
    total, shown_field, shown_factor = PrintedSum(Decimal(0), Decimal(0), Decimal(0)), Decimal(0), Decimal(0)
    for end_digits, change_digits, digits in _digit_choices(4):
        shown_field, shown_factor = round_printed(field, digits), round_printed(factor, digits)
        total = PrintedSum(
            round_printed(side.before, change_digits),
            round_printed(points, change_digits),
            round_printed(side.after, end_digits),
        )
        product = float(weight) * share * float(shown_field) * float(shown_factor)
        if total.is_consistent and matches_printed(product, total.change):
            break
    steps = [
        ExplanationStep(_("Place"), str(fact.place), shared_place_text(fact.tied)),
        ExplanationStep("N", str(fact.field), _("number of players in the field")),
        weight_step,
    ]
    if is_graded:
        steps += [
            ExplanationStep(
                "N^a",
                format_number(shown_field),
                _("value of the field"),
                f"{fact.field}^{format_number(exact_decimal(size))}",
            ),
            ExplanationStep(
                "r",
                format_number(shown_factor),
                _(
                    "factor for the place, relative to first place: ((N + 1 - p) / N)^b; tied players share equally"
                ),
                _graded_sum(fact.place, fact.tied, fact.field, fall),
            ),
        ]
        formula, parts = "w · N^a · r", [format_number(weight)]
    else:
        steps += [
            ExplanationStep(
                "log2(N)", format_number(shown_field), _("value of the field"), f"log2({fact.field})"
            ),
            ExplanationStep(
                "r",
                format_number(shown_factor),
                _("factor for the place: 1, 0.7, then 1 / (place - 1); tied players share equally"),
                _master_sum(fact.place, fact.tied),
            ),
        ]
        formula, parts = "w · log2(N) · r", [format_number(weight)]
        if share != SHARE_2015:
            formula = f"w · {format_number(exact_decimal(share))} · log2(N) · r"
            parts.append(format_number(exact_decimal(share)))
    product_text = " · ".join([*parts, format_number(shown_field), format_number(shown_factor)])
    steps += [
        ExplanationStep(_("Points"), format_signed(total.change), formula, product_text),
        total_step(_("New points"), total),
    ]
    return steps, (total, total)


def shared_place_text(tied: int) -> str:
    """Return a text on how many players share the place."""
    if tied == 1:
        return _("not shared")
    return _("shared by %(tied)s players") % {"tied": tied}


def _mean_text(terms: list[str], tied: int) -> str:
    return terms[0] if tied == 1 else f"({' + '.join(terms)}) / {tied}"


def _master_sum(place: int, tied: int) -> str:
    """Return the printed sum of the factors of shared places.

    "" for many places, and for the first or second place alone, whose factor is a plain number.
    """
    if tied > MAX_TERMS:
        return ""
    terms = [
        "1"
        if place_number == 1
        else format_number(exact_decimal(0.7))
        if place_number == 2
        else f"1 / {place_number - 1}"
        for place_number in range(place, place + tied)
    ]
    return "" if tied == 1 and place <= 2 else _mean_text(terms, tied)


def _graded_sum(place: int, tied: int, field: int, fall: float) -> str:
    if tied > MAX_TERMS:
        return ""
    power = format_number(exact_decimal(fall))
    return _mean_text(
        [
            f"(({field} + 1 \N{MINUS SIGN} {place_number}) / {field})^{power}"
            for place_number in range(place, place + tied)
        ],
        tied,
    )
