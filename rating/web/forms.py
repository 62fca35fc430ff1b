"""What visitors ask of a list. A field that makes no sense is left aside: a shared link must never fail."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rating.formulas.rateable import LONGEST
from rating.selectors.leaderboard import Filters

ORDER_CHOICES = [
    ("rating", _("rating")),
    ("name", _("name")),
    ("experience", _("experience")),
    ("matches", _("matches")),
    ("wins", _("wins")),
    ("last", _("last played")),
]


class FilterForm(forms.Form):
    """The filters above a leaderboard."""

    q = forms.CharField(label=_("Player"), required=False, max_length=80)
    club = forms.ChoiceField(label=_("Club"), required=False)
    since = forms.DateField(
        label=_("Active since"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    experience = forms.IntegerField(label=_("Experience at least"), required=False, min_value=0)
    order = forms.ChoiceField(label=_("Order by"), required=False, choices=ORDER_CHOICES)
    ranked = forms.BooleanField(label=_("Ranked players only"), required=False)

    def __init__(self, data: Any, *, clubs: list[tuple[str, str]]) -> None:
        super().__init__(data)
        club = self.fields["club"]
        assert isinstance(club, forms.ChoiceField)
        club.choices = [("", _("all clubs")), *clubs]

    @property
    def filters(self) -> Filters:
        if not self.is_bound:
            return Filters()
        self.is_valid()  # what is not valid is missing from the cleaned data
        clean = self.cleaned_data
        return Filters(
            club=clean.get("club") or "",
            active_since=clean.get("since"),
            minimum_experience=clean.get("experience") or 0,
            search=clean.get("q") or "",
            order=clean.get("order") or "rating",
            ranked_only=bool(clean.get("ranked")),
        )


class WhatIfForm(forms.Form):
    """The length of a match that might be played."""

    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=7)
