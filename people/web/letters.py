"""Mail that invites a person to a role."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from people.models import RoleInvitation


def send_invitation(invitation: RoleInvitation, url: str) -> bool:
    """Send the link to the address of the invitation; return whether mail is sent at all.

    In the language of the person who invites. The recipient knows neither club nor sender yet, so the mail
    contains no text of theirs: that is on the page behind the link.
    """
    if not (settings.MAIL_WORKS and invitation.email):
        return False
    text = _(
        "You are invited to help run a backgammon club on %(site)s.\n\nSee who invited you and for which "
        "role, then accept or decline:\n%(url)s\n\nThe link works once, until %(day)s. If you did not "
        "expect this e-mail, you can ignore it."
    ) % {"site": urlsplit(settings.SITE_URL).netloc, "url": url, "day": f"{invitation.expires_at:%Y-%m-%d}"}
    send_mail(_("[Crawford] Invitation"), text, None, [invitation.email])
    return True
