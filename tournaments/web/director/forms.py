"""The director's forms. They shape input and give it back; what is allowed is the services' to say."""

import re
import zoneinfo
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules.formats import PRESETS, MatchFormat
from tournaments.engine.pairing.history import HALF, NOTHING, WIN
from tournaments.engine.pairing.settings import MOST_ROUNDS, OFFERED_TIE_BREAKS, Clubs, SwissSettings
from tournaments.engine.results import RESULT_RULES
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models import Event, Match, Stage
from tournaments.models.choices import REPORT_POLICY, RESULT_KIND
from tournaments.services.events import EventDetails, StageDetails
from tournaments.web.labels import lazy_tie_break_name

MOST_POINTS = 999
# Switches that a format knows and the form does not offer: asking for one is answered with the rule that forbids it (F14).
SWITCHES = tuple(name for name in MatchFormat.__dataclass_fields__ if name != "length")
_NUMBERS = {"automatic_doubles", "cube_limit"}
_OFF = {"", "0", "off", "false", "no", "none"}


class DateField(forms.DateField):
    """A day, with the browser's own calendar."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class EventForm(forms.Form):
    """What, when, where."""

    name = forms.CharField(label=_("Name"), max_length=120)
    place = forms.CharField(label=pgettext_lazy("of an event", "Place"), max_length=160, required=False)
    starts_on = DateField(label=_("First day"))
    ends_on = DateField(label=_("Last day"))
    timezone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        help_text=_("Type a city, for example Helsinki."),
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off", "spellcheck": "false"}),
    )
    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=999)
    visibility = forms.ChoiceField(
        label=_("Who finds it"), choices=Event.Visibility.choices, widget=forms.RadioSelect
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Entry fee, start, prizes, whatever players ask."),
    )

    def clean_timezone(self) -> str:
        """“Helsinki” or “new york” is enough where only one zone is meant."""
        said: str = self.cleaned_data["timezone"].strip()
        zones = zoneinfo.available_timezones()
        if said in zones:
            return said
        folded = said.casefold().replace(" ", "_")
        fitting = [
            zone for zone in zones if zone.casefold() == folded or zone.casefold().endswith(f"/{folded}")
        ]
        cities = [zone for zone in fitting if zone.split("/")[0] in _CONTINENTS]
        return cities[0] if len(cities) == 1 else said

    def details(self) -> EventDetails:
        return EventDetails(**self.cleaned_data)


_CONTINENTS = frozenset(
    {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)


def details_of(event: Event) -> dict[str, Any]:
    """The present values of ``event`` for its form."""
    return {name: getattr(event, name) for name in EventForm.base_fields}


def time_zones() -> list[str]:
    """Zones that are named after places, for the list to choose from."""
    return sorted(
        zone for zone in zoneinfo.available_timezones() if zone == "UTC" or zone.split("/")[0] in _CONTINENTS
    )


_SWISS = SwissSettings()
SWISS_FIELDS = (
    "rounds", "tie_break_1", "tie_break_2", "tie_break_3", "bye_points", "late_points", "clubs",
)  # fmt: skip


def _tie_break_field(label: Any, place: int) -> forms.ChoiceField:
    names = [(code, lazy_tie_break_name(code)) for code in OFFERED_TIE_BREAKS]
    return forms.ChoiceField(
        label=label, required=False, choices=[("", _("none")), *names], initial=_SWISS.tie_breaks[place]
    )


def _points_field(label: Any, initial: int) -> forms.TypedChoiceField:
    words = [(WIN, _("1 point")), (HALF, _("half a point")), (NOTHING, _("no point"))]
    return forms.TypedChoiceField(
        label=label, required=False, choices=words, coerce=int, empty_value=None, initial=initial
    )


class StageForm(forms.Form):
    """How it is played."""

    system = forms.ChoiceField(label=_("System"), choices=Stage.System.choices)
    format_preset = forms.ChoiceField(label=_("Match format"), choices=())
    lengths = forms.CharField(
        label=_("Match lengths"),
        max_length=120,
        help_text=_("One for each round, the last round last: 5, 5, 7, 9. Earlier rounds take the first."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "data-lengths": ""}),
    )
    draw_method = forms.ChoiceField(
        label=_("Draw"), choices=Stage.DrawMethod.choices, widget=forms.RadioSelect
    )
    report_policy = forms.ChoiceField(label=_("Who settles a result"), choices=REPORT_POLICY)
    clean_record_settles = forms.BooleanField(
        label=_("A clean game record settles a match alone"),
        required=False,
        help_text=_(
            "A record that replays without a fault shows that the play was legal, not that it took place. "
            "The opponent can still object."
        ),
    )

    rounds = forms.IntegerField(
        label=_("Rounds"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        initial=_SWISS.rounds,
    )
    tie_break_1 = _tie_break_field(_("First tie-break"), 0)
    tie_break_2 = _tie_break_field(_("Second tie-break"), 1)
    tie_break_3 = _tie_break_field(_("Third tie-break"), 2)
    bye_points = _points_field(_("A bye is worth"), _SWISS.bye_points)
    late_points = _points_field(_("Each round missed by coming late is worth"), _SWISS.late_points)
    clubs = forms.ChoiceField(
        label=_("Players of one club"),
        required=False,
        initial=_SWISS.clubs,
        choices=[
            (Clubs.IGNORE.value, _("may meet")),
            (Clubs.AVOID.value, _("meet only where it cannot be helped")),
            (Clubs.NEVER.value, _("never meet")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["format_preset"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(preset.code, _PRESET_NAMES[preset.code]) for preset in match_presets()]

    def clean_lengths(self) -> list[int]:
        return read_lengths(self.cleaned_data["lengths"])

    def details(self) -> StageDetails:
        shared = {name: value for name, value in self.cleaned_data.items() if name not in SWISS_FIELDS}
        return StageDetails(**shared, swiss=self._swiss(), options=self._options() or None)

    def _swiss(self) -> SwissSettings:
        """The settings of a Swiss; a field that did not come stays as usual."""
        data = self.cleaned_data
        given = [f"tie_break_{number}" in self.data for number in (1, 2, 3)]
        said = tuple(data[f"tie_break_{n}"] for n in (1, 2, 3) if data[f"tie_break_{n}"])
        return SwissSettings(
            rounds=data["rounds"] or _SWISS.rounds,
            tie_breaks=said if any(given) else _SWISS.tie_breaks,
            bye_points=_SWISS.bye_points if data["bye_points"] is None else data["bye_points"],
            late_points=_SWISS.late_points if data["late_points"] is None else data["late_points"],
            clubs=data["clubs"] or _SWISS.clubs,
        )

    def _options(self) -> dict[str, Any]:
        """Switches of the format that came with the form though it has no box for them."""
        asked: dict[str, Any] = {}
        for name in SWITCHES:
            if name not in self.data:
                continue
            said = str(self.data[name]).strip().casefold()
            if name in _NUMBERS:
                asked[name] = (
                    int(said) if said.isascii() and said.isdecimal() and len(said) < 6 else said not in _OFF
                )
            else:
                asked[name] = said not in _OFF
        return asked


_PRESET_NAMES = {"match": _("Match to points: cube, Crawford rule, no Jacoby, no beavers")}


def match_presets() -> list[Any]:
    """The formats in which a bracket can be played: those with a length."""
    return [preset for preset in PRESETS.values() if preset.has_length]


def stage_details_of(stage: Stage) -> dict[str, Any]:
    """The present values of ``stage`` for its form."""
    return {
        **{name: getattr(stage, name) for name in StageForm.base_fields if name not in SWISS_FIELDS},
        "lengths": ", ".join(str(length) for length in stage.lengths),
        **_swiss_details_of(SwissSettings.of(stage.options)),
    }


def _swiss_details_of(swiss: SwissSettings) -> dict[str, Any]:
    three = (*swiss.tie_breaks, "", "", "")[:3]
    return {
        **{name: getattr(swiss, name) for name in SWISS_FIELDS if not name.startswith("tie_break")},
        **{f"tie_break_{number}": code for number, code in enumerate(three, start=1)},
    }


def read_lengths(text: str) -> list[int]:
    """“5, 5, 7, 9”, also with blanks, semicolons or slashes between the numbers."""
    words = [word for word in re.split(r"[\s,;/–-]+", text.strip()) if word]
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise forms.ValidationError(
            _("Write the lengths as numbers with commas between them, for example 5, 5, 7, 9.")
        )
    return [int(word) for word in words]


# What a director can record for a match that ends: F12 as a table decides, not this form.
CLAIMABLE = tuple(kind for kind in ResultKind if RESULT_RULES[kind].ends_match and kind is not ResultKind.BYE)
_KIND_LABELS = dict(RESULT_KIND)


class ResultForm(forms.Form):
    """A result as the director records it."""

    score_a = forms.IntegerField(label=_("Points of the first side"), min_value=0, max_value=MOST_POINTS)
    score_b = forms.IntegerField(label=_("Points of the second side"), min_value=0, max_value=MOST_POINTS)
    kind = forms.ChoiceField(
        label=_("How it ended"),
        choices=[(kind.value, _KIND_LABELS[kind]) for kind in CLAIMABLE],
        initial=ResultKind.PLAYED.value,
    )
    winner = forms.ChoiceField(
        label=_("Who won"),
        required=False,
        help_text=_("Only needed where the score does not tell: after a retirement or a walk-over."),
    )
    played_at = forms.DateTimeField(
        label=_("Played at"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        help_text=_("Only if it was not just now. In the event's time zone."),
    )
    note = forms.CharField(label=pgettext_lazy("to a result", "Note"), required=False, max_length=500)
    submission_key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, names: tuple[str, str], zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(zone)
        for name, who in (("score_a", names[0]), ("score_b", names[1])):
            self.fields[name].label = who
            self.fields[name].widget.attrs.update({"max": match.length, "inputmode": "numeric"})
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [("", _("As the score says")), ("a", names[0]), ("b", names[1])]

    def clean_played_at(self) -> datetime | None:
        """The browser sends a local time; it is meant where the event takes place."""
        at: datetime | None = self.cleaned_data["played_at"]
        return at.replace(tzinfo=self.zone) if at is not None else None

    def fill(self, claim: Claim) -> None:
        """The score of a checked record in the place of what was typed."""
        told = {"score_a": claim.score_a, "score_b": claim.score_b, "kind": claim.kind, "winner": ""}
        self.data = {**{name: self.data.get(name) for name in self.data}, **told}

    def claim(self) -> Claim:
        data = self.cleaned_data
        return Claim(
            data["score_a"],
            data["score_b"],
            ResultKind(data["kind"]),
            Side(data["winner"]) if data["winner"] else None,
        )
