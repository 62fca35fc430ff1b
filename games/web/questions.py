"""Contexts and texts of a quiz question about a position: the board, the choices, and what each costs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.records.boards import mark_hits
from games.records.performance import error_class
from games.records.questions import Choice, Question
from games.records.replaying import format_steps
from games.rules.sides import Side
from games.rules.xgid import XgId, XgidAction
from games.web.analysed import error_label, format_rounded, format_signed
from games.web.cards import card_svg
from games.web.drawing import BoardDrawing, board_svg
from games.web.positions import xgid_board_rows
from games.web.showing import image_path, length_label
from games.web.viewing import BoardOptions, viewer_texts

Context = dict[str, Any]


def side_names() -> dict[Side, str]:
    """Return the names of the two sides in a question: White and Black, never players' names."""
    return {Side.WHITE: _("White"), Side.BLACK: _("Black")}


def question_text(position: XgId) -> str:
    """Return the question about a position as text."""
    if position.dice is not None:
        dice = f"{max(position.dice)}-{min(position.dice)}"  # the usual form: higher die first
        return _("White to play %(dice)s. What would you play?") % {"dice": dice}
    if position.action is XgidAction.TO_ROLL:
        return _("White to roll. Double or no double?")
    return _("Black has doubled. Take or pass?")


def question_details(position: XgId) -> list[str]:
    """Return texts on what is needed beside the board: match length, score, cube."""
    details = [length_label(position.length)]
    if position.length:
        details.append(
            _("White %(white)s, Black %(black)s") % {"white": position.score[0], "black": position.score[1]}
        )
    if position.crawford:
        return [*details, _("Crawford game")]
    if position.action is not XgidAction.TO_ROLL:
        cube = viewer_texts()["cube_offered"] % {"value": position.cube * 2}
    elif position.owner is None:
        cube = _("Centred cube at %(cube)s") % {"cube": position.cube}
    else:
        owner = side_names()[position.owner]
        cube = _("Cube at %(cube)s, owned by %(name)s") % {"cube": position.cube, "name": owner}
    return [*details, cube]


def question_card(question: Question, title: str) -> str:
    """Return the question as an SVG picture for sharing, with the ``title`` of its source."""
    return card_svg(
        question.position, question_text(question.position), question_details(question.position), title
    )


def choice_label(choice: Choice, position: XgId) -> str:
    if choice.code == "play":
        steps = tuple((step.source, step.target) for step in choice.steps)
        return format_steps(mark_hits(position.position, steps)) or _("no play")
    return {
        "no_double": _("No double"),
        "double": _("Double"),
        "take": _("Take"),
        "pass": _("Pass"),
    }[choice.code]


def question_context(question: Question) -> Context:
    """Return the template context of a question that has not been answered."""
    position = question.position
    text = question_text(position)
    return {
        "words": text,
        "board": question_board(question, text),
        "image_path": image_path(position.id),
        "details": question_details(position),
        "rows": xgid_board_rows(position, side_names()),
        "xgid": position.id,
        "choices": [
            {"number": number, "words": choice_label(choice, position)}
            for number, choice in enumerate(question.choices, 1)
        ],
    }


def question_board(question: Question, title: str, choice: Choice | None = None) -> str:
    """Return the board as SVG, with arrows if ``choice`` is a play."""
    drawing = BoardDrawing.from_xgid(question.position)
    if choice is not None and choice.steps:
        steps = tuple((step.source, step.target) for step in choice.steps)
        drawing = replace(drawing, steps=mark_hits(question.position.position, steps))
    return mark_safe(board_svg(drawing, BoardOptions(bottom=Side.WHITE), title))  # noqa: S308 - every text in it is escaped by the drawing


def answer_context(question: Question, chosen_index: int | None, counts: Mapping[int, int]) -> Context:
    """Return the template context of an answered question: the choices from best to worst.

    ``chosen_index``: the index of the reader's choice, None without one. ``counts``: the number of answers,
    keyed by the index of the choice.
    """
    answer_count = sum(counts.values())
    best = question.choices[question.best]
    order = sorted(range(len(question.choices)), key=lambda index: question.choices[index].less)
    title = _("Best: %(play)s") % {"play": choice_label(best, question.position)}
    return {
        "title": title,
        "board": question_board(question, title, best),
        "verdict": _verdict_text(question, chosen_index),
        "right": chosen_index is not None and not question.choices[chosen_index].less,
        "given": answer_count,
        "rows": [
            {
                "words": choice_label(choice, question.position),
                "equity": format_signed(choice.equity),
                "less": f"−{format_rounded(choice.less, 3)}" if choice.less else "",
                "kind": error_label(error_class(choice.less)),
                "best": index == question.best,
                "played": choice.played,
                "chosen": index == chosen_index,
                "count": counts.get(index, 0),
            }
            for index, choice in ((index, question.choices[index]) for index in order)
        ],
    }


def _verdict_text(question: Question, chosen_index: int | None) -> str:
    if chosen_index is None:
        return ""
    choice = question.choices[chosen_index]
    label = choice_label(choice, question.position)
    if not choice.less:
        return _("%(play)s is best.") % {"play": label}
    return _("%(play)s costs %(lost)s.") % {"play": label, "lost": format_rounded(choice.less, 3)}
