"""Forms of clubs, members and players.

They check the format of the input; services check permissions and rules.
"""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from names.public_page import PublicPage
from people.models import Club, Role, ShownAs
from people.timezones import match_zones

MAX_ZONE_CHOICES = 8  # zones in an error


def clean_zone(text: str, saved: object = None) -> str:
    """Return the name of the time zone that ``text`` means. Raises ``ValidationError`` if there are several.

    ``saved``: the zone saved before, which is accepted as it is. An unknown zone is returned unchanged.
    """
    text = text.strip()
    if not text or text == saved:
        return text
    matching_zones = match_zones(text)
    if len(matching_zones) > 1:
        message = _("“%(given)s” has more than one time zone. Choose one: %(zones)s")
        zones = ", ".join(matching_zones[:MAX_ZONE_CHOICES]) + (
            " …" if len(matching_zones) > MAX_ZONE_CHOICES else ""
        )
        raise forms.ValidationError(message, params={"given": text, "zones": zones})
    return matching_zones[0] if matching_zones else text


PUBLIC_PAGE_LABELS: Final[Mapping[PublicPage, str | Promise]] = {
    PublicPage.WITH_DRAW: _("From the first public draw"),
    PublicPage.NOW: _("Immediately: the player has agreed"),
    PublicPage.NONE: _("No page: only the name in draws and standings"),
}


def posted_public_page(data: Mapping[str, str]) -> PublicPage | None:
    """Return from when new players get a public page, as posted; None if the form does not ask."""
    chosen = data.get("public_page", "")
    return PublicPage(chosen) if chosen in set(PublicPage) else None


class DateField(forms.DateField):
    """A date field with the browser's date picker, which accepts only the format 2026-12-31."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class ClubForm(forms.Form):
    """Form with the details of a club's page."""

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
        help_text=_("Where and when you play, and who to contact."),
    )
    timezone = forms.CharField(
        label=_("Time zone"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"list": "timezones", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "A city or a country, for example Helsinki. Used for season and federation dates and for times "
            "in imported tables. Leave empty to use the time zone of the newest event."
        ),
    )

    def clean_timezone(self) -> str:
        return clean_zone(self.cleaned_data["timezone"], self.initial.get("timezone"))

    def clean_country(self) -> str:
        country: str = self.cleaned_data["country"].upper()
        if country and not (country.isascii() and country.isalpha()):
            raise forms.ValidationError(_("Enter the two-letter country code, for example FI."))
        return country


class _InviteeForm(forms.Form):
    """Base of forms with the recipient of an invitation."""

    label = forms.CharField(
        label=_("Recipient"),
        required=False,
        max_length=120,
        help_text=_("A name that helps you identify the invitation."),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("The link is sent to this address. Leave empty to pass on the link or QR code yourself."),
    )


class InvitationForm(_InviteeForm):
    """Form to invite a member to the club."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=[choice for choice in Role.choices if choice[0] != Role.ASSISTANT],
        initial=Role.DIRECTOR,
    )
    field_order = ("role", "label", "email")


class AssistantForm(_InviteeForm):
    """Form to invite an assistant to an event, and to others of the club."""

    events = forms.MultipleChoiceField(
        label=_("Other events"), required=False, widget=forms.CheckboxSelectMultiple
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
    """Form for directors to edit a player of the club."""

    name = forms.CharField(label=_("Name"), max_length=120)
    country = forms.CharField(
        label=_("Country"), max_length=2, required=False, help_text=_("Two letters, for example FI.")
    )
    listed = forms.BooleanField(
        label=_("Public player page"),
        required=False,
        help_text=_(
            "Public players have a page with results and ratings, and directors of all clubs can find them. "
            "Other players appear only by name in the draws they play in."
        ),
    )
    listed_with_draw = forms.BooleanField(
        label=_("Public from the first public draw"),
        required=False,
        help_text=_("The player’s page becomes public when a draw that includes the player is published."),
    )

    shown_as = forms.ChoiceField(
        label=_("Public name"),
        choices=ShownAs.choices,
        required=False,
        help_text=_(
            "Used on all public pages and in all files. Players without a name appear as “Player 17” of an "
            "event and have no page; displays and printed lists in the hall show their first name and "
            "initial."
        ),
    )
    minor = forms.BooleanField(
        label=_("Minor"), required=False, help_text=_("Shown with first name and initial at most.")
    )


class NameForm(forms.Form):
    """Form for a player's own choice of public name."""

    shown_as = forms.ChoiceField(label=_("Public name"), choices=ShownAs.choices, widget=forms.RadioSelect)
    listed = forms.BooleanField(
        label=_("Public player page"),
        required=False,
        help_text=_("Shows results and ratings. Not available without a public name."),
    )


class FederationForm(forms.Form):
    """Form to join a federation (a club that the user owns) from a day on."""

    parent = forms.ChoiceField(label=_("Federation"))
    since = DateField(
        label=_("First day"),
        required=False,
        help_text=_(
            "Leave empty for today, or for tomorrow if the club leaves another federation to join. Results "
            "count there from this date; with a past date, results since then count too."
        ),
    )

    def __init__(self, *args: Any, clubs: Iterable[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["parent"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "—"), *((c.public_id, c.name) for c in clubs)]


class LeaveFederationForm(forms.Form):
    """Form to leave the federation after a last day."""

    last_day = DateField(
        label=_("Last day"),
        required=False,
        help_text=_(
            "Leave empty for today. Results up to this date stay on the federation’s lists. An earlier date "
            "removes the results since then, and only the federation’s owner can set one."
        ),
    )

    def until(self) -> date | None:
        """Return the day after the last one, or None if none was entered."""
        day: date | None = self.cleaned_data.get("last_day")
        return None if day is None else min(day, date.max - timedelta(days=1)) + timedelta(days=1)
