"""Players who can be told: a browser that is woken for them, an account with an address."""

from allauth.account.models import EmailAddress
from django.utils import timezone

from people.models import User
from people.webpush import site_key
from tests.factories import a_user
from tests.support.push import Phone
from tournaments.models import Entry, SubscribedFor, Subscription


def a_phone(entry: Entry | None = None, *, user: User | None = None, language: str = "en") -> Phone:
    """A browser that is woken for ``entry`` or ``user``."""
    phone = Phone(f"https://fcm.googleapis.com/fcm/send/{Subscription.objects.count() + 1}")
    row = Subscription.objects.create(
        endpoint=phone.endpoint,
        digest=Subscription.hash_endpoint(phone.endpoint),
        p256dh=phone.browser.p256dh,
        auth=phone.browser.auth,
        site_key=site_key(),
        language=language,
        made_at=timezone.now(),
    )
    link = entry.link_version if entry is not None else 0
    SubscribedFor.objects.create(
        subscription=row, entry=entry, link_version=link, user=user, since=timezone.now()
    )
    return phone


def an_account(entry: Entry, *, verified: bool = True, **fields: object) -> User:
    """Whoever plays as ``entry`` has an account."""
    user = a_user(**fields)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=verified)
    entry.players.update(user=user)
    return user
