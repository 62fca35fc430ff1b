"""Form of a result, for every kind (rule F12): it parses and redisplays input; the services validate it."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules.sheets import Row, read_sheet
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreRule, WhoMayReport
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.matches.web.player_forms import MAX_SHEET_LENGTH, normalize_sheet
from tournaments.models import Match
from tournaments.selectors.matches.claims import minimum_match_score
from tournaments.shared.words.names import result_kind_label
from tournaments.shared.words.result_kinds import result_effect_message, score_form_context

MAX_POINTS = 999
# Kinds that a director can record: all that end a match and can be claimed.
CLAIMABLE_KINDS = tuple(
    kind
    for kind, rule in RESULT_RULES.items()
    if rule.ends_match and rule.claimant is not WhoMayReport.NOBODY
)
SCORELESS_SHAPES = frozenset({ScoreRule.START, ScoreRule.NOT_PLAYED})


class ResultForm(forms.Form):
    """A result as a director records it. The score may be empty for kinds without a played game."""

    score_a = forms.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    score_b = forms.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("How the match ended"), initial=ResultKind.PLAYED.value)
    winner = forms.ChoiceField(
        label=gettext_lazy("Winner"),
        required=False,
        widget=forms.RadioSelect,
    )
    played_at = forms.DateTimeField(
        label=gettext_lazy("Played at"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        help_text=gettext_lazy("Leave empty if the match has just ended. Use the event’s time zone."),
    )
    note = forms.CharField(label=pgettext_lazy("to a result", "Note"), required=False, max_length=500)
    sheet = forms.CharField(
        label=gettext_lazy("Score after each game"),
        required=False,
        max_length=MAX_SHEET_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Optional. Enter the scores in the form 1-0 1-2 5-2, with the first player’s points first."
        ),
    )
    submission_key = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, names: tuple[str, str], zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(zone)
        self.least = minimum_match_score(match)
        self.length = match.length
        self.rated = match.stage.settings.conduct.rated
        for side, name, label in zip(Side, ("score_a", "score_b"), names, strict=True):
            field = self.fields[name]
            field.label = label
            field.widget.attrs.update(
                {"min": self.least.of(side), "max": match.length, "inputmode": "numeric"}
            )
        kind, winner = self.fields["kind"], self.fields["winner"]
        assert isinstance(kind, forms.ChoiceField)
        assert isinstance(winner, forms.ChoiceField)
        kind.choices = [(code.value, result_kind_label(code)) for code in CLAIMABLE_KINDS]
        winner.choices = [("a", names[0]), ("b", names[1])]

    def clean_sheet(self) -> str:
        return normalize_sheet(self.cleaned_data["sheet"])

    def sheet_rows(self) -> tuple[Row, ...]:
        """Return the score after each game of the cleaned form, side a first."""
        return read_sheet(self.cleaned_data["sheet"])

    @property
    def rules(self) -> list[dict[str, Any]]:
        """For the script: what each result kind requires, what its score means, what it counts for."""
        return [
            {
                **score_form_context(kind),
                "hint": self._hint(kind),
                "counts": result_effect_message(kind, rated=self.rated),
            }
            for kind in CLAIMABLE_KINDS
        ]

    @property
    def rule(self) -> dict[str, Any]:
        """The element of `rules` for the selected result kind."""
        selected_kind = self["kind"].value()
        return next((rule for rule in self.rules if rule["kind"] == selected_kind), self.rules[0])

    def _hint(self, kind: ResultKind) -> str:
        hints = {
            ScoreRule.TO_LENGTH: _("Match to %(length)s points. The winner has exactly that many."),
            ScoreRule.BROKEN_OFF: _("Enter the score when play stopped, and the winner."),
            ScoreRule.NOT_PLAYED: _(
                "No games were played. Leave the score unchanged, or give the winner %(length)s points."
            ),
            ScoreRule.JUDGED: _("Enter the score at the time of the decision, and the winner."),
            ScoreRule.STANDING: _(
                "Enter the current score. Both players must have fewer than %(length)s points."
            ),
            ScoreRule.START: _("Neither player played, so the result has no score and no winner."),
        }
        return hints[RESULT_RULES[kind].score_rule] % {"length": self.length}

    def clean_played_at(self) -> datetime | None:
        """Return the time with the event's time zone: the browser sends a local time without one."""
        played_at: datetime | None = self.cleaned_data["played_at"]
        return played_at.replace(tzinfo=self.zone) if played_at is not None else None

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        kind = data.get("kind")
        self._fill_winner_points(data)
        for side, name in zip(Side, ("score_a", "score_b"), strict=True):
            if data.get(name) is None and name not in self.errors:
                if kind and RESULT_RULES[ResultKind(kind)].score_rule in SCORELESS_SHAPES:
                    data[name] = self.least.of(side)
                else:
                    self.add_error(name, _("Enter this player’s points."))
        return data

    def _fill_winner_points(self, data: dict[str, Any]) -> None:
        """Set the winner's points to the match length in a finished match.

        The director then only needs to enter the loser's points.
        """
        kind, winner = data.get("kind"), data.get("winner")
        if not (kind and winner and RESULT_RULES[ResultKind(kind)].score_rule is ScoreRule.TO_LENGTH):
            return
        side, name = Side(winner), f"score_{winner}"
        if name not in self.errors and (data.get(name) is None or data[name] <= self.least.of(side)):
            data[name] = self.length

    def fill(self, claim: Claim) -> None:
        """Replace the typed values by the result of a checked game record."""
        values = {"score_a": claim.score_a, "score_b": claim.score_b, "kind": claim.kind, "winner": ""}
        self.data = {**{name: self.data.get(name) for name in self.data}, **values}

    def claim(self) -> Claim:
        data = self.cleaned_data
        return Claim(
            data["score_a"],
            data["score_b"],
            ResultKind(data["kind"]),
            Side(data["winner"]) if data["winner"] else None,
        )
