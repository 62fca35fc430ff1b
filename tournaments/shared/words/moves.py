"""Texts of what a director does with a match at the tables (call, start, return): buttons and messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.engine.statuses import MatchAction

Text = str | Promise


@dataclass(frozen=True, slots=True)
class MatchActionTexts:
    """Texts of one action: of the button, after the action, in the audit log, and if the action is refused.

    ``icon``: a name in `static/img/icons.svg`; ``is_quiet``: the button is less prominent.
    """

    button: Text
    icon: str
    done: Text
    audit_message: Text
    refusal_message: Text
    is_quiet: bool = False


MATCH_ACTION_TEXTS: Final[Mapping[MatchAction, MatchActionTexts]] = {  # in the order of the buttons
    MatchAction.CALL: MatchActionTexts(
        _("Call"),
        "bell",
        done=_("Match %(number)s called."),
        audit_message=_("Match %(subject)s called."),
        refusal_message=_("This match cannot be called now. It may have started already."),
    ),
    MatchAction.START: MatchActionTexts(
        _("Start"),
        "play",
        done=_("Match %(number)s started."),
        audit_message=_("Match %(subject)s started."),
        refusal_message=_("This match cannot be started now."),
    ),
    MatchAction.SEND_BACK: MatchActionTexts(
        _("Return to queue"),
        "undo",
        done=_("Match %(number)s is ready again."),
        audit_message=_("Match %(subject)s returned to the queue."),
        refusal_message=_("This match is not at a table."),
        is_quiet=True,
    ),
}


def action_slug(action: MatchAction) -> str:
    """Return the code of the action with hyphens, as it appears in addresses."""
    return action.replace("_", "-")
