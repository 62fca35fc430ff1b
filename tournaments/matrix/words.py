"""Messages for errors of the players table."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "matrix.stale": _(
            "Another person has changed this in the meantime: %(names)s. Nothing was saved. New values are "
            "marked; check them and save again."
        ),
        "matrix.locked": _(
            "%(name)s, %(division)s: this cannot be changed here. Use the Entries page or the draw page."
        ),
        "matrix.expected": _(
            "%(name)s, %(division)s: the entry has not been approved yet. Decline it on the Entries page."
        ),
        "matrix.no_division": _("%(name)s: tick at least one division."),
        "matrix.name_lacking": _("Enter a name, or untick the divisions next to it."),
        "matrix.name_unclear": _(
            "There are several players named %(name)s. Choose one from the list or enter them on the "
            "Entries page."
        ),
        "matrix.no_check_in": _("%(name)s is not in a division that has check-in today."),
        "matrix.too_many": _("You can save at most %(limit)s changes at once."),
        "matrix.unreadable": _("This form could not be read. Reload the page."),
        "matrix.save_unknown": _("This save was not found, so it cannot be undone."),
        "matrix.back_already": _("This has already been undone."),
        "matrix.not_the_last": _("Other changes have been saved since. Undo the last save first."),
        "matrix.changed_since": _(
            "Some of these values have changed since, so the save cannot be undone as a whole. Change the "
            "values by hand."
        ),
    }
)
