"""Submission keys of forms."""

import uuid


def new_submission_key() -> str:
    """A fresh submission key: one per rendered form, so that the same form sent twice is one report."""
    return uuid.uuid4().hex
