"""What a director does with a match at the tables, in words: its button, what was done, what the trail tells, what a refusal means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.engine.statuses import MatchAction

Words = str | Promise


@dataclass(frozen=True, slots=True)
class MoveWords:
    """``icon``: a name in `static/img/icons.svg`. ``in_trail``: what the trail says."""

    button: Words
    icon: str
    done: Words
    in_trail: Words
    refused: Words
    is_quiet: bool = False


MOVE_WORDS: Final[Mapping[MatchAction, MoveWords]] = {  # in the order of the buttons
    MatchAction.CALL: MoveWords(
        _("Call"),
        "bell",
        done=_("Match %(number)s called."),
        in_trail=_("Match %(subject)s called."),
        refused=_("This match cannot be called now. It may have started already."),
    ),
    MatchAction.START: MoveWords(
        _("Start"),
        "play",
        done=_("Match %(number)s started."),
        in_trail=_("Match %(subject)s started."),
        refused=_("This match cannot be started now."),
    ),
    MatchAction.SEND_BACK: MoveWords(
        _("Return to queue"),
        "undo",
        done=_("Match %(number)s is ready again."),
        in_trail=_("Match %(subject)s returned to the queue."),
        refused=_("This match is not at a table."),
        is_quiet=True,
    ),
}


def word_of(action: MatchAction) -> str:
    """The action in an address."""
    return action.replace("_", "-")
