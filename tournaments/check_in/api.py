"""API of check-in: when it is open, who is checked in, check in and undo.

For signed-in directors and assistants; only directors set the times. 403: not permitted. 404: not found. 409:
no check-in (``check_in.none``). 422: unreadable, or no entry named. A draw without the required check-ins is
rejected with ``check_in.missing`` wherever it is published.
"""

from datetime import date
from functools import partial
from typing import Annotated

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from faults import Invalid
from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from people.api.filters import resolve_parameter
from tournaments import models
from tournaments.check_in.services.marking import (
    check_in_by_code,
    check_in_entries,
    uncheck_by_code,
    uncheck_entries,
)
from tournaments.check_in.services.windows import set_check_in
from tournaments.engine.check_in import MAX_TYPED_LENGTH, CheckInMethod, CheckInState
from tournaments.selectors.check_in import check_in_counts, check_in_rows, check_ins_by_day
from tournaments.selectors.entries import get_entry
from tournaments.selectors.events.detail import divisions_in
from tournaments.shared.api.asking import director_actor, division_by_number, helper_actor, map_fault_fields
from tournaments.shared.api.event_view import EventView

MAX_ENTRIES_PER_REQUEST = 512  # per request


class CheckInEntry(Answer, frozen=True):
    """An entry that can be checked in."""

    id: str
    name: str
    here_since: Annotated[Moment | None, field_description("null if not checked in.")]
    way: Annotated[CheckInMethod | None, field_description("How the entry was checked in.")]
    approved: Annotated[bool, field_description("Whether the entry is approved; checking it in approves it.")]


class CheckIn(Answer, frozen=True):
    """The check-in of a division on one date. Only for its directors and assistants."""

    division: Annotated[int, field_description("The number of the division.")]
    day: date
    opens_at: Moment
    closes_at: Annotated[Moment | None, field_description("null if it stays open until it is closed.")]
    stand: CheckInState
    code: Annotated[str, field_description("The hall code, shown on displays while check-in is open.")]
    here: Annotated[int, field_description("Number of checked-in entries among those with a place.")]
    of: int
    entries: list[CheckInEntry]


class CheckInInput(serializers.Serializer[object]):
    """When the check-in of a division, given by its number, is open."""

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    day = serializers.DateField()
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class HereInput(serializers.Serializer[object]):
    """Whom to check in: ``entries`` by ID, or the owner of the scanned personal link (``code``); one of both.
    ``here`` false undoes the check-in.
    """

    entries = serializers.ListField(
        child=serializers.CharField(max_length=16),
        required=False,
        default=list,
        max_length=MAX_ENTRIES_PER_REQUEST,
    )
    code = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_TYPED_LENGTH)
    day = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="If there are several; by default today's."
    )
    here = serializers.BooleanField(default=True)


class CheckIns(EventView):
    """List the check-ins of an event, with the players who are checked in."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_check_ins", responses=response_schemas(list[CheckIn]))
    def get(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        helper_actor(request, visible.event)
        return Response(_check_ins(visible.event))

    @extend_schema(
        operation_id="events_set_check_in", request=CheckInInput, responses=response_schemas(list[CheckIn])
    )
    def post(self, request: Request, event: str) -> Response:
        """Set when the check-in of a division is open."""
        visible = self.get_visible_event(request, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, CheckInInput)
        division = division_by_number(visible.event, body.pop("division"))
        set_check_in(actor=actor, event_id=visible.event.pk, division_id=division.pk, **body)
        return Response(_check_ins(visible.event))


class CheckInEntries(EventView):
    """Check players in, or undo their check-in. Sending the same again changes nothing."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="events_mark_here", request=HereInput, responses=response_schemas(list[CheckIn])
    )
    def post(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        actor, body = helper_actor(request, visible.event), parse_body(request, HereInput)
        arguments = {"actor": actor, "event_id": visible.event.pk, "day": body["day"]}
        if body["code"]:
            if body["entries"]:
                raise Invalid("check_in.one_way", field="code")
            code_service = check_in_by_code if body["here"] else uncheck_by_code
            resolve_parameter("code", partial(code_service, **arguments, text=body["code"]))
        else:
            ids = [
                resolve_parameter(f"entries.{number}", partial(get_entry, visible.event, public_id)).pk
                for number, public_id in enumerate(body["entries"])
            ]
            list_service = check_in_entries if body["here"] else uncheck_entries
            with map_fault_fields({"chosen": "entries"}):
                list_service(**arguments, entry_ids=list(dict.fromkeys(ids)))
        return Response(_check_ins(visible.event))


def _check_ins(event: models.Event) -> list[CheckIn]:
    divisions = divisions_in(event)
    by_division = check_ins_by_day(division.pk for division in divisions)
    counts = check_in_counts([check_in for days in by_division.values() for check_in in days.values()])
    now = timezone.now()
    return [
        CheckIn(
            division=number,
            day=check_in.day,
            opens_at=check_in.opens_at,
            closes_at=check_in.closes_at,
            stand=check_in.stand(now),
            code=check_in.code,
            here=counts[check_in.pk][0],
            of=counts[check_in.pk][1],
            entries=[
                CheckInEntry(
                    id=row.public_id,
                    name=row.name,
                    here_since=row.since,
                    way=CheckInMethod(row.channel) if row.channel else None,
                    approved=not row.is_pending,
                )
                for row in check_in_rows(check_in, with_phone_numbers=False)
            ],
        )
        for number, division in enumerate(divisions, start=1)
        for check_in in by_division[division.pk].values()
    ]
