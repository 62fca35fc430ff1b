"""Push subscriptions that are no longer wanted, and the hash of a browser's id."""

import hashlib

from django.db.models import QuerySet

from tournaments.models import SubscribedFor, Subscription


def hash_device(device: str) -> str:
    """The hash under which a browser is stored; empty for an empty id."""
    return hashlib.sha256(device.encode()).hexdigest() if device else ""


def delete_subscriptions(rows: QuerySet[SubscribedFor]) -> int:
    """Delete ``rows``, and subscriptions that nothing else uses; return the number of rows."""
    subscription_ids = list(rows.order_by().values_list("subscription_id", flat=True))
    if subscription_ids:
        rows.delete()
        Subscription.objects.filter(pk__in=subscription_ids, wanted_for=None).delete()
    return len(subscription_ids)
