"""A player becomes an account's: by a link that somebody who keeps the player gives to that person."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.club import Club
from people.models.player import Player


class PlayerClaim(models.Model):
    """One link by which one account takes one player, once. Of its secret only the SHA-256 is kept; a newer one ends it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="claims")
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="claims_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("claim of a player")
        verbose_name_plural = _("claims of players")

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"
