"""The form for checking a file: the file, its match format and its numbering of points."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.rules.formats import MAX_MATCH_LENGTH, MatchFormat
from games.rules.numbering import Numbering
from games.web.uploads import with_suffixes

AS_IN_FILE, MATCH, MONEY = "file", "match", "money"
NUMBERINGS = [
    (Numbering.OWN, _("24–1 from each player’s side (usual)")),
    (Numbering.WHITE_UP, _("1–24, ascending for the left player")),
    (Numbering.BLACK_UP, _("1–24, ascending for the right player")),
    (Numbering.WHITE_FROM_1A, _("1A–12A and 12–1, left player starts on 1A")),
    (Numbering.BLACK_FROM_1A, _("1A–12A and 12–1, right player starts on 1A")),
]


class CheckForm(forms.Form):
    """A file and how to read it. Whether the file is a record is checked by its reader."""

    file = forms.FileField(
        label=_("Game record"),
        allow_empty_file=True,
        max_length=1000,
        help_text=with_suffixes(_("%(endings)s, up to %(size)s MB.")),
    )
    kind = forms.ChoiceField(
        label=_("Type of play"),
        choices=[
            (AS_IN_FILE, _("As stated in the file")),
            (MATCH, _("Match")),
            (MONEY, _("Money play")),
        ],
        initial=AS_IN_FILE,
        required=False,
    )
    length = forms.IntegerField(
        label=_("Match length"), min_value=1, max_value=MAX_MATCH_LENGTH, required=False
    )
    jacoby = forms.BooleanField(label=_("Jacoby rule"), required=False)
    beavers = forms.BooleanField(label=_("Beavers"), required=False)
    numbering = forms.ChoiceField(
        label=_("Point numbering in the file"),
        choices=NUMBERINGS,
        initial=Numbering.OWN.value,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind = data.get("kind")
        if kind == MATCH and not data.get("length") and "length" not in self.errors:
            self.add_error("length", _("Enter the match length."))
        if kind != MONEY and (data.get("jacoby") or data.get("beavers")):
            self.add_error(
                "jacoby" if data.get("jacoby") else "beavers",
                _("The Jacoby rule and beavers apply only to money play (R40, R41). Clear them for a match."),
            )
        return data

    def match_format(self) -> MatchFormat | None:
        """Return the chosen match format, or None for that in the file."""
        data = self.cleaned_data
        if data["kind"] == MATCH:
            return MatchFormat(length=data["length"])
        if data["kind"] == MONEY:
            return MatchFormat(jacoby=data["jacoby"], beavers=data["beavers"], raccoons=data["beavers"])
        return None

    def chosen_numbering(self) -> Numbering:
        return Numbering(self.cleaned_data["numbering"] or Numbering.OWN)
