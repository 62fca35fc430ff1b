"""Series and templates for programs: read by anybody as far as pages show them, made and changed by directors of the club."""

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
from people.api.answers import Answer, Url, answer, answered, says
from people.api.bodies import body_of
from people.api.filters import named
from people.selectors import visible_club
from tournaments import models
from tournaments.engine.series.points import PointsRule, Scale, Sharing
from tournaments.events.api.values import EventDetail
from tournaments.selectors.access.versions import topics_of_lists, version_of
from tournaments.selectors.access.visibility import event_directed_by
from tournaments.selectors.events.detail import divisions_of
from tournaments.selectors.series import (
    public_series,
    series_with,
    template_of_club,
    templates_of,
    visible_series,
)
from tournaments.series.api.days import shown_of
from tournaments.series.services.series import (
    create_days,
    found_series,
    put_in_series,
    series_version,
    update_series,
)
from tournaments.series.services.templates import create_from_template, save_template, update_template
from tournaments.shared.api.asking import KeySent, director_of, placed
from tournaments.shared.api.values import ClubRef, page_url


class SeriesRef(Answer, frozen=True):
    """A series by its name."""

    id: str
    name: str
    url: Url

    @classmethod
    def to(cls, series: models.Series) -> "SeriesRef":
        return SeriesRef(series.public_id, series.name, page_url("public:series", series.public_id))


class SeriesDetail(SeriesRef, frozen=True):
    """What is set of a series. Its days and its table have addresses of their own."""

    club: ClubRef
    archived: bool
    version: Annotated[str, says("What `seen` repeats.")]
    rule: Annotated[PointsRule, says("What places are worth; `best` 0: all days of a player count.")]

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
    """The series, and the ids of the events that were made, the earliest first."""

    series: SeriesRef
    events: list[str]


class Template(Answer, frozen=True):
    """A template of a club's own."""

    id: str
    name: str
    sentence: str
    archived: bool
    version: int

    @classmethod
    def of(cls, template: models.ClubTemplate) -> "Template":
        return cls(template.public_id, template.name, template.sentence, template.archived, template.version)


class SeriesInput(serializers.Serializer[object]):
    """A new series: of an ``event`` that is once more on each of the ``days``; without an event nothing belongs to it so far."""

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    event = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    days = serializers.ListField(child=serializers.DateField(), required=False, default=[], max_length=400)
    people = serializers.BooleanField(default=False, help_text="Whoever played is expected on each day.")
    opened = serializers.BooleanField(default=False, help_text="Everybody sees them at once; else drafts.")
    submission_key = KeySent()


class RuleInput(serializers.Serializer[object]):
    """What places are worth."""

    points = serializers.ListField(child=serializers.IntegerField(), max_length=200, default=[])
    rest = serializers.IntegerField(default=0)
    scale = serializers.ChoiceField(choices=[one.value for one in Scale], default=Scale.LIST.value)
    ties = serializers.ChoiceField(choices=[one.value for one in Sharing], default=Sharing.SHARE.value)
    best = serializers.IntegerField(default=0, help_text="0: all of them.")
    division = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)


class SeriesChange(serializers.Serializer[object]):
    """A series as it shall be from now on. ``seen``: the ``version`` that was read; another one now is a 409."""

    name = serializers.CharField(max_length=400)
    rule = RuleInput()
    archived = serializers.BooleanField(default=False)
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class BelongsInput(serializers.Serializer[object]):
    """The series that an event belongs to; null: none."""

    series = serializers.CharField(max_length=16, allow_null=True)


class TemplateInput(serializers.Serializer[object]):
    """Everything that is set of an ``event``, as a template; ``over``: in the place of that one."""

    event = serializers.CharField(max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    sentence = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    over = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    submission_key = KeySent()


class TemplateChange(serializers.Serializer[object]):
    """What a template is called, and whether it is offered."""

    name = serializers.CharField(max_length=400)
    sentence = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    archived = serializers.BooleanField(default=False)
    seen = serializers.IntegerField(
        required=False, allow_null=True, default=None, help_text="The version that you looked at."
    )


class UseInput(serializers.Serializer[object]):
    """The day of a new event, perhaps another name than the template's."""

    starts_on = serializers.DateField()
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    submission_key = KeySent()


class ClubSeries(APIView):
    """The series of a club of which an event stands in lists; POST makes one, with all its days in one go."""

    key_in_body = True

    @extend_schema(operation_id="clubs_series", responses=answered(list[SeriesRef]))
    def get(self, request: Request, club: str) -> HttpResponse:
        found = visible_club(club, request.user)
        shown = [version_of(*topics_of_lists(found), versions.club(found.pk))]
        return answer(request, shown, lambda: [SeriesRef.to(one) for one in public_series(found)])

    @extend_schema(operation_id="clubs_create_series", request=SeriesInput, responses=answered(MadeDays, 201))
    def post(self, request: Request, club: str) -> Response:
        """Every day, or none. The event itself becomes the first of them; one that belongs to a series gets more days in it."""
        found = visible_club(club, request.user)
        actor, data = director_of(request, found), body_of(request, SeriesInput)
        if not data["event"]:
            if data["days"]:
                raise Invalid("series.days_of_nothing", field="event")
            made = found_series(actor=actor, club_id=found.pk, name=data["name"])
            return Response(MadeDays(SeriesRef.to(made), []), status=201)
        dated = create_days(
            actor=actor,
            event_id=_event_of(request, found, data["event"]).pk,
            days=data["days"],
            name=data["name"],
            people=data["people"],
            opened=data["opened"],
        )
        return Response(
            MadeDays(SeriesRef.to(dated.series), [one.event.public_id for one in dated.made]), status=201
        )


class OneSeries(APIView):
    """A series: whose it is, and what places are worth. PUT changes its name and that."""

    @extend_schema(operation_id="series", responses=answered(SeriesDetail))
    def get(self, request: Request, series: str) -> HttpResponse:
        visible = visible_series(request.user, series)
        return answer(request, [shown_of(visible)], lambda: SeriesDetail.about(visible.series))

    @extend_schema(operation_id="series_change", request=SeriesChange, responses=answered(SeriesDetail))
    def put(self, request: Request, series: str) -> Response:
        """The table is another one at once."""
        visible = visible_series(request.user, series)
        actor, data = director_of(request, visible.series.club), body_of(request, SeriesChange, SeriesDetail)
        rule = data["rule"]
        with placed({name: f"rule.{name}" for name in rule}):
            changed = update_series(
                actor=actor,
                club_id=visible.series.club_id,
                series_id=visible.series.pk,
                name=data["name"],
                archived=data["archived"],
                rule=PointsRule(
                    points=tuple(rule["points"]),
                    rest=rule["rest"],
                    scale=Scale(rule["scale"]),
                    ties=Sharing(rule["ties"]),
                    best=rule["best"],
                    division=rule["division"],
                ),
                seen=data["seen"],
            )
        return Response(SeriesDetail.about(changed))


class EventSeries(APIView):
    """Let an event belong to a series of its club, or to none."""

    @extend_schema(operation_id="events_series", request=BelongsInput, responses=answered(EventDetail))
    def post(self, request: Request, event: str) -> Response:
        found = event_directed_by(request.user, event)
        actor, data = director_of(request, found.club), body_of(request, BelongsInput)
        wanted = data["series"]
        series = named("series", lambda: series_with(found.club, wanted)) if wanted is not None else None
        changed = put_in_series(
            actor=actor, event_id=found.pk, series_id=series.pk if series is not None else None
        )
        return Response(EventDetail.about(changed, divisions_of(changed)))


class ClubTemplates(APIView):
    """The templates of a club, for its directors, those put aside last; POST saves one from an event."""

    permission_classes = (IsAuthenticated,)
    key_in_body = True

    @extend_schema(operation_id="clubs_templates", responses=answered(list[Template]))
    def get(self, request: Request, club: str) -> Response:
        found = visible_club(club, request.user)
        director_of(request, found)
        return Response([Template.of(one) for one in templates_of(found, archived=True)])

    @extend_schema(
        operation_id="clubs_save_template", request=TemplateInput, responses=answered(Template, 201)
    )
    def post(self, request: Request, club: str) -> Response:
        """A new one, or in the place of one that is there."""
        found = visible_club(club, request.user)
        actor, data = director_of(request, found), body_of(request, TemplateInput)
        over = data["over"]
        saved = save_template(
            actor=actor,
            event_id=_event_of(request, found, data["event"]).pk,
            name=data["name"],
            sentence=data["sentence"],
            over=named("over", lambda: template_of_club(found, over)).pk if over else None,
        )
        return Response(Template.of(saved), status=201)


class OneTemplate(APIView):
    """Change what a template is called, and whether it is offered."""

    @extend_schema(operation_id="clubs_change_template", request=TemplateChange, responses=answered(Template))
    def put(self, request: Request, club: str, template: str) -> Response:
        found = visible_club(club, request.user)
        actor = director_of(request, found)
        wanted = template_of_club(found, template)
        data = body_of(request, TemplateChange, Template)
        changed = update_template(actor=actor, club_id=found.pk, template_id=wanted.pk, **data)
        return Response(Template.of(changed))


class UseTemplate(APIView):
    """Make an event from a template: a draft."""

    key_in_body = True

    @extend_schema(operation_id="clubs_use_template", request=UseInput, responses=answered(EventDetail, 201))
    def post(self, request: Request, club: str, template: str) -> Response:
        found = visible_club(club, request.user)
        actor = director_of(request, found)
        wanted = template_of_club(found, template)
        data = body_of(request, UseInput)
        made = create_from_template(
            actor=actor,
            club_id=found.pk,
            template_id=wanted.pk,
            starts_on=data["starts_on"],
            name=data["name"],
        )
        return Response(EventDetail.about(made, divisions_of(made)), status=201)


def _event_of(request: Request, club: people.Club, public_id: str) -> models.Event:
    """An event of this club that the visitor directs; 422 at its field where there is none."""

    def find() -> models.Event:
        found = event_directed_by(request.user, public_id)
        if found.club_id != club.pk:
            raise Missing("event.unknown")
        return found

    return named("event", find)
