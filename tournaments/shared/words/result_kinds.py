"""What each result kind counts for, as text; derived from the engine's rules (rules F12 and F17)."""

from typing import Any

from django.utils.translation import gettext as _

from tournaments.engine.brackets.consolation import PLAYED_KINDS, PLAYED_OR_WALKOVER
from tournaments.engine.matches.result_kinds import RESULT_RULES, WhoMayReport, WinnerRule
from tournaments.engine.pairing.history import HALF_POINT, ZERO_POINTS
from tournaments.engine.stages.swiss import half_points
from tournaments.engine.types import Outcome, ResultKind
from tournaments.shared.words.names import result_kind_label


def standings_label(kind: ResultKind) -> str:
    """Return what a result of this kind counts for in the standings: “a win and a loss”."""
    rule = RESULT_RULES[kind]
    if not rule.ends_match:
        return _("nothing yet: the match is still open")
    if rule.claimant is WhoMayReport.NOBODY:
        return _("a win, or what the event gives for a bye")
    if rule.winner is WinnerRule.ONE:
        return _("a win and a loss")
    each = half_points(Outcome(None, kind))[0]
    return {
        HALF_POINT: _("half a point each, neither advances"),
        ZERO_POINTS: _("no point for either, neither advances"),
    }[each]


def tie_break_label(kind: ResultKind) -> str:
    """Return whether a result of this kind counts in tie-breaks as a match or as a round without play."""
    rule = RESULT_RULES[kind]
    if not rule.ends_match:
        return _("nothing yet")
    return _("a match played") if rule.played else _("a round without play")


def consolation_label(kind: ResultKind) -> str:
    """Return whether the loser of a match with this result kind may enter a consolation (rule F17)."""
    rule = RESULT_RULES[kind]
    if rule.winner is WinnerRule.NONE or rule.claimant is WhoMayReport.NOBODY:
        return _("neither side")
    if kind in PLAYED_KINDS:
        return _("yes")
    return _("if the event allows it") if kind in PLAYED_OR_WALKOVER else _("no")


def rating_label(kind: ResultKind) -> str:
    return _("yes") if RESULT_RULES[kind].rated else _("no")


def result_effect_rows() -> list[dict[str, Any]]:
    """Return a template context for each result kind: its name, who may report it, and what it counts for."""
    return [
        {
            "code": kind.value,
            "name": result_kind_label(kind),
            "who": _("players and director")
            if RESULT_RULES[kind].claimant is WhoMayReport.PLAYERS
            else _("director")
            if RESULT_RULES[kind].claimant is WhoMayReport.DIRECTOR
            else _("the draw"),
            "standing": standings_label(kind),
            "tie_breaks": tie_break_label(kind),
            "consolation": consolation_label(kind),
            "rating": rating_label(kind),
        }
        for kind in ResultKind
    ]


def result_effect_message(kind: ResultKind, *, rated: bool = True) -> str:
    """Return the sentences of a form on what a result of this kind will count for.

    ``rated``: whether matches of the stage are rated.
    """
    message = _(
        "Standings: %(standing)s. Tie-breaks: %(tie_breaks)s. Loser enters a consolation: %(consolation)s."
    ) % {
        "standing": standings_label(kind),
        "tie_breaks": tie_break_label(kind),
        "consolation": consolation_label(kind),
    }
    rating = _("Ratings: yes.") if rated and RESULT_RULES[kind].rated else _("Ratings: no.")
    return f"{message} {rating}"


def score_form_context(kind: ResultKind) -> dict[str, Any]:
    """Return what a form must ask for with this result kind.

    ``shape``: code of the possible scores; ``winner``: whether to ask who won.
    """
    rule = RESULT_RULES[kind]
    return {"kind": kind.value, "shape": rule.score_rule.value, "winner": rule.winner is WinnerRule.ONE}
