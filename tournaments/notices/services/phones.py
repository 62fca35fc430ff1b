"""A browser asks to be woken, for the entry whose personal link it holds or for the account that is signed in; and not any more.

A browser whose push service gave it another address meanwhile says so by itself, with what nobody but it and the site know of the old one.
"""

from secrets import compare_digest

from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.transactions import durable
from people.webpush import Browser, check_browser, site_key
from tournaments.models import Delivery, Entry, SubscribedFor, Subscription
from tournaments.store.phones import require_current_link
from tournaments.store.push_browsers import delete_subscriptions, hash_device

MAX_SUBSCRIPTIONS = 10  # browsers that are woken for one entry, or one account


@durable
def subscribe(
    *,
    browser: Browser,
    language: str,
    entry: Entry | None = None,
    user_id: int | None = None,
    device: str = "",
) -> None:
    """From now on ``browser`` is woken for ``entry``, as long as its link is this one, or for the account. Again is the same.

    ``device``: the name that the browser has with the account. An account replaces another one for which the browser was woken.
    Refused (422): keys that are none, an address that is of no push service that the site knows; (409) one browser too many.
    """
    fault = check_browser(browser)
    if fault is not None:
        raise Invalid(fault.code, field=fault.field)
    if entry is not None:
        require_current_link(entry)
    wanted = SubscribedFor.objects.filter(entry=entry, user=user_id)
    digest = Subscription.hash_endpoint(browser.endpoint)
    if wanted.exclude(subscription__digest=digest).count() >= MAX_SUBSCRIPTIONS:
        raise Conflict("push.too_many", limit=MAX_SUBSCRIPTIONS)
    now = timezone.now()
    facts = {
        "endpoint": browser.endpoint,
        "p256dh": browser.p256dh,
        "auth": browser.auth,
        "site_key": site_key(),
        "language": language,
    }
    row, _made = Subscription.objects.update_or_create(
        digest=digest, defaults=facts, create_defaults={**facts, "made_at": now}
    )
    if user_id is not None:
        row.wanted_for.exclude(user=None).exclude(user=user_id).delete()
    link = entry.link_version if entry is not None else 0
    facts_of_own = {"link_version": link, "device": hash_device(device)}
    own, made = wanted.get_or_create(
        subscription=row, defaults={"entry": entry, "user_id": user_id, "since": now, **facts_of_own}
    )
    if not made and (own.link_version, own.device) != (link, facts_of_own["device"]):
        SubscribedFor.objects.filter(pk=own.pk).update(**facts_of_own)


@durable
def renew_subscription(*, endpoint: str, auth: str, browser: Browser) -> None:
    """Whatever was sent to the browser at ``endpoint`` goes to ``browser`` from now on: for the same entries and accounts.

    ``auth`` proves it: the secret of the old subscription, which neither the push service nor a link knows. Again is the same. Refused: (404)
    an old one that the site does not know, another secret, and a new address that is known with other keys; (422) as `subscribe`.
    """
    old = _proven_subscription(endpoint, auth)
    digest = Subscription.hash_endpoint(browser.endpoint)
    there = Subscription.objects.select_for_update().filter(digest=digest).first()
    if there is not None and (old is None or there.pk != old.pk):
        if (there.p256dh, there.auth) != (browser.p256dh, browser.auth):
            raise Missing("push.unknown")
        if old is None:  # it was said before, and the answer was lost
            return
    if old is None:
        raise Missing("push.unknown")
    fault = check_browser(browser)
    if fault is not None:
        raise Invalid(fault.code, field=fault.field)
    if there is not None and there.pk != old.pk:
        for own in old.wanted_for.select_related("entry", "user"):
            if own.user is not None and there.wanted_for.exclude(user=None).exclude(user=own.user).exists():
                continue  # another account signed in there meanwhile
            facts = {"link_version": own.link_version, "since": own.since, "device": own.device}
            SubscribedFor.objects.get_or_create(
                subscription=there, entry=own.entry, user=own.user, defaults=facts
            )
        old.delete()
        return
    old.endpoint, old.digest = browser.endpoint, digest
    old.p256dh, old.auth, old.site_key = browser.p256dh, browser.auth, site_key()
    old.save(update_fields=["endpoint", "digest", "p256dh", "auth", "site_key"])


def _proven_subscription(endpoint: str, auth: str) -> Subscription | None:
    found = (
        Subscription.objects.select_for_update().filter(digest=Subscription.hash_endpoint(endpoint)).first()
    )
    if found is None or not compare_digest(found.auth.encode(), auth.encode()):
        return None
    return found


@durable
def unsubscribe(*, endpoint: str, entry: Entry | None = None, user_id: int | None = None) -> None:
    """This browser is not woken any more for ``entry``, or for the account; one that is woken for nobody is forgotten."""
    digest = Subscription.hash_endpoint(endpoint)
    delete_subscriptions(SubscribedFor.objects.filter(subscription__digest=digest, entry=entry, user=user_id))


@durable
def delete_subscription(*, endpoint: str, auth: str) -> None:
    """This browser is woken for nobody any more. ``auth`` proves it, as in `renew_subscription`; refused as there."""
    found = _proven_subscription(endpoint, auth)
    if found is None:
        raise Missing("push.unknown")
    found.delete()


@durable
def unsubscribe_device(*, user_id: int, device: str) -> None:
    """The browser with this name is not woken any more for the account, and neither is one whose name is not known."""
    rows = SubscribedFor.objects.filter(user=user_id)
    delete_subscriptions(rows.filter(device__in={hash_device(device), ""}))


def unsubscribe_account(*, user_id: int, keep: str = "") -> None:
    """The account's sessions were ended, and so no browser is woken for it, but for the one with the name ``keep``.

    Joins the caller's transaction.
    """
    rows = SubscribedFor.objects.filter(user=user_id)
    delete_subscriptions(rows.exclude(device=hash_device(keep)) if keep else rows)


@durable
def record_opened(*, entry: Entry, public_id: str) -> None:
    """A notice to ``entry`` was opened on a phone. Again changes nothing."""
    rows = Delivery.objects.filter(public_id=public_id, entry=entry)
    if not rows.exists():
        raise Missing("push.notice_unknown")
    rows.filter(opened_at=None).update(opened_at=timezone.now())
