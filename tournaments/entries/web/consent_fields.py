"""Consents as fields of a form (`templates/entries/_agrees.html`)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tournaments.engine.consents import Consent, Reply
from tournaments.models import Event
from tournaments.shared.words.consents import CONSENT_QUESTIONS, REPLY_LABELS

CONSENT_FIELD_NAMES: Final = (*(kind.value for kind in Consent), "hall")


def consent_fields(
    values: Mapping[Any, str], event: Event, faults: Mapping[str, Sequence[str]] | None = None
) -> list[dict[str, Any]]:
    """Return the template context of a form field for each consent: value, choices, errors, required or not.

    ``values``: codes of replies from the posted form or the database, keyed by consent.
    """
    return [
        {
            "name": kind.value,
            "words": CONSENT_QUESTIONS[kind],
            "value": values.get(kind) or Reply.ASK.value,
            "required": kind in event.requires,
            "faults": (faults or {}).get(kind, []),
            "choices": [(reply.value, label) for reply, label in REPLY_LABELS.items()],
        }
        for kind in Consent
    ]
