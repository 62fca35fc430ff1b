"""Texts of a player's reply to the call of a match.

Staff see the whole reply; the opponent sees only that the player will be late.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.engine.matches.answers import CallReply, ReplyChoice
from tournaments.models import Event
from tournaments.selectors.deliveries import NotificationDelivery, NotificationStatus
from tournaments.shared.words.names import clock_time

# Labels of the buttons.
REPLY_CHOICES: Final[Mapping[ReplyChoice, str | Promise]] = {
    ReplyChoice.COMING: pgettext_lazy("answer to a call", "I’m on my way"),
    ReplyChoice.LATER: pgettext_lazy("answer to a call", "I need 5 minutes"),
    ReplyChoice.CANNOT: pgettext_lazy("answer to a call", "Cannot play"),
}
_REPLY_MESSAGES: Final[Mapping[ReplyChoice, str | Promise]] = {
    ReplyChoice.COMING: gettext_lazy("You answered that you are coming."),
    ReplyChoice.CANNOT: gettext_lazy(
        "You reported that you cannot play. The director decides what happens to the match."
    ),
}
_DELIVERY_LABELS: Final[Mapping[NotificationStatus, str | Promise]] = {
    NotificationStatus.OPENED: gettext_lazy("notification opened at %(time)s"),
    NotificationStatus.SENT: gettext_lazy("notification sent at %(time)s"),
    NotificationStatus.WAITING: gettext_lazy("notification not sent yet"),
    NotificationStatus.FAILED: gettext_lazy("notification could not be sent"),
    NotificationStatus.UNREACHABLE: gettext_lazy("cannot be notified by phone"),
}
_AUDIT_MESSAGES: Final[Mapping[str, str | Promise]] = {
    ReplyChoice.COMING: gettext_lazy("Match %(subject)s: answered, coming."),
    ReplyChoice.LATER: gettext_lazy("Match %(subject)s: answered, 5 minutes."),
    ReplyChoice.CANNOT: gettext_lazy("Match %(subject)s: answered, cannot play."),
    "": gettext_lazy("Match %(subject)s: answer retracted."),
}


def own_reply_message(reply: CallReply, event: Event) -> str:
    """Return a sentence to players that repeats their own reply to the call."""
    if reply.by is not None:
        return _("You answered that you will be there at %(time)s.") % {"time": clock_time(reply.by, event)}
    return str(_REPLY_MESSAGES[reply.coming])


def staff_reply_label(reply: CallReply, event: Event) -> str:
    """Return a player's reply to the call for staff, beside the name on the board.

    It is “coming”, “at 20:15” or “cannot play”.
    """
    if reply.by is not None:
        return _("at %(time)s") % {"time": clock_time(reply.by, event)}
    return str(_("coming") if reply.coming is ReplyChoice.COMING else _("cannot play"))


def late_opponent_message(reply: CallReply, name: str, event: Event) -> str:
    """Return the message to the opponent that player ``name`` will be late; empty for any other reply."""
    if reply.by is None:
        return ""
    return _("%(name)s will arrive at about %(time)s.") % {"name": name, "time": clock_time(reply.by, event)}


def audit_message(coming: str, subject: str) -> str:
    """Return the sentence of the audit log on a reply.

    ``coming``: value of the reply, or empty for a retracted one; ``subject``: number of the match.
    """
    return str(_AUDIT_MESSAGES.get(coming, _AUDIT_MESSAGES[""])) % {"subject": subject}


def delivery_label(state: NotificationDelivery | None, event: Event) -> str:
    """Return for staff whether the notification of a call was sent or opened; empty if there is none.

    Penalties for lateness do not depend on the delivery.
    """
    if state is None:
        return ""
    return str(_DELIVERY_LABELS[state.status]) % {"time": clock_time(state.at, event)}
