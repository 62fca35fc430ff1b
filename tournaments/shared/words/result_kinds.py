"""What each kind of result counts for, in words made from the engine's table, so that the page cannot drift from the code (F12 F17)."""

from typing import Any

from django.utils.translation import gettext as _

from tournaments.engine.brackets.consolation import ALSO_WALKOVERS, OVER_THE_BOARD
from tournaments.engine.matches.result_kinds import RESULT_RULES, Claimant, Winner
from tournaments.engine.pairing.history import HALF, NOTHING
from tournaments.engine.stages.swiss import points_of
from tournaments.engine.types import Outcome, ResultKind
from tournaments.shared.words.names import kind_words


def standing_words(kind: ResultKind) -> str:
    """What it is in the table and the bracket."""
    rule = RESULT_RULES[kind]
    if not rule.ends_match:
        return _("nothing yet: the match is still open")
    if rule.claimant is Claimant.NOBODY:
        return _("a win, or what the event gives for a bye")
    if rule.winner is Winner.ONE:
        return _("a win and a loss")
    each = points_of(Outcome(None, kind))[0]
    return {
        HALF: _("half a point each, neither advances"),
        NOTHING: _("no point for either, neither advances"),
    }[each]


def tie_break_words(kind: ResultKind) -> str:
    """Whether the opponent counts as met."""
    rule = RESULT_RULES[kind]
    if not rule.ends_match:
        return _("nothing yet")
    return _("a match played") if rule.played else _("a round without play")


def consolation_words(kind: ResultKind) -> str:
    """Whether the loser may play on in a consolation (F17)."""
    rule = RESULT_RULES[kind]
    if rule.winner is Winner.NONE or rule.claimant is Claimant.NOBODY:
        return _("neither side")
    if kind in OVER_THE_BOARD:
        return _("yes")
    return _("if the event allows it") if kind in ALSO_WALKOVERS else _("no")


def rating_words(kind: ResultKind) -> str:
    return _("yes") if RESULT_RULES[kind].rated else _("no")


def counting_rows() -> list[dict[str, Any]]:
    """The whole table, a row for each kind."""
    return [
        {
            "code": kind.value,
            "name": kind_words(kind),
            "who": _("players and director")
            if RESULT_RULES[kind].claimant is Claimant.PLAYERS
            else _("director")
            if RESULT_RULES[kind].claimant is Claimant.DIRECTOR
            else _("the draw"),
            "standing": standing_words(kind),
            "tie_breaks": tie_break_words(kind),
            "consolation": consolation_words(kind),
            "rating": rating_words(kind),
        }
        for kind in ResultKind
    ]


def counting_sentence(kind: ResultKind, *, rated: bool = True) -> str:
    """One sentence for the form: what this result will count for. ``rated``: whether the stage is rated at all."""
    words = _(
        "Standings: %(standing)s. Tie-breaks: %(tie_breaks)s. Loser enters a consolation: %(consolation)s."
    ) % {
        "standing": standing_words(kind),
        "tie_breaks": tie_break_words(kind),
        "consolation": consolation_words(kind),
    }
    rating = _("Ratings: yes.") if rated and RESULT_RULES[kind].rated else _("Ratings: no.")
    return f"{words} {rating}"


def score_shape(kind: ResultKind) -> dict[str, Any]:
    """What a form for this kind asks for: whether a winner has to be named beside the score."""
    rule = RESULT_RULES[kind]
    return {"kind": kind.value, "shape": rule.shape.value, "winner": rule.winner is Winner.ONE}
