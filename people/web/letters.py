"""Mail that the site writes beside that of sign-in: an invitation to a role."""

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from people.models import RoleInvitation


def send_invitation(invitation: RoleInvitation, url: str) -> bool:
    """Send the link to the address of the invitation, in the language of whoever invites; whether there is mail."""
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
    send_mail(subject, text, None, [invitation.email])
    return True
