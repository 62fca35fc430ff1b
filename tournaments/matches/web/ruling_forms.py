"""Forms of rulings that do not end a match, and the panel of the match page that holds them."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.web.forms import DateField
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import (
    MANUAL_REASONS,
    MAX_MINUTES,
    Award,
    AwardReason,
    ClockStart,
    ClockUse,
    awards_from_json,
    lateness_penalty,
)
from tournaments.engine.statuses import EventStatus, MatchStatus, allowed_actions, may_report
from tournaments.engine.types import ResultKind, Score, Side
from tournaments.models import Event, Match
from tournaments.selectors.matches.claims import minimum_match_score
from tournaments.shared.words.rulings import (
    AWARD_LABELS,
    SideNames,
    award_lines,
    duration_label,
    lateness_message,
    points_label,
    slow_play_message,
)

_CLOCK_PATTERN = re.compile(r"\s*(\d{1,3})(?::([0-5]?\d))?\s*")
_DICE_PATTERN = re.compile(r"\s*([1-6])\s*[-:,/ ]?\s*([1-6])\s*")


class _MatchRulingForm(forms.Form):
    """Base of forms for rulings.

    It has the version of the match that the director saw, and the names of both sides.
    """

    prefix_id = ""
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, match: Match, names: SideNames, **kwargs: Any) -> None:
        initial = {"seen": match.version, **kwargs.pop("initial", {})}
        super().__init__(data, auto_id=f"id_{self.prefix_id}_%s", initial=initial, **kwargs)
        self.match, self.names = match, names

    def _set_side_choices(self, field: str, *, blank: str | None = None) -> None:
        choice = self.fields[field]
        assert isinstance(choice, forms.ChoiceField)
        first = [] if blank is None else [("", blank)]
        choice.choices = [*first, *((side.value, self.names[side]) for side in Side)]


class LatenessForm(_MatchRulingForm):
    """The late player, and by how many minutes."""

    prefix_id = "late"
    late = forms.ChoiceField(label=gettext_lazy("Late player"))
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes late"),
        min_value=0,
        max_value=MAX_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._set_side_choices("late")

    def preview(self) -> dict[str, Any]:
        """Return the template context of the schedule's penalty for the typed values."""
        rule = self.match.stage.settings.conduct.lateness
        late_side, minutes = Side(self.cleaned_data["late"]), self.cleaned_data["minutes"]
        penalty = lateness_penalty(self.match.length, minutes, rule)
        minimum = minimum_match_score(self.match)
        return {
            "lost": penalty.lost,
            "points": points_label(penalty.points, self.names[late_side.other]),
            "name": self.names[late_side],
            "minutes": minutes,
            "winner": late_side.other.value,
            "winner_name": self.names[late_side.other],
            "kind": rule.lost_as.value,
            "is_walkover": rule.lost_as is ResultKind.WALKOVER,
            "score_a": minimum.a,
            "score_b": minimum.b,
        }


class SlowPlayForm(_MatchRulingForm):
    """The slow player, and how many minutes the match is over its time."""

    prefix_id = "slow"
    slow = forms.ChoiceField(label=gettext_lazy("Slow player"))
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes over time"),
        min_value=0,
        max_value=MAX_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._set_side_choices("slow")


class ClockForm(_MatchRulingForm):
    """Start of a clock; the current score is optional."""

    prefix_id = "clock"
    score_a = forms.IntegerField(required=False, min_value=0, max_value=99)
    score_b = forms.IntegerField(required=False, min_value=0, max_value=99)

    def __init__(self, data: Any = None, *, match: Match, **kwargs: Any) -> None:
        clock_start = ClockStart.of(match.clock)
        score = clock_start.score if clock_start is not None else None
        initial = {"score_a": score.a, "score_b": score.b} if score is not None else {}
        super().__init__(data, match=match, initial=initial, **kwargs)
        for side, name in ((Side.A, "score_a"), (Side.B, "score_b")):
            label = _("Current points of %(name)s") % {"name": self.names[side]}
            self.fields[name].label = label
            self.fields[name].widget.attrs.update({"max": match.length - 1, "inputmode": "numeric"})

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and (data["score_a"] is None) is not (data["score_b"] is None):
            raise forms.ValidationError(_("Enter the points of both players, or leave both empty."))
        return data

    def score(self) -> Score | None:
        data = self.cleaned_data
        return Score(data["score_a"], data["score_b"]) if data["score_a"] is not None else None


class AwardForm(_MatchRulingForm):
    """Points for one side, and the reason for them."""

    prefix_id = "award"
    to = forms.ChoiceField(label=gettext_lazy("Points awarded to"))
    why = forms.ChoiceField(
        label=gettext_lazy("Type of award"),
        choices=[(reason.value, AWARD_LABELS[reason].choice) for reason in MANUAL_REASONS],
    )
    points = forms.IntegerField(label=gettext_lazy("Points"), min_value=0, max_value=99, initial=1)
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Public. Required for a penalty."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._set_side_choices("to")

    def award(self) -> Award:
        data = self.cleaned_data
        return Award(Side(data["to"]), data["points"], AwardReason(data["why"]), note=data["note"])


class AdjournForm(_MatchRulingForm):
    """State of an adjourned match (score, cube, position, dice, clocks, when to resume).

    Only the score is required.
    """

    prefix_id = "adjourn"
    score_a = forms.IntegerField(min_value=0, max_value=99)
    score_b = forms.IntegerField(min_value=0, max_value=99)
    cube = forms.TypedChoiceField(
        label=gettext_lazy("Cube"),
        coerce=int,
        choices=[(1, gettext_lazy("1, centred")), *((1 << n, str(1 << n)) for n in range(1, 8))],
    )
    cube_owner = forms.ChoiceField(label=gettext_lazy("Cube owner"), required=False)
    position = forms.CharField(
        label=gettext_lazy("Position"),
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "Position ID (GNU Backgammon) or XGID. Leave empty if the match was stopped between two games."
        ),
    )
    on_roll = forms.ChoiceField(label=gettext_lazy("Player on turn"), required=False)
    dice = forms.CharField(
        label=gettext_lazy("Dice on the board"),
        required=False,
        max_length=9,
        help_text=gettext_lazy("For example 6-1. Leave empty if the dice have not been rolled."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    clock_a = forms.CharField(required=False, max_length=9)
    clock_b = forms.CharField(required=False, max_length=9)
    resumes_on = DateField(label=gettext_lazy("Resume date"), required=False)
    resumes_at = forms.TimeField(
        label=gettext_lazy("Resume time"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    place = forms.CharField(label=gettext_lazy("Where"), required=False, max_length=120)
    note = forms.CharField(
        label=gettext_lazy("Other details"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, data: Any = None, *, match: Match, **kwargs: Any) -> None:
        adjournment = Adjournment.of(match.adjourned)
        super().__init__(data, match=match, initial=_adjourned_initial(match, adjournment), **kwargs)
        self._set_side_choices("cube_owner", blank=_("none (cube centred)"))
        self._set_side_choices("on_roll", blank=_("none (between games)"))
        for side, score, clock in (
            (Side.A, "score_a", "clock_a"),
            (Side.B, "score_b", "clock_b"),
        ):
            self.fields[score].label = self.names[side]
            self.fields[score].widget.attrs.update({"max": match.length - 1, "inputmode": "numeric"})
            self.fields[clock].label = _("%(name)s’s clock") % {"name": self.names[side]}
            self.fields[clock].widget.attrs.update({"placeholder": "7:30", "inputmode": "text"})

    def clean_clock_a(self) -> int | None:
        return _parse_seconds(self.cleaned_data["clock_a"])

    def clean_clock_b(self) -> int | None:
        return _parse_seconds(self.cleaned_data["clock_b"])

    def clean_dice(self) -> tuple[int, int] | None:
        text: str = self.cleaned_data["dice"]
        if not text.strip():
            return None
        dice_match = _DICE_PATTERN.fullmatch(text)
        if dice_match is None:
            raise forms.ValidationError(_("Enter both dice in the form 6-1."))
        return int(dice_match[1]), int(dice_match[2])

    def adjourned(self) -> Adjournment:
        data = dict(self.cleaned_data)
        score = Score(data.pop("score_a"), data.pop("score_b"))
        data.pop("seen")
        for name in ("cube_owner", "on_roll"):
            data[name] = Side(data[name]) if data[name] else None
        return Adjournment(score, **data)


def _parse_seconds(text: str) -> int | None:
    """Return “7:30” or “7” (minutes) as seconds; None if empty. Raises ``ValidationError``."""
    if not text.strip():
        return None
    time_match = _CLOCK_PATTERN.fullmatch(text)
    if time_match is None:
        raise forms.ValidationError(_("Enter the time in minutes and seconds, for example 7:30."))
    return int(time_match[1]) * 60 + int(time_match[2] or 0)


def _adjourned_initial(match: Match, adjournment: Adjournment | None) -> dict[str, Any]:
    if adjournment is None:
        return {"score_a": match.start_a, "score_b": match.start_b, "cube": 1}
    clocks = {"clock_a": adjournment.clock_a, "clock_b": adjournment.clock_b}
    return {
        "score_a": adjournment.score.a,
        "score_b": adjournment.score.b,
        **{
            name: getattr(adjournment, name)
            for name in (
                "cube",
                "cube_owner",
                "position",
                "on_roll",
                "resumes_on",
                "resumes_at",
                "place",
                "note",
            )
        },
        "dice": f"{adjournment.dice[0]}-{adjournment.dice[1]}" if adjournment.dice else "",
        **{name: "" if seconds is None else duration_label(seconds) for name, seconds in clocks.items()},
    }


@dataclass(slots=True)
class RulingsPanel:
    """Panel of rulings on the match page.

    A form is bound if it had errors; ``may_rule``: rulings are possible now; ``preview``: penalty for
    lateness before it is applied.
    """

    match: Match
    names: SideNames
    may_rule: bool
    late: LatenessForm
    slow: SlowPlayForm
    award: AwardForm
    clock: ClockForm
    adjourn: AdjournForm
    preview: dict[str, Any] | None = None

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The awards so far as text, each with its index from 0."""
        return [{"number": n, "words": line} for n, line in enumerate(award_lines(self.match, self.names))]

    @property
    def schedule(self) -> str:
        return lateness_message(self.match.length, self.match.stage.settings.conduct.lateness)

    @property
    def is_points_section_expanded(self) -> bool:
        errors = self.late.errors or self.slow.errors or self.award.errors
        return bool(errors or self.preview or awards_from_json(self.match.awards))

    @property
    def slow_schedule(self) -> str:
        return slow_play_message(self.match.stage.settings.conduct.slow)

    @property
    def clock_is_on(self) -> bool:
        return bool(self.match.clock)

    @property
    def can_use_clock(self) -> bool:
        conduct = self.match.stage.settings.conduct
        return self.may_rule and (conduct.clocks is None or conduct.clock_use is not ClockUse.REQUIRED)

    @property
    def is_adjourned(self) -> bool:
        return self.match.status == MatchStatus.ADJOURNED

    @property
    def can_resume(self) -> bool:
        return self.may_rule and "resume" in allowed_actions(MatchStatus(self.match.status))


def rulings_panel(event: Event, match: Match, names: SideNames, **bound: Any) -> RulingsPanel:
    """Build the panel of rulings for ``match``.

    ``bound``: submitted forms that replace empty ones, keyed by field of `RulingsPanel`, or a ``preview``.
    """
    is_open = event.status == EventStatus.RUNNING and may_report(MatchStatus(match.status))
    panel_forms = {
        "late": LatenessForm(match=match, names=names),
        "slow": SlowPlayForm(match=match, names=names),
        "award": AwardForm(match=match, names=names),
        "clock": ClockForm(match=match, names=names),
        "adjourn": AdjournForm(match=match, names=names),
    }
    return RulingsPanel(match, names, is_open, **{**panel_forms, **bound})
