"""What this room refuses, in words: making and publishing a draw. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "draw.action_unknown": _("There is nothing like this to do with a draw."),
    }
)
