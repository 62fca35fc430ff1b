"""Form fields that several forms of an event use: lists of numbers, and optional numbers."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class LengthsField(forms.CharField):
    """Match lengths as typed: “5, 5, 7, 9”."""

    def __init__(self, **more: Any) -> None:
        typed = {"inputmode": "text", "autocomplete": "off"}
        super().__init__(max_length=120, widget=forms.TextInput(attrs=typed), **more)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        return parse_numbers(
            text, _("Enter the lengths as numbers separated by commas, for example 5, 5, 7, 9.")
        )


def number_field(label: Any, least: int, most: int, **more: Any) -> forms.IntegerField:
    """Return a field for an optional whole number."""
    return forms.IntegerField(label=label, required=False, min_value=least, max_value=most, **more)


def parse_numbers(text: str, refusal: Any) -> list[int]:
    """Parse “5, 5, 7, 9”, also with spaces, semicolons or slashes; empty text gives an empty list."""
    words = [word for word in re.split(r"[\s,;/–-]+", text.strip()) if word]
    if not all(word.isascii() and word.isdecimal() and len(word) < 7 for word in words):
        raise forms.ValidationError(refusal)
    return [int(word) for word in words]
