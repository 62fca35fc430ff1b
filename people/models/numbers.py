"""Federation numbers and outside ratings of players.

Visible to the player and to directors only: on no public page, in no feed.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.player import Player

BODY_LIMIT = 40
NUMBER_LIMIT = 40


class FederationNumber(models.Model):
    """A player's ``number`` as a member of ``federation``.

    ``valid_until``: its last valid day; None: unknown.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="numbers")
    federation = models.CharField(_("federation"), max_length=BODY_LIMIT)
    number = models.CharField(_("number"), max_length=NUMBER_LIMIT)
    valid_until = models.DateField(_("valid until"), null=True, blank=True)

    class Meta:
        verbose_name = _("federation number")
        verbose_name_plural = _("federation numbers")
        ordering = ["federation", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "federation", "number"], name="people_federationnumber_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.federation} {self.number}"


class OutsideRating(models.Model):
    """A player's rating at another ``source`` than this site, as of the day ``on``.

    Ratings of this site are not computed from it: divisions and seeds use it.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="outside_ratings")
    source = models.CharField(_("source"), max_length=BODY_LIMIT)
    value = models.FloatField(_("rating"))
    on = models.DateField(_("as of"))

    class Meta:
        verbose_name = _("outside rating")
        verbose_name_plural = _("outside ratings")
        ordering = ["source", "-on"]
        constraints = [
            models.UniqueConstraint(fields=["player", "source", "on"], name="people_outsiderating_once")
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.value:g}"
