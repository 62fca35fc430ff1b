"""What this room refuses, in words: making and publishing a draw. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "draw.action_unknown": _("There is nothing like this to do with a draw."),
        "randomness.not_now": _(
            "A public number can be named when the stage can be drawn, and not where it starts by itself when it is full."
        ),
        "randomness.network_unknown": _("Choose one of the known drand networks."),
        "randomness.label_missing": _(
            "Enter which lottery number it is and when it is drawn, in at most %(limit)s characters."
        ),
        "randomness.time_odd": _("Choose a time between 1 minute and 1 year from now."),
    }
)
