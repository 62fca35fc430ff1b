"""Services for push subscriptions of browsers, for the entry of a personal link or for an account.

When the push service gives a browser a new address, the browser moves its subscription itself and proves with
the old secret that the subscription belongs to it.
"""

from secrets import compare_digest

from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.transactions import durable
from people.webpush import Browser, check_browser, site_key
from tournaments.models import Delivery, Entry, SubscribedFor, Subscription
from tournaments.store.phones import require_current_link
from tournaments.store.push_browsers import delete_subscriptions, hash_device

MAX_SUBSCRIPTIONS = 10  # per entry or account


@durable
def subscribe(
    *,
    browser: Browser,
    language: str,
    entry: Entry | None = None,
    user_id: int | None = None,
    device: str = "",
) -> None:
    """Subscribe ``browser`` to notifications for ``entry``, or for the account. Idempotent.

    ``entry`` must have its current personal link. ``device``: the random name by which the account knows this
    browser. A browser belongs to one account: the subscription of another account is removed. Raises
    ``Invalid`` for invalid keys or an unknown push service, ``Conflict`` if too many browsers are subscribed.
    """
    fault = check_browser(browser)
    if fault is not None:
        raise Invalid(fault.code, field=fault.field)
    if entry is not None:
        require_current_link(entry)
    subscribed_rows = SubscribedFor.objects.filter(entry=entry, user=user_id)
    digest = Subscription.hash_endpoint(browser.endpoint)
    if subscribed_rows.exclude(subscription__digest=digest).count() >= MAX_SUBSCRIPTIONS:
        raise Conflict("push.too_many", limit=MAX_SUBSCRIPTIONS)
    now = timezone.now()
    values = {
        "endpoint": browser.endpoint,
        "p256dh": browser.p256dh,
        "auth": browser.auth,
        "site_key": site_key(),
        "language": language,
    }
    row, _made = Subscription.objects.update_or_create(
        digest=digest, defaults=values, create_defaults={**values, "made_at": now}
    )
    if user_id is not None:
        row.wanted_for.exclude(user=None).exclude(user=user_id).delete()
    link_version = entry.link_version if entry is not None else 0
    own_values = {"link_version": link_version, "device": hash_device(device)}
    subscribed_for, is_new = subscribed_rows.get_or_create(
        subscription=row, defaults={"entry": entry, "user_id": user_id, "since": now, **own_values}
    )
    if not is_new and (subscribed_for.link_version, subscribed_for.device) != (
        link_version,
        own_values["device"],
    ):
        SubscribedFor.objects.filter(pk=subscribed_for.pk).update(**own_values)


@durable
def renew_subscription(*, endpoint: str, auth: str, browser: Browser) -> None:
    """Move the subscription at ``endpoint`` to ``browser``, for the same entries and accounts. Idempotent.

    ``auth``: the secret of the old subscription, which only the browser and this site know. Raises
    ``Missing`` for an unknown old subscription, a wrong secret, or a new address that is known with other
    keys, and ``Invalid`` for invalid keys or an unknown push service.
    """
    previous = _proven_subscription(endpoint, auth)
    digest = Subscription.hash_endpoint(browser.endpoint)
    existing = Subscription.objects.select_for_update().filter(digest=digest).first()
    if existing is not None and (previous is None or existing.pk != previous.pk):
        if (existing.p256dh, existing.auth) != (browser.p256dh, browser.auth):
            raise Missing("push.unknown")
        if previous is None:  # a repeated request whose first answer was lost
            return
    if previous is None:
        raise Missing("push.unknown")
    fault = check_browser(browser)
    if fault is not None:
        raise Invalid(fault.code, field=fault.field)
    if existing is not None and existing.pk != previous.pk:
        for subscribed_for in previous.wanted_for.select_related("entry", "user"):
            if (
                subscribed_for.user is not None
                and existing.wanted_for.exclude(user=None).exclude(user=subscribed_for.user).exists()
            ):
                continue  # another account has signed in there since
            values = {
                "link_version": subscribed_for.link_version,
                "since": subscribed_for.since,
                "device": subscribed_for.device,
            }
            SubscribedFor.objects.get_or_create(
                subscription=existing, entry=subscribed_for.entry, user=subscribed_for.user, defaults=values
            )
        previous.delete()
        return
    previous.endpoint, previous.digest = browser.endpoint, digest
    previous.p256dh, previous.auth, previous.site_key = browser.p256dh, browser.auth, site_key()
    previous.save(update_fields=["endpoint", "digest", "p256dh", "auth", "site_key"])


def _proven_subscription(endpoint: str, auth: str) -> Subscription | None:
    subscription = (
        Subscription.objects.select_for_update().filter(digest=Subscription.hash_endpoint(endpoint)).first()
    )
    if subscription is None or not compare_digest(subscription.auth.encode(), auth.encode()):
        return None
    return subscription


@durable
def unsubscribe(*, endpoint: str, entry: Entry | None = None, user_id: int | None = None) -> None:
    """Unsubscribe the browser at ``endpoint`` for ``entry`` or for the account.

    Deletes the browser's row with its last subscription.
    """
    digest = Subscription.hash_endpoint(endpoint)
    delete_subscriptions(SubscribedFor.objects.filter(subscription__digest=digest, entry=entry, user=user_id))


@durable
def delete_subscription(*, endpoint: str, auth: str) -> None:
    """Delete all subscriptions of the browser at ``endpoint``.

    ``auth``: the secret of the subscription, as proof. Raises ``Missing`` if endpoint or secret are unknown.
    """
    subscription = _proven_subscription(endpoint, auth)
    if subscription is None:
        raise Missing("push.unknown")
    subscription.delete()


@durable
def unsubscribe_device(*, user_id: int, device: str) -> None:
    """Unsubscribe the browser named ``device``, and browsers without a name, for the account."""
    rows = SubscribedFor.objects.filter(user=user_id)
    delete_subscriptions(rows.filter(device__in={hash_device(device), ""}))


def unsubscribe_account(*, user_id: int, kept_device: str = "") -> None:
    """Unsubscribe all browsers of an account whose sessions were ended, except that of ``kept_device``.

    Runs in the caller's transaction.
    """
    rows = SubscribedFor.objects.filter(user=user_id)
    delete_subscriptions(rows.exclude(device=hash_device(kept_device)) if kept_device else rows)


@durable
def record_opened(*, entry: Entry, public_id: str) -> None:
    """Record that a notification to ``entry`` was opened on a device. Idempotent.

    ``public_id``: the id of the delivery. Raises ``Missing`` if the entry has no such notification.
    """
    rows = Delivery.objects.filter(public_id=public_id, entry=entry)
    if not rows.exists():
        raise Missing("push.notice_unknown")
    rows.filter(opened_at=None).update(opened_at=timezone.now())
