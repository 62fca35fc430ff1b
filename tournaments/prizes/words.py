"""What this room refuses, in words: prizes of an event."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "prizes.currency_unknown": _(
            "There is no currency with the code “%(value)s”. EUR, USD and GBP are some."
        ),
        "prizes.section_unknown": _("There is no part called “%(value)s” here, or it is there twice."),
        "prizes.amount_odd": _("Give an amount from 0 to %(largest)s."),
        "prizes.amount_fine": _("This currency has %(digits)s decimals: give no more."),
        "prizes.per_cent_odd": _("Give per cent from 0 to 100, with %(digits)s decimals at most."),
        "prizes.number_odd": _("“%(text)s” is no number. Write 300 or 12.50."),
        "prizes.way_unknown": _("Choose amounts or per cent."),
        "prizes.unit_unknown": _("Prizes in per cent can be rounded to %(allowed)s."),
        "prizes.pool_twice": _("Give the pool as an amount or as a part of the division's pool, not both."),
        "prizes.too_many": _("A part has room for prizes of %(limit)s places."),
        "prizes.gift_long": _("What is given beside money is too long: %(limit)s characters at most."),
        "prizes.shares_over": _("These places have %(sum)s per cent together. There are 100."),
        "prizes.parts_over": _("The parts have %(sum)s per cent of this pool together. There are 100."),
        "prizes.change_unknown": _("There is no such change of the prizes."),
        "prizes.back_already": _("This change of the prizes was taken back already."),
        "prizes.changed_since": _("The prizes were changed again since. Take the later change back first."),
    }
)
