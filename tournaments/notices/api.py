"""API of announcements: list the current ones, publish one, remove one.

Anyone may read, as on the pages of the event. Only signed-in directors may publish and remove: 201 published,
200 removed, 403 not a director of the event, 404 unknown, 409 already published, too many, or changed since
``seen``, 422 no text or too long.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Missing
from people.api.answers import Answer, Moment, field_description, response_schemas, versioned_answer
from people.api.answers import one_of as one_of_codes
from people.api.bodies import parse_body
from tournaments.engine.notices import MAX_DURATION, NOTICE_KINDS, NoticeContent
from tournaments.models import Event, Notice
from tournaments.notices.services.announcing import announce, withdraw_notice
from tournaments.notices.web.words import news_message
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.notices import current_notices, get_notice
from tournaments.shared.api.asking import director_actor, division_by_number

_MAX_MINUTES = int(MAX_DURATION.total_seconds() // 60)


class EventNotice(Answer, frozen=True):
    """A current notice of the event."""

    id: str
    kind: Annotated[str, one_of_codes(tuple(NOTICE_KINDS))]
    text: Annotated[
        str,
        field_description("Plain text in one line. The language of a director's announcement is not known."),
    ]
    division: Annotated[
        int | None, field_description("Number of the division, from 1; null for all players.")
    ]
    made_at: Moment
    until: Annotated[
        Moment | None, field_description("When it expires; null if it stays until it is removed.")
    ]
    version: Annotated[int, field_description("Send this as `seen`.")]


class AnnouncementInput(serializers.Serializer[object]):
    """Text in one line without formatting.

    ``division``: number of the division whose players it is for, or null for all. ``minutes``: how long it is
    shown, or null to show it until it is removed.
    """

    text = serializers.CharField(max_length=5000, allow_blank=True)
    division = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=99)
    minutes = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=_MAX_MINUTES)


class NoticeVersionInput(serializers.Serializer[object]):
    """``seen``: the ``version`` of the notice; 409 if it has changed since.

    If left out, any version is removed.
    """

    seen = serializers.IntegerField(default=None, allow_null=True, min_value=0, max_value=2**31 - 1)


class Notices(APIView):
    """List the current notices of an event, newest first."""

    @extend_schema(operation_id="events_notices", responses=response_schemas(list[EventNotice]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = visible_event(request.user, event)
        versions = [visible.event.version, visible.event.club.version, visible.notice_ends]
        return versioned_answer(request, versions, lambda: _current_notices(visible.event), role=visible.role)

    @extend_schema(
        operation_id="events_announce",
        request=AnnouncementInput,
        responses=response_schemas(EventNotice, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        """Publish an announcement on displays, on all pages of the event and on the players' phones."""
        visible = visible_event(request.user, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, AnnouncementInput)
        minutes = body["minutes"]
        notice = announce(
            actor=actor,
            event_id=visible.event.pk,
            text=body["text"],
            division_id=_division_id(visible.event, body["division"]),
            until=timezone.now() + timedelta(minutes=minutes) if minutes is not None else None,
        )
        assert notice.news is not None
        return Response(_notice_data(notice, notice.news, _division_numbers(visible.event)), status=201)


class WithdrawNotice(APIView):
    """Remove an announcement from every page."""

    @extend_schema(
        operation_id="events_withdraw_notice",
        request=NoticeVersionInput,
        responses=response_schemas(list[EventNotice]),
    )
    def post(self, request: Request, event: str, notice: str) -> Response:
        visible = visible_event(request.user, event)
        actor, body = director_actor(request, visible.event.club), parse_body(request, NoticeVersionInput)
        notice_and_news = get_notice(visible.event, notice)
        if notice_and_news is None:
            raise Missing("notice.unknown")
        withdraw_notice(
            actor=actor, event_id=visible.event.pk, notice_id=notice_and_news[0].pk, seen=body["seen"]
        )
        return Response(_current_notices(visible.event))


def _division_id(event: Event, number: int | None) -> int | None:
    return None if number is None else division_by_number(event, number).pk


def _current_notices(event: Event) -> list[EventNotice]:
    numbers = _division_numbers(event)
    return [_notice_data(notice, news, numbers) for notice, news in current_notices(event)]


def _division_numbers(event: Event) -> dict[int, int]:
    return {division.pk: number for number, division in enumerate(divisions_in(event), start=1)}


def _notice_data(notice: Notice, news: NoticeContent, numbers: Mapping[int, int]) -> EventNotice:
    return EventNotice(
        id=notice.public_id,
        kind=notice.kind,
        text=news_message(news),
        division=numbers[notice.division_id] if notice.division_id is not None else None,
        made_at=notice.made_at,
        until=notice.until,
        version=notice.version,
    )
