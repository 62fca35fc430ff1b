"""Submission keys of forms."""

import uuid


def new_submission_key() -> str:
    """Return a new submission key.

    Each rendered form has its own, so that the form sent twice is one report.
    """
    return uuid.uuid4().hex
