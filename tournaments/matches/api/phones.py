"""The phones of a personal link, for its bearer: a code on the one that speaks; the code, or a word to the desk, on another.

200: done. 201: a code, told this once. 403: another phone speaks by the link. 409: nobody has spoken so far, or too many ask. 422: the code is not
good. 429: too many codes were tried.
"""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, answered, says
from people.api.bodies import body_of
from people.api.problems import TooOften
from tournaments.matches.api.report import BY_LINK, DEVICE_HEADER, DEVICE_WORDS, device_words, holder_of
from tournaments.matches.services.phones import ask_desk, enter_code, show_code
from tournaments.matches.web.link_phones import PERIOD, TRIES
from tournaments.models import Entry
from tournaments.selectors.access.phones import Phone, Speaks, standing_of
from tournaments.shared.api.auth import LinkAuthentication, LinkOnly
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.player import too_often


class PhoneHere(Answer, frozen=True):
    """The access of this phone or program to the personal link."""

    speaks: Annotated[
        Speaks,
        says(
            "free: no phone has reported through the link, and the first that does is allowed; other: other phones are"
            " allowed, and this one is not."
        ),
    ]
    number: Annotated[int, says("Number of the phone, as directors see it; 0 if none.")]
    device: Annotated[str, says(DEVICE_WORDS)]


class PhoneCode(Answer, frozen=True):
    """A code that allows one other phone, once."""

    code: str
    until: Moment


class CodeInput(serializers.Serializer[object]):
    """The code shown on another phone; without it, the director is asked."""

    code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class _OfLink(APIView):
    tells_secret = True  # a code, or what the phone is known by
    authentication_classes = (LinkAuthentication,)
    permission_classes = (LinkOnly,)


class LinkPhone(_OfLink):
    """Get the access of this phone to the personal link."""

    @extend_schema(
        operation_id="link_phone", parameters=[DEVICE_HEADER], auth=BY_LINK, responses=answered(PhoneHere)
    )
    def get(self, request: Request) -> Response:
        return Response(_here(holder_of(request), phone_of(request)))

    @extend_schema(
        operation_id="link_phone_let_in",
        parameters=[DEVICE_HEADER],
        auth=BY_LINK,
        request=CodeInput,
        responses=answered(PhoneHere),
    )
    def post(self, request: Request) -> Response:
        """Request access for this phone, with a code from another phone or by asking the director."""
        entry, phone = holder_of(request), phone_of(request)
        code = body_of(request, CodeInput)["code"]
        if not code:
            ask_desk(entry=entry, phone=phone)
        elif too_often(request._request, "phone-code", limit=TRIES, seconds=PERIOD):  # noqa: SLF001
            raise TooOften("phone.codes_often", PERIOD)
        else:
            enter_code(entry=entry, phone=phone, code=code)
        return Response(_here(entry, phone))


class LinkCode(_OfLink):
    """Create a code that allows another phone. Only a phone that is allowed itself can do this."""

    @extend_schema(
        operation_id="link_code",
        parameters=[DEVICE_HEADER],
        auth=BY_LINK,
        request=None,
        responses=answered(PhoneCode, 201),
    )
    def post(self, request: Request) -> Response:
        shown = show_code(entry=holder_of(request), phone=phone_of(request))
        return Response(PhoneCode(shown.code, shown.until), status=201)


def _here(entry: Entry, phone: Phone) -> PhoneHere:
    found = standing_of(entry, phone.device)
    return PhoneHere(found.speaks, found.number, device_words(phone))
