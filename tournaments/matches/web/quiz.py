"""Positions of an event, for everybody: what would you play? Without names, without a way to the match, readable without scripts."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from faults import Invalid, Missing
from games.web.analysed import engine_words
from games.web.questions import answer_shape, question_shape, question_words
from games.web.showing import image_path
from people.messages import describe
from tournaments.matches.services.quiz import answer
from tournaments.matches.web.quiz_card import card_shape
from tournaments.models import QuizPosition
from tournaments.selectors.access.visibility import VisibleEvent
from tournaments.selectors.matches.quiz import (
    Asked,
    asked_as,
    asked_in,
    counts_of,
    quiz_versions,
    shown_position,
    shown_quiz,
)
from tournaments.shared.frames.director import absolute
from tournaments.shared.frames.player import too_often
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import when_words

TRIES, PERIOD = 300, 600  # answers of one address that are counted: a whole hall may sit behind one
SHOWN: Final = "shown"  # in the address: the answer without a guess


@public_view
def quiz(request: HttpRequest, event: str) -> HttpResponse:
    """All positions of the event as pictures that lead to their questions."""
    visible = shown_quiz(request.user, event)

    def context() -> dict[str, Any]:
        found = asked_in(visible.event)
        return {
            **_frame(visible),
            "positions": [_card(one) for one in found],
            "preview": card_shape(found[0]) if found else None,
            "share_url": absolute(request, request.path),
        }

    return public_page(
        request,
        "matches/quiz.html",
        context,
        versions=quiz_versions(visible),
        role=visible.role,
        listed=False,
    )


def _open(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Reading, and an answer, which nobody's session stands behind: the page is the same for everybody and has no token."""

    @wraps(view)
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Missing as missing:
            raise Http404(missing.code) from missing

    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(opened))


@_open
def position(request: HttpRequest, position: str) -> HttpResponse:
    """One position: the question; ``?choice=2``: what that is worth, ``?choice=shown``: the answer. A POST counts an answer and leads there."""
    visible, row = shown_position(request.user, position)
    if request.method == "POST":
        return _answered(request, visible, row)
    given = request.GET.get("choice", "")[:8]
    counts = counts_of(row) if given else {}

    def context() -> dict[str, Any]:
        return _context(request, visible, asked_as(visible.event, row), given, counts)

    return public_page(
        request,
        "matches/quiz_position.html",
        context,
        versions=[*quiz_versions(visible), row.pk, sorted(counts.items())],
        role=visible.role,
        listed=False,
    )


def _answered(request: HttpRequest, visible: VisibleEvent, row: QuizPosition) -> HttpResponse:
    asked = asked_as(visible.event, row)
    given = request.POST.get("choice", "")[:8]
    try:
        place = _place(given, asked)
        if place is None:
            raise Invalid("quiz.choice", field="choice")
        if not too_often(request, "quiz", limit=TRIES, seconds=PERIOD):
            answer(position_id=row.pk, choice=place)
    except Invalid as error:
        context = {**_context(request, visible, asked, "", {}), "refused": describe(error)}
        return render(request, "matches/quiz_position.html", context, status=error.status)
    return redirect(f"{request.path}?choice={place + 1}#answer")


def _place(given: str, asked: Asked) -> int | None:
    """The choice that an address or a form names, counted from 1 there."""
    if not (given.isascii() and given.isdecimal()):
        return None
    number = int(given)
    return number - 1 if 0 < number <= len(asked.question.choices) else None


def _context(
    request: HttpRequest, visible: VisibleEvent, asked: Asked, given: str, counts: dict[int, int]
) -> dict[str, Any]:
    shape = question_shape(asked.question)
    chosen = _place(given, asked)
    context = {
        **_frame(visible),
        **_card(asked),
        "question": shape,
        "before_url": _url(asked.before),
        "after_url": _url(asked.after),
        "engine": engine_words(asked.analysis),
        "card": card_shape(asked),
        "share_url": absolute(request, _url(asked.row.public_id)),
    }
    if chosen is not None or given == SHOWN:
        context["answer"] = answer_shape(asked.question, chosen, counts)
    return context


def _frame(visible: VisibleEvent) -> dict[str, Any]:
    return {"event": visible.event, "club": visible.event.club, "when": when_words(visible.event)}


def _card(asked: Asked) -> dict[str, Any]:
    return {
        "number": asked.number,
        "total": asked.total,
        "url": _url(asked.row.public_id),
        "image_path": image_path(asked.row.xgid),
        "words": question_words(asked.question.position),
        "title": _("Position %(number)s of %(total)s") % {"number": asked.number, "total": asked.total},
    }


def _url(public_id: str) -> str:
    return reverse("public:quiz-position", args=[public_id]) if public_id else ""
