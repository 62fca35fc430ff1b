"""What people agree to, in words."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.engine.consents import Consent, Replies, Reply

# What is agreed to, as a heading of a column or a label of a field.
CONSENT_LABELS: Final[Mapping[Consent, str | Promise]] = {
    Consent.PHOTO: gettext_lazy("Photos"),
    Consent.FILMING: gettext_lazy("Filming"),
    Consent.STREAMING: gettext_lazy("Streaming"),
    Consent.RECORD: gettext_lazy("Public games"),
    Consent.ANALYSIS: gettext_lazy("Public analyses"),
}
# The same in a sentence, to whoever enters.
CONSENT_QUESTIONS: Final[Mapping[Consent, str | Promise]] = {
    Consent.PHOTO: gettext_lazy("May photos be taken of you?"),
    Consent.FILMING: gettext_lazy("May you be filmed?"),
    Consent.STREAMING: gettext_lazy("May your matches be streamed?"),
    Consent.RECORD: gettext_lazy("Make your game records public?"),
    Consent.ANALYSIS: gettext_lazy("Make the analysis of your play public?"),
}
REPLY_LABELS: Final[Mapping[Reply, str | Promise]] = {
    Reply.YES: gettext_lazy("yes"),
    Reply.ASK: gettext_lazy("ask me each time"),
    Reply.NO: gettext_lazy("no"),
}
# As directors and streamers read them.
SHORT_REPLY_LABELS: Final[Mapping[Reply, str | Promise]] = {
    Reply.YES: gettext_lazy("yes"),
    Reply.ASK: gettext_lazy("ask"),
    Reply.NO: gettext_lazy("no"),
}
REPLY_TONES: Final[Mapping[Reply, str]] = {Reply.YES: "is-good", Reply.ASK: "", Reply.NO: "is-bad"}


def consent_badges(replies: Replies) -> list[dict[str, Any]]:
    """What is agreed to, one shape for each."""
    return [
        {
            "kind": kind.value,
            "name": CONSENT_LABELS[kind],
            "reply": reply.value,
            "words": SHORT_REPLY_LABELS[reply],
            "tone": REPLY_TONES[reply],
        }
        for kind, reply in replies.items()
    ]


def consent_names(kinds: Any) -> str:
    """“Photographs, Filming”; what this release does not know is left out."""
    return ", ".join(str(CONSENT_LABELS[Consent(kind)]) for kind in kinds if kind in set(Consent))
