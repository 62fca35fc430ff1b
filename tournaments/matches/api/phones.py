"""API: devices (phones, browsers, programs) that use a personal link.

A device with access creates a code; another one sends the code, or asks the staff. 200: done. 201: a code,
returned only once. 403: this device has no access to the link. 409: no device has access yet, or too many
requests wait. 422: wrong code. 429: too many codes were tried.
"""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from people.api.problems import TooManyRequests
from tournaments.matches.api.report import (
    DEVICE_DESCRIPTION,
    DEVICE_HEADER,
    LINK_AUTH,
    require_link_entry,
    signed_device,
)
from tournaments.matches.services.phones import create_access_code, redeem_access_code, request_access
from tournaments.matches.web.link_phones import MAX_CODE_TRIES, TRIES_PERIOD_SECONDS
from tournaments.models import Entry
from tournaments.selectors.access.phones import LinkAccess, RequestOrigin, link_devices
from tournaments.shared.api.auth import LinkAuthentication, LinkOnly
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.player import is_rate_limited


class PhoneHere(Answer, frozen=True):
    """The access of the calling device to the personal link."""

    speaks: Annotated[
        LinkAccess,
        field_description(
            "free: no phone has reported through the link, and the first that does is allowed; other: other phones are"
            " allowed, and this one is not."
        ),
    ]
    number: Annotated[int, field_description("Number of the phone, as directors see it; 0 if none.")]
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]


class PhoneCode(Answer, frozen=True):
    """A code that gives one other device access, once, until the given time."""

    code: str
    until: Moment


class CodeInput(serializers.Serializer[object]):
    """The code shown on another device; without a code, the director is asked to allow the device."""

    code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class _LinkView(APIView):
    tells_secret = True  # the response contains a code or the device value
    authentication_classes = (LinkAuthentication,)
    permission_classes = (LinkOnly,)


class LinkPhone(_LinkView):
    """Get the access of this device to the personal link."""

    @extend_schema(
        operation_id="link_phone",
        parameters=[DEVICE_HEADER],
        auth=LINK_AUTH,
        responses=response_schemas(PhoneHere),
    )
    def get(self, request: Request) -> Response:
        return Response(_phone_status(require_link_entry(request), current_device(request)))

    @extend_schema(
        operation_id="link_phone_let_in",
        parameters=[DEVICE_HEADER],
        auth=LINK_AUTH,
        request=CodeInput,
        responses=response_schemas(PhoneHere),
    )
    def post(self, request: Request) -> Response:
        """Request access for this device, with a code from another device or by asking the director."""
        entry, phone = require_link_entry(request), current_device(request)
        code = parse_body(request, CodeInput)["code"]
        if not code:
            request_access(entry=entry, phone=phone)
        elif is_rate_limited(
            request._request,  # noqa: SLF001
            "phone-code",
            limit=MAX_CODE_TRIES,
            seconds=TRIES_PERIOD_SECONDS,
        ):
            raise TooManyRequests("phone.codes_often", TRIES_PERIOD_SECONDS)
        else:
            redeem_access_code(entry=entry, phone=phone, code=code)
        return Response(_phone_status(entry, phone))


class LinkCode(_LinkView):
    """Create a code that gives another device access to the link. Only a device with access can do this."""

    @extend_schema(
        operation_id="link_code",
        parameters=[DEVICE_HEADER],
        auth=LINK_AUTH,
        request=None,
        responses=response_schemas(PhoneCode, 201),
    )
    def post(self, request: Request) -> Response:
        new_code = create_access_code(entry=require_link_entry(request), phone=current_device(request))
        return Response(PhoneCode(new_code.code, new_code.until), status=201)


def _phone_status(entry: Entry, phone: RequestOrigin) -> PhoneHere:
    access = link_devices(entry, phone.device)
    return PhoneHere(access.access, access.number, signed_device(phone))
