"""Delete push subscriptions that are no longer wanted, and hash a browser's id."""

import hashlib

from django.db.models import QuerySet

from tournaments.models import SubscribedFor, Subscription


def hash_device(device: str) -> str:
    """Return the hash under which a browser is stored; "" for an empty id."""
    return hashlib.sha256(device.encode()).hexdigest() if device else ""


def delete_subscriptions(rows: QuerySet[SubscribedFor]) -> int:
    """Delete ``rows``, and push subscriptions that no other row uses; return the number of rows."""
    subscription_ids = list(rows.order_by().values_list("subscription_id", flat=True))
    if subscription_ids:
        rows.delete()
        Subscription.objects.filter(pk__in=subscription_ids, wanted_for=None).delete()
    return len(subscription_ids)
