"""Forms of divisions: the settings of a division, and the name and format of a new one."""

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.limits import MAX_SOURCE_LENGTH
from tournaments.events.services.divisions import MAX_PROMOTED, MAX_REENTRIES, MAX_TEAM_SIZE, DivisionDetails
from tournaments.events.services.stages import details_of_stage
from tournaments.events.services.templates import event_template, event_templates
from tournaments.models import Division, Event, Stage
from tournaments.selectors.limits import rating_sources, source_name

_DATETIME_FORMAT = "%Y-%m-%dT%H:%M"
TEAM_SIZES = [
    (1, gettext_lazy("one player")),
    (2, gettext_lazy("a team of two (doubles)")),
    (3, gettext_lazy("a team of three")),
]
assert len(TEAM_SIZES) == MAX_TEAM_SIZE
# Formats for a new division: that of an existing one, a template, or a side event.
_LIKE_DIVISION, _LIKE_TEMPLATE, _LIKE_SIDE_EVENT = "division", "template", "side"


class DivisionForm(forms.Form):
    """Form for the settings of a division, without its stages."""

    name = forms.CharField(label=gettext_lazy("Division name"), max_length=80, required=False)
    team_size = forms.TypedChoiceField(
        label=gettext_lazy("Players per entry"), choices=TEAM_SIZES, coerce=int, initial=1
    )
    entries_until = forms.DateTimeField(
        label=gettext_lazy("Late entries until"),
        required=False,
        input_formats=[_DATETIME_FORMAT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_DATETIME_FORMAT),
        help_text=gettext_lazy(
            "In the event’s time zone. Leave empty to accept entries while there is room."
        ),
    )
    capacity = forms.IntegerField(
        label=gettext_lazy("Maximum number of entries"),
        min_value=MIN_ENTRIES,
        max_value=MAX_ENTRIES,
        required=False,
        help_text=gettext_lazy(
            "Later entries made with the link go to the waiting list and move up automatically. Leave empty "
            "for no limit."
        ),
    )
    starts_when_full = forms.BooleanField(
        label=gettext_lazy("Start automatically when full"),
        required=False,
        help_text=gettext_lazy(
            "For jackpots: with the last entry the draw is made and published, and the next one of the same "
            "kind opens."
        ),
    )
    reentries = forms.IntegerField(
        label=gettext_lazy("Re-entries per player"),
        min_value=0,
        max_value=MAX_REENTRIES,
        required=False,
        initial=0,
        help_text=gettext_lazy("How often a player who is out can enter again. 0: never."),
    )
    limit_source = forms.CharField(
        label=gettext_lazy("Rating source"),
        max_length=4 * MAX_SOURCE_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"list": "limit-sources", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "A rating list of the club or an outside body, for example USBGF. Outside ratings are shown "
            "with the players and never change your own list. Leave empty to allow all players."
        ),
    )
    limit_least = forms.FloatField(label=gettext_lazy("Lowest rating"), required=False)
    limit_most = forms.FloatField(label=gettext_lazy("Highest rating"), required=False)
    limit_refuses = forms.ChoiceField(
        label=gettext_lazy("Players outside the limit"),
        choices=[
            ("yes", gettext_lazy("are not entered unless a director gives a reason")),
            ("no", gettext_lazy("wait for a director’s approval")),
        ],
        required=False,
    )
    moving = forms.IntegerField(
        label=gettext_lazy("Players promoted and relegated after the season"),
        min_value=0,
        max_value=MAX_PROMOTED,
        required=False,
        initial=0,
        help_text=gettext_lazy("For leagues: they swap with the best players of the division below."),
    )

    def __init__(self, data: Any, *, division: Division, event: Event, stages: list[Stage]) -> None:
        self.zone = ZoneInfo(event.timezone)
        until = division.entries_until
        self.sources = rating_sources(event.club)
        names = ("name", "team_size", "capacity", "starts_when_full", "reentries", "moving")
        initial = {name: getattr(division, name) for name in names}
        super().__init__(
            data,
            initial={
                **initial,
                "entries_until": until.astimezone(self.zone).replace(tzinfo=None) if until else None,
                "limit_source": source_name(division.limit_source) or division.limit_source,
                "limit_least": _format_rating(division.limit_least),
                "limit_most": _format_rating(division.limit_most),
                "limit_refuses": "yes" if division.limit_refuses else "no",
            },
        )
        self.fields["name"].required = len({stage.division_id for stage in stages}) > 1
        is_last = stages[-1].division_id == division.pk
        has_table = any(
            stage.division_id == division.pk and stage.system in Stage.IN_ROUNDS for stage in stages
        )
        if (is_last or not has_table) and not division.moving:
            self.fields["moving"].widget = forms.HiddenInput()

    def details(self) -> DivisionDetails:
        data = self.cleaned_data
        until = data["entries_until"]
        return DivisionDetails(
            name=data["name"],
            team_size=data["team_size"],
            entries_until=until.replace(tzinfo=self.zone) if until is not None else None,
            capacity=data["capacity"],
            starts_when_full=data["starts_when_full"],
            reentries=data["reentries"] or 0,
            moving=data["moving"] or 0,
            limit_source=data["limit_source"],
            limit_least=data["limit_least"],
            limit_most=data["limit_most"],
            limit_refuses=data["limit_refuses"] != "no",
        )


def _format_rating(rating: float | None) -> str:
    """Return a rating as it would be typed: 1500, not 1500.0."""
    return "" if rating is None else f"{rating:.10g}"


class NewDivisionForm(forms.Form):
    """Form for a new division: its name, players per entry, and the format to copy."""

    first_name = forms.CharField(
        label=gettext_lazy("Name of the current division"),
        max_length=80,
        help_text=gettext_lazy("With several divisions, each needs a name."),
    )
    name = forms.CharField(label=gettext_lazy("Name of the new division"), max_length=80)
    team_size = forms.TypedChoiceField(
        label=gettext_lazy("Players per entry"), choices=TEAM_SIZES, coerce=int, initial=1
    )
    like = forms.ChoiceField(label=gettext_lazy("Format"), choices=())

    def __init__(self, data: Any, *, event: Event, stages: list[Stage]) -> None:
        super().__init__(data, initial={"first_name": pgettext("a division", "Open")})
        divisions = {stage.division_id: stage.division for stage in stages}
        if all(division.name for division in divisions.values()):
            del self.fields["first_name"]
        like = self.fields["like"]
        assert isinstance(like, forms.ChoiceField)
        like.choices = [
            *(
                (f"{_LIKE_DIVISION}-{pk}", _("same as %(name)s") % {"name": division.name or event.name})
                for pk, division in divisions.items()
            ),
            *(
                (f"{_LIKE_TEMPLATE}-{template.code}", template.name)
                for template in event_templates()
                if not template.chosen
            ),
            *(
                (f"{_LIKE_SIDE_EVENT}-{index}", _("side event: %(name)s") % {"name": side_event.name})
                for index, side_event in enumerate(_side_events())
            ),
        ]

    def details(self, stages: list[Stage]) -> DivisionDetails:
        """Return the details of the new division, with the stages of the chosen format.

        A side event also brings its re-entries and team size. ``stages``: the stages of the event.
        """
        data = self.cleaned_data
        kind, _dash, choice = data["like"].partition("-")
        if kind == _LIKE_SIDE_EVENT:
            like = _side_events()[int(choice)]
            return replace(like, name=data["name"], team_size=max(like.team_size, data["team_size"]))
        if kind == _LIKE_DIVISION:
            played_stages = [details_of_stage(stage) for stage in stages if stage.division_id == int(choice)]
        else:
            played_stages = list(event_template(choice).divisions[0].stages)
        return DivisionDetails(name=data["name"], team_size=data["team_size"], stages=played_stages)


def _side_events() -> list[DivisionDetails]:
    return [division for template in event_templates() if template.chosen for division in template.divisions]
