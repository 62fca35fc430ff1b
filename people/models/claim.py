"""Player claims: how an account is linked to a player."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from people.models.club import Club
from people.models.player import Player


class PlayerClaim(models.Model):
    """A right or a request to link one account to a player, usable once; ``way`` says how it was given.

    Of a link's secret only the SHA-256 is stored. A newer claim of the same kind ends the older one. A claim
    by a personal link has a secret that no user gets: ``asked_by``, who was signed in when using the personal
    link, made it, and a director of ``club`` decides. ``answer``: the outcome, empty until there is one.
    """

    class Way(models.TextChoices):
        DESK = "desk", _("link or code from the desk")
        MAIL = "mail", _("e-mail to a stored address")
        LINK = "link", _("personal link, confirmed by a director")

    class Answer(models.TextChoices):
        TAKEN = "taken", _("accepted")
        REFUSED = "refused", _("declined")
        OVER = "over", _("expired")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="claims")
    way = models.CharField(max_length=8, choices=Way.choices, default=Way.DESK)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="claims_asked"
    )
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    answer = models.CharField(max_length=8, choices=Answer.choices, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="claims_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("link request")
        verbose_name_plural = _("link requests")
        constraints = [
            models.UniqueConstraint(
                fields=["player", "asked_by"], condition=Q(way="link", ended_at=None), name="claim_asked_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"
