"""Messages for the error codes of this package: making and publishing a draw.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "draw.action_unknown": _("This action is not available for a draw."),
        "randomness.not_now": _(
            "You can choose a public number only when the stage can be drawn, and not if it starts "
            "automatically when full."
        ),
        "randomness.network_unknown": _("Choose one of the known drand networks."),
        "randomness.label_missing": _(
            "Describe which lottery number it is and when it is drawn, in at most %(limit)s characters."
        ),
        "randomness.time_odd": _("Choose a time between 1 minute and 1 year from now."),
    }
)
