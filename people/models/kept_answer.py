"""Stored responses to API requests with an idempotency key, so that a repeated request does nothing."""

from django.db import models


class KeptAnswer(models.Model):
    """An API request with its response: sender and key (``scope``) and content (``sent``) as hashes.

    ``done``: its change is committed. ``status`` is 0 until there is a response, and again once ``body`` was
    deleted.
    """

    scope = models.CharField(max_length=64, unique=True)
    sent = models.CharField(max_length=64)
    done = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(default="", blank=True)
    began_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.scope[:8]}: {self.status}"
