"""What this room refuses, in words: all people and divisions on one page."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "matrix.stale": _(
            "Somebody else has changed this meanwhile: %(names)s. Nothing is saved. What is new is marked; look at it and save again."
        ),
        "matrix.locked": _(
            "%(name)s, %(division)s: that cannot be changed here. Use the page of the entries or of the draw."
        ),
        "matrix.expected": _(
            "%(name)s, %(division)s: nobody has approved them yet. Turn them away on the page of the entries."
        ),
        "matrix.no_division": _("%(name)s: tick at least one division."),
        "matrix.name_lacking": _("Type a name, or untick the divisions beside it."),
        "matrix.name_unclear": _(
            "There are several players named %(name)s. Choose one from the list, or enter them on the page of the entries."
        ),
        "matrix.no_check_in": _("%(name)s plays in no division that has a check-in today."),
        "matrix.too_many": _("At most %(limit)s changes can be saved at once."),
        "matrix.unreadable": _("This form cannot be read. Load the page again."),
        "matrix.save_unknown": _("There is no such save to take back."),
        "matrix.back_already": _("That was taken back already."),
        "matrix.not_the_last": _("Something was saved after it. Take the last save back first."),
        "matrix.changed_since": _(
            "Something of that save has been changed since, so it cannot be taken back as a whole. Change it by hand."
        ),
    }
)
