"""Submission keys of forms."""

import uuid


def new_submission_key() -> str:
    """Return a new submission key: 32 random hexadecimal digits.

    Each rendered form has its own, so that a form sent twice is saved as one report.
    """
    return uuid.uuid4().hex
