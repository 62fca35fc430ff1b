"""Presence of users on pages of an event, shared between processes through the database."""

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

PLACE_LIMIT: Final = 40


class Presence(models.Model):
    """When ``user`` was last seen at the event of ``scope`` ("event:17"), and on which page (``place``).

    One row for each user and event, no history.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presences")
    scope = models.CharField(max_length=40)
    place = models.CharField(max_length=PLACE_LIMIT, blank=True)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["scope", "user"], name="people_presence_once")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.scope}"
