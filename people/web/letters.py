"""Mail that the site writes beside that of sign-in: an invitation to a role."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from people.models import RoleInvitation

logger = logging.getLogger(__name__)


def send_invitation(invitation: RoleInvitation, url: str) -> bool:
    """Send the link to the address of the invitation, in the language of whoever invites; whether the mail server took it."""
    if not (settings.MAIL_WORKS and invitation.email):
        return False
    club = invitation.club.name
    subject = _("[Crawford] Invitation: %(role)s of %(club)s") % {
        "role": invitation.get_role_display(),
        "club": club,
    }
    text = _(
        "%(who)s invites you to be %(role)s of %(club)s.\n\n"
        "Look at it, and accept or decline:\n%(url)s\n\n"
        "The link works once, for you alone, until %(day)s. If you did not expect this, ignore it: nothing happens."
    ) % {
        "who": invitation.made_by or club,
        "role": invitation.get_role_display(),
        "club": club,
        "url": url,
        "day": f"{invitation.expires_at:%Y-%m-%d}",
    }
    try:
        send_mail(subject, text, None, [invitation.email])
    except (OSError, SMTPException) as error:
        logger.warning("an invitation could not be sent: %s", type(error).__name__)
        return False
    return True
