"""Show faults of a service at the form fields they concern, so that no input is lost."""

from collections.abc import Collection, Mapping

from django import forms

from faults import CrawfordError
from people.messages import describe


def add_faults(
    form: forms.BaseForm,
    error: CrawfordError,
    names: Mapping[str, str] | None = None,
    leave: Collection[str] = (),
) -> None:
    """Add each fault of ``error`` to its field; ``names`` maps a service's field to the form's.

    Faults of the fields in ``leave`` are shown elsewhere on the page.
    """
    for fault in error.faults:
        if fault.field in leave:
            continue
        field = (names or {}).get(fault.field or "", fault.field or "")
        words = describe(fault)
        known = field if field in form.fields else None
        if words not in form.errors.get(known or "__all__", []):
            form.add_error(known, words)
