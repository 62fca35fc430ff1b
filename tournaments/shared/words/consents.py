"""Labels and questions of the consents of players."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.engine.consents import Consent, Replies, Reply

# Labels of the consents, for column heads and fields.
CONSENT_LABELS: Final[Mapping[Consent, str | Promise]] = {
    Consent.PHOTO: gettext_lazy("Photos"),
    Consent.FILMING: gettext_lazy("Filming"),
    Consent.STREAMING: gettext_lazy("Streaming"),
    Consent.RECORD: gettext_lazy("Public games"),
    Consent.ANALYSIS: gettext_lazy("Public analyses"),
}
# Questions to players who enter.
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
# Short labels for directors and streamers.
SHORT_REPLY_LABELS: Final[Mapping[Reply, str | Promise]] = {
    Reply.YES: gettext_lazy("yes"),
    Reply.ASK: gettext_lazy("ask"),
    Reply.NO: gettext_lazy("no"),
}
REPLY_TONES: Final[Mapping[Reply, str]] = {Reply.YES: "is-good", Reply.ASK: "", Reply.NO: "is-bad"}


def consent_badges(replies: Replies) -> list[dict[str, Any]]:
    """Return the template context of a badge for each consent, from the players' ``replies``."""
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
    """Return the labels of consents as “Photos, Filming”.

    ``kinds``: stored codes of consents; codes unknown to this release are omitted.
    """
    return ", ".join(str(CONSENT_LABELS[Consent(kind)]) for kind in kinds if kind in set(Consent))
