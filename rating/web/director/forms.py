"""Forms of directors. They check the format of the input; services check what is allowed."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from names.public_page import PublicPage
from people.models import Club, Player
from people.web.differences import saved_differences
from people.web.forms import PUBLIC_PAGE_LABELS, DateField
from rating.formulas import SYSTEMS, Discipline
from rating.formulas.base import MAX_EXPERIENCE, Parameter, ParameterKind
from rating.formulas.ranking import MAX_ACTIVE_MONTHS, PRESETS
from rating.formulas.rateable import DEFAULT_MIN_LENGTH, MAX_MATCH_LENGTH, ResultKind
from rating.models import Fact, RatingList
from rating.outside import event_source
from rating.selectors.ranking_words import MEMBERS_LABELS, PRESET_NAMES
from rating.services.lists import ListSettings, settings_version
from rating.services.table_jobs import MAX_TABLE_BYTES
from rating.store.spans import clubs_ever_counted
from rating.web.explain import CHOICE_NAMES, DISCIPLINES, PARAMETER_NAMES, SYSTEM_NAMES

MAX_EVENTS = 500


RANKING_FIELDS = (
    "minimum_matches",
    "minimum_experience",
    "active_months",
    "members",
    "provisional_below",
    "provisional_apart",
)


def is_lookup(data: Any) -> bool:
    """Return whether submitted data only searches for events or shows a preset, without saving."""
    return bool(data and ("find" in data or "preset" in data))


class ListForm(forms.Form):
    """All settings of a list. The parameters of all systems are fields; those of the chosen system count.

    ``seen``: the ``settings_version`` that the director saw.
    """

    name = forms.CharField(label=_("Name"), max_length=120)
    system = forms.ChoiceField(label=_("System"), choices=[(code, SYSTEM_NAMES[code]) for code in SYSTEMS])
    start = forms.FloatField(
        label=_("Start value"),
        required=False,
        help_text=_("Leave empty for 1500, or for 0 with master points."),
    )
    shortest = forms.IntegerField(
        label=_("Shortest match"), min_value=1, max_value=MAX_MATCH_LENGTH, initial=DEFAULT_MIN_LENGTH
    )
    longest = forms.IntegerField(
        label=_("Longest match"), min_value=1, max_value=MAX_MATCH_LENGTH, initial=MAX_MATCH_LENGTH
    )
    disciplines = forms.MultipleChoiceField(
        label=_("What counts"),
        choices=DISCIPLINES,
        initial=[Discipline.STANDARD],
        widget=forms.CheckboxSelectMultiple,
    )
    events = forms.MultipleChoiceField(
        label=_("Limit to these events"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If none are selected, all events count. Newest first; search by name for others."),
    )
    find_event = forms.CharField(label=_("Event name"), required=False, max_length=80)
    counts_from = DateField(
        label=_("Counts from"),
        required=False,
    )
    counts_until = DateField(
        label=_("Counts until"),
        required=False,
    )
    minimum_matches = forms.IntegerField(
        label=_("Matches required for a ranking"), min_value=0, max_value=10_000, initial=1
    )
    provisional_below = forms.IntegerField(
        label=_("Experience below which ratings are provisional"),
        min_value=0,
        max_value=100_000,
        initial=100,
        help_text=_("Does not apply to master points, which are never provisional."),
    )
    provisional_apart = forms.BooleanField(
        label=_("List provisional ratings separately, below the ranked players and without a rank"),
        required=False,
    )
    minimum_experience = forms.IntegerField(
        label=_("Experience required for a ranking"),
        min_value=0,
        max_value=MAX_EXPERIENCE,
        required=False,
        initial=0,
    )
    active_months = forms.IntegerField(
        label=_("Activity period for a ranking (months)"),
        min_value=0,
        max_value=MAX_ACTIVE_MONTHS,
        required=False,
        initial=0,
        help_text=_(
            "Players without a match in this period keep their rating but are not ranked. 0 means no limit."
        ),
    )
    members = forms.ChoiceField(
        label=_("Ranked players"), required=False, choices=list(MEMBERS_LABELS.items())
    )

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, club: Club, rating_list: RatingList | None = None) -> None:
        super().__init__(data, initial=_initial(rating_list) if rating_list else None)
        for system in SYSTEMS.values():
            for parameter in system.parameters:
                field = _parameter_field(parameter, str(SYSTEM_NAMES[system.code]))
                if rating_list is not None and rating_list.system == system.code:
                    field.initial = _format_value(
                        rating_list.parameters.get(parameter.name, parameter.default)
                    )
                self.fields[f"{system.code}.{parameter.name}"] = field
        self.choosing_events = bool(data and "find" in data)
        self.preset = PRESETS.get(data["preset"]) if data and "preset" in data else None
        if is_lookup(data):
            self.is_bound = False  # a search for events or a preset submits nothing: no faults yet
            self.initial = {**self.initial, **_typed_values(self, data)}
        if self.preset is not None:
            self.initial = {**self.initial, **asdict(self.preset.ranking)}
        self._set_event_choices(club, rating_list)

    @property
    def chosen_events(self) -> list[str]:
        return list(self["events"].value() or [])

    def _set_event_choices(self, club: Club, rating_list: RatingList | None) -> None:
        """Offer the chosen events, then the newest, or those whose names have the words searched for."""
        clubs = clubs_ever_counted(club.pk)
        search = str(self["find_event"].value() or "").replace("\0", "")[:80]
        saved_keys = rating_list.events if rating_list is not None else []
        marked_keys = [key for key in self.chosen_events if "\0" not in key][:MAX_EVENTS]
        event_choices = event_source().choices(clubs, own=club.pk, keys=marked_keys) if marked_keys else []
        event_choices += event_source().choices(clubs, own=club.pk, search=search)
        choices = {choice.key: f"{choice.name}, {choice.when}" for choice in event_choices}
        deleted = {key: _("deleted event (%(id)s)") % {"id": key} for key in marked_keys if key in saved_keys}
        field = self.fields["events"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list((deleted | choices).items())

    def ranking_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in RANKING_FIELDS]

    def presets(self) -> list[tuple[str, str, str]]:
        """Return published ranking rules as (code, name, address of the source)."""
        return [(code, str(PRESET_NAMES[code]), preset.source) for code, preset in PRESETS.items()]

    def differences(self) -> list[tuple[str, str]]:
        """Return (label, saved value) of each setting whose saved value differs from the input."""
        return saved_differences(self, excluded={"find_event"})

    def parameter_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return (system's name, fields of its parameters) for each system with parameters."""
        return [
            (str(SYSTEM_NAMES[code]), [self[f"{code}.{p.name}"] for p in system.parameters])
            for code, system in SYSTEMS.items()
            if system.parameters
        ]

    def main_fields(self) -> list[forms.BoundField]:
        excluded = {"events", "find_event", "seen", *RANKING_FIELDS}
        return [self[name] for name in self.fields if "." not in name and name not in excluded]

    def settings(self) -> ListSettings:
        cleaned = self.cleaned_data
        system = cleaned["system"]
        return ListSettings(
            name=cleaned["name"],
            system=system,
            parameters={
                p.name: cleaned[f"{system}.{p.name}"]
                for p in SYSTEMS[system].parameters
                if cleaned.get(f"{system}.{p.name}") not in {None, ""}
            },
            start=cleaned["start"],
            shortest=cleaned["shortest"],
            longest=cleaned["longest"],
            disciplines=tuple(cleaned["disciplines"]),
            events=tuple(cleaned["events"]),
            counts_from=cleaned["counts_from"],
            counts_until=cleaned["counts_until"],
            minimum_matches=cleaned["minimum_matches"],
            provisional_below=cleaned["provisional_below"],
            provisional_apart=cleaned["provisional_apart"],
            minimum_experience=cleaned["minimum_experience"] or 0,
            active_months=cleaned["active_months"] or 0,
            members=cleaned["members"],
        )

    def field_names(self) -> dict[str, str]:
        """Return the names of form fields, keyed by the field names in the service's errors.

        These are fields for parameters of the chosen system.
        """
        system = self.cleaned_data.get("system", "")
        return {
            f"parameters.{p.name}": f"{system}.{p.name}"
            for p in (SYSTEMS[system].parameters if system in SYSTEMS else ())
        }


def _parameter_field(parameter: Parameter, system: str) -> forms.Field:
    label = f"{PARAMETER_NAMES[parameter.name]}"
    initial = _format_value(parameter.default)
    if parameter.kind is ParameterKind.CHOICE:
        return forms.ChoiceField(
            label=label,
            required=False,
            initial=initial,
            choices=[(value, CHOICE_NAMES[value]) for value in parameter.choices],
        )
    return forms.CharField(label=label, required=False, initial=initial, max_length=200, help_text=system)


def _format_value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(f"{step[0]:g}:{step[1]:g}" for step in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _initial(rating_list: RatingList) -> dict[str, Any]:
    names = ("name system start shortest longest disciplines events counts_from counts_until").split()
    return {name: getattr(rating_list, name) for name in (*names, *RANKING_FIELDS)} | {
        "seen": settings_version(rating_list)
    }


def _typed_values(form: forms.Form, data: Any) -> dict[str, Any]:
    """Return what was entered so far, unchanged, keyed by field name."""
    return {
        name: field.widget.value_from_datadict(data, form.files, name) for name, field in form.fields.items()
    }


MAX_ID_LENGTH = 16
MAX_CHOSEN_PLAYERS = 2_000


def chosen_players(data: Any) -> list[str]:
    """Return the public ids of players chosen for names of a table (fields of `_import_matches.html`)."""
    player_ids = data.getlist("same") if hasattr(data, "getlist") else []
    return sorted({player_id for player_id in player_ids if player_id and len(player_id) <= MAX_ID_LENGTH})[
        :MAX_CHOSEN_PLAYERS
    ]


class TableForm(forms.Form):
    """A CSV file to be checked, or its ``text``, which was checked and is to be imported."""

    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        help_text=_(
            "Up to 100,000 rows. Large files are processed in the background, and a progress bar is shown."
        ),
    )
    text = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)
    create_unknown = forms.BooleanField(label=_("Add players for unknown names"), required=False)
    public_page = forms.ChoiceField(
        label=_("Public pages of added players"),
        choices=[(page.value, label) for page, label in PUBLIC_PAGE_LABELS.items()],
        required=False,
        help_text=_("Public rating lists show only players who have a public page."),
    )
    again = forms.BooleanField(label=_("Import removed results again"), required=False)

    @property
    def public_page_choice(self) -> PublicPage:
        """Return from when players who are added are public."""
        return PublicPage(self.cleaned_data["public_page"] or PublicPage.WITH_DRAW)

    @property
    def same(self) -> list[str]:
        """Return the public ids of the players chosen for names of the table."""
        return chosen_players(self.data)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if file is not None and file.size > MAX_TABLE_BYTES:
            raise forms.ValidationError(_("The file is too large."))
        if file is None and not cleaned.get("text") and "file" not in self.errors:
            raise forms.ValidationError(_("Choose a file."))
        return cleaned


class ResultsForm(TableForm):
    """A CSV file of old results; an exported ledger may also have opening ratings."""

    openings_to = forms.ChoiceField(
        label=_("Opening ratings from a ledger"),
        required=False,
        help_text=_(
            "Only a ledger file contains opening ratings. Choose the list that receives them to reproduce "
            "the original list."
        ),
    )

    def __init__(self, *args: Any, lists: Sequence[RatingList], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lists = {rating_list.public_id: rating_list for rating_list in lists}
        field = self.fields["openings_to"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("Leave them out")), *((key, x.name) for key, x in self._lists.items())]

    @property
    def list_for_openings(self) -> RatingList | None:
        return self._lists.get(self.cleaned_data["openings_to"])


class OpeningForm(TableForm):
    """A CSV file of opening ratings as of a date."""

    as_of = DateField(
        label=_("Ratings as of"),
        help_text=_("Only results played after this date change these ratings."),
    )

    def moment(self) -> datetime:
        return datetime.combine(self.cleaned_data["as_of"], time(), tzinfo=UTC)


KIND_LABELS = {
    ResultKind.PLAYED: _("played to completion"),
    ResultKind.LOST_ON_TIME: _("lost on time"),
    ResultKind.RETIRED: _("retired"),
}


class CorrectionForm(forms.Form):
    """The corrected result of a match, with the same two players."""

    winner = forms.ChoiceField(label=_("Winner"), widget=forms.RadioSelect)
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=MAX_MATCH_LENGTH)
    kind = forms.ChoiceField(
        label=_("How the match ended"), choices=list(KIND_LABELS.items()), required=False
    )
    winner_score = forms.IntegerField(label=_("Winner’s points"), min_value=0, max_value=999, required=False)
    loser_score = forms.IntegerField(label=_("Loser’s points"), min_value=0, max_value=999, required=False)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def __init__(self, data: Any, *, fact: Fact) -> None:
        assert fact.winner is not None
        assert fact.loser is not None
        self.players = {player.public_id: player for player in (fact.winner, fact.loser)}
        names = "length winner_score loser_score".split()
        initial = {name: getattr(fact, name) for name in names}
        super().__init__(data, initial={**initial, "kind": fact.result_kind, "winner": fact.winner.public_id})
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [(public_id, player.name) for public_id, player in self.players.items()]

    def _loser(self) -> Player:
        return next(p for key, p in self.players.items() if key != self.cleaned_data["winner"])

    def values(self) -> dict[str, Any]:
        """Return the arguments for ``correct_fact``."""
        return {**self.cleaned_data, "loser": self._loser().public_id}

    def preview_arguments(self) -> dict[str, Any]:
        """Return the arguments for ``preview_correction``."""
        winner = self.players[self.cleaned_data["winner"]]
        return {
            "winner_id": winner.pk,
            "loser_id": self._loser().pk,
            "length": self.cleaned_data["length"],
        }


class LedgerFilter(forms.Form):
    q = forms.CharField(label=_("Player"), required=False, max_length=80)
    since = DateField(
        label=_("Played since"),
        required=False,
    )

    def start(self) -> datetime | None:
        day = self.cleaned_data.get("since") if self.is_valid() else None
        return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone()) if day else None
