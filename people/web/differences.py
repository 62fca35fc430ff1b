"""Differences between a form's input and what another director has saved meanwhile."""

from collections.abc import Collection

from django import forms
from django.utils.translation import gettext as _


def saved_differences(form: forms.Form, excluded: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return label and saved value of each field in which the form's input differs from the saved state."""
    differences = []
    for name in form.changed_data:
        field = form.fields[name]
        if name in excluded or field.widget.is_hidden:
            continue
        initial = form.get_initial_for_field(field, name)
        if isinstance(initial, bool):
            initial = _("yes") if initial else _("no")
        values = initial if isinstance(initial, list) else [initial]
        names = {str(key): label for key, label in getattr(field, "choices", ())}
        values_text = ", ".join(
            str(names.get(str(value), value)) for value in values if value not in {None, ""}
        )
        differences.append((str(field.label), values_text or "–"))
    return differences
