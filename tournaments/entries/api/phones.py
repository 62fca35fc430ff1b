"""API of the devices that use personal links, for directors and assistants: list, allow, refuse, forget.

200: done. 403: not permitted. 404: not found. 409: no longer possible.
"""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, field_description, one_of, response_schemas
from tournaments.entries.services.phones import allow_phone, forget_phones, refuse_phone
from tournaments.models import Entry, Event, LinkPhone
from tournaments.selectors.access.phones import current_devices, pending_devices
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.entries import get_entry
from tournaments.shared.api.asking import helper_actor


class PhoneOfLink(Answer, frozen=True):
    """A device (browser) that may report results with a personal link, or that requests access.

    `number` counts the devices of one link; the API tells nothing else about the device.
    """

    number: int
    way: Annotated[
        str,
        one_of(["", *LinkPhone.Way.values]),
        field_description("How it was allowed; empty while it asks."),
    ]
    since: Moment


class PhoneThatAsks(Answer, frozen=True):
    """A device (browser) that requests access to report results for an entry."""

    entry: Annotated[str, field_description("ID of the entry.")]
    name: str
    number: int
    since: Moment


class _StaffView(APIView):
    permission_classes = (IsAuthenticated,)

    def load_entry(self, request: Request, event: str, entry: str) -> tuple[Event, Entry, dict[str, Any]]:
        """Return event, entry, and the arguments for a service: ``actor``, ``event_id`` and ``entry_id``.

        Raises ``NotAllowed`` unless the user is a director or assistant of the event.
        """
        loaded_event = visible_event(request.user, event).event
        actor = helper_actor(request, loaded_event)
        loaded_entry = get_entry(loaded_event, entry)
        return (
            loaded_event,
            loaded_entry,
            {"actor": actor, "event_id": loaded_event.pk, "entry_id": loaded_entry.pk},
        )


class PhoneRequests(_StaffView):
    """List the devices that request access to report through a personal link, longest wait first."""

    @extend_schema(operation_id="events_phones_asking", responses=response_schemas(list[PhoneThatAsks]))
    def get(self, request: Request, event: str) -> Response:
        loaded_event = visible_event(request.user, event).event
        helper_actor(request, loaded_event)
        return Response(
            [
                PhoneThatAsks(phone.entry, phone.name, phone.number, phone.since)
                for phone in pending_devices(loaded_event)
            ]
        )


class EntryPhones(_StaffView):
    """List the devices that use an entry's personal link, or request access."""

    @extend_schema(operation_id="events_phones", responses=response_schemas(list[PhoneOfLink]))
    def get(self, request: Request, event: str, entry: str) -> Response:
        _event, loaded_entry, _service_args = self.load_entry(request, event, entry)
        return _phones_response(loaded_entry)


class AllowPhone(_StaffView):
    """Allow a device to report results through the personal link."""

    @extend_schema(
        operation_id="events_phone_let_in", request=None, responses=response_schemas(list[PhoneOfLink])
    )
    def post(self, request: Request, event: str, entry: str, number: int) -> Response:
        _event, loaded_entry, service_args = self.load_entry(request, event, entry)
        allow_phone(**service_args, number=number)
        return _phones_response(loaded_entry)


class RefusePhone(_StaffView):
    """Block a device from reporting results through the personal link.

    The device may request access again.
    """

    @extend_schema(
        operation_id="events_phone_refuse", request=None, responses=response_schemas(list[PhoneOfLink])
    )
    def post(self, request: Request, event: str, entry: str, number: int) -> Response:
        _event, loaded_entry, service_args = self.load_entry(request, event, entry)
        refuse_phone(**service_args, number=number)
        return _phones_response(loaded_entry)


class ForgetPhones(_StaffView):
    """Remove all devices of the personal link.

    The next device that reports through the link counts as the first.
    """

    @extend_schema(
        operation_id="events_phones_forget", request=None, responses=response_schemas(list[PhoneOfLink])
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        _event, loaded_entry, service_args = self.load_entry(request, event, entry)
        forget_phones(**service_args)
        return _phones_response(loaded_entry)


def _phones_response(entry: Entry) -> Response:
    return Response(
        [PhoneOfLink(phone.number, phone.allowed_by, phone.since) for phone in current_devices(entry)]
    )
