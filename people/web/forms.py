"""Forms of club, members and players. They shape input; what is allowed is the services' to say."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from people.models import Club, Role, ShownAs
from people.timezones import zone_meant

MOST_OFFERED = 8  # zones in a refusal


def zone_typed(given: str, kept: object = None) -> str:
    """The zone that somebody typed, as far as it is clear which one; of several they have to choose. ``kept``: what was there before."""
    given = given.strip()
    if not given or given == kept:
        return given
    meant = zone_meant(given)
    if len(meant) > 1:
        words = _("“%(given)s” has more than one time zone. Choose one: %(zones)s")
        zones = ", ".join(meant[:MOST_OFFERED]) + (" …" if len(meant) > MOST_OFFERED else "")
        raise forms.ValidationError(words, params={"given": given, "zones": zones})
    return meant[0] if meant else given


class DateField(forms.DateField):
    """A day, with the browser's own calendar, which reads no other form than this one, whatever the language."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class ClubForm(forms.Form):
    """What a club's page says."""

    name = forms.CharField(label=_("Name"), max_length=120)
    city = forms.CharField(label=_("Town"), max_length=120, required=False)
    country = forms.CharField(
        label=_("Country"),
        max_length=2,
        min_length=2,
        required=False,
        help_text=_("Two letters, for example FI."),
    )
    website = forms.URLField(label=_("Website"), required=False, assume_scheme="https")
    about = forms.CharField(
        label=_("About the club"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Where and when you play, whom to ask."),
    )
    timezone = forms.CharField(
        label=_("Time zone"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "A city or a country, for example Helsinki. Days of seasons and federations and times in imported tables are of this zone. "
            "Empty: that of the newest event."
        ),
    )

    def clean_timezone(self) -> str:
        return zone_typed(self.cleaned_data["timezone"], self.initial.get("timezone"))

    def clean_country(self) -> str:
        country: str = self.cleaned_data["country"].upper()
        if country and not (country.isascii() and country.isalpha()):
            raise forms.ValidationError(_("Use the two-letter code of the country, for example FI."))
        return country


class _Invited(forms.Form):
    """Whom an invitation is for, and where it goes."""

    label = forms.CharField(
        label=_("For whom"), required=False, max_length=120, help_text=_("A name by which you know it again.")
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("The link is sent there. Without one you hand it over yourself, as a link or a QR code."),
    )


class InvitationForm(_Invited):
    """Somebody is invited to be a member."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=[choice for choice in Role.choices if choice[0] != Role.ASSISTANT],
        initial=Role.DIRECTOR,
    )
    field_order = ("role", "label", "email")


class HelperForm(_Invited):
    """Somebody is invited to help with an event, and with others of the club."""

    events = forms.MultipleChoiceField(
        label=_("Also with"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, events: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["events"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(events)
        if not field.choices:
            del self.fields["events"]

    def clean(self) -> dict[str, Any]:
        return {"events": [], **(super().clean() or {})}


class PlayerForm(forms.Form):
    """A player of the club."""

    name = forms.CharField(label=_("Name"), max_length=120)
    country = forms.CharField(
        label=_("Country"), max_length=2, required=False, help_text=_("Two letters, for example FI.")
    )
    listed = forms.BooleanField(
        label=_("Public player page"),
        required=False,
        help_text=_(
            "Public players have a page with results and ratings, and directors of all clubs find them. "
            "Others are shown by name in the draws they play in, nothing else."
        ),
    )
    listed_with_draw = forms.BooleanField(
        label=_("Public from the first public draw"),
        required=False,
        help_text=_("The player gets the public page when a draw that they are in is published."),
    )

    shown_as = forms.ChoiceField(
        label=_("Name in public"),
        choices=ShownAs.choices,
        required=False,
        help_text=_(
            "On all public pages and in all files. Without a name they are “Player 17” of an event, and have no page; on the wall and "
            "on paper in the hall they are called by first name and one letter."
        ),
    )
    minor = forms.BooleanField(
        label=_("Minor"), required=False, help_text=_("Shown by first name and one letter at most.")
    )


class NameForm(forms.Form):
    """How somebody is called in public, chosen by themselves."""

    shown_as = forms.ChoiceField(label=_("Name in public"), choices=ShownAs.choices, widget=forms.RadioSelect)
    listed = forms.BooleanField(
        label=_("Public player page"),
        required=False,
        help_text=_("With results and ratings; without a name there is none."),
    )


class FederationForm(forms.Form):
    """The federation a club joins from a day on: one of the clubs that the same person owns."""

    parent = forms.ChoiceField(label=_("Federation"))
    since = DateField(
        label=_("First day"),
        required=False,
        help_text=_(
            "Empty: today, or tomorrow if the club leaves another federation for it. Results count there from this day on; "
            "with a day in the past those since then count, too."
        ),
    )

    def __init__(self, *args: Any, clubs: Iterable[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["parent"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "—"), *((c.public_id, c.name) for c in clubs)]


class LeaveForm(forms.Form):
    """The last day on which the club belongs to its federation."""

    last_day = DateField(
        label=_("Last day"),
        required=False,
        help_text=_(
            "Empty: today. What was played until then stays on the federation's lists. An earlier day takes away what was played since, "
            "and needs the federation's owner."
        ),
    )

    def until(self) -> date | None:
        """The first day on which it no longer does."""
        day: date | None = self.cleaned_data.get("last_day")
        return None if day is None else min(day, date.max - timedelta(days=1)) + timedelta(days=1)
