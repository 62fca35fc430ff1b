"""API of series and templates: public data for reading, changes for directors of the club."""

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from msgspec.structs import asdict
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Invalid, Missing
from people import models as people
from people import versions
from people.api.answers import Answer, Url, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.api.filters import resolve_parameter
from people.selectors import visible_club
from tournaments import models
from tournaments.engine.series.points import PointsRule, PointsScale, SharedPlacePoints
from tournaments.events.api.values import EventDetail
from tournaments.selectors.access.versions import event_list_topics, topics_version
from tournaments.selectors.access.visibility import get_event_for_director
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.series import (
    club_templates,
    get_club_template,
    get_series,
    public_series,
    visible_series,
)
from tournaments.series.api.days import series_page_version
from tournaments.series.services.series import (
    create_series,
    create_series_events,
    series_version,
    set_event_series,
    update_series,
)
from tournaments.series.services.templates import create_from_template, save_template, update_template
from tournaments.shared.api.asking import SubmissionKeyField, director_actor, map_fault_fields
from tournaments.shared.api.values import ClubRef, page_url


class SeriesRef(Answer, frozen=True):
    """A series: its ID, name and page."""

    id: str
    name: str
    url: Url

    @classmethod
    def to(cls, series: models.Series) -> "SeriesRef":
        return SeriesRef(series.public_id, series.name, page_url("public:series", series.public_id))


class SeriesDetail(SeriesRef, frozen=True):
    """The settings of a series. Its events and table have their own addresses."""

    club: ClubRef
    archived: bool
    version: Annotated[str, field_description("Send this as `seen`.")]
    rule: Annotated[
        PointsRule, field_description("The points for places; `best` 0 if all events of a player count.")
    ]

    @classmethod
    def about(cls, series: models.Series) -> "SeriesDetail":
        return cls(
            **asdict(SeriesRef.to(series)),
            club=ClubRef.to(series.club),
            archived=series.archived,
            version=series_version(series),
            rule=series.rule,
        )


class MadeDays(Answer, frozen=True):
    """The series, and the IDs of the new events, earliest first."""

    series: SeriesRef
    events: list[str]


class Template(Answer, frozen=True):
    """A template of a club."""

    id: str
    name: str
    sentence: str
    archived: bool
    version: int

    @classmethod
    def of(cls, template: models.ClubTemplate) -> "Template":
        return cls(template.public_id, template.name, template.sentence, template.archived, template.version)


class SeriesInput(serializers.Serializer[object]):
    """A new series; its ``event`` is duplicated on each of the ``days``. Without an event it begins empty."""

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    event = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    days = serializers.ListField(child=serializers.DateField(), required=False, default=[], max_length=400)
    people = serializers.BooleanField(
        default=False, help_text="Add previous players to each event as entries pending approval."
    )
    opened = serializers.BooleanField(
        default=False,
        help_text="Whether the events are visible to everyone at once; otherwise they are drafts.",
    )
    submission_key = SubmissionKeyField()


class RuleInput(serializers.Serializer[object]):
    """The points that the places of an event give in the table of a series."""

    points = serializers.ListField(child=serializers.IntegerField(), max_length=200, default=[])
    rest = serializers.IntegerField(default=0)
    scale = serializers.ChoiceField(
        choices=[one.value for one in PointsScale], default=PointsScale.LIST.value
    )
    ties = serializers.ChoiceField(
        choices=[one.value for one in SharedPlacePoints], default=SharedPlacePoints.SHARE.value
    )
    best = serializers.IntegerField(default=0, help_text="0 for all.")
    division = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)


class SeriesChange(serializers.Serializer[object]):
    """The new settings of a series. ``seen``: the ``version`` that you read; 409 if it has changed."""

    name = serializers.CharField(max_length=400)
    rule = RuleInput()
    archived = serializers.BooleanField(default=False)
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class BelongsInput(serializers.Serializer[object]):
    """The series that an event belongs to; null for none."""

    series = serializers.CharField(max_length=16, allow_null=True)


class TemplateInput(serializers.Serializer[object]):
    """All settings of an ``event``, as a template; ``over``: the template to replace."""

    event = serializers.CharField(max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    sentence = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    over = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    submission_key = SubmissionKeyField()


class TemplateChange(serializers.Serializer[object]):
    """The name of a template, and whether it is offered."""

    name = serializers.CharField(max_length=400)
    sentence = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    archived = serializers.BooleanField(default=False)
    seen = serializers.IntegerField(
        required=False, allow_null=True, default=None, help_text="The version that you read."
    )


class UseInput(serializers.Serializer[object]):
    """The date of the new event, and optionally a different name from the template's."""

    starts_on = serializers.DateField()
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    submission_key = SubmissionKeyField()


class ClubSeries(APIView):
    """List the series of a club that have a listed event."""

    key_in_body = True

    @extend_schema(operation_id="clubs_series", responses=response_schemas(list[SeriesRef]))
    def get(self, request: Request, club: str) -> HttpResponse:
        found_club = visible_club(club, request.user)
        page_versions = [topics_version(*event_list_topics(found_club), versions.club_topic(found_club.pk))]
        return versioned_answer(
            request, page_versions, lambda: [SeriesRef.to(series) for series in public_series(found_club)]
        )

    @extend_schema(
        operation_id="clubs_create_series", request=SeriesInput, responses=response_schemas(MadeDays, 201)
    )
    def post(self, request: Request, club: str) -> Response:
        """Create a series with all its dates, or none of them if one is rejected. The event becomes the first
        of the series; an event that already belongs to a series adds dates to it.
        """
        found_club = visible_club(club, request.user)
        actor, data = director_actor(request, found_club), parse_body(request, SeriesInput)
        if not data["event"]:
            if data["days"]:
                raise Invalid("series.days_of_nothing", field="event")
            created = create_series(actor=actor, club_id=found_club.pk, name=data["name"])
            return Response(MadeDays(SeriesRef.to(created), []), status=201)
        dated_series = create_series_events(
            actor=actor,
            event_id=_event_for_director(request, found_club, data["event"]).pk,
            days=data["days"],
            name=data["name"],
            people=data["people"],
            opened=data["opened"],
        )
        return Response(
            MadeDays(
                SeriesRef.to(dated_series.series), [copied.event.public_id for copied in dated_series.copies]
            ),
            status=201,
        )


class OneSeries(APIView):
    """Get a series: its club, and the points for each place."""

    @extend_schema(operation_id="series", responses=response_schemas(SeriesDetail))
    def get(self, request: Request, series: str) -> HttpResponse:
        visible = visible_series(request.user, series)
        return versioned_answer(
            request, [series_page_version(visible)], lambda: SeriesDetail.about(visible.series)
        )

    @extend_schema(
        operation_id="series_change", request=SeriesChange, responses=response_schemas(SeriesDetail)
    )
    def put(self, request: Request, series: str) -> Response:
        """Change the name of a series and the points for each place. The table changes at once."""
        visible = visible_series(request.user, series)
        actor, data = (
            director_actor(request, visible.series.club),
            parse_body(request, SeriesChange, SeriesDetail),
        )
        rule = data["rule"]
        with map_fault_fields({name: f"rule.{name}" for name in rule}):
            updated = update_series(
                actor=actor,
                club_id=visible.series.club_id,
                series_id=visible.series.pk,
                name=data["name"],
                archived=data["archived"],
                rule=PointsRule(
                    points=tuple(rule["points"]),
                    rest=rule["rest"],
                    scale=PointsScale(rule["scale"]),
                    ties=SharedPlacePoints(rule["ties"]),
                    best=rule["best"],
                    division=rule["division"],
                ),
                seen=data["seen"],
            )
        return Response(SeriesDetail.about(updated))


class EventSeries(APIView):
    """Add an event to a series of its club, or remove it from its series."""

    @extend_schema(
        operation_id="events_series", request=BelongsInput, responses=response_schemas(EventDetail)
    )
    def post(self, request: Request, event: str) -> Response:
        found_event = get_event_for_director(request.user, event)
        actor, data = director_actor(request, found_event.club), parse_body(request, BelongsInput)
        series_id = data["series"]
        series = (
            resolve_parameter("series", lambda: get_series(found_event.club, series_id))
            if series_id is not None
            else None
        )
        updated_event = set_event_series(
            actor=actor, event_id=found_event.pk, series_id=series.pk if series is not None else None
        )
        return Response(EventDetail.about(updated_event, division_views(updated_event)))


class ClubTemplates(APIView):
    """List the templates of a club, archived ones last. Only for its directors."""

    permission_classes = (IsAuthenticated,)
    key_in_body = True

    @extend_schema(operation_id="clubs_templates", responses=response_schemas(list[Template]))
    def get(self, request: Request, club: str) -> Response:
        found_club = visible_club(club, request.user)
        director_actor(request, found_club)
        return Response([Template.of(template) for template in club_templates(found_club, archived=True)])

    @extend_schema(
        operation_id="clubs_save_template", request=TemplateInput, responses=response_schemas(Template, 201)
    )
    def post(self, request: Request, club: str) -> Response:
        """Save the settings of an event as a new template, or replace an existing template."""
        found_club = visible_club(club, request.user)
        actor, data = director_actor(request, found_club), parse_body(request, TemplateInput)
        replaced_id = data["over"]
        saved = save_template(
            actor=actor,
            event_id=_event_for_director(request, found_club, data["event"]).pk,
            name=data["name"],
            sentence=data["sentence"],
            replaced_id=resolve_parameter("over", lambda: get_club_template(found_club, replaced_id)).pk
            if replaced_id
            else None,
        )
        return Response(Template.of(saved), status=201)


class OneTemplate(APIView):
    """Rename a template, or change whether it is offered."""

    @extend_schema(
        operation_id="clubs_change_template", request=TemplateChange, responses=response_schemas(Template)
    )
    def put(self, request: Request, club: str, template: str) -> Response:
        found_club = visible_club(club, request.user)
        actor = director_actor(request, found_club)
        found_template = get_club_template(found_club, template)
        data = parse_body(request, TemplateChange, Template)
        updated = update_template(actor=actor, club_id=found_club.pk, template_id=found_template.pk, **data)
        return Response(Template.of(updated))


class UseTemplate(APIView):
    """Create a draft event from a template."""

    key_in_body = True

    @extend_schema(
        operation_id="clubs_use_template", request=UseInput, responses=response_schemas(EventDetail, 201)
    )
    def post(self, request: Request, club: str, template: str) -> Response:
        found_club = visible_club(club, request.user)
        actor = director_actor(request, found_club)
        found_template = get_club_template(found_club, template)
        data = parse_body(request, UseInput)
        created_event = create_from_template(
            actor=actor,
            club_id=found_club.pk,
            template_id=found_template.pk,
            starts_on=data["starts_on"],
            name=data["name"],
        )
        return Response(EventDetail.about(created_event, division_views(created_event)), status=201)


def _event_for_director(request: Request, club: people.Club, public_id: str) -> models.Event:
    """Return the event of this club with this public id, which the visitor directs.

    Raises ``Invalid`` at the field ``event`` if there is none.
    """

    def find() -> models.Event:
        event = get_event_for_director(request.user, public_id)
        if event.club_id != club.pk:
            raise Missing("event.unknown")
        return event

    return resolve_parameter("event", find)
