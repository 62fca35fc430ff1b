"""Differences between a form's input and what another director has saved meanwhile."""

from collections.abc import Collection

from django import forms
from django.utils.translation import gettext as _


def saved_differences(form: forms.Form, apart: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return label and saved value of each field whose initial value differs from what was entered."""
    found = []
    for name in form.changed_data:
        field = form.fields[name]
        if name in apart or field.widget.is_hidden:
            continue
        saved = form.get_initial_for_field(field, name)
        if isinstance(saved, bool):
            saved = _("yes") if saved else _("no")
        values = saved if isinstance(saved, list) else [saved]
        names = {str(key): words for key, words in getattr(field, "choices", ())}
        words = ", ".join(str(names.get(str(value), value)) for value in values if value not in {None, ""})
        found.append((str(field.label), words or "–"))
    return found
