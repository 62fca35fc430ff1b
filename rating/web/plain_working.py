"""The working of a formula that has no lines of its own yet: what its `Working` says, and no sum but those that all formulas have.

Whoever adds a formula gets these by that alone. Lines in which every step can be computed again are written in `working` for
formulas of Elo's family, in `points_working` for points that are earned.
"""

from django.utils.translation import gettext as _

from rating.formulas import Working
from rating.selectors import Why
from rating.selectors.rules import Rule
from rating.selectors.shown import percent_text
from rating.web.points_working import place_words, total_line, weight_of
from rating.web.printed import Sum, printed, signed, sum_of, text
from rating.web.reason import Reason
from rating.web.working import new_ratings

DIGITS = 4  # of a chance and of K


def plain_match_reasons(why: Why, w: Working, rule: Rule) -> tuple[list[Reason], tuple[Sum, Sum]]:
    """A match: what the formula was given, what it made of it, and both sides as they are printed."""
    assert why.change is not None
    assert why.change.loser is not None
    winner = sum_of(why.change.winner.before, why.change.winner.after)
    loser = sum_of(why.change.loser.before, why.change.loser.after)
    steps = [
        Reason(
            "D",
            signed(winner.before - loser.before),
            _("winner’s rating minus loser’s rating: %(winner)s - %(loser)s")
            % {"winner": text(winner.before), "loser": text(loser.before)},
        ),
        Reason("n", str(w.meeting.length), _("match length in points")),
    ]
    if rule.system.weighted:
        steps.append(weight_of(why)[1])
    if w.expected is not None:
        words = _("winner’s winning chance: %(percent)s") % {"percent": percent_text(w.expected)}
        steps.append(Reason("P", text(printed(w.expected, DIGITS)), words))
    steps += [
        Reason(label, text(printed(k, DIGITS)), "")
        for label, k in ((_("Winner’s K"), w.winner_k), (_("Loser’s K"), w.loser_k))
        if k is not None
    ]
    by_formula = _("by the formula of this list")
    steps += [
        Reason(_("Winner’s change"), signed(winner.change), by_formula),
        Reason(_("Loser’s change"), signed(loser.change), by_formula),
        *new_ratings(winner, loser),
    ]
    return steps, (winner, loser)


def plain_place_reasons(why: Why) -> tuple[list[Reason], tuple[Sum, Sum]]:
    """A final place."""
    assert why.change is not None
    fact, side = why.fact, sum_of(why.change.winner.before, why.change.winner.after)
    steps = [
        Reason(_("Place"), str(fact.place), place_words(fact.tied)),
        Reason("N", str(fact.field), _("number of players in the field")),
        weight_of(why)[1],
        Reason(_("Points"), signed(side.change), _("by the formula of this list")),
        total_line(_("New points"), side),
    ]
    return steps, (side, side)
