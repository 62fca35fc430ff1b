"""A player takes their player by mail: to an address that a director had stored for them, with a link that works once."""

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
EXPIRY_SECONDS = 600  # seconds; what waited longer is asked for again


def request_claim_links(*, address: str, language: str) -> None:
    """Whoever it is for: nothing is looked up here, so nobody learns from the answer, or from how long it takes, which addresses there are."""
    if settings.MAIL_WORKS and not enqueue_task(
        TASK_NAME, address, language, expires=EXPIRY_SECONDS, once=False
    ):
        # No worker hears of it, and nothing in the database would tell one: a thread of this process does it, beside the answer.
        threading.Thread(target=_mail_in_thread, args=(address, language), name="claim-mail").start()


def _mail_in_thread(address: str, language: str) -> None:
    try:
        mail_claim_links(address=address, language=language)
    except Exception:
        log.exception("A link that was asked for by mail was not written.")
    finally:
        connection.close()


def mail_claim_links(*, address: str, language: str) -> int:
    """Write to ``address`` with a link for each player for whom it is stored, if there are any; gives how many."""
    with override_audience(Audience.FULL), transaction.atomic():
        found = players_with_address(address)
        urls = [
            settings.SITE_URL
            + reverse("player:claim", args=[offer_by_mail(player=one.player, club=one.club)])
            for one in found
        ]
        if urls:
            with override(language):
                _send_links(address, urls)
    return len(urls)


def _send_links(address: str, urls: list[str]) -> None:
    """In fixed words: a director typed the players' names, and the recipient may never have heard of that club."""
    text = _(
        "A request was made to link an account to the player for whom this address is stored:\n\n"
        "%(links)s\n\nIf this was you, open the link, sign in or create an account, and confirm that the "
        "player is you. Each link works once, within one day. If this was not you, you can ignore this "
        "e-mail."
    )
    send_mail(
        _("[Crawford] Link a player to your account"), text % {"links": "\n".join(urls)}, None, [address]
    )
