"""A position of an event as a picture for chats and feeds: without names and without its answer, as its question is asked."""

import hashlib
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers

from games.web.cards import HEIGHT, WIDTH, png
from games.web.questions import card_of, details_of, question_words
from people.addresses import split
from people.caching import cached
from tournaments.selectors.matches.quiz import Asked, asked_as, shown_position
from tournaments.shared.frames.public import public_view

KEPT: Final = 7 * 24 * 3600  # seconds; who asks later has it made anew
HOUR: Final = 3600


@public_view
def card(request: HttpRequest, position: str) -> HttpResponse:
    """The picture as PNG. What it shows is its version: it is made once, and again when the event is called otherwise."""
    visible, row = shown_position(request.user, position)
    drawn = card_of(asked_as(visible.event, row).question, visible.event.name)
    version = hashlib.sha256(f"{settings.RELEASE}{drawn}".encode()).hexdigest()[:24]
    etag = f'"{version}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        pixels = cached("quiz-card", [version], KEPT, lambda: png(drawn))
        response = HttpResponse(pixels, content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={HOUR}"
    response["Content-Disposition"] = 'inline; filename="position.png"'
    response["X-Content-Type-Options"] = "nosniff"
    response["X-Robots-Tag"] = "noindex"
    if not split(request.path).language:
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def card_shape(asked: Asked) -> dict[str, object]:
    """What a page says of the picture of a position."""
    path = reverse("public:quiz-card", args=[asked.row.public_id])
    position = asked.question.position
    return {
        "path": path,
        "url": f"{settings.SITE_URL}{path}",
        "width": WIDTH,
        "height": HEIGHT,
        "words": " ".join([question_words(position), ", ".join(details_of(position))]),
    }
