"""The explanation of a rating change for formulas without steps of their own, from ``ChangeCalculation``.

A new formula gets this explanation automatically. Steps that readers can compute again are in ``working`` for
formulas of Elo's family, and in ``points_working`` for points that are only earned.
"""

from django.utils.translation import gettext as _

from rating.formulas import ChangeCalculation
from rating.selectors import ChangeExplanation
from rating.selectors.rules import RatingRule
from rating.selectors.shown import percent_text
from rating.web.points_working import shared_place_text, total_step, weight_and_step
from rating.web.printed import PrintedSum, build_sum, format_number, format_signed, round_printed
from rating.web.reason import ExplanationStep
from rating.web.working import new_rating_steps

MAX_SHOWN_DIGITS = 4  # of a chance and of K


def plain_match_steps(
    explanation: ChangeExplanation, w: ChangeCalculation, rule: RatingRule
) -> tuple[list[ExplanationStep], tuple[PrintedSum, PrintedSum]]:
    """Return input and result of the formula for a match, and the printed sums of winner and loser."""
    assert explanation.change is not None
    assert explanation.change.loser is not None
    winner = build_sum(explanation.change.winner.before, explanation.change.winner.after)
    loser = build_sum(explanation.change.loser.before, explanation.change.loser.after)
    steps = [
        ExplanationStep(
            "D",
            format_signed(winner.before - loser.before),
            _("winner’s rating minus loser’s rating: %(winner)s - %(loser)s")
            % {"winner": format_number(winner.before), "loser": format_number(loser.before)},
        ),
        ExplanationStep("n", str(w.meeting.length), _("match length in points")),
    ]
    if rule.system.is_points_system:
        steps.append(weight_and_step(explanation)[1])
    if w.expected is not None:
        text = _("winner’s winning chance: %(percent)s") % {"percent": percent_text(w.expected)}
        steps.append(ExplanationStep("P", format_number(round_printed(w.expected, MAX_SHOWN_DIGITS)), text))
    steps += [
        ExplanationStep(label, format_number(round_printed(k, MAX_SHOWN_DIGITS)), "")
        for label, k in ((_("Winner’s K"), w.winner_k), (_("Loser’s K"), w.loser_k))
        if k is not None
    ]
    by_formula = _("by the formula of this list")
    steps += [
        ExplanationStep(_("Winner’s change"), format_signed(winner.change), by_formula),
        ExplanationStep(_("Loser’s change"), format_signed(loser.change), by_formula),
        *new_rating_steps(winner, loser),
    ]
    return steps, (winner, loser)


def plain_place_steps(
    explanation: ChangeExplanation,
) -> tuple[list[ExplanationStep], tuple[PrintedSum, PrintedSum]]:
    """Return the steps of a final place, and the player's printed sum twice."""
    assert explanation.change is not None
    fact, side = (
        explanation.fact,
        build_sum(explanation.change.winner.before, explanation.change.winner.after),
    )
    steps = [
        ExplanationStep(_("Place"), str(fact.place), shared_place_text(fact.tied)),
        ExplanationStep("N", str(fact.field), _("number of players in the field")),
        weight_and_step(explanation)[1],
        ExplanationStep(_("Points"), format_signed(side.change), _("by the formula of this list")),
        total_step(_("New points"), side),
    ]
    return steps, (side, side)
