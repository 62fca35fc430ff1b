"""Public pages of an event's quiz: what would you play?

They have no names and no links to matches, and need no scripts.
"""

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
from games.web.analysed import engine_label
from games.web.questions import answer_context, question_context, question_text
from games.web.showing import image_path
from people.messages import describe
from tournaments.matches.services.quiz import count_answer
from tournaments.matches.web.quiz_card import card_context
from tournaments.models import QuizPosition
from tournaments.selectors.access.visibility import VisibleEvent
from tournaments.selectors.matches.quiz import (
    QuizQuestion,
    answer_counts,
    event_with_open_quiz,
    get_quiz_position,
    get_quiz_question,
    quiz_questions,
    quiz_versions,
)
from tournaments.shared.frames.director import absolute_url
from tournaments.shared.frames.player import is_rate_limited
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import event_dates_label

MAX_ANSWERS, PERIOD_SECONDS = (
    300,
    600,
)  # answers counted per address: a whole hall may share one
SHOW_ANSWER: Final = "shown"  # query value: the answer without a guess


@public_view
def quiz(request: HttpRequest, event: str) -> HttpResponse:
    """Page with all quiz positions of the event as pictures that link to their questions."""
    visible = event_with_open_quiz(request.user, event)

    def context() -> dict[str, Any]:
        quiz_positions = quiz_questions(visible.event)
        return {
            **_event_context(visible),
            "positions": [_position_context(quiz_question) for quiz_question in quiz_positions],
            "preview": card_context(quiz_positions[0]) if quiz_positions else None,
            "share_url": absolute_url(request, request.path),
        }

    return public_page(
        request,
        "matches/quiz.html",
        context,
        versions=quiz_versions(visible),
        role=visible.role,
        listed=False,
    )


def _anonymous_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a form view that takes an anonymous answer.

    The page is the same for everyone, without a CSRF token.
    """

    @wraps(view)
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Missing as error:
            raise Http404(error.code) from error

    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(opened))


@_anonymous_form
def position(request: HttpRequest, position: str) -> HttpResponse:
    """Page of a quiz position as a question. A POST counts the answer and redirects to its evaluation.

    ``?choice=2``: also shows the value of that choice; ``?choice=shown``: shows the solution without a guess.
    """
    visible, row = get_quiz_position(request.user, position)
    if request.method == "POST":
        return _answer_response(request, visible, row)
    choice_text = request.GET.get("choice", "")[:8]
    counts = answer_counts(row) if choice_text else {}

    def context() -> dict[str, Any]:
        return _context(request, visible, get_quiz_question(visible.event, row), choice_text, counts)

    return public_page(
        request,
        "matches/quiz_position.html",
        context,
        versions=[*quiz_versions(visible), row.pk, sorted(counts.items())],
        role=visible.role,
        listed=False,
    )


def _answer_response(request: HttpRequest, visible: VisibleEvent, row: QuizPosition) -> HttpResponse:
    quiz_question = get_quiz_question(visible.event, row)
    choice_text = request.POST.get("choice", "")[:8]
    try:
        index = _choice_index(choice_text, quiz_question)
        if index is None:
            raise Invalid("quiz.choice", field="choice")
        if not is_rate_limited(request, "quiz", limit=MAX_ANSWERS, seconds=PERIOD_SECONDS):
            count_answer(position_id=row.pk, choice=index)
    except Invalid as error:
        context = {**_context(request, visible, quiz_question, "", {}), "refused": describe(error)}
        return render(request, "matches/quiz_position.html", context, status=error.status)
    return redirect(f"{request.path}?choice={index + 1}#answer")


def _choice_index(choice_text: str, quiz_question: QuizQuestion) -> int | None:
    """Return the index (from 0) of a choice given as a number from 1; None if invalid."""
    if not (choice_text.isascii() and choice_text.isdecimal()):
        return None
    number = int(choice_text)
    return number - 1 if 0 < number <= len(quiz_question.question.choices) else None


def _context(
    request: HttpRequest,
    visible: VisibleEvent,
    quiz_question: QuizQuestion,
    choice_text: str,
    counts: dict[int, int],
) -> dict[str, Any]:
    question_fields = question_context(quiz_question.question)
    chosen_index = _choice_index(choice_text, quiz_question)
    context = {
        **_event_context(visible),
        **_position_context(quiz_question),
        "question": question_fields,
        "before_url": _position_url(quiz_question.before),
        "after_url": _position_url(quiz_question.after),
        "engine": engine_label(quiz_question.analysis),
        "card": card_context(quiz_question),
        "share_url": absolute_url(request, _position_url(quiz_question.row.public_id)),
    }
    if chosen_index is not None or choice_text == SHOW_ANSWER:
        context["answer"] = answer_context(quiz_question.question, chosen_index, counts)
    return context


def _event_context(visible: VisibleEvent) -> dict[str, Any]:
    return {"event": visible.event, "club": visible.event.club, "when": event_dates_label(visible.event)}


def _position_context(quiz_question: QuizQuestion) -> dict[str, Any]:
    return {
        "number": quiz_question.number,
        "total": quiz_question.total,
        "url": _position_url(quiz_question.row.public_id),
        "image_path": image_path(quiz_question.row.xgid),
        "words": question_text(quiz_question.question.position),
        "title": _("Position %(number)s of %(total)s")
        % {"number": quiz_question.number, "total": quiz_question.total},
    }


def _position_url(public_id: str) -> str:
    return reverse("public:quiz-position", args=[public_id]) if public_id else ""
