"""Mail one-time links with which a person links a player to their account.

They are sent only to an address that a director has stored for the player.
"""

import logging
import threading

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection, transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from people.audience import Audience, override_audience
from people.services.claims import offer_by_mail
from people.services.hints import enqueue_task
from tournaments.selectors.addresses import players_with_address

log = logging.getLogger(__name__)
TASK_NAME = "tournaments.tasks.mail_claims"
EXPIRY_SECONDS = 600  # seconds; a task that waited longer has to be requested again


def request_claim_links(*, address: str, language: str) -> None:
    """Start the mail in the background, whether or not the address is known.

    Nothing is looked up here, so neither the answer nor its duration reveals which addresses are stored.
    """
    if settings.MAIL_WORKS and not enqueue_task(
        TASK_NAME, address, language, expires=EXPIRY_SECONDS, sets_marker=False
    ):
        # Without a worker no row in the database would start it later, so a thread of this process does it.
        threading.Thread(target=_mail_in_thread, args=(address, language), name="claim-mail").start()


def _mail_in_thread(address: str, language: str) -> None:
    try:
        mail_claim_links(address=address, language=language)
    except Exception:
        log.exception("A link that was asked for by mail was not written.")
    finally:
        connection.close()


def mail_claim_links(*, address: str, language: str) -> int:
    """Mail a link for each player with whom ``address`` is stored. Return the number of links."""
    with override_audience(Audience.FULL), transaction.atomic():
        rows = players_with_address(address)
        urls = [
            settings.SITE_URL
            + reverse("player:claim", args=[offer_by_mail(player=row.player, club=row.club)])
            for row in rows
        ]
        if urls:
            with override(language):
                _send_links(address, urls)
    return len(urls)


def _send_links(address: str, urls: list[str]) -> None:
    """Send one mail with these links and a fixed text without names.

    A director typed the players' names, and the recipient may never have heard of that club.
    """
    text = _(
        "A request was made to link an account to the player for whom this address is stored:\n\n"
        "%(links)s\n\nIf this was you, open the link, sign in or create an account, and confirm that the "
        "player is you. Each link works once, within one day. If this was not you, you can ignore this "
        "e-mail."
    )
    send_mail(
        _("[Crawford] Link a player to your account"), text % {"links": "\n".join(urls)}, None, [address]
    )
