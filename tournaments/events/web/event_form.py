"""Form for the settings of an event. It parses and shows the input; the services validate it."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from people.web.forms import DateField, clean_zone
from tournaments.engine.hall.near import DEFAULT_MINUTES, MAX_MINUTES
from tournaments.events.services.events import MAX_WEIGHT, EventDetails
from tournaments.models import Event
from tournaments.shared.words.consents import CONSENT_LABELS

MAX_POINTS = 999


class TimeField(forms.TimeField):
    """Form field for an optional time of day, with the browser's time input."""

    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, **options})


HOUR_FIELDS = ("opens_at", "closes_at", "break_from", "break_until")


class EventForm(forms.Form):
    """Form for the settings of an event.

    ``only``: names of the fields to show; the other settings keep their initial values. Empty for all.
    """

    name = forms.CharField(label=_("Name"), max_length=120)
    place = forms.CharField(label=pgettext_lazy("of an event", "Place"), max_length=160, required=False)
    starts_on = DateField(label=_("First day"))
    ends_on = DateField(label=_("Last day"))
    timezone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        help_text=_("Enter a city or country, for example Helsinki or Finland."),
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off", "spellcheck": "false"}),
    )
    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=999)
    weight = forms.DecimalField(
        label=_("Master points multiplier"),
        min_value=0,
        max_value=MAX_WEIGHT,
        decimal_places=2,
        help_text=_(
            "Multiplies the master points earned here: 1 is usual, 2 counts double, 0.5 half, 0 nothing. "
            "Only lists of master points use it. You cannot change it after the first result."
        ),
    )
    visibility = forms.ChoiceField(
        label=_("Visibility"), choices=Event.Visibility.choices, widget=forms.RadioSelect
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Entry fee, start, prizes and other details for players."),
    )

    requires = forms.MultipleChoiceField(
        label=_("Players must agree to"),
        required=False,
        choices=[(kind.value, name) for kind, name in CONSENT_LABELS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "The event page shows this before players enter, and they cannot enter with the link without "
            "agreeing. For everything else, players choose yes, no or “ask me each time”."
        ),
    )

    opens_at = TimeField(label=_("Play begins at"))
    closes_at = TimeField(label=_("No match begins after"))
    break_from = TimeField(label=_("Break from"))
    break_until = TimeField(label=_("Break until"))
    word_minutes = forms.IntegerField(
        label=_("Up-next notice, minutes before a match"),
        min_value=0,
        max_value=MAX_MINUTES,
        required=False,
        help_text=_(
            "Shown on the players’ own pages, based on the forecast: where, against whom and in how many "
            "minutes. 15 is usual; 0 turns it off."
        ),
    )

    def __init__(self, *args: Any, only: Collection[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.kept = self.fields.keys() - set(only) if only else set()
        if only:
            self.fields = {name: field for name, field in self.fields.items() if name in only}

    def clean_timezone(self) -> str:
        """Return the time zone for a typed city, country or abbreviation.

        If it may mean several, offer a choice.
        """
        return clean_zone(self.cleaned_data["timezone"], self.initial.get("timezone"))

    def clean_word_minutes(self) -> int:
        """Return the typed minutes, or the default for an empty field."""
        typed: int | None = self.cleaned_data["word_minutes"]
        return DEFAULT_MINUTES if typed is None else typed

    def clean(self) -> dict[str, Any]:
        """Add the initial values of fields that are missing because an earlier release rendered the page."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        later_fields = [name for name in (*HOUR_FIELDS, "word_minutes") if name in self.fields]
        missing_names = [
            name for name in later_fields if self.add_prefix(name) not in self.data and name in self.initial
        ]
        return {**data, **{name: self.initial[name] for name in missing_names}}

    def details(self) -> EventDetails:
        return EventDetails(**{name: self.initial[name] for name in self.kept}, **self.cleaned_data)


def initial_values(event: Event) -> dict[str, Any]:
    """Return the current settings of ``event`` as initial values of its form."""
    return {name: getattr(event, name) for name in EventForm.base_fields}
