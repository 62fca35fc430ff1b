"""What everybody is told, for programs: the list, one more announcement, one taken away. Thin doors to the services.

Reading is public, as the pages of the event are. Writing is for directors who are signed in: 201 announced, 200 taken away, 403 not
yours, 404 unknown, 409 said already, too many, or changed since ``seen``, 422 no text or too long.
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
from people.api.answers import Answer, Moment, answer, answered, says
from people.api.answers import one_of as one_of_codes
from people.api.bodies import body_of
from tournaments.engine.notices import KINDS, LONGEST, News
from tournaments.models import Event, Notice
from tournaments.notices.services.announcing import announce, withdraw_notice
from tournaments.notices.web.words import sentence_of
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import divisions_in
from tournaments.selectors.notices import notice_of, notices_now
from tournaments.shared.api.asking import director_of, division_numbered

_LONGEST = int(LONGEST.total_seconds() // 60)


class EventNotice(Answer, frozen=True):
    """A current notice of the event."""

    id: str
    kind: Annotated[str, one_of_codes(tuple(KINDS))]
    text: Annotated[
        str, says("Plain text in one line. The language of a director's announcement is not known.")
    ]
    division: Annotated[int | None, says("Number of the division, from 1; null for all players.")]
    made_at: Moment
    until: Annotated[Moment | None, says("When it expires; null if it stays until it is removed.")]
    version: Annotated[int, says("Send this as `seen`.")]


class AnnouncementInput(serializers.Serializer[object]):
    """One line of plain text. ``division``: its number, or null for all players. ``minutes``: how long the
    announcement is shown, or null until it is removed.
    """

    text = serializers.CharField(max_length=5000, allow_blank=True)
    division = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=99)
    minutes = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=_LONGEST)


class NoticeSeenInput(serializers.Serializer[object]):
    """``seen``: the ``version`` of the notice; 409 if it has changed. If left out, its current version is removed."""

    seen = serializers.IntegerField(default=None, allow_null=True, min_value=0, max_value=2**31 - 1)


class Notices(APIView):
    """List the current notices of an event, newest first."""

    @extend_schema(operation_id="events_notices", responses=answered(list[EventNotice]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = visible_event(request.user, event)
        versions = [visible.event.version, visible.event.club.version, visible.notice_ends]
        return answer(request, versions, lambda: _standing(visible.event), role=visible.role)

    @extend_schema(
        operation_id="events_announce",
        request=AnnouncementInput,
        responses=answered(EventNotice, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        """Publish an announcement on displays, on all pages of the event and on the players' phones."""
        visible = visible_event(request.user, event)
        actor, body = director_of(request, visible.event.club), body_of(request, AnnouncementInput)
        minutes = body["minutes"]
        notice = announce(
            actor=actor,
            event_id=visible.event.pk,
            text=body["text"],
            division_id=_division(visible.event, body["division"]),
            until=timezone.now() + timedelta(minutes=minutes) if minutes is not None else None,
        )
        assert notice.news is not None
        return Response(_one(notice, notice.news, _numbers(visible.event)), status=201)


class WithdrawNotice(APIView):
    """Remove an announcement from every page."""

    @extend_schema(
        operation_id="events_withdraw_notice",
        request=NoticeSeenInput,
        responses=answered(list[EventNotice]),
    )
    def post(self, request: Request, event: str, notice: str) -> Response:
        visible = visible_event(request.user, event)
        actor, body = director_of(request, visible.event.club), body_of(request, NoticeSeenInput)
        found = notice_of(visible.event, notice)
        if found is None:
            raise Missing("notice.unknown")
        withdraw_notice(actor=actor, event_id=visible.event.pk, notice_id=found[0].pk, seen=body["seen"])
        return Response(_standing(visible.event))


def _division(event: Event, number: int | None) -> int | None:
    return None if number is None else division_numbered(event, number).pk


def _standing(event: Event) -> list[EventNotice]:
    numbers = _numbers(event)
    return [_one(notice, news, numbers) for notice, news in notices_now(event)]


def _numbers(event: Event) -> dict[int, int]:
    return {division.pk: number for number, division in enumerate(divisions_in(event), start=1)}


def _one(notice: Notice, news: News, numbers: Mapping[int, int]) -> EventNotice:
    return EventNotice(
        id=notice.public_id,
        kind=notice.kind,
        text=sentence_of(news),
        division=numbers[notice.division_id] if notice.division_id is not None else None,
        made_at=notice.made_at,
        until=notice.until,
        version=notice.version,
    )
