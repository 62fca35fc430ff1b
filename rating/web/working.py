"""The working of a match that is rated by itself, in words and in numbers that add up as they stand.

The numbers are those of the formula's own `Working`. Each is printed with as many digits as the line needs that it goes into:
the new rating with two, the change with enough to lead there, its factors with enough to make the change, and the ratings
before the match with enough to make the chance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from rating.formulas import Working
from rating.formulas.elo import AFTER
from rating.formulas.galaxy import HALVED
from rating.selectors import Why
from rating.selectors.rules import Rule
from rating.selectors.shown import percent_text
from rating.web.printed import FINEST, SHOWN, Sum, adds_up, given, printed, signed, text
from rating.web.reason import Reason

# The formulas whose steps are these; others have those of `plain_working`.
BY_MATCH = frozenset({"fibs", "fibs_flat", "elo", "galaxy", "galaxy_2"})
FIBS_CHANCE = "P = 1 / (1 + 10^(-D · √n / 2000))"
GALAXY_CHANCE = "P = 1 / (1 + 10^(-D / 800))"


@dataclass(frozen=True, slots=True)
class Shape:
    """How a formula of the family is written: what the length weighs, the chance, and the divisor."""

    stretch: str
    stretch_sum: str
    chance: str
    divisor: float
    length_counts: bool  # whether the chance knows the length
    four: bool  # FIBS writes the change as 4 · K · …; our formulas carry the 4 inside K
    parameters: Mapping[str, Any]
    code: str


def shape_of(rule: Rule, length: int) -> Shape:
    code, parameters = rule.system.code, rule.parameters
    if code in {"galaxy", "galaxy_2"}:
        return Shape(
            "n^0.75", f"{length}^{text(given(0.75))}", GALAXY_CHANCE, 800.0, False, False, parameters, code
        )
    if code == "elo":
        divisor, exponent = parameters["divisor"], parameters["exponent"]
        return Shape(
            f"n^{exponent:g}",
            f"{length}^{text(given(exponent))}",
            f"P = 1 / (1 + 10^(-D · n^e / {divisor:g}))",
            divisor,
            True,
            False,
            parameters,
            code,
        )
    return Shape("√n", f"√{length}", FIBS_CHANCE, 2000.0, True, True, parameters, code)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything that is printed of one match."""

    winner: Sum
    loser: Sum
    stretch: Decimal
    chance: Decimal
    winner_k: Decimal
    loser_k: Decimal
    share: Decimal  # ½ or 1 (who played better)

    @property
    def difference(self) -> Decimal:
        return self.winner.before - self.loser.before

    @property
    def surprise(self) -> Decimal:
        return 1 - self.chance


def lost_chance(difference: float, stretch: float, divisor: float) -> float:
    """10^(…) of the chance."""
    try:
        power: float = 10.0 ** (-difference * stretch / divisor)
    except OverflowError:
        return math.inf
    return power


def numbers_of(shape: Shape, w: Working, after: tuple[float, float]) -> Numbers:
    """The fewest digits with which every line adds up."""
    found = None
    for end in range(SHOWN, SHOWN + 4):
        for change in range(end + 1, FINEST - 3):
            for factors in range(change + 3, FINEST):
                found = _printed(shape, w, after, (end, change, factors, SHOWN))
                if not _changes_hold(shape, found):
                    continue
                for before in range(change, FINEST):
                    found = _printed(shape, w, after, (end, change, factors, before))
                    if _holds(shape, found):
                        return found
                break  # the chance has more digits than any ratings can give: try a finer change
    assert found is not None
    return found


def _printed(
    shape: Shape, w: Working, after: tuple[float, float], digits: tuple[int, int, int, int]
) -> Numbers:
    end, change, factors, before = digits
    m = w.meeting
    assert w.expected is not None
    assert w.winner_k is not None
    assert w.loser_k is not None
    four = 4.0 if shape.four else 1.0
    k_digits = factors if shape.code in {"galaxy", "galaxy_2", "elo"} else SHOWN
    return Numbers(
        winner=Sum(printed(m.winner, before), printed(w.winner_change, change), printed(after[0], end)),
        loser=Sum(printed(m.loser, before), printed(w.loser_change, change), printed(after[1], end)),
        stretch=printed(w.stretch, factors),
        chance=printed(w.expected, factors),
        winner_k=printed(w.winner_k / four, k_digits),
        loser_k=printed(w.loser_k / four, k_digits),
        share=given(m.weight) if shape.code == "galaxy_2" else Decimal(1),
    )


def _changes_hold(shape: Shape, n: Numbers) -> bool:
    four = 4 if shape.four else 1
    common = float(n.stretch) * float(n.surprise) * float(n.share) * four
    return adds_up(float(n.winner_k) * common, n.winner.change) and adds_up(
        -float(n.loser_k) * common, n.loser.change
    )


def _holds(shape: Shape, n: Numbers) -> bool:
    stretch = float(n.stretch) if shape.length_counts else 1.0
    chance = 1.0 / (1.0 + lost_chance(float(n.difference), stretch, shape.divisor))
    if not (n.winner.holds and n.loser.holds and adds_up(chance, n.chance)):
        return False
    if shape.code not in {"galaxy", "galaxy_2"}:
        return True
    mean = float(n.winner.before + n.loser.before) / 2.0
    return adds_up(min(16.0, max(5.0, 32.0 - 0.012 * mean)), n.winner_k)


def match_reasons(why: Why, w: Working, rule: Rule) -> tuple[list[Reason], tuple[Sum, Sum]]:
    """The steps of a formula of Elo's family, and both sides as they are printed."""
    assert why.change is not None
    assert why.change.loser is not None
    m = w.meeting
    shape = shape_of(rule, m.length)
    n = numbers_of(shape, w, (why.change.winner.after, why.change.loser.after))
    exponent = f"{text(-n.difference)}"
    if shape.length_counts:
        exponent += f" · {text(n.stretch)}"
    assert w.expected is not None
    steps = [
        Reason(
            "D",
            signed(n.difference),
            _("winner’s rating minus loser’s rating: %(winner)s - %(loser)s")
            % {"winner": text(n.winner.before), "loser": text(n.loser.before)},
        ),
        Reason("n", str(m.length), _("match length in points")),
        Reason(shape.stretch, text(n.stretch), _("weight of this match length"), shape.stretch_sum),
        Reason(
            "P",
            text(n.chance),
            _("winner’s winning chance, %(percent)s: %(formula)s")
            % {"percent": percent_text(w.expected), "formula": shape.chance},
            f"1 / (1 + 10^({exponent} / {text(given(shape.divisor))}))",
        ),
        Reason(
            "1 - P", text(n.surprise), _("share that changes hands"), f"1 \N{MINUS SIGN} {text(n.chance)}"
        ),
    ]
    if shape.code == "galaxy_2":
        steps.append(_play(why, n))
    for label, experience, k in (
        (_("Winner’s K"), m.winner_experience, n.winner_k),
        (_("Loser’s K"), m.loser_experience, n.loser_k),
    ):
        steps.append(_k(shape, label, experience, m.length, k, n))
    front = "4 · K" if shape.four else "½ · K" if n.share == given(HALVED) else "K"
    for label, k, side in (
        (_("Winner’s change"), n.winner_k, n.winner),
        (_("Loser’s change"), n.loser_k, n.loser),
    ):
        parts = [text(k), text(n.stretch), text(n.surprise)]
        if shape.four:
            parts.insert(0, "4")
        if n.share != 1:
            parts.insert(0, text(n.share))
        product = " · ".join(parts)
        if side is n.loser:
            product = f"\N{MINUS SIGN}{product}"
        steps.append(Reason(label, signed(side.change), f"{front} · {shape.stretch} · (1 - P)", product))
    steps += new_ratings(n.winner, n.loser)
    return steps, (n.winner, n.loser)


def new_ratings(winner: Sum, loser: Sum) -> list[Reason]:
    """The two last lines: what was, and what has changed."""
    return [
        Reason(_("Winner’s new rating"), text(winner.after), _("previous rating plus change"), winner.text),
        Reason(_("Loser’s new rating"), text(loser.after), _("previous rating plus change"), loser.text),
    ]


def _k(shape: Shape, label: str, experience: int, length: int, k: Decimal, n: Numbers) -> Reason:
    counts = shape.parameters.get("experience") == AFTER
    if shape.code in {"galaxy", "galaxy_2"}:
        mean = f"({text(n.winner.before)} + {text(n.loser.before)}) / 2"
        words = _("from both ratings: min(16, max(5, 32 - 0.012 · mean))")
        return Reason(
            label, text(k), words, f"min(16; max(5; 32 \N{MINUS SIGN} {text(given(0.012))} · {mean}))"
        )
    if shape.code == "fibs_flat":
        return Reason(label, text(k), _("same for all players"))
    words = _("experience %(experience)s, counted %(when)s") % {
        "experience": experience,
        "when": _("including this match") if counts else _("before this match"),
    }
    counted = f"({experience} + {length})" if counts else f"{experience}"
    if shape.code == "fibs":
        return Reason(label, text(k), words, f"max(1; 5 \N{MINUS SIGN} {counted} / 100)")
    return Reason(
        label, text(k), words, _between_steps(shape, counted, experience + (length if counts else 0))
    )


def _between_steps(shape: Shape, counted: str, experience: int) -> str:
    """K on the straight line between two steps; nothing on a step."""
    schedule = shape.parameters["schedule"]
    if shape.parameters["shape"] == "steps":
        return ""
    for (start, first), (end, second) in pairwise(schedule):
        if start <= experience < end:
            e1, k1, e2, k2 = (text(given(value)) for value in (start, first, end, second))
            return f"{k1} + ({k2} \N{MINUS SIGN} {k1}) · ({counted} \N{MINUS SIGN} {e1}) / ({e2} \N{MINUS SIGN} {e1})"
    return ""


def _play(why: Why, n: Numbers) -> Reason:
    """Who played better, as far as anybody knows."""
    fact = why.fact
    if fact.winner_pr is None or fact.loser_pr is None:
        return Reason("PR", "1", _("no errors (PR) are known for this match, so it is rated as in version 1"))
    known = {"winner": text(given(fact.winner_pr)), "loser": text(given(fact.loser_pr))}
    words = (
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
    return Reason("PR", text(n.share), words % known)
