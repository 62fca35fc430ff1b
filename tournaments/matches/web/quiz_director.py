"""Director's page of the quiz: publish, exclude and hide positions; the address to share with its QR code."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from games.web.analysed import format_rounded
from games.web.questions import question_text
from games.web.showing import image_path
from people.web.access import request_actor
from tournaments.engine.statuses import EventStatus
from tournaments.matches.services.quiz import exclude_position, hide_positions, publish_positions
from tournaments.models import Event, QuizPosition
from tournaments.selectors.matches.quiz import (
    excluded_positions,
    is_quiz_open,
    question_from_row,
    quiz_questions,
)
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import absolute_url, render_event_page, render_refused_action


@event_form
def quiz(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of the quiz for its director. POST field ``do``: show, hide, out (exclude), back (include again).

    The last two need ``position``, the public id of the position.
    """
    if request.method != "POST":
        return render_event_page(
            request, "matches/quiz_director.html", event, "quiz", _context(request, event)
        )
    try:
        message = _run_action(request, event)
    except CrawfordError as error:
        return render_refused_action(request, error, back=request.path)
    messages.success(request, message)
    return redirect(request.path)


def _run_action(request: HttpRequest, event: Event) -> str:
    action, actor = request.POST.get("do", ""), request_actor(request)
    position = request.POST.get("position", "")[:16].replace("\0", "")
    if action == "show":
        count = publish_positions(actor=actor, event_id=event.pk)
        return ngettext(
            "%(count)s position is now public.",
            "%(count)s positions are now public.",
            count,
        ) % {"count": count}
    if action == "hide":
        hide_positions(actor=actor, event_id=event.pk)
        return _("The positions are now hidden.")
    if action in {"out", "back"}:
        exclude_position(actor=actor, event_id=event.pk, position_id=position, restore=action == "back")
        return _("Position left out.") if action == "out" else _("The position can be used again.")
    raise Missing("quiz.unknown")


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    is_open = is_quiz_open(event)
    url = absolute_url(request, reverse("public:quiz", args=[event.public_id]))
    return {
        "over": event.status == EventStatus.FINISHED,
        "shown": is_open,
        "url": url,
        "qr": qr_svg(url) if is_open else "",
        "positions": [_position_context(event, quiz_question.row) for quiz_question in quiz_questions(event)],
        "out": [_position_context(event, row) for row in excluded_positions(event)],
    }


def _position_context(event: Event, row: QuizPosition) -> dict[str, Any]:
    question = question_from_row(row)
    return {
        "id": row.public_id,
        "words": question_text(question.position) if question is not None else "",
        "image_path": image_path(row.xgid),
        "lost": format_rounded(row.decision.lost or 0, 3),
        "number": row.match.number,
        "match_url": reverse("director:match", args=[event.public_id, row.match.public_id]),
        "url": reverse("public:quiz-position", args=[row.public_id]),
    }
