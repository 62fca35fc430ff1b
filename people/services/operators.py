"""Record actions of operators, each with a reason, in an audit log of their own."""

from typing import Any, Final

from django.db import models

from faults import Invalid
from people.actors import Actor
from people.services import audit
from people.text import clean_line

OPERATORS_SCOPE: Final = "operators"  # the scope of their audit log
REASON_LIMIT: Final = 400


def clean_reason(reason: str) -> str:
    """Return ``reason`` as one line. Raises ``Invalid`` if it is empty or too long."""
    reason = clean_line(reason)
    if not any(letter.isalnum() for letter in reason):
        raise Invalid("operator.no_reason", field="reason")
    if len(reason) > REASON_LIMIT:
        raise Invalid("operator.reason_long", field="reason", limit=REASON_LIMIT)
    return reason


def record_operator_action(
    *, actor: Actor, verb: str, subject: models.Model, reason: str, **facts: Any
) -> None:
    """Add an entry to the operators' audit log: ``verb`` (moderate, quota, merge …) was done to ``subject``.

    ``facts``: further data of the entry. Joins the caller's transaction.
    """
    data = {**facts, "reason": reason}
    audit.record_action(
        actor=actor, action=f"operator.{verb}", subject=subject, scope=OPERATORS_SCOPE, data=data
    )
