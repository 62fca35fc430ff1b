"""Form for the details of an entry's players (contact, club, payment, consents), for directors.

It can be used before and after the draw.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from people.web.access import request_actor
from tournaments.engine.consents import Consent
from tournaments.engine.new_entry import EntryDetails
from tournaments.entries.services.details import (
    HIGHEST_RATING,
    MAX_EMAIL_LENGTH,
    MAX_LENGTHS,
    DetailsChange,
    set_details,
)
from tournaments.models import Entry, EntryPlayer, Event
from tournaments.selectors.entries import details_from_row, entry_details
from tournaments.shared.words.consents import SHORT_REPLY_LABELS

_PAID_BY_CODE = {"": None, "yes": True, "no": False}
_TEXT_FIELDS = ("club", "email", "phone", "note", *(kind.value for kind in Consent))
_REPLY_CHOICES = [
    ("", gettext_lazy("not asked")),
    *((reply.value, label) for reply, label in SHORT_REPLY_LABELS.items()),
]
_PAID_CODES = {value: code for code, value in _PAID_BY_CODE.items()}


class DetailsForm(forms.Form):
    """Form for the details of one player of an entry.

    Initial values are posted with the form, so that another person's changes are not overwritten. ``row``:
    the player in the entry; ``known``: the stored details.
    """

    country = forms.CharField(
        label=gettext_lazy("Country (two letters)"),
        required=False,
        max_length=2,
    )
    rating = forms.CharField(
        label=gettext_lazy("Rating from the list"),
        required=False,
        max_length=10,
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    club = forms.CharField(label=gettext_lazy("Club"), required=False, max_length=MAX_LENGTHS["club"])
    email = forms.CharField(
        label=gettext_lazy("E-mail address"),
        required=False,
        max_length=MAX_EMAIL_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    phone = forms.CharField(
        label=gettext_lazy("Phone"),
        required=False,
        max_length=MAX_LENGTHS["phone"],
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )
    paid = forms.ChoiceField(
        label=gettext_lazy("Paid"),
        required=False,
        choices=[
            ("", gettext_lazy("not specified")),
            ("yes", pgettext_lazy("paid", "yes")),
            ("no", pgettext_lazy("paid", "no")),
        ],
    )
    note = forms.CharField(
        label=pgettext_lazy("to an entry", "Note"), required=False, max_length=MAX_LENGTHS["note"]
    )

    photo = forms.ChoiceField(label=gettext_lazy("Photos"), required=False, choices=_REPLY_CHOICES)
    filming = forms.ChoiceField(label=gettext_lazy("Filming"), required=False, choices=_REPLY_CHOICES)
    streaming = forms.ChoiceField(label=gettext_lazy("Streaming"), required=False, choices=_REPLY_CHOICES)
    record = forms.ChoiceField(label=gettext_lazy("Public games"), required=False, choices=_REPLY_CHOICES)
    analysis = forms.ChoiceField(
        label=gettext_lazy("Public analyses"), required=False, choices=_REPLY_CHOICES
    )

    def __init__(self, data: Any, *, row: EntryPlayer, known: EntryDetails) -> None:
        self.row, self.known = row, known
        initial = {
            **{name: getattr(known, name) for name in _TEXT_FIELDS},
            "country": row.player.country,
            "rating": "" if known.rating is None else f"{known.rating:g}",
            "paid": _PAID_CODES[known.paid],
        }
        super().__init__(data, initial=initial, prefix=f"details{row.position}")
        for field in self.fields.values():
            field.show_hidden_initial = True
        self.label_suffix = ""

    def clean_rating(self) -> float | None:
        try:
            return _parse_rating(self.cleaned_data["rating"])
        except ValueError:
            raise ValidationError(_("Enter a rating between 0 and 9999.")) from None

    @property
    def requested_change(self) -> DetailsChange:
        """The change that the director requests, to be used after validation."""
        data = self.cleaned_data
        details = EntryDetails(
            hall=self.known.hall,
            **{name: data[name] for name in _TEXT_FIELDS},
            rating=data["rating"],
            paid=_PAID_BY_CODE[data["paid"]],
        )
        country = data["country"].upper()
        return DetailsChange(
            details,
            self._initial_details(),
            country if country != self._initial_text("country").upper() else None,
        )

    def _initial_details(self) -> EntryDetails:
        """Return the details as they were when the form was rendered.

        If these were not posted, the stored ones.
        """
        if self.add_initial_prefix("email") not in self.data:
            return self.known
        try:
            rating = _parse_rating(self._initial_text("rating"))
        except ValueError:
            rating = self.known.rating
        return EntryDetails(
            hall=self.known.hall,
            **{name: self._initial_text(name) for name in _TEXT_FIELDS},
            rating=rating,
            paid=_PAID_BY_CODE.get(self._initial_text("paid")),
        )

    def _initial_text(self, name: str) -> str:
        default = self.row.player.country if name == "country" else ""
        return str(self.data.get(self.add_initial_prefix(name), default)).replace("\0", "")


def details_forms(entry: Entry, rows: list[EntryPlayer], data: Any = None) -> list[DetailsForm]:
    """Return a form for each player of the entry, bound to ``data`` if given."""
    detail_rows = entry_details([entry.division_id], entry)
    return [
        DetailsForm(data, row=row, known=details_from_row(detail_rows.get((entry.pk, row.player_id))))
        for row in rows
    ]


def save_details_forms(
    request: HttpRequest, event: Event, entry: Entry, detail_forms: list[DetailsForm]
) -> bool:
    """Save the forms; return False, with the errors in the forms, if a field is not valid.

    Raises errors that belong to no field.
    """
    valid = [form.is_valid() for form in detail_forms]  # validate all, so that every form shows its faults
    if not all(valid):
        return False
    return _write_details(request_actor(request), event, entry, detail_forms)


def _write_details(actor: Actor, event: Event, entry: Entry, detail_forms: list[DetailsForm]) -> bool:
    changes = {form.row.player_id: form.requested_change for form in detail_forms}
    try:
        set_details(actor=actor, event_id=event.pk, entry_id=entry.pk, wanted=changes)
    except CrawfordError as error:
        form_by_position = {str(form.row.position): form for form in detail_forms}
        for fault in error.faults:
            name, _sep, position = (fault.field or "").rpartition("_")
            form = form_by_position.get(position)
            if form is None or name not in form.fields:
                raise
            form.add_error(name, describe(fault))
        return False
    return True


def _parse_rating(text: str) -> float | None:
    """Parse a rating with a comma or point; None if empty. Raises ``ValueError`` for any other text."""
    text = text.strip().replace(",", ".")
    if not text:
        return None
    if not text.isascii():
        raise ValueError(text)
    number = float(text)
    if not 0 <= number < HIGHEST_RATING:
        raise ValueError(text)
    return number
