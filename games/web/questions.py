"""A question about a position as pages show it: the board, what to choose among, and what each of it is worth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.records.boards import with_hits
from games.records.performance import error_class
from games.records.questions import Choice, Question
from games.records.replaying import compact
from games.rules.sides import Side
from games.rules.xgid import Doing, XgId
from games.web.analysed import error_words, rounded, signed
from games.web.cards import card
from games.web.drawing import Drawn, svg
from games.web.positions import board_rows_of
from games.web.showing import image_path, length_words
from games.web.viewing import Look, texts

Shape = dict[str, Any]


def sides() -> dict[Side, str]:
    """How the two of a position are called: never by their names."""
    return {Side.WHITE: _("White"), Side.BLACK: _("Black")}


def question_words(position: XgId) -> str:
    """What is asked."""
    if position.dice is not None:
        dice = f"{max(position.dice)}-{min(position.dice)}"  # as everybody calls a roll
        return _("White to play %(dice)s. What would you play?") % {"dice": dice}
    if position.doing is Doing.TO_ROLL:
        return _("White to roll. Double or no double?")
    return _("Black has doubled. Take or pass?")


def details_of(position: XgId) -> list[str]:
    """What one has to know beside the board: length, score, cube."""
    found = [length_words(position.length)]
    if position.length:
        found.append(
            _("White %(white)s, Black %(black)s") % {"white": position.score[0], "black": position.score[1]}
        )
    if position.crawford:
        return [*found, _("Crawford game")]
    if position.doing is not Doing.TO_ROLL:
        cube = texts()["cube_offered"] % {"value": position.cube * 2}
    elif position.owner is None:
        cube = _("Centred cube at %(cube)s") % {"cube": position.cube}
    else:
        owner = sides()[position.owner]
        cube = _("Cube at %(cube)s, owned by %(name)s") % {"cube": position.cube, "name": owner}
    return [*found, cube]


def card_of(asked: Question, title: str) -> str:
    """The question as a picture to be passed on, with the ``title`` of where it comes from."""
    return card(asked.position, question_words(asked.position), details_of(asked.position), title)


def choice_words(choice: Choice, position: XgId) -> str:
    if choice.code == "play":
        steps = tuple((step.source, step.target) for step in choice.steps)
        return compact(with_hits(position.position, steps)) or _("no play")
    return {
        "no_double": _("No double"),
        "double": _("Double"),
        "take": _("Take"),
        "pass": _("Pass"),
    }[choice.code]


def question_shape(asked: Question) -> Shape:
    """What is shown while nobody has answered."""
    shown = asked.position
    words = question_words(shown)
    return {
        "words": words,
        "board": board_of(asked, words),
        "image_path": image_path(shown.id),
        "details": details_of(shown),
        "rows": board_rows_of(shown, sides()),
        "xgid": shown.id,
        "choices": [
            {"number": number, "words": choice_words(choice, shown)}
            for number, choice in enumerate(asked.choices, 1)
        ],
    }


def board_of(asked: Question, title: str, choice: Choice | None = None) -> str:
    """The board, with the arrows of a play where one is named."""
    drawn = Drawn.of_xgid(asked.position)
    if choice is not None and choice.steps:
        steps = tuple((step.source, step.target) for step in choice.steps)
        drawn = replace(drawn, steps=with_hits(asked.position.position, steps))
    return mark_safe(svg(drawn, Look(bottom=Side.WHITE), title))  # noqa: S308 - every text in it is escaped by the drawing


def answer_shape(asked: Question, chosen: int | None, counts: Mapping[int, int]) -> Shape:
    """What is shown afterwards: the choices from best to worst. ``chosen`` is what the reader said, by its place."""
    given = sum(counts.values())
    best = asked.choices[asked.best]
    places = sorted(range(len(asked.choices)), key=lambda place: asked.choices[place].less)
    title = _("Best: %(play)s") % {"play": choice_words(best, asked.position)}
    return {
        "title": title,
        "board": board_of(asked, title, best),
        "verdict": _verdict(asked, chosen),
        "right": chosen is not None and not asked.choices[chosen].less,
        "given": given,
        "rows": [
            {
                "words": choice_words(choice, asked.position),
                "equity": signed(choice.equity),
                "less": f"−{rounded(choice.less, 3)}" if choice.less else "",
                "kind": error_words(error_class(choice.less)),
                "best": place == asked.best,
                "played": choice.played,
                "chosen": place == chosen,
                "count": counts.get(place, 0),
            }
            for place, choice in ((place, asked.choices[place]) for place in places)
        ],
    }


def _verdict(asked: Question, chosen: int | None) -> str:
    if chosen is None:
        return ""
    choice = asked.choices[chosen]
    words = choice_words(choice, asked.position)
    if not choice.less:
        return _("%(play)s is best.") % {"play": words}
    return _("%(play)s costs %(lost)s.") % {"play": words, "lost": rounded(choice.less, 3)}
