"""Messages for the error codes of prizes."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "prizes.currency_unknown": _(
            "“%(value)s” is not a valid currency code. Use a code such as EUR, USD or GBP."
        ),
        "prizes.section_unknown": _("“%(value)s” was not found here, or is listed twice."),
        "prizes.number_odd": _("“%(text)s” is not a valid number. Enter a number such as 300 or 12.50."),
        "prizes.withdrawn_unknown": _("Choose what players who withdraw keep."),
        "prizes.way_unknown": _("Choose amounts or per cent."),
        "prizes.change_unknown": _("This change of the prizes was not found."),
        "prizes.back_already": _("This change of the prizes has already been undone."),
        "prizes.changed_since": _("The prizes have been changed again since. Undo the later change first."),
    }
)
