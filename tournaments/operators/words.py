"""Messages for the error codes of this package."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "operator.only": _("Only site operators can do this."),
        "operator.stands": _("This has already been done. Another operator may have been faster."),
        "operator.written_anew": _(
            "The text has been replaced in the meantime. The new text stays, and the old one is not restored."
        ),
        "operator.not_sure": _("To continue, select “I understand that this cannot be undone”."),
        "report_page.empty": _("Describe what is wrong."),
        "report_page.long": _("This is too long: use at most %(limit)s characters."),
        "report_page.no_page": _("This page does not belong to this site."),
        "report_page.stands": _("This has already been done. Another operator may have been faster."),
    }
)
