"""Answers to what programs sent with a key of their own, so that sending it again does nothing again."""

from django.db import models


class KeptAnswer(models.Model):
    """A request of the API by who asked and its key (``scope``, a hash), what it sent (``sent``, a hash) and what was answered.

    ``done``: what it changed is committed. ``status`` is 0 until there is an answer, and again once ``body`` was forgotten.
    """

    scope = models.CharField(max_length=64, unique=True)
    sent = models.CharField(max_length=64)
    done = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(default="", blank=True)
    began_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.scope[:8]}: {self.status}"
