"""Forms of directors. They shape input; what is allowed is the services' to say."""

from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rating.formulas import SYSTEMS, Discipline
from rating.formulas.base import Parameter, ParameterKind
from rating.formulas.rateable import LONGEST, SHORTEST_BY_DEFAULT
from rating.models import RatingList
from rating.services.lists import Settings
from rating.web.explain import CHOICE_NAMES, PARAMETER_NAMES, SYSTEM_NAMES

DISCIPLINES = [
    (Discipline.STANDARD, _("matches of backgammon")),
    (Discipline.SPEED, _("speedgammon")),
    (Discipline.TEAM, _("team matches")),
    (Discipline.VARIANT, _("variants")),
]
LARGEST_FILE = 2_000_000


class ListForm(forms.Form):
    """All settings of a list. Parameters of all systems are fields; those of the chosen system count."""

    name = forms.CharField(label=_("Name"), max_length=120)
    system = forms.ChoiceField(label=_("System"), choices=[(code, SYSTEM_NAMES[code]) for code in SYSTEMS])
    start = forms.FloatField(
        label=_("Start value"), required=False, help_text=_("Empty: 1500, or 0 for master points.")
    )
    shortest = forms.IntegerField(
        label=_("Shortest match"), min_value=1, max_value=LONGEST, initial=SHORTEST_BY_DEFAULT
    )
    longest = forms.IntegerField(label=_("Longest match"), min_value=1, max_value=LONGEST, initial=LONGEST)
    disciplines = forms.MultipleChoiceField(
        label=_("What counts"),
        choices=DISCIPLINES,
        initial=[Discipline.STANDARD],
        widget=forms.CheckboxSelectMultiple,
    )
    events = forms.CharField(
        label=_("Events that count"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Their ids, as in the address of an event's page. Empty: all events of the club."),
    )
    counts_from = forms.DateField(
        label=_("Counts from"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    counts_until = forms.DateField(
        label=_("Counts until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    minimum_matches = forms.IntegerField(
        label=_("Matches to be ranked"), min_value=0, max_value=10_000, initial=1
    )
    provisional_below = forms.IntegerField(
        label=_("Provisional below this experience"), min_value=0, max_value=100_000, initial=100
    )

    def __init__(self, data: Any = None, *, rating_list: RatingList | None = None) -> None:
        super().__init__(data, initial=_initial(rating_list) if rating_list else None)
        for system in SYSTEMS.values():
            for parameter in system.parameters:
                field = _parameter_field(parameter, str(SYSTEM_NAMES[system.code]))
                if rating_list is not None and rating_list.system == system.code:
                    field.initial = _shown(rating_list.parameters.get(parameter.name, parameter.default))
                self.fields[f"{system.code}.{parameter.name}"] = field

    def parameter_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Parameter fields by system, for the page."""
        return [
            (str(SYSTEM_NAMES[code]), [self[f"{code}.{p.name}"] for p in system.parameters])
            for code, system in SYSTEMS.items()
            if system.parameters
        ]

    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if "." not in name]

    def settings(self) -> Settings:
        clean = self.cleaned_data
        system = clean["system"]
        return Settings(
            name=clean["name"],
            system=system,
            parameters={
                p.name: clean[f"{system}.{p.name}"]
                for p in SYSTEMS[system].parameters
                if clean.get(f"{system}.{p.name}") not in {None, ""}
            },
            start=clean["start"],
            shortest=clean["shortest"],
            longest=clean["longest"],
            disciplines=tuple(clean["disciplines"]),
            events=tuple(clean["events"].replace(",", " ").split()),
            counts_from=clean["counts_from"],
            counts_until=clean["counts_until"],
            minimum_matches=clean["minimum_matches"],
            provisional_below=clean["provisional_below"],
        )

    def field_names(self) -> dict[str, str]:
        """Names of the service's parameter faults as fields of this form."""
        system = self.cleaned_data.get("system", "")
        return {
            f"parameters.{p.name}": f"{system}.{p.name}"
            for p in (SYSTEMS[system].parameters if system in SYSTEMS else ())
        }


def _parameter_field(parameter: Parameter, system: str) -> forms.Field:
    label = f"{PARAMETER_NAMES[parameter.name]}"
    shown = _shown(parameter.default)
    if parameter.kind is ParameterKind.CHOICE:
        return forms.ChoiceField(
            label=label,
            required=False,
            initial=shown,
            choices=[(value, CHOICE_NAMES[value]) for value in parameter.choices],
        )
    return forms.CharField(label=label, required=False, initial=shown, max_length=200, help_text=system)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(f"{step[0]:g}:{step[1]:g}" for step in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _initial(rating_list: RatingList) -> dict[str, Any]:
    names = (
        "name system start shortest longest disciplines counts_from counts_until minimum_matches provisional_below"
    ).split()
    return {name: getattr(rating_list, name) for name in names} | {"events": "\n".join(rating_list.events)}


class TableForm(forms.Form):
    """A CSV file to be checked, or (``text``) one that was checked and shall be taken in."""

    file = forms.FileField(label=_("CSV file"), required=False)
    text = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)
    create_unknown = forms.BooleanField(label=_("Make players for names that nobody has yet"), required=False)

    def clean(self) -> dict[str, Any]:
        clean: dict[str, Any] = super().clean() or {}
        file = clean.get("file")
        if file is not None and file.size > LARGEST_FILE:
            raise forms.ValidationError(_("The file is too large."))
        if file is None and not clean.get("text"):
            raise forms.ValidationError(_("Choose a file."))
        return clean


class OpeningForm(TableForm):
    """Opening ratings hold as of a day."""

    as_of = forms.DateField(
        label=_("Ratings as of"),
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("Results played after this day change them."),
    )

    def moment(self) -> datetime:
        return datetime.combine(self.cleaned_data["as_of"], time(), tzinfo=UTC)


class CorrectForm(forms.Form):
    """The result as it should have been."""

    winner = forms.ChoiceField(label=_("Winner"), widget=forms.RadioSelect)
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)


class LedgerFilter(forms.Form):
    q = forms.CharField(label=_("Player"), required=False, max_length=80)
    since = forms.DateField(
        label=_("Played since"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def start(self) -> datetime | None:
        day = self.cleaned_data.get("since") if self.is_valid() else None
        return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone()) if day else None
