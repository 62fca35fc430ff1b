"""Forms of the player's page: a result from the player's view (“I won, 7–4”), an objection."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from faults import CrawfordError, Invalid
from games.rules.sheets import Row, format_sheet, points_to_win, read_sheet, swap_sheet_sides
from people.messages import describe, messages_by_field
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models.report import KEY_LIMIT, NOTE_LIMIT
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.claims import minimum_match_score
from tournaments.selectors.matches.player import CLAIMABLE_KINDS, MyMatch
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.words.names import result_kind_label

ME, THEM = "me", "them"
UNDO_TAP = "back"
MAX_SHEET_LENGTH = 2_000  # characters
MAX_ROW_POINTS = 25  # points; longer matches have a list instead of buttons
MAX_ROW_BUTTONS = 7  # buttons in a row on a phone


class ReportForm(forms.Form):
    """A result from the player's view: who won and the loser's points, or both scores if unfinished.

    The player does not see which side is a and which is b. ``is_draft``: True for buttons that only redisplay
    the form.
    """

    winner = forms.ChoiceField(label=_("Who won?"), required=False, widget=forms.RadioSelect)
    loser = forms.ChoiceField(label=_("Loser’s points"), required=False, widget=forms.RadioSelect)
    mine = forms.IntegerField(label=_("My points"), required=False)
    theirs = forms.IntegerField(label=_("Opponent’s points"), required=False)
    kind = forms.ChoiceField(label=_("How the match ended"), required=False)
    note = forms.CharField(
        label=_("Note to the director"),
        required=False,
        max_length=NOTE_LIMIT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    sheet = forms.CharField(
        label=_("Score after each game, your points first"),
        required=False,
        max_length=MAX_SHEET_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Tap once for each game, or enter the scores in the form 1-0 1-2 5-2."),
    )
    submission_key = forms.CharField(widget=forms.HiddenInput, max_length=KEY_LIMIT)

    def __init__(self, data: Any = None, *, match: MyMatch) -> None:
        report = match.own_report
        sheet_rows = report.score_sheet.rows if report is not None and report.score_sheet is not None else ()
        minimum = minimum_match_score(match.match)
        start_points = (minimum.of(match.side), minimum.of(match.side.other))
        self.match = match
        self.is_draft = False
        super().__init__(
            data,
            auto_id=f"id_{match.match.public_id}_%s",
            initial={
                "kind": report.claim.kind if report is not None else ResultKind.PLAYED,
                "sheet": format_sheet(sheet_rows if match.side is Side.A else swap_sheet_sides(sheet_rows)),
                "submission_key": new_submission_key(),
                **(self._score_fields(*match.points_own_first(report.claim)) if report is not None else {}),
                **({"winner": self._winner_choice(report.winner)} if report is not None else {}),
            },
        )
        winner, loser, kind = (self.fields[name] for name in ("winner", "loser", "kind"))
        assert isinstance(winner, forms.ChoiceField)
        assert isinstance(loser, forms.ChoiceField)
        assert isinstance(kind, forms.ChoiceField)
        winner.choices = [(ME, match.own_side.name), (THEM, match.other.name)]
        point_choices = [(str(count), str(count)) for count in range(min(start_points), match.row.length)]
        if match.row.length > MAX_ROW_POINTS:
            loser.widget = forms.Select(attrs={"aria-label": loser.label})
            point_choices = [("", "–"), *point_choices]
        loser.choices = point_choices
        kind.choices = [(code.value, result_kind_label(code)) for code in CLAIMABLE_KINDS]
        self.fields["mine"].label = match.own_side.name
        self.fields["theirs"].label = match.other.name
        for name, points in zip(("mine", "theirs"), start_points, strict=True):
            self.fields[name].widget.attrs |= {
                "min": points,
                "max": match.row.length,
                "inputmode": "numeric",
                "data-follows": True,
            }

    @property
    def columns(self) -> int:
        """Number of buttons in each row of buttons for the loser's points."""
        count = len(self.fields["loser"].choices)  # type: ignore[attr-defined]
        rows = -(-count // MAX_ROW_BUTTONS)
        return -(-count // rows)

    def _winner_choice(self, side: Side | None) -> str:
        return "" if side is None else ME if side is self.match.side else THEM

    def _score_fields(self, own_points: int, opponent_points: int) -> dict[str, Any]:
        """Return the form's values for a score; with winner and loser's points if the match is finished."""
        fields: dict[str, Any] = {"mine": own_points, "theirs": opponent_points, "loser": ""}
        if max(own_points, opponent_points) == self.match.row.length and own_points != opponent_points:
            fields |= {
                "winner": ME if own_points > opponent_points else THEM,
                "loser": str(min(own_points, opponent_points)),
            }
        return fields

    def clean(self) -> dict[str, Any]:
        """Set both scores from the two taps (winner, loser's points); add errors for missing values."""
        data = self.cleaned_data
        winner, loser = data.get("winner", ""), data.get("loser", "")
        finished = (data.get("kind") or ResultKind.PLAYED) == ResultKind.PLAYED
        if finished and winner and loser:
            points = (self.match.row.length, int(loser))
            data["mine"], data["theirs"] = points if winner == ME else points[::-1]
            for name in ("mine", "theirs"):
                self.errors.pop(name, None)
        elif self.is_draft:
            pass
        elif finished and all(data.get(name, "") is None for name in ("mine", "theirs")):
            if winner:
                self.add_error("loser", _("Choose the loser’s points"))
            else:
                self.add_error("winner", _("Choose who won"))
        else:
            for name in ("mine", "theirs"):
                if data.get(name, "") is None:
                    self.add_error(name, self.fields[name].error_messages["required"])
        return data

    def fill(self, claim: Claim) -> None:
        """Replace the typed values by the result of a checked game record."""
        own_points, opponent_points = self.match.points_own_first(claim)
        self.data = {
            **{name: self.data.get(name) for name in self.data},
            "winner": ME if own_points > opponent_points else THEM,
            **self._score_fields(own_points, opponent_points),
            "kind": claim.kind,
        }

    def clean_sheet(self) -> str:
        return normalize_sheet(self.cleaned_data["sheet"])

    @property
    def points(self) -> tuple[int, ...]:
        """Numbers of points that one game can be worth, for one button each."""
        match = self.match.match
        return points_to_win(match_format(match.stage, match.length))

    def sheet_rows(self) -> tuple[Row, ...]:
        """Return the score after each game of the cleaned form, side a first."""
        rows = read_sheet(self.cleaned_data["sheet"])
        return rows if self.match.side is Side.A else swap_sheet_sides(rows)

    def apply_tap(self, tap: str) -> None:
        """Add a game to the score sheet or remove the last one, and update the score.

        ``tap``: the value of the button: ``me:2`` (I won two points), ``them:1``, or ``back`` to remove.
        """
        try:
            rows = list(read_sheet((self.data.get("sheet") or "")[:MAX_SHEET_LENGTH]))
        except Invalid:
            return  # the form shows the error
        start_points = (self.fields["mine"].widget.attrs["min"], self.fields["theirs"].widget.attrs["min"])
        winner, _colon, points = tap.partition(":")
        if tap == UNDO_TAP:
            rows = rows[:-1]
        elif winner in {ME, THEM} and points in {str(value) for value in self.points}:
            own_points, opponent_points = rows[-1] if rows else start_points
            length, game_points = self.match.row.length, int(points)
            after = (
                (own_points + game_points, opponent_points)
                if winner == ME
                else (own_points, opponent_points + game_points)
            )
            rows.append((min(after[0], length), min(after[1], length)))
        own_points, opponent_points = rows[-1] if rows else start_points
        self.data = {
            **{name: self.data.get(name) for name in self.data},
            "sheet": format_sheet(rows),
            **self._score_fields(own_points, opponent_points),
        }

    def focus_first_error(self) -> None:
        """Set the focus to the first invalid field."""
        first = next((name for name in self.fields if name in self.errors), None)
        if first is not None:
            self.fields[first].widget.attrs["autofocus"] = True

    def claim(self) -> Claim:
        """Return the reported result of the cleaned form."""
        data = self.cleaned_data
        own_side = self.match.side
        scores = {own_side: data["mine"], own_side.other: data["theirs"]}
        winner = {ME: own_side, THEM: own_side.other}.get(data["winner"])
        return Claim(scores[Side.A], scores[Side.B], ResultKind(data["kind"] or ResultKind.PLAYED), winner)

    def add_service_errors(self, error: CrawfordError) -> None:
        """Add the errors of the service to the fields that they concern."""
        fields = {f"score_{self.match.side}": "mine", f"score_{self.match.side.other}": "theirs"}
        if self.cleaned_data.get("loser") and self.cleaned_data.get("kind") in {"", ResultKind.PLAYED}:
            fields = dict.fromkeys(fields, "loser")
        for field, sentences in messages_by_field(error.faults).items():
            if field == "record":
                continue  # displayed beside the file (tournaments.matches.web.attach_record)
            name = fields.get(field, field)
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, sentence)


def normalize_sheet(text: str) -> str:
    """Return the score sheet as canonical text. Raises ``ValidationError`` if it cannot be parsed."""
    try:
        return format_sheet(read_sheet(text))
    except Invalid as fault:
        raise forms.ValidationError(describe(fault)) from fault


class ConfirmReportForm(forms.Form):
    """The version of the report that the player confirms, and the submission key."""

    version = forms.IntegerField(min_value=1, max_value=32767)
    submission_key = forms.CharField(max_length=KEY_LIMIT)


class ObjectionForm(forms.Form):
    """Reason why a confirmed result is wrong."""

    text = forms.CharField(
        label=_("What is wrong?"),
        max_length=NOTE_LIMIT,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The director reads this. The result stays until the director changes it."),
    )
