"""Request bodies for creating an event. The services check the values against each other."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from faults import Fault
from people.api.answers import schema_of
from people.messages import describe
from tournaments.engine.consents import Consent
from tournaments.engine.hall.near import DEFAULT_MINUTES
from tournaments.engine.matches.rulings import MatchConditions
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import Feeding
from tournaments.engine.stages.swiss import (
    MAX_TIE_BREAKS,
    ROUND_ROBIN_TIE_BREAKS,
    SwissSettings,
    check_tie_break_count,
)
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.events.api.stage_settings import BracketWithPrizes, SwissWithPrizes
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails
from tournaments.events.services.stages import MONEY_FORMAT, StageDetails
from tournaments.models import Event, Stage
from tournaments.models.choices import REPORT_POLICY_CHOICES
from tournaments.models.settings import UnreadableSettings, from_json
from tournaments.shared.api.asking import SubmissionKeyField

Data = dict[str, Any]


class _IntegerListField(serializers.ListField):
    """A list of whole numbers, empty by default."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("default", [])
        super().__init__(child=serializers.IntegerField(), max_length=64, **options)


class _SettingsField(serializers.Field[Any, Any, Any, Any]):
    """Settings of a stage as an object with the fields of ``kind``, a class of the engine.

    Kept as sent if valid.
    """

    kind: type[Any]

    def to_internal_value(self, data: Any) -> Data:
        try:
            faults = self.find_faults(from_json(self.kind, data))
        except UnreadableSettings as unreadable:
            raise serializers.ValidationError(_nest_faults(unreadable.found)) from unreadable
        if faults:
            raise serializers.ValidationError(_nest_faults(faults))
        return dict(data)

    def find_faults(self, _settings: Any) -> Sequence[Fault]:
        """Return the errors of settings that have the right types but are not accepted; none by default."""
        return ()


@extend_schema_field(schema_of(BracketWithPrizes))
class BracketField(_SettingsField):
    """Settings of a single or double elimination."""

    kind = BracketWithPrizes


@extend_schema_field(schema_of(SwissWithPrizes))
class SwissField(_SettingsField):
    """Settings of a Swiss, and of a round robin as far as they apply."""

    kind = SwissWithPrizes

    def find_faults(self, settings: SwissSettings) -> Sequence[Fault]:
        return check_tie_break_count(settings.tie_breaks)


@extend_schema_field(schema_of(MoneySettings))
class MoneyField(_SettingsField):
    """Settings of a points league (money play)."""

    kind = MoneySettings


@extend_schema_field(schema_of(Feeding))
class FeedField(_SettingsField):
    """Which players of an earlier stage play in this one; by default the first places of its table."""

    kind = Feeding


@extend_schema_field(schema_of(MatchConditions))
class ConductField(_SettingsField):
    """Rules for every match of a stage: lateness, slow play, clocks, corrections of errors, ratings."""

    kind = MatchConditions


def _nest_faults(faults: Iterable[Fault]) -> Any:
    """Return the errors nested as REST framework does: keyed by field, and within a list by index."""
    tree: dict[str, Any] = {}
    for fault in faults:
        inner = tree
        for part in (fault.field or api_settings.NON_FIELD_ERRORS_KEY).split("."):
            inner = inner.setdefault(part, {})
        inner[api_settings.NON_FIELD_ERRORS_KEY] = [
            ErrorDetail(describe(fault), fault.code.removeprefix("field."))
        ]
    return tree


class StageInput(serializers.Serializer[object]):
    """A stage of a division: its system, match lengths and settings.

    ``fed_by``: number of an earlier stage of the division, whose first ``takes`` places play here, or the
    part of it that ``feed`` describes; 0 for all entries.
    """

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    system = serializers.ChoiceField(choices=Stage.System.choices, default=Stage.System.SINGLE_ELIMINATION)
    lengths = _IntegerListField()
    draw_method = serializers.ChoiceField(choices=Stage.DrawMethod.choices, default=Stage.DrawMethod.BLIND)
    report_policy = serializers.ChoiceField(choices=REPORT_POLICY_CHOICES, default="opponent_confirms")
    clean_record_settles = serializers.BooleanField(default=False)
    fed_by = serializers.IntegerField(default=0, min_value=0, max_value=99)
    takes = serializers.IntegerField(
        default=0, help_text="The last place, or the last round whose losers advance; ignored for the rest."
    )
    feed = FeedField(required=False)
    by_arrangement = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether the two sides of a match agree on time and place; it is not queued for a table. Null for the"
        " default: true in a league, that is a round robin without groups whose rounds are published all at once.",
    )
    prizes = _IntegerListField(
        required=False,
        help_text="Whole amounts for the main part, first place first: the same as `prizes` of the settings.",
    )
    conduct = ConductField(required=False)
    bracket = BracketField(required=False)
    money = MoneyField(required=False)
    swiss = SwissField(
        required=False,
        help_text="Points are half points. Default tie-breaks: a Swiss begins with Buchholz, a round robin with head-to-head;"
        f" {MAX_TIE_BREAKS} at most.",
    )

    def to_internal_value(self, data: Any) -> Any:
        """Validate a stage; its ``settings``, as responses call them, are those under the name for its system."""
        if not isinstance(data, Mapping) or not isinstance(data.get("settings"), Mapping):
            return super().to_internal_value(data)
        name = _settings_name(str(data.get("system", Stage.System.SINGLE_ELIMINATION)))
        if name in data:
            raise serializers.ValidationError({"settings": f"Send either settings or {name}."})
        try:
            return super().to_internal_value({**data, name: data["settings"]})
        except serializers.ValidationError as error:
            details = error.detail
            assert isinstance(details, dict)
            raise serializers.ValidationError(
                {"settings" if field == name else field: faults for field, faults in details.items()}
            ) from error


def _settings_name(system: str) -> str:
    """Return the name under which a request sends the settings of a stage with this system."""
    return "money" if system == Stage.System.MONEY else "bracket" if system in Stage.ELIMINATIONS else "swiss"


class RatingLimitInput(serializers.Serializer[object]):
    """The rating limits of a division, both inclusive; an empty ``source`` means no limits."""

    source = serializers.CharField(  # type: ignore[assignment]  # a field, and no setting of one
        required=False,
        allow_blank=True,
        default="",
        max_length=240,
        help_text="Name of a list of the club, `list:` with its ID, or another rating body.",
    )
    least = serializers.FloatField(required=False, allow_null=True, default=None)
    most = serializers.FloatField(required=False, allow_null=True, default=None)
    refuses = serializers.BooleanField(
        default=True,
        help_text="If true, entries outside the limits are rejected; if false, they need approval.",
    )


class DivisionInput(serializers.Serializer[object]):
    """A division of an event with its stages; an entry in it has ``team_size`` players."""

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    team_size = serializers.IntegerField(default=1)
    entries_until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    capacity = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Number of entries with a place; later entries through the link go on the waiting list. Null for no limit.",
    )
    starts_when_full = serializers.BooleanField(
        default=False,
        help_text="Draw and publish automatically when the last of `capacity` places is taken, and open the next such"
        " division.",
    )
    reentries = serializers.IntegerField(default=0)
    limit = RatingLimitInput(
        required=False, allow_null=True, default=None, help_text="Rating limits. Null for none."
    )
    moving = serializers.IntegerField(
        default=0, help_text="How many players move up or down after a league season."
    )
    stages = StageInput(many=True)


class EventInput(serializers.Serializer[object]):
    """A new event: created from the ``template`` with this code, or with these ``divisions``."""

    name = serializers.CharField(max_length=400)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    place = serializers.CharField(required=False, allow_blank=True, default="", max_length=160)
    description = serializers.CharField(required=False, allow_blank=True, default="", max_length=8000)
    timezone = serializers.CharField(default="UTC", max_length=64)
    submission_key = SubmissionKeyField()
    visibility = serializers.ChoiceField(choices=Event.Visibility.choices, default="public")
    tables = serializers.IntegerField(default=16)
    weight = serializers.DecimalField(
        max_digits=6,
        decimal_places=2,
        default=Decimal(1),
        coerce_to_string=False,
        help_text="Factor for the event's master points, 0 to 10.",
    )
    requires = serializers.ListField(
        child=serializers.ChoiceField(choices=[kind.value for kind in Consent]),
        required=False,
        default=[],
        help_text="Consents that a player must give to enter through the link.",
    )
    opens_at = serializers.TimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Daily start of play in the event's time zone.",
    )
    closes_at = serializers.TimeField(
        required=False, allow_null=True, default=None, help_text="No match begins after this time."
    )
    break_from = serializers.TimeField(required=False, allow_null=True, default=None)
    break_until = serializers.TimeField(required=False, allow_null=True, default=None)
    word_minutes = serializers.IntegerField(
        default=DEFAULT_MINUTES,
        help_text="Minutes before a match at which its players get an up-next notice, at most 120; 0 for none.",
    )
    template = serializers.CharField(required=False, allow_blank=True, default="", max_length=40)
    divisions = DivisionInput(many=True, required=False, default=[])


def event_details(data: Data) -> EventDetails:
    return EventDetails(**{name: data[name] for name in EventDetails.__dataclass_fields__})


def division_details(data: Data) -> DivisionDetails:
    plain_values = {name: value for name, value in data.items() if name not in {"limit", "stages"}}
    limit = {f"limit_{name}": value for name, value in (data["limit"] or {}).items()}
    return DivisionDetails(**plain_values, **limit, stages=[stage_details(stage) for stage in data["stages"]])


def stage_details(data: Data) -> StageDetails:
    swiss, bracket = dict(data.get("swiss", {})), dict(data.get("bracket", {}))
    system_settings = bracket if data["system"] in Stage.ELIMINATIONS else swiss
    amounts = data["prizes"] or system_settings.get("prizes", ())
    default_tie_breaks = (
        ROUND_ROBIN_TIE_BREAKS if data["system"] in Stage.ROUND_ROBINS else SwissSettings().tie_breaks
    )
    values = {name: data[name] for name in StageDetails.__dataclass_fields__ if name in data}
    return StageDetails(
        **{
            **values,
            "format_preset": MONEY_FORMAT if data["system"] == Stage.System.MONEY else "match",
            "swiss": from_json(SwissSettings, {"tie_breaks": default_tie_breaks, **_without_prizes(swiss)}),
            "bracket": from_json(BracketSettings, _without_prizes(bracket)),
            "money": from_json(MoneySettings, data.get("money", {})),
            "prizes": prizes_from_amounts(amounts),
            "feed": from_json(Feeding, data.get("feed", {})),
            "conduct": from_json(MatchConditions, data.get("conduct", {})),
        }
    )


def _without_prizes(settings: Data) -> Data:
    return {name: value for name, value in settings.items() if name != "prizes"}
