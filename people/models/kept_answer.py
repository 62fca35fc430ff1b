"""Stored responses to API requests with an idempotency key, so that a repeated request changes nothing."""

from django.db import models


class KeptAnswer(models.Model):
    """An API request and its response. ``scope``: hash of sender and key; ``sent``: hash of the content.

    ``done``: the change of the request is committed. ``status`` is 0 until there is a response, and again
    once ``body`` was deleted.
    """

    scope = models.CharField(max_length=64, unique=True)
    sent = models.CharField(max_length=64)
    done = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(default="", blank=True)
    began_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.scope[:8]}: {self.status}"
