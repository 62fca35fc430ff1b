"""Show faults of a service at the form fields they concern, so that no input is lost."""

from collections.abc import Collection, Mapping

from django import forms

from faults import CrawfordError
from people.messages import describe


def add_faults(
    form: forms.BaseForm,
    error: CrawfordError,
    names: Mapping[str, str] | None = None,
    skipped_fields: Collection[str] = (),
) -> None:
    """Add the message of each fault of ``error`` to its field of ``form``.

    ``names`` maps a service's field to the form's. Faults of the fields in ``skipped_fields`` are left out:
    the page shows them elsewhere.
    """
    for fault in error.faults:
        if fault.field in skipped_fields:
            continue
        field = (names or {}).get(fault.field or "", fault.field or "")
        message = describe(fault)
        form_field = field if field in form.fields else None
        if message not in form.errors.get(form_field or "__all__", []):
            form.add_error(form_field, message)
