"""What operators are refused."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "operator.only": _("Only operators of the site may do this."),
        "operator.stands": _("It stands so already: another operator may have been quicker."),
        "operator.written_anew": _(
            "Somebody has written another text meanwhile. It stays, and the old one does not come back."
        ),
        "operator.not_sure": _("Tick that you mean it: this cannot be taken back."),
        "report_page.empty": _("Say what is wrong."),
        "report_page.long": _("This is too long: %(limit)s characters at most."),
        "report_page.no_page": _("This is no page of this site."),
        "report_page.stands": _("It stands so already: another operator may have been quicker."),
    }
)
