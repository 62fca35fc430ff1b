"""Who asks for a change, and what was sent."""

from typing import Any

from rest_framework.request import Request
from rest_framework.serializers import CharField, Serializer

from faults import NotAllowed
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from tournaments.engine.limits import REASON_LIMIT
from tournaments.models import Event
from tournaments.selectors.access.visibility import helps_at


class KeySent(CharField):
    """``submission_key`` in a body: what `config.repeats` takes like the header. Its view says ``key_in_body``."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_blank=True,
            max_length=64,
            help_text="Your own key, the same for every repetition; the header Idempotency-Key does as well.",
        )


class Overruled(CharField):
    """``overrule`` in a body: why somebody comes in whom the limit of a division keeps out (`entries.services.limits`)."""

    def __init__(self, help_text: str) -> None:
        super().__init__(
            required=False, allow_blank=True, default="", max_length=2 * REASON_LIMIT, help_text=help_text
        )


def director_of(request: Request, club: Club) -> Actor:
    """Who asks, for the services. Raises ``NotAllowed`` for anybody but a director of ``club`` who is signed in."""
    if not request.user.is_authenticated:
        raise NotAllowed("people.not_director")
    actor = Actor.of(request.user)
    require_director(actor, club)
    return actor


def helper_of(request: Request, event: Event) -> Actor:
    """As `director_of`, for those who help with ``event``, too."""
    if not request.user.is_authenticated or not helps_at(request.user, event):
        raise NotAllowed("people.not_director")
    return Actor.of(request.user)


def body_of(request: Request, schema: type[Serializer[Any]]) -> dict[str, Any]:
    """The body as ``schema`` reads it. What it cannot read is refused with every fault at its field."""
    form = schema(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)
