"""Browsers that are woken no more."""

import hashlib

from django.db.models import QuerySet

from tournaments.models import SubscribedFor, Subscription


def hash_device(device: str) -> str:
    """The name of a browser as it is stored; empty for none."""
    return hashlib.sha256(device.encode()).hexdigest() if device else ""


def delete_subscriptions(rows: QuerySet[SubscribedFor]) -> int:
    """None of ``rows`` counts any more, and a browser that is woken for nobody else is forgotten; how many rows that were."""
    phones = list(rows.order_by().values_list("subscription_id", flat=True))
    if phones:
        rows.delete()
        Subscription.objects.filter(pk__in=phones, wanted_for=None).delete()
    return len(phones)
