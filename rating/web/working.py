"""The explanation of a match that is rated on its own, with printed numbers that add up.

The numbers are those of the formula's own ``ChangeCalculation``. Each is printed with as many digits as the next line
needs: the new rating with two, the change with enough to give that, its factors with enough to give the
change, and the ratings before the match with enough to give the chance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from rating.formulas import ChangeCalculation
from rating.formulas.elo import EXPERIENCE_AFTER
from rating.formulas.galaxy import PR_LOSER_SHARE
from rating.selectors import ChangeExplanation
from rating.selectors.rules import RatingRule
from rating.selectors.shown import percent_text
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
BY_MATCH = frozenset({"fibs", "fibs_flat", "elo", "galaxy", "galaxy_2"})
FIBS_CHANCE = "P = 1 / (1 + 10^(-D · √n / 2000))"
GALAXY_CHANCE = "P = 1 / (1 + 10^(-D / 800))"


@dataclass(frozen=True, slots=True)
class FormulaNotation:
    """How a formula of Elo's family is written for a match length.

    ``stretch``: the factor of the length; ``length_factor_sum``: the same with the number; ``chance``: the
    formula of P.
    """

    stretch: str
    length_factor_sum: str
    chance: str
    divisor: float
    length_counts: bool  # whether the chance depends on the length
    has_factor_four: bool  # FIBS writes the change as 4 · K · …; other formulas include the 4 in K
    parameters: Mapping[str, Any]
    code: str


def formula_notation(rule: RatingRule, length: int) -> FormulaNotation:
    code, parameters = rule.system.code, rule.parameters
    if code in {"galaxy", "galaxy_2"}:
        return FormulaNotation(
            "n^0.75",
            f"{length}^{format_number(exact_decimal(0.75))}",
            GALAXY_CHANCE,
            800.0,
            False,
            False,
            parameters,
            code,
        )
    if code == "elo":
        divisor, exponent = parameters["divisor"], parameters["exponent"]
        return FormulaNotation(
            f"n^{exponent:g}",
            f"{length}^{format_number(exact_decimal(exponent))}",
            f"P = 1 / (1 + 10^(-D · n^e / {divisor:g}))",
            divisor,
            True,
            False,
            parameters,
            code,
        )
    return FormulaNotation("√n", f"√{length}", FIBS_CHANCE, 2000.0, True, True, parameters, code)


@dataclass(frozen=True, slots=True)
class MatchNumbers:
    """All numbers of one match as printed."""

    winner: PrintedSum
    loser: PrintedSum
    stretch: Decimal
    chance: Decimal
    winner_k: Decimal
    loser_k: Decimal
    share: Decimal  # ½ or 1 (better player)

    @property
    def difference(self) -> Decimal:
        return self.winner.before - self.loser.before

    @property
    def surprise(self) -> Decimal:
        return 1 - self.chance


def chance_power(difference: float, stretch: float, divisor: float) -> float:
    """Return the term 10^(…) in the formula of the chance; infinite if too large."""
    try:
        power: float = 10.0 ** (-difference * stretch / divisor)
    except OverflowError:
        return math.inf
    return power


def match_numbers(
    notation: FormulaNotation, w: ChangeCalculation, after: tuple[float, float]
) -> MatchNumbers:
    """Return the printed numbers of a match, with the fewest digits with which every line adds up.

    ``after``: the new ratings of winner and loser.
    """
    numbers = None
    for end_digits in range(MIN_DIGITS, MIN_DIGITS + 4):
        for change_digits in range(end_digits + 1, MAX_DIGITS - 3):
            for factor_digits in range(change_digits + 3, MAX_DIGITS):
                numbers = _numbers_with_digits(
                    notation, w, after, (end_digits, change_digits, factor_digits, MIN_DIGITS)
                )
                if not _are_changes_consistent(notation, numbers):
                    continue
                for before_digits in range(change_digits, MAX_DIGITS):
                    numbers = _numbers_with_digits(
                        notation, w, after, (end_digits, change_digits, factor_digits, before_digits)
                    )
                    if _is_consistent(notation, numbers):
                        return numbers
                break  # the chance has more digits than any ratings can give: try a finer change
    assert numbers is not None
    return numbers


def _numbers_with_digits(
    notation: FormulaNotation,
    w: ChangeCalculation,
    after: tuple[float, float],
    digits: tuple[int, int, int, int],
) -> MatchNumbers:
    end_digits, change_digits, factor_digits, before_digits = digits
    meeting = w.meeting
    assert w.expected is not None
    assert w.winner_k is not None
    assert w.loser_k is not None
    factor = 4.0 if notation.has_factor_four else 1.0
    k_digits = factor_digits if notation.code in {"galaxy", "galaxy_2", "elo"} else MIN_DIGITS
    return MatchNumbers(
        winner=PrintedSum(
            round_printed(meeting.winner, before_digits),
            round_printed(w.winner_change, change_digits),
            round_printed(after[0], end_digits),
        ),
        loser=PrintedSum(
            round_printed(meeting.loser, before_digits),
            round_printed(w.loser_change, change_digits),
            round_printed(after[1], end_digits),
        ),
        stretch=round_printed(w.stretch, factor_digits),
        chance=round_printed(w.expected, factor_digits),
        winner_k=round_printed(w.winner_k / factor, k_digits),
        loser_k=round_printed(w.loser_k / factor, k_digits),
        share=exact_decimal(meeting.weight) if notation.code == "galaxy_2" else Decimal(1),
    )


def _are_changes_consistent(notation: FormulaNotation, n: MatchNumbers) -> bool:
    factor = 4 if notation.has_factor_four else 1
    common_factor = float(n.stretch) * float(n.surprise) * float(n.share) * factor
    return matches_printed(float(n.winner_k) * common_factor, n.winner.change) and matches_printed(
        -float(n.loser_k) * common_factor, n.loser.change
    )


def _is_consistent(notation: FormulaNotation, n: MatchNumbers) -> bool:
    stretch = float(n.stretch) if notation.length_counts else 1.0
    chance = 1.0 / (1.0 + chance_power(float(n.difference), stretch, notation.divisor))
    if not (n.winner.is_consistent and n.loser.is_consistent and matches_printed(chance, n.chance)):
        return False
    if notation.code not in {"galaxy", "galaxy_2"}:
        return True
    mean = float(n.winner.before + n.loser.before) / 2.0
    return matches_printed(min(16.0, max(5.0, 32.0 - 0.012 * mean)), n.winner_k)


def match_steps(
    explanation: ChangeExplanation, w: ChangeCalculation, rule: RatingRule
) -> tuple[list[ExplanationStep], tuple[PrintedSum, PrintedSum]]:
    """Return the steps of a match by a formula of Elo's family, and the printed sums of both players."""
    assert explanation.change is not None
    assert explanation.change.loser is not None
    meeting = w.meeting
    notation = formula_notation(rule, meeting.length)
    n = match_numbers(notation, w, (explanation.change.winner.after, explanation.change.loser.after))
    exponent = f"{format_number(-n.difference)}"
    if notation.length_counts:
        exponent += f" · {format_number(n.stretch)}"
    assert w.expected is not None
    steps = [
        ExplanationStep(
            "D",
            format_signed(n.difference),
            _("winner’s rating minus loser’s rating: %(winner)s - %(loser)s")
            % {"winner": format_number(n.winner.before), "loser": format_number(n.loser.before)},
        ),
        ExplanationStep("n", str(meeting.length), _("match length in points")),
        ExplanationStep(
            notation.stretch,
            format_number(n.stretch),
            _("weight of this match length"),
            notation.length_factor_sum,
        ),
        ExplanationStep(
            "P",
            format_number(n.chance),
            _("winner’s winning chance, %(percent)s: %(formula)s")
            % {"percent": percent_text(w.expected), "formula": notation.chance},
            f"1 / (1 + 10^({exponent} / {format_number(exact_decimal(notation.divisor))}))",
        ),
        ExplanationStep(
            "1 - P",
            format_number(n.surprise),
            _("share that changes hands"),
            f"1 \N{MINUS SIGN} {format_number(n.chance)}",
        ),
    ]
    if notation.code == "galaxy_2":
        steps.append(_pr_step(explanation, n))
    for label, experience, k in (
        (_("Winner’s K"), meeting.winner_experience, n.winner_k),
        (_("Loser’s K"), meeting.loser_experience, n.loser_k),
    ):
        steps.append(_k_step(notation, label, experience, meeting.length, k, n))
    k_text = (
        "4 · K" if notation.has_factor_four else "½ · K" if n.share == exact_decimal(PR_LOSER_SHARE) else "K"
    )
    for label, k, side in (
        (_("Winner’s change"), n.winner_k, n.winner),
        (_("Loser’s change"), n.loser_k, n.loser),
    ):
        parts = [format_number(k), format_number(n.stretch), format_number(n.surprise)]
        if notation.has_factor_four:
            parts.insert(0, "4")
        if n.share != 1:
            parts.insert(0, format_number(n.share))
        product = " · ".join(parts)
        if side is n.loser:
            product = f"\N{MINUS SIGN}{product}"
        steps.append(
            ExplanationStep(
                label, format_signed(side.change), f"{k_text} · {notation.stretch} · (1 - P)", product
            )
        )
    steps += new_rating_steps(n.winner, n.loser)
    return steps, (n.winner, n.loser)


def new_rating_steps(winner: PrintedSum, loser: PrintedSum) -> list[ExplanationStep]:
    """Return the last two steps: for each player the previous rating plus the change."""
    return [
        ExplanationStep(
            _("Winner’s new rating"),
            format_number(winner.after),
            _("previous rating plus change"),
            winner.text,
        ),
        ExplanationStep(
            _("Loser’s new rating"), format_number(loser.after), _("previous rating plus change"), loser.text
        ),
    ]


def _k_step(
    notation: FormulaNotation, label: str, experience: int, length: int, k: Decimal, n: MatchNumbers
) -> ExplanationStep:
    counts_itself = notation.parameters.get("experience") == EXPERIENCE_AFTER
    if notation.code in {"galaxy", "galaxy_2"}:
        mean = f"({format_number(n.winner.before)} + {format_number(n.loser.before)}) / 2"
        text = _("from both ratings: min(16, max(5, 32 - 0.012 · mean))")
        return ExplanationStep(
            label,
            format_number(k),
            text,
            f"min(16; max(5; 32 \N{MINUS SIGN} {format_number(exact_decimal(0.012))} · {mean}))",
        )
    if notation.code == "fibs_flat":
        return ExplanationStep(label, format_number(k), _("same for all players"))
    text = _("experience %(experience)s, counted %(when)s") % {
        "experience": experience,
        "when": _("including this match") if counts_itself else _("before this match"),
    }
    counted_text = f"({experience} + {length})" if counts_itself else f"{experience}"
    if notation.code == "fibs":
        return ExplanationStep(
            label, format_number(k), text, f"max(1; 5 \N{MINUS SIGN} {counted_text} / 100)"
        )
    return ExplanationStep(
        label,
        format_number(k),
        text,
        _between_steps(notation, counted_text, experience + (length if counts_itself else 0)),
    )


def _between_steps(notation: FormulaNotation, counted_text: str, experience: int) -> str:
    """Return the printed interpolation of K between two points of its schedule; "" where K is constant."""
    schedule = notation.parameters["schedule"]
    if notation.parameters["shape"] == "steps":
        return ""
    for (start, first), (end, second) in pairwise(schedule):
        if start <= experience < end:
            e1, k1, e2, k2 = (format_number(exact_decimal(value)) for value in (start, first, end, second))
            return f"{k1} + ({k2} \N{MINUS SIGN} {k1}) · ({counted_text} \N{MINUS SIGN} {e1}) / ({e2} \N{MINUS SIGN} {e1})"
    return ""


def _pr_step(explanation: ChangeExplanation, n: MatchNumbers) -> ExplanationStep:
    """Return the step about the error rates (PR) of both players."""
    fact = explanation.fact
    if fact.winner_pr is None or fact.loser_pr is None:
        return ExplanationStep(
            "PR", "1", _("no errors (PR) are known for this match, so it is rated as in version 1")
        )
    pr_texts = {
        "winner": format_number(exact_decimal(fact.winner_pr)),
        "loser": format_number(exact_decimal(fact.loser_pr)),
    }
    template = (
        _(
            "errors (PR) %(winner)s against %(loser)s: the winner of the match had the worse PR, so half "
            "the change counts"
        )
        if n.share != 1
        else _(
            "errors (PR) %(winner)s against %(loser)s: the loser of the match did not have the better PR, "
            "so the full change counts"
        )
    )
    return ExplanationStep("PR", format_number(n.share), template % pr_texts)
