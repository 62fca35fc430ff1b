"""Forms for visitors of a rating list. Invalid fields are ignored, so that a shared link never fails."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from people.web.forms import DateField
from rating.formulas.master import MAX_EVENT_WEIGHT
from rating.formulas.rateable import MAX_MATCH_LENGTH
from rating.models import RatingList
from rating.selectors import PointsAtStake, points_at_stake
from rating.selectors.leaderboard import LeaderboardFilter

MAX_FIELD_SIZE = 10_000

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
    since = DateField(
        label=_("Active since"),
        required=False,
    )
    experience = forms.IntegerField(label=_("Minimum experience"), required=False, min_value=0)
    order = forms.ChoiceField(label=_("Sort by"), required=False, choices=ORDER_CHOICES)
    ranked = forms.BooleanField(label=_("Ranked players only"), required=False)

    def __init__(self, data: Any, *, clubs: list[tuple[str, str]]) -> None:
        super().__init__(data)
        club = self.fields["club"]
        assert isinstance(club, forms.ChoiceField)
        club.choices = [("", _("all clubs")), *clubs]

    @property
    def filters(self) -> LeaderboardFilter:
        if not self.is_bound:
            return LeaderboardFilter()
        self.is_valid()  # invalid fields are missing from the cleaned data
        cleaned = self.cleaned_data
        return LeaderboardFilter(
            club=cleaned.get("club") or "",
            active_since=cleaned.get("since"),
            minimum_experience=cleaned.get("experience") or 0,
            search=cleaned.get("q") or "",
            order=cleaned.get("order") or "rating",
            ranked_only=bool(cleaned.get("ranked")),
        )


class WhatIfForm(forms.Form):
    """The length of a match to be previewed."""

    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=MAX_MATCH_LENGTH, initial=7)

    def __init__(self, query: QueryDict) -> None:
        super().__init__({name: query.get(name, field.initial) for name, field in self.base_fields.items()})

    @property
    def event_weight(self) -> float:
        weight = self.cleaned_data.get("weight")
        return 1.0 if weight is None else float(weight)

    @property
    def division_rank(self) -> int:
        return int(self.cleaned_data.get("division") or 1)


class PointsForm(WhatIfForm):
    """The length of a match to be previewed, with the factors of master points and the number of players."""

    weight = forms.FloatField(
        label=_("Event weight"), min_value=0, max_value=MAX_EVENT_WEIGHT, required=False, initial=1
    )
    division = forms.ChoiceField(
        label=_("Division"),
        required=False,
        initial=1,
        choices=[
            (1, _("first (× 1)")),
            (2, _("second (× 0.7)")),
            (3, _("third or lower (× 0.5)")),
        ],
    )
    field = forms.IntegerField(
        label=_("Field size"),
        min_value=2,
        max_value=MAX_FIELD_SIZE,
        required=False,
        help_text=_("Shows the points for each place."),
    )

    def at_stake(self, rating_list: RatingList) -> PointsAtStake | None:
        """Return the master points that the entered match and places would earn; None for invalid input."""
        if not self.is_valid():
            return None
        cleaned = self.cleaned_data
        return points_at_stake(
            rating_list,
            length=cleaned["length"],
            event_weight=self.event_weight,
            division_rank=self.division_rank,
            field=cleaned["field"],
        )
