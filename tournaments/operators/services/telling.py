"""Tell operators by mail that somebody reported a page."""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from people.models import PageReport, User

logger = logging.getLogger(__name__)
MOST_MAILS = 10  # an hour: whoever floods the list floods no mailbox


def tell_operators(*, report_id: int) -> bool:
    """Send the report to ``OPERATOR_CONTACT``, if that is an address of mail, or else to all operators; whether a mail went out."""
    report = PageReport.objects.filter(pk=report_id, handled_at=None).first()
    if report is None or not settings.MAIL_WORKS:
        return False
    since = timezone.now() - timedelta(hours=1)
    if PageReport.objects.filter(made_at__gt=since, pk__lt=report.pk).count() >= MOST_MAILS:
        return False
    for address, language in _addresses():
        with override(language or settings.LANGUAGE_CODE):
            text = _("%(page)s\n\n%(text)s\n\nContact: %(contact)s\n\nAll reports: %(reports)s") % {
                "page": settings.SITE_URL + report.page,
                "text": report.text,
                "contact": report.contact or "–",
                "reports": settings.SITE_URL + reverse("operators:reports"),
            }
            try:
                send_mail(_("[Crawford] A page was reported"), text, None, [address])
            except (OSError, SMTPException) as error:
                logger.warning("a report could not be sent: %s", type(error).__name__)
                return False
    return True


def _addresses() -> list[tuple[str, str]]:
    if "@" in settings.OPERATOR_CONTACT and "/" not in settings.OPERATOR_CONTACT:
        return [(settings.OPERATOR_CONTACT, "")]
    staff = User.objects.filter(is_staff=True, is_active=True).order_by("pk")
    return list(staff.values_list("email", "language"))
