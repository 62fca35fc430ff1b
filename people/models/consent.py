"""Consents about which clubs appear on players' pages, and requests to merge players of other clubs."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models.club import Club
from people.models.player import Player


class PageConsent(models.Model):
    """Consent of ``home`` to show ``club`` on the public pages of the players whose home it is.

    It covers events and lists of ``club``, and of its member clubs if it is a federation.
    """

    home = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="page_consents")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="page_consents_had")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("consent of a home club")
        verbose_name_plural = _("consents of home clubs")
        constraints = [models.UniqueConstraint(fields=["home", "club"], name="people_pageconsent_once")]

    def __str__(self) -> str:
        return f"{self.home}: {self.club}"


class OwnConsent(models.Model):
    """A player's own decision whether ``club`` appears on their public page; it overrides the home club's."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="own_consents")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="own_consents_had")
    given = models.BooleanField()

    class Meta:
        verbose_name = _("consent of a player")
        verbose_name_plural = _("consents of players")
        constraints = [models.UniqueConstraint(fields=["player", "club"], name="people_ownconsent_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.club}"


class MergeRequest(models.Model):
    """A request of ``club`` to ``keeper``, the home club of ``keep``, to merge ``duplicate`` into ``keep``.

    ``duplicate`` is a player of ``club``. The request is unanswered until ``answered_at`` is set.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges_asked")
    keeper = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges_to_answer")
    keep = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    duplicate = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)
    accepted = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("request for a merge")
        verbose_name_plural = _("requests for merges")
        constraints = [
            models.UniqueConstraint(
                fields=["duplicate"],
                condition=models.Q(answered_at=None),
                name="people_mergerequest_open_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.duplicate} → {self.keep}"
