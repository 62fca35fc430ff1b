"""Form fields that several forms of an event use: lists of numbers, and optional whole numbers."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class LengthsField(forms.CharField):
    """Form field for match lengths as typed: “5, 5, 7, 9”; its value is a list of numbers."""

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "text", "autocomplete": "off"}
        super().__init__(max_length=120, widget=forms.TextInput(attrs=attrs), **options)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return parse_numbers(
            text, _("Enter the lengths as numbers separated by commas, for example 5, 5, 7, 9.")
        )


def number_field(label: Any, least: int, most: int, **more: Any) -> forms.IntegerField:
    """Return a form field for an optional whole number from ``least`` to ``most``."""
    return forms.IntegerField(label=label, required=False, min_value=least, max_value=most, **more)


def parse_numbers(text: str, error_message: Any) -> list[int]:
    """Parse “5, 5, 7, 9”, also with spaces, semicolons or slashes; empty text gives an empty list.

    ``error_message``: message of the ``ValidationError`` for any other text.
    """
    tokens = [token for token in re.split(r"[\s,;/–-]+", text.strip()) if token]
    if not all(token.isascii() and token.isdecimal() and len(token) < 7 for token in tokens):
        raise forms.ValidationError(error_message)
    return [int(token) for token in tokens]
