"""How the answers before a match are told: to the desk in full, to the other side that somebody comes later and nothing else."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.engine.matches.answers import CallReply, Coming
from tournaments.models import Event
from tournaments.selectors.deliveries import NoticeState, Reached
from tournaments.shared.words.names import clock_time

# What one presses.
CHOICES: Final[Mapping[Coming, str | Promise]] = {
    Coming.COMING: pgettext_lazy("answer to a call", "I’m on my way"),
    Coming.LATER: pgettext_lazy("answer to a call", "I need 5 minutes"),
    Coming.CANNOT: pgettext_lazy("answer to a call", "Cannot play"),
}
_DONE: Final[Mapping[Coming, str | Promise]] = {
    Coming.COMING: gettext_lazy("You answered that you are coming."),
    Coming.CANNOT: gettext_lazy(
        "You reported that you cannot play. The director decides what happens to the match."
    ),
}
_REACHED: Final[Mapping[Reached, str | Promise]] = {
    Reached.OPENED: gettext_lazy("notification opened at %(time)s"),
    Reached.SENT: gettext_lazy("notification sent at %(time)s"),
    Reached.WAITING: gettext_lazy("notification not sent yet"),
    Reached.FAILED: gettext_lazy("notification could not be sent"),
    Reached.NO_WAY: gettext_lazy("cannot be notified by phone"),
}
_IN_TRAIL: Final[Mapping[str, str | Promise]] = {
    Coming.COMING: gettext_lazy("Match %(subject)s: answered, coming."),
    Coming.LATER: gettext_lazy("Match %(subject)s: answered, 5 minutes."),
    Coming.CANNOT: gettext_lazy("Match %(subject)s: answered, cannot play."),
    "": gettext_lazy("Match %(subject)s: answer retracted."),
}


def own_words(reply: CallReply, event: Event) -> str:
    """What somebody answered, to themselves."""
    if reply.by is not None:
        return _("You answered that you will be there at %(time)s.") % {"time": clock_time(reply.by, event)}
    return str(_DONE[reply.coming])


def desk_words(reply: CallReply, event: Event) -> str:
    """Beside the name on the board: “coming”, “at 20:15”, “cannot play”."""
    if reply.by is not None:
        return _("at %(time)s") % {"time": clock_time(reply.by, event)}
    return str(_("coming") if reply.coming is Coming.COMING else _("cannot play"))


def later_words(reply: CallReply, name: str, event: Event) -> str:
    """What the other side reads of it: that somebody comes later; of all else nothing."""
    if reply.by is None:
        return ""
    return _("%(name)s will arrive at about %(time)s.") % {"name": name, "time": clock_time(reply.by, event)}


def trail_words(coming: str, subject: str) -> str:
    """What the trail tells."""
    return str(_IN_TRAIL.get(coming, _IN_TRAIL[""])) % {"subject": subject}


def notice_words(state: NoticeState | None, event: Event) -> str:
    """How far the notice of the call came, for the desk; nothing where nobody was told of one. Lateness does not ask for it."""
    if state is None:
        return ""
    return str(_REACHED[state.reached]) % {"time": clock_time(state.at, event)}
