"""Form of a stage, the same for every system; the page shows the fields of the chosen system."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.rules.formats import PRESETS, MatchFormat, Preset
from people.messages import describe
from tournaments.engine.matches.lengths import MAX_LENGTH
from tournaments.engine.pairing.history import FULL_POINT, HALF_POINT, ZERO_POINTS
from tournaments.engine.stages.elimination import MAX_FED_ROUNDS, MAX_HELD_LINES, BracketSettings, SeparateBy
from tournaments.engine.stages.swiss import (
    DEFAULT_TIE_BREAKS,
    MAX_GROUPS,
    MAX_LIVES,
    MAX_ROUNDS,
    MAX_TIE_BREAKS,
    OFFERED_TIE_BREAKS,
    ROUND_ROBIN_TIE_BREAKS,
    AvoidancePolicy,
    SwissSettings,
    check_tie_break_count,
)
from tournaments.engine.standings.editions import Edition
from tournaments.events.services.stages import StageDetails
from tournaments.events.web.feed_fields import (
    ADDITIONAL_FEEDS,
    ALL_ENTRIES,
    FEED_FIELDS,
    additional_feed_choices,
    additional_feed_contexts,
    feed_choices,
    feed_fault_fields,
    feed_fields,
    feed_from_form,
    feed_initial,
)
from tournaments.events.web.fields import LengthsField, number_field
from tournaments.events.web.flight_fields import (
    FLIGHT_FAULT_FIELDS,
    UNFOLDED_FLIGHT_FIELDS,
    flatten_flights,
    flight_contexts,
    flight_fields,
    flight_initial,
    flights_from_form,
)
from tournaments.models import Stage
from tournaments.models.choices import REPORT_POLICY_CHOICES
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import lengths_label
from tournaments.shared.words.tie_breaks import edition_choices, lazy_tie_break_name

# Switches of a format without a field in the form; sending one is rejected with its rule (F14).
FORMAT_OPTIONS: Final = tuple(name for name in MatchFormat.__dataclass_fields__ if name != "length")
_NUMERIC_OPTIONS: Final = {"automatic_doubles", "cube_limit"}
_FALSE_VALUES: Final = {"", "0", "off", "false", "no", "none"}
_SWISS_DEFAULTS: Final = SwissSettings()
_STAGE_FIELDS: Final = (
    "name",
    "system",
    "format_preset",
    "draw_method",
    "report_policy",
    "clean_record_settles",
)
_TIE_BREAK_PREFIX: Final = "tie_break_"
_TIE_BREAK_LABELS: Final = (
    *(_("First tie-break"), _("Second tie-break"), _("Third tie-break")),
    *(_("Fourth tie-break"), _("Fifth tie-break")),
)
_SWISS_FIELDS: Final = (
    "rounds", "lives", "bye_points", "late_points", "clubs", "parties", "group_count", "all_at_once", "edition",
)  # fmt: skip
# All other fields are folded; most directors do not need them.
UNFOLDED_FIELDS: Final = UNFOLDED_FLIGHT_FIELDS | {
    "system", "rounds", "lengths", "draw_method", "name", "lower_lengths", "final_length", *FEED_FIELDS,
}  # fmt: skip


def _points_field(label: Any, initial: int) -> forms.TypedChoiceField:
    choices = [(FULL_POINT, _("1 point")), (HALF_POINT, _("half a point")), (ZERO_POINTS, _("no point"))]
    return forms.TypedChoiceField(
        label=label, required=False, choices=choices, coerce=int, empty_value=None, initial=initial
    )


def _tie_break_fields(initial: Collection[str]) -> dict[str, forms.Field]:
    """Return a form field for each place of a tie-break; more if ``initial`` (the stored values) has more."""
    names = [("", _("none")), *((code, lazy_tie_break_name(code)) for code in OFFERED_TIE_BREAKS)]
    stored_count = sum(name.startswith(_TIE_BREAK_PREFIX) for name in initial)
    defaults, labels = dict(enumerate(_SWISS_DEFAULTS.tie_breaks)), dict(enumerate(_TIE_BREAK_LABELS))
    return {
        f"{_TIE_BREAK_PREFIX}{index + 1}": forms.ChoiceField(
            label=labels.get(index) or format_lazy("{} {}", _("Tie-break"), index + 1),
            required=False,
            choices=names,
            initial=defaults.get(index, ""),
        )
        for index in range(max(MAX_TIE_BREAKS, stored_count))
    }


def _meeting_field(label: Any, initial: str, help_text: Any = "") -> forms.ChoiceField:
    choices = [
        (AvoidancePolicy.IGNORE.value, _("may meet")),
        (AvoidancePolicy.AVOID.value, _("meet only if unavoidable")),
        (AvoidancePolicy.NEVER.value, _("never meet")),
    ]
    return forms.ChoiceField(
        label=label, required=False, initial=str(initial), choices=choices, help_text=help_text
    )


def location_field() -> forms.TypedChoiceField:
    """Return a form field for where matches are played: by arrangement (True), at the tables, or None."""
    choices = [
        ("tables", _("at the tables: matches are called and wait for a table")),
        ("arrangement", _("by arrangement: the two sides agree on time and place, as in a league")),
    ]
    return forms.TypedChoiceField(
        label=_("Where matches are played"),
        required=False,
        choices=choices,
        coerce=lambda value: value == "arrangement",
        empty_value=None,
        widget=forms.RadioSelect,
    )


def location_value(*, by_arrangement: bool) -> str:
    """Return the form value of the field that ``location_field`` returns."""
    return "arrangement" if by_arrangement else "tables"


class StageForm(forms.Form):
    """Form of a stage's settings. ``sources``: the division's stages that can feed this one, in order."""

    name = forms.CharField(
        label=_("Stage name"),
        max_length=80,
        required=False,
        help_text=_("Needed only if a division has several stages, for example Groups, Knockout."),
    )
    system = forms.ChoiceField(label=_("System"), choices=Stage.System.choices)
    format_preset = forms.ChoiceField(label=_("Match format"), choices=())
    lengths = LengthsField(
        label=_("Match lengths"),
        required=False,
        help_text=_("One per round, the last round last: 5, 5, 7, 9. Earlier rounds use the first length."),
    )
    draw_method = forms.ChoiceField(
        label=_("Draw"), choices=Stage.DrawMethod.choices, widget=forms.RadioSelect
    )
    report_policy = forms.ChoiceField(label=_("Result confirmation"), choices=REPORT_POLICY_CHOICES)
    clean_record_settles = forms.BooleanField(
        label=_("A game record without errors confirms a result on its own"),
        required=False,
        help_text=_(
            "A record that replays without errors shows that the play was legal, not that the match took "
            "place. The opponent can still request a correction."
        ),
    )

    by_arrangement = location_field()

    rounds = number_field(_("Rounds"), 1, MAX_ROUNDS, initial=_SWISS_DEFAULTS.rounds)
    lives = number_field(
        _("Lives"),
        0,
        MAX_LIVES,
        initial=_SWISS_DEFAULTS.lives,
        help_text=_("A player who has lost this many matches is out. 0: players are never out."),
    )
    group_count = number_field(_("Groups"), 1, MAX_GROUPS, initial=_SWISS_DEFAULTS.group_count)
    all_at_once = forms.BooleanField(
        label=_("All rounds at once"),
        required=False,
        help_text=_("For leagues: players can play their matches in any order, each by its deadline."),
    )
    edition = forms.ChoiceField(
        label=_("Tie-break rules"),
        required=False,
        choices=edition_choices(),
        initial=str(_SWISS_DEFAULTS.edition),
        help_text=_(
            "The edition of the rules defines how byes, walkovers and missed rounds count. Tie-breaks by "
            "rating use the ratings given with the entries; the results are shown in the public standings."
        ),
    )
    bye_points = _points_field(_("Points for a bye"), _SWISS_DEFAULTS.bye_points)
    late_points = _points_field(_("Points for a round missed by a late entry"), _SWISS_DEFAULTS.late_points)
    clubs = _meeting_field(_("Players of the same club"), _SWISS_DEFAULTS.clubs)
    parties = _meeting_field(
        _("Players travelling together"),
        _SWISS_DEFAULTS.parties,
        _("Travel groups are marked under Entries."),
    )

    third_place = forms.BooleanField(label=_("Third-place match"), required=False)
    recharge = forms.BooleanField(
        label=_("Second final"),
        required=False,
        initial=True,
        help_text=_(
            "If the winner of the lower bracket wins the final, both sides have lost once and play again."
        ),
    )
    lower_lengths = LengthsField(
        label=_("Match lengths in the lower bracket"),
        required=False,
        help_text=_("Leave empty to use the main draw."),
    )
    final_length = number_field(
        _("Match length of the final"), 1, MAX_LENGTH, help_text=_("Leave empty to use the main draw.")
    )
    open_lines = number_field(
        _("Lines reserved for late entries"),
        0,
        MAX_HELD_LINES,
        initial=0,
        help_text=_(
            "For late entries and re-entries, until you or the division close them. The opponent waits."
        ),
    )
    buy_back_within = number_field(
        _("Most matches before a re-entry"),
        0,
        MAX_FED_ROUNDS,
        initial=0,
        help_text=_(
            "Players who are out after at most this many matches can re-enter; byes do not count. 0: any "
            "player who is out. The division sets how often."
        ),
    )
    # The fields of `flight_fields` are inserted here.
    apart = forms.MultipleChoiceField(
        label=_("Kept apart in early rounds"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=[
            (SeparateBy.PARTY.value, _("players travelling together (marked under Entries)")),
            (SeparateBy.CLUB.value, _("players of the same club")),
            (SeparateBy.COUNTRY.value, _("players of the same country")),
        ],
    )

    def __init__(self, *args: Any, sources: Sequence[Stage] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names, tie_break_fields = list(self.fields), _tie_break_fields(self.initial)
        self.fields |= tie_break_fields
        self.order_fields([*names[: names.index("bye_points")], *tie_break_fields])
        self._breaks = tuple(tie_break_fields)
        self.fields |= feed_fields()
        flights, leading_names = flight_fields(), takewhile(lambda name: name != "apart", list(self.fields))
        self.fields |= flights
        self.order_fields([*leading_names, *flights])
        self.fields["lengths"].widget.attrs["data-lengths"] = ""
        fed_by, formats = self.fields["fed_by"], self.fields["format_preset"]
        assert isinstance(fed_by, forms.ChoiceField)
        assert isinstance(formats, forms.ChoiceField)
        formats.choices = [(preset.code, _PRESET_NAMES[preset.code]) for preset in match_presets()]
        if len(formats.choices) == 1:  # nothing to choose
            formats.widget = forms.HiddenInput()
        fed_by.choices = [(ALL_ENTRIES, _("all entries")), *feed_choices(sources)]
        extra_choices = additional_feed_choices(sources)
        for row in ADDITIONAL_FEEDS:
            choice = self.fields[row]
            assert isinstance(choice, forms.ChoiceField)
            choice.choices = extra_choices
        if len(fed_by.choices) == 1:  # nothing to choose
            for name in FEED_FIELDS:
                self.fields[name].widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (
            data.get("system") != Stage.System.MONEY
            and data.get("lengths") == []
            and "lengths" not in self.errors
        ):
            self.add_error("lengths", _("Enter at least one match length, for example 5, 5, 7, 9."))
        if (data.get("fed_by") or ALL_ENTRIES) == ALL_ENTRIES and data.get(ADDITIONAL_FEEDS[0]):
            self.add_error(
                ADDITIONAL_FEEDS[0],
                _("“All entries” leaves no others to add: choose the first group above instead."),
            )
        stored_codes = [self.initial[name] for name in self._breaks if self.initial.get(name)]
        for fault in check_tie_break_count(self._chosen_tie_breaks(data), stored_codes):
            self.add_error(f"{_TIE_BREAK_PREFIX}{MAX_TIE_BREAKS + 1}", describe(fault))
        return data

    def _chosen_tie_breaks(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(data[name] for name in self._breaks if data.get(name))

    @property
    def tie_breaks(self) -> list[forms.BoundField]:
        """Form fields of the tie-breaks, in order."""
        return [self[name] for name in self._breaks]

    @property
    def fault_fields(self) -> dict[str, str]:
        """Names of form fields, keyed by the names that services use in errors, if they differ."""
        return {**FLIGHT_FAULT_FIELDS, **feed_fault_fields(self.cleaned_data["fed_by"])}

    @property
    def has_folded_errors(self) -> bool:
        """Whether a field in the folded part of the page has an error."""
        return bool(set(self.errors) - UNFOLDED_FIELDS)

    @property
    def additional_feeds(self) -> list[Context]:
        """Template contexts of the rows of fields for further participants."""
        return additional_feed_contexts(self)

    @property
    def has_additional_feeds(self) -> bool:
        """Whether further participants are chosen or have an error, so that their rows are shown."""
        return any(self[row].value() for row in ADDITIONAL_FEEDS) or any(
            name.startswith("also_") for name in self.errors
        )

    @property
    def flights(self) -> list[Context]:
        """Template contexts of the sections for losers of the main draw, each with those that it feeds."""
        return flight_contexts(self)

    @property
    def all_flights(self) -> list[Context]:
        """Template contexts of all sections in which losers play on, in one list."""
        return list(flatten_flights(self.flights))

    def details(self, base: StageDetails | None = None) -> StageDetails:
        """Return the stage's details from the form. ``base``: details of what the form does not contain."""
        data = self.cleaned_data
        return replace(
            base or StageDetails(),
            **{name: data[name] for name in _STAGE_FIELDS if name in data},
            lengths=data["lengths"],
            swiss=self._swiss(base),
            bracket=self._bracket(),
            **feed_from_form(data),
            options=self._options() or None,
            **({} if data["by_arrangement"] is None else {"by_arrangement": data["by_arrangement"]}),
        )

    def _swiss(self, base: StageDetails | None) -> SwissSettings:
        """Return the settings of a Swiss or round robin; fields that were not sent are as in ``base``."""
        data, previous = self.cleaned_data, base.swiss if base is not None else _SWISS_DEFAULTS
        has_tie_breaks = any(name in self.data for name in self._breaks)
        tie_breaks = self._chosen_tie_breaks(data)
        is_round_robin = data["system"] in Stage.ROUND_ROBINS
        if (
            is_round_robin
            and tie_breaks == DEFAULT_TIE_BREAKS
            and (base is None or base.system not in Stage.ROUND_ROBINS)
        ):
            tie_breaks = ROUND_ROBIN_TIE_BREAKS  # the defaults were filled in for a Swiss
        values = {name: data[name] for name in _SWISS_FIELDS if data[name] not in {None, ""}}
        if "edition" in values:
            values["edition"] = Edition(values["edition"])
        return replace(
            previous,
            **values,
            tie_breaks=tie_breaks if has_tie_breaks else previous.tie_breaks,
        )

    def _bracket(self) -> BracketSettings:
        data = self.cleaned_data
        is_double = data["system"] == Stage.System.DOUBLE_ELIMINATION
        return BracketSettings(
            third_place=data["third_place"] and not is_double,
            recharge=data["recharge"] or not is_double,
            flights=() if is_double else tuple(flights_from_form(data)),
            apart=tuple(SeparateBy(code) for code in data["apart"]),
            lower_lengths=tuple(data["lower_lengths"]) if is_double else (),
            final_length=(data["final_length"] or 0) if is_double else 0,
            open_lines=data["open_lines"] or 0,
            buy_back_within=data["buy_back_within"] or 0,
        )

    def _options(self) -> dict[str, Any]:
        """Return the posted switches of the match format, for which the form has no fields."""
        options: dict[str, Any] = {}
        for name in FORMAT_OPTIONS:
            if name not in self.data:
                continue
            text = str(self.data[name]).strip().casefold()
            if name in _NUMERIC_OPTIONS:
                options[name] = (
                    int(text)
                    if text.isascii() and text.isdecimal() and len(text) < 6
                    else text not in _FALSE_VALUES
                )
            else:
                options[name] = text not in _FALSE_VALUES
        return options


_PRESET_NAMES: Final = {"match": _("Match to points: cube, Crawford rule, no Jacoby, no beavers")}


def match_presets() -> list[Preset]:
    """Return the presets of the match format that have a match length, for stages with matches."""
    return [preset for preset in PRESETS.values() if preset.has_length]


def stage_initial(stage: StageDetails) -> dict[str, Any]:
    """Return the settings of a stage as initial values of its form."""
    swiss, bracket = stage.swiss, stage.bracket
    padding = ("",) * (MAX_TIE_BREAKS - len(swiss.tie_breaks))
    return {
        **{name: getattr(stage, name) for name in _STAGE_FIELDS},
        **{name: getattr(swiss, name) for name in _SWISS_FIELDS},
        **{
            f"{_TIE_BREAK_PREFIX}{place}": code
            for place, code in enumerate((*swiss.tie_breaks, *padding), start=1)
        },
        "by_arrangement": location_value(by_arrangement=stage.is_arranged),
        **feed_initial(stage),
        "lengths": lengths_label(stage.lengths),
        "third_place": bracket.third_place,
        "recharge": bracket.recharge,
        "lower_lengths": lengths_label(bracket.lower_lengths),
        "final_length": bracket.final_length or None,
        "open_lines": bracket.open_lines,
        "buy_back_within": bracket.buy_back_within,
        "apart": [str(code) for code in bracket.apart],
        **flight_initial(bracket.flights),
    }
