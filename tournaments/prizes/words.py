"""What this room refuses, in words: prizes of an event."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "prizes.currency_unknown": _(
            "There is no currency with the code “%(value)s”. EUR, USD and GBP are some."
        ),
        "prizes.section_unknown": _("There is no part called “%(value)s” here, or it is there twice."),
        "prizes.number_odd": _("“%(text)s” is no number. Write 300 or 12.50."),
        "prizes.withdrawn_unknown": _("Choose what players who withdraw keep."),
        "prizes.way_unknown": _("Choose amounts or per cent."),
        "prizes.change_unknown": _("There is no such change of the prizes."),
        "prizes.back_already": _("This change of the prizes was taken back already."),
        "prizes.changed_since": _("The prizes were changed again since. Take the later change back first."),
    }
)
