"""Rules of play in plain words, by the numbers that verdicts and pages cite (`docs/rules.md`), and which of them hold in a stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.formats import MatchFormat
from tournaments.models import Stage
from tournaments.shared.words.names import form_of
from tournaments.shared.words.rulings import (
    after_crawford_words,
    clock_words,
    lateness_words,
    moves_words,
    score_limit_words,
    slow_words,
    start_limit_words,
)

RULES: Final[Mapping[str | Promise, Mapping[str, str | Promise]]] = {
    gettext_lazy("Board and start"): {
        "R1": gettext_lazy("A board has 24 points in four quarters and a bar. Each side has 15 checkers."),
        "R2": gettext_lazy(
            "Everybody counts for themselves: 24 down to 1. Home is 1 to 6, the bar point 7, the midpoint 13."
        ),
        "R3": gettext_lazy(
            "At the start each side has two checkers on 24, five on 13, three on 8 and five on 6."
        ),
    },
    gettext_lazy("Dice"): {
        "R7": gettext_lazy(
            "Each throws one die; the higher begins and plays these two numbers. Equal dice are thrown again."
        ),
        "R8": gettext_lazy(
            "Then both dice are thrown in turn. A double is played four times and gives no further throw."
        ),
        "R9": gettext_lazy(
            "Dice must lie flat in the right half of the board. Nobody throws before the other has lifted theirs."
        ),
    },
    gettext_lazy("Moving"): {
        "R11": gettext_lazy(
            "Each number is a move of its own: a checker that plays both must be able to stop in between."
        ),
        "R13": gettext_lazy(
            "A checker goes to an empty point, to an own one, or to a single checker of the other side, which is hit and goes to the bar."
        ),
        "R14": gettext_lazy(
            "Two checkers of the other side block a point. Six such points in a row cannot be passed."
        ),
        "R15": gettext_lazy("As many of the numbers must be played as can be."),
        "R16": gettext_lazy(
            "If only one of two numbers can be played, and it could be either, the higher one is played."
        ),
        "R21": gettext_lazy(
            "Checkers on the bar come in first, on the point that the die counts in the other's home."
        ),
    },
    gettext_lazy("Bearing off and the end"): {
        "R24": gettext_lazy(
            "Checkers are borne off only once all of a side are home and none is on the bar."
        ),
        "R26": gettext_lazy(
            "If the point of a number is empty and nothing stands higher, a checker is borne off from the highest point."
        ),
        "R27": gettext_lazy("If a checker stands higher, the number must be moved."),
        "R31": gettext_lazy("Who bears off all 15 first has won the game."),
        "R32": gettext_lazy(
            "It counts 1; as a gammon 2, if the other side has borne off nothing; as a backgammon 3, if one of its checkers is on the bar or in the winner's home, too."
        ),
        "R33": gettext_lazy("Some play without gammons, or without a cube: then every game counts 1."),
        "R42": gettext_lazy("An illegal play stands once the other side has thrown or doubled."),
    },
    gettext_lazy("The cube"): {
        "R35": gettext_lazy(
            "The cube multiplies what a game counts: 2, 4, 8 and so on. In the middle it counts 1."
        ),
        "R36": gettext_lazy("A double is offered before the own throw, never before the first of a game."),
        "R37": gettext_lazy("While the cube is in the middle both may double; then only its owner may."),
        "R38": gettext_lazy(
            "Who passes loses what the cube counted before. Who takes owns the doubled cube, and the other side throws."
        ),
        "R40": gettext_lazy(
            "Jacoby, for money only: without a taken double gammons and backgammons count 1."
        ),
        "R41": gettext_lazy(
            "Beaver, for money only: who takes may turn the cube once more at once, and keeps it."
        ),
    },
    gettext_lazy("Matches"): {
        "F1": gettext_lazy(
            "A match goes to a number of points: who has them first has won. Points above do not count."
        ),
        "F2": gettext_lazy(
            "Crawford: when a side first needs just one point, the next game is played without doubling."
        ),
        "F3": gettext_lazy("After the Crawford game the cube is free again."),
        "F5": gettext_lazy("Automatic doubles, when both throw the same at the start, are for money only."),
        "F7": gettext_lazy(
            "With legal moves everybody points out an illegal play; with responsible moves each side watches over its own interest. The director says which holds."
        ),
        "F8": gettext_lazy(
            "A game ends by bearing off, by a pass, or when a resignation of 1, 2 or 3 times the cube is accepted."
        ),
        "F10": gettext_lazy(
            "A match may start at another score than 0–0, and points can be given without a game."
        ),
        "F11": gettext_lazy(
            "With clocks each move has some seconds, and each side a reserve for the match, perhaps some overtime. Who has used all of it up has lost."
        ),
        "F12": gettext_lazy(
            "Matches that are not played to their end count as the kind of their result says."
        ),
        "F14": gettext_lazy("In matches there is no Jacoby."),
        "F15": gettext_lazy("Who comes late may give the other side points, and in the end the match."),
        "F16": gettext_lazy(
            "A wrong starting position or a wrong score carried into a game is put right until a limit that the director sets. After that it stands."
        ),
        "F17": gettext_lazy("Who may enter a consolation is a setting of the event. A bye is no match won."),
    },
}


@dataclass(frozen=True, slots=True)
class InForce:
    """A sentence on what holds in a stage, and the numbers of the rules behind it."""

    words: str
    rules: tuple[str, ...]


def in_force(stage: Stage) -> list[InForce]:
    """What a player should know before the first throw, read from the format and the settings themselves."""
    form = form_of(stage)
    return [*_of_cube(form), *_of_games(form), *_of_conduct(stage, form)]


def _of_cube(form: MatchFormat) -> list[InForce]:
    found = []
    if not form.is_money:
        found.append(
            InForce(
                _("Who first has the points of the match has won it; points above do not count."), ("F1",)
            )
        )
    if not form.cube:
        return [*found, InForce(_("There is no doubling cube."), ("R33",))]
    found.append(InForce(_("The doubling cube is used."), ("R36", "R37", "R38")))
    if form.is_money:
        jacoby = (
            _("Jacoby holds: without a taken double gammons count 1.")
            if form.jacoby
            else _("Jacoby does not hold.")
        )
        beavers = _("Beavers are allowed.") if form.beavers else _("There are no beavers.")
        return [*found, InForce(jacoby, ("R40",)), InForce(beavers, ("R41",))]
    if form.crawford:
        words = _(
            "Crawford holds: when a side first needs just one point, the next game is played without doubling; after it the cube is free."
        )
        if form.holland:
            crawford = _(
                "Crawford holds: when a side first needs just one point, the next game is played without doubling."
            )
            found += [InForce(crawford, ("F2",)), InForce(after_crawford_words(holland=True), ("F3",))]
        else:
            found.append(InForce(words, ("F2", "F3")))
    else:
        found.append(InForce(_("Crawford does not hold: both may double in every game."), ("F2",)))
    words = _("There is no Jacoby, there are no beavers and no automatic doubles: these are for money.")
    return [*found, InForce(words, ("F14", "R41", "F5"))]


def _of_games(form: MatchFormat) -> list[InForce]:
    if not form.gammons:
        counted = InForce(_("Every game counts the same: there are no gammons."), ("R33",))
    elif not form.backgammons:
        counted = InForce(_("Gammons count double; backgammons count no more than gammons."), ("R32",))
    else:
        counted = InForce(_("Gammons count twice, backgammons three times."), ("R32",))
    return [
        counted,
        InForce(
            _("As many numbers of a throw as possible are played; of two the higher, if only one can be."),
            ("R15", "R16"),
        ),
        InForce(_("Dice count flat in the right half of the board."), ("R9",)),
        InForce(
            _("An illegal play stands once the other side has thrown or doubled."),
            ("R42",),
        ),
    ]


def _of_conduct(stage: Stage, form: MatchFormat) -> list[InForce]:
    conduct = stage.settings.conduct
    slips = conduct.slips
    found = [
        InForce(moves_words(slips.moves), ("F7",)),
        InForce(start_limit_words(slips.start), ("F16",)),
    ]
    if form.length is not None:
        found.append(InForce(score_limit_words(slips.score), ("F16",)))
    clock = clock_words(stage, form.length) if form.length is not None else ""
    found.append(InForce(clock or _("It is played without clocks."), ("F11",)))
    if form.length is not None and (late := lateness_words(form.length, conduct.lateness)):
        found.append(InForce(late, ("F15",)))
        found.append(InForce(slow_words(conduct.slow), ("F15",)))
    rated = _("Results are rated.") if conduct.rated else _("Results are not rated.")
    return [*found, InForce(rated, ("F12",))]
