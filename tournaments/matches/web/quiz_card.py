"""Picture of a quiz position for chats and feeds: the question, without names and answer."""

import hashlib
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers

from games.web.cards import HEIGHT, WIDTH, render_png
from games.web.questions import question_card, question_details, question_text
from people.addresses import split_language
from people.caching import get_or_compute
from tournaments.selectors.matches.quiz import QuizQuestion, get_quiz_position, get_quiz_question
from tournaments.shared.frames.public import public_view

CACHE_SECONDS: Final = 7 * 24 * 3600  # seconds; drawn again afterwards
MAX_AGE_SECONDS: Final = 3600


@public_view
def card(request: HttpRequest, position: str) -> HttpResponse:
    """Picture of a quiz position as PNG.

    The picture is cached by its content: it is rendered once, and again if the event is renamed.
    """
    visible, row = get_quiz_position(request.user, position)
    svg = question_card(get_quiz_question(visible.event, row).question, visible.event.name)
    version = hashlib.sha256(f"{settings.RELEASE}{svg}".encode()).hexdigest()[:24]
    etag = f'"{version}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        pixels = get_or_compute("quiz-card", [version], CACHE_SECONDS, lambda: render_png(svg))
        response = HttpResponse(pixels, content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS}"
    response["Content-Disposition"] = 'inline; filename="position.png"'
    response["X-Content-Type-Options"] = "nosniff"
    response["X-Robots-Tag"] = "noindex"
    if not split_language(request.path).language:
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def card_context(quiz_question: QuizQuestion) -> dict[str, object]:
    """Return the template context of a position's picture: address, size and alternative text."""
    path = reverse("public:quiz-card", args=[quiz_question.row.public_id])
    position = quiz_question.question.position
    return {
        "path": path,
        "url": f"{settings.SITE_URL}{path}",
        "width": WIDTH,
        "height": HEIGHT,
        "words": " ".join([question_text(position), ", ".join(question_details(position))]),
    }
