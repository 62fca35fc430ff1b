"""Mail to the operators about a visitor's report of a page."""

from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from people.models import PageReport, User

MAX_MAILS_PER_HOUR = 10  # so that a flood of reports does not fill the mailbox


def notify_operators(*, report: PageReport) -> bool:
    """Queue a mail about the report to ``OPERATOR_CONTACT`` if it is a mail address, else to all operators.

    Returns False without a mail server, or if there were too many reports in the last hour. Runs in the
    caller's transaction.
    """
    since = timezone.now() - timedelta(hours=1)
    recent_reports = PageReport.objects.filter(made_at__gt=since, pk__lt=report.pk)
    if not settings.MAIL_WORKS or recent_reports.count() >= MAX_MAILS_PER_HOUR:
        return False
    for address, language in _operator_addresses():
        with override(language or settings.LANGUAGE_CODE):
            # The mail does not contain what a stranger wrote: operators read it on the page.
            text = _("A visitor reported a page of this site.\n\nRead the report: %(reports)s") % {
                "reports": settings.SITE_URL + reverse("operators:reports")
            }
            send_mail(_("[Crawford] A page was reported"), text, None, [address])
    return True


def _operator_addresses() -> list[tuple[str, str]]:
    if "@" in settings.OPERATOR_CONTACT and "/" not in settings.OPERATOR_CONTACT:
        return [(settings.OPERATOR_CONTACT, "")]
    staff = User.objects.filter(is_staff=True, is_active=True).order_by("pk")
    return list(staff.values_list("email", "language"))
