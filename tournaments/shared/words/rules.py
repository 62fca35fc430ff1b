"""Rules of the game and of matches in plain language, and the rules that are in force in a stage.

The rules are keyed by chapter and by the number that pages and messages cite (`docs/rules.md`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.formats import MatchFormat
from tournaments.models import Stage
from tournaments.shared.words.names import stage_match_format
from tournaments.shared.words.rulings import (
    after_crawford_message,
    clock_label,
    lateness_message,
    moves_policy_message,
    score_limit_message,
    slow_play_message,
    start_limit_message,
)

RULES: Final[Mapping[str | Promise, Mapping[str, str | Promise]]] = {
    gettext_lazy("Board and starting position"): {
        "R1": gettext_lazy("A board has 24 points in four quarters and a bar. Each side has 15 checkers."),
        "R2": gettext_lazy(
            "Each side numbers the points from its own view: 24 down to 1. Its home board is 1 to 6, the "
            "bar point 7, the midpoint 13."
        ),
        "R3": gettext_lazy(
            "At the start each side has two checkers on 24, five on 13, three on 8 and five on 6."
        ),
    },
    gettext_lazy("Dice"): {
        "R7": gettext_lazy(
            "Each side rolls one die; the higher starts and plays these two numbers. Equal dice are rolled "
            "again."
        ),
        "R8": gettext_lazy(
            "After that, the sides take turns rolling both dice. A double is played four times and gives no "
            "extra roll."
        ),
        "R9": gettext_lazy(
            "Dice must land flat in the right half of the board. Do not roll before the other side has "
            "picked up its dice."
        ),
    },
    gettext_lazy("Moving"): {
        "R11": gettext_lazy(
            "Each number is a separate move: a checker that plays both must be able to land in between."
        ),
        "R13": gettext_lazy(
            "A checker moves to an empty point, to one of its own, or to a point with a single checker of "
            "the other side, which is hit and goes to the bar."
        ),
        "R14": gettext_lazy(
            "Two checkers of the other side block a point. Six blocked points in a row cannot be passed."
        ),
        "R15": gettext_lazy("As many of the numbers as possible must be played."),
        "R16": gettext_lazy(
            "If only one of two numbers can be played and either is possible, the higher must be played."
        ),
        "R21": gettext_lazy(
            "Checkers on the bar enter first, on the point in the other side’s home board that matches the "
            "die."
        ),
    },
    gettext_lazy("Bearing off and end of the game"): {
        "R24": gettext_lazy(
            "A side may bear off only when all its checkers are in its home board and none is on the bar."
        ),
        "R26": gettext_lazy(
            "If the point of a number is empty and no checker is on a higher point, a checker is borne off "
            "from the highest occupied point."
        ),
        "R27": gettext_lazy("If a checker is on a higher point, the number must be played as a move."),
        "R31": gettext_lazy("The first side to bear off all 15 checkers wins the game."),
        "R32": gettext_lazy(
            "A win counts 1; a gammon counts 2, if the other side has borne off no checkers; a backgammon "
            "counts 3, if it also has a checker on the bar or in the winner’s home board."
        ),
        "R33": gettext_lazy("Some events play without gammons or without a cube: then every game counts 1."),
        "R42": gettext_lazy("An illegal play counts once the other side has rolled or doubled."),
    },
    gettext_lazy("The cube"): {
        "R35": gettext_lazy(
            "The cube multiplies the value of a game: by 2, 4, 8 and so on. In the middle it counts 1."
        ),
        "R36": gettext_lazy(
            "A double is offered before your own roll, never before the first roll of a game."
        ),
        "R37": gettext_lazy(
            "While the cube is in the middle, both sides may double; after that only its owner may."
        ),
        "R38": gettext_lazy(
            "A side that passes loses the value the cube had until then. A side that takes owns the doubled "
            "cube, and the other side rolls."
        ),
        "R40": gettext_lazy(
            "Jacoby, money play only: without an accepted double, gammons and backgammons count 1."
        ),
        "R41": gettext_lazy(
            "Beaver, money play only: a side that takes may immediately turn the cube again and keeps it."
        ),
    },
    gettext_lazy("Matches"): {
        "F1": gettext_lazy(
            "A match is played to a number of points. The first side to reach it wins; extra points do not "
            "count."
        ),
        "F2": gettext_lazy(
            "Crawford: when a side first needs only one point, the next game is played without doubling."
        ),
        "F3": gettext_lazy("After the Crawford game, doubling is allowed again."),
        "F5": gettext_lazy(
            "Automatic doubles, when both sides roll the same number at the start, are for money play only."
        ),
        "F7": gettext_lazy(
            "With legal moves, both sides point out an illegal play; with responsible moves, each side "
            "looks after its own interest. The director decides which applies."
        ),
        "F8": gettext_lazy(
            "A game ends by bearing off, by a pass, or when a resignation of 1, 2 or 3 times the cube is accepted."
        ),
        "F10": gettext_lazy(
            "A match may start at a score other than 0–0, and points can be awarded without a game."
        ),
        "F11": gettext_lazy(
            "With clocks, each move has some seconds, and each side has a reserve for the match and "
            "sometimes overtime. A side that has used all its time loses."
        ),
        "F12": gettext_lazy("Matches that are not played to the end count according to the kind of result."),
        "F14": gettext_lazy("Jacoby is not used in matches."),
        "F15": gettext_lazy("Lateness can give the other side points and finally the match."),
        "F16": gettext_lazy(
            "A wrong starting position or a wrong score carried into a game is corrected up to a limit that "
            "the director sets. After that it counts."
        ),
        "F17": gettext_lazy(
            "The event’s settings decide who may enter a consolation. A bye does not count as a match won."
        ),
    },
}


@dataclass(frozen=True, slots=True)
class RuleSummary:
    """A sentence on a rule that applies in a stage, and the numbers of the rules behind the sentence."""

    words: str
    rules: tuple[str, ...]


def rules_in_force(stage: Stage) -> list[RuleSummary]:
    """Return what a player should know before the first roll, from the stage's match format and settings."""
    form = stage_match_format(stage)
    return [*_cube_rules(form), *_game_rules(form), *_conduct_rules(stage, form)]


def _cube_rules(form: MatchFormat) -> list[RuleSummary]:
    rules = []
    if not form.is_money:
        rules.append(
            RuleSummary(
                _("The first side to reach the match length wins; extra points do not count."), ("F1",)
            )
        )
    if not form.cube:
        return [*rules, RuleSummary(_("The doubling cube is not used."), ("R33",))]
    rules.append(RuleSummary(_("The doubling cube is used."), ("R36", "R37", "R38")))
    if form.is_money:
        jacoby = (
            _("The Jacoby rule applies: without an accepted double, gammons count 1.")
            if form.jacoby
            else _("The Jacoby rule does not apply.")
        )
        beavers = _("Beavers are allowed.") if form.beavers else _("Beavers are not allowed.")
        return [*rules, RuleSummary(jacoby, ("R40",)), RuleSummary(beavers, ("R41",))]
    if form.crawford:
        sentence = _(
            "The Crawford rule applies: when a side first needs only one point, the next game is played "
            "without doubling; after it, doubling is allowed again."
        )
        if form.holland:
            crawford = _(
                "The Crawford rule applies: when a side first needs only one point, the next game is played "
                "without doubling."
            )
            rules += [
                RuleSummary(crawford, ("F2",)),
                RuleSummary(after_crawford_message(holland=True), ("F3",)),
            ]
        else:
            rules.append(RuleSummary(sentence, ("F2", "F3")))
    else:
        rules.append(
            RuleSummary(_("The Crawford rule does not apply: both sides may double in every game."), ("F2",))
        )
    sentence = _("Jacoby, beavers and automatic doubles are not used: these are for money play.")
    return [*rules, RuleSummary(sentence, ("F14", "R41", "F5"))]


def _game_rules(form: MatchFormat) -> list[RuleSummary]:
    if not form.gammons:
        counting_rule = RuleSummary(_("Every game counts the same; gammons are not used."), ("R33",))
    elif not form.backgammons:
        counting_rule = RuleSummary(
            _("Gammons count double; backgammons count the same as gammons."), ("R32",)
        )
    else:
        counting_rule = RuleSummary(_("Gammons count double, backgammons triple."), ("R32",))
    return [
        counting_rule,
        RuleSummary(
            _(
                "Play as many numbers of a roll as possible; if only one of two can be played, play the higher."
            ),
            ("R15", "R16"),
        ),
        RuleSummary(_("Dice must land flat in the right half of the board."), ("R9",)),
        RuleSummary(
            _("An illegal play counts once the other side has rolled or doubled."),
            ("R42",),
        ),
    ]


def _conduct_rules(stage: Stage, form: MatchFormat) -> list[RuleSummary]:
    conduct = stage.settings.conduct
    slips = conduct.slips
    rules = [
        RuleSummary(moves_policy_message(slips.moves), ("F7",)),
        RuleSummary(start_limit_message(slips.start), ("F16",)),
    ]
    if form.length is not None:
        rules.append(RuleSummary(score_limit_message(slips.score), ("F16",)))
    clock = clock_label(stage, form.length) if form.length is not None else ""
    rules.append(RuleSummary(clock or _("Clocks are not used."), ("F11",)))
    if form.length is not None and (late := lateness_message(form.length, conduct.lateness)):
        rules.append(RuleSummary(late, ("F15",)))
        rules.append(RuleSummary(slow_play_message(conduct.slow), ("F15",)))
    rated = _("Results are rated.") if conduct.rated else _("Results are not rated.")
    return [*rules, RuleSummary(rated, ("F12",))]
