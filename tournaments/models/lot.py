"""Records of all draws, published or not: public rows, so that repeated draws cannot be concealed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event, Stage
from tournaments.models.randomness import PublicRandomness


class Lot(models.Model):
    """The record of a draw. ``what`` was drawn: a bracket draw, a round, or the place of a late entry.

    Permanent, also when its ``stage`` is deleted, and public from the moment it is made: when, by which means
    (``by``), and ``why`` it was repeated. ``listed`` (the frozen list), ``seed``, ``secret`` and ``outcome``
    are public from ``shown_at`` on: when the draw is published, discarded or replaced. ``promise`` is the
    commitment: SHA-256 of the secret, made at ``promised_at``; both are empty where no secret was used.
    ``publicity``: whether the commitment was public before the draw, and then since when (``public_since``);
    empty where that was not recorded, before 0.4. ``randomness``: the public number that had been named for
    the draw; used if ``by`` is "public", else passed over. ``typed``: the rolls, the seed or the public
    number as typed; ``order``: ids of entries in the order of a manual draw.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="lots")
    stage = models.ForeignKey(Stage, null=True, on_delete=models.SET_NULL, related_name="lots")
    number = models.PositiveSmallIntegerField()
    what = models.CharField(max_length=8)
    round = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=8)
    why = models.CharField(max_length=16)
    at = models.DateTimeField()
    shown_at = models.DateTimeField(null=True)
    promise = models.CharField(max_length=64, blank=True)
    promised_at = models.DateTimeField(null=True)
    publicity = models.CharField(max_length=8, blank=True)
    public_since = models.DateTimeField(null=True)
    randomness = models.ForeignKey(
        PublicRandomness, null=True, on_delete=models.SET_NULL, related_name="lots"
    )
    secret = models.CharField(max_length=64, blank=True)
    typed = models.CharField(max_length=80, blank=True)
    order = models.JSONField(default=list)
    listed = models.JSONField(default=dict)
    list_hash = models.CharField(max_length=64)
    seed = models.CharField(max_length=64)
    outcome = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("recorded draw")
        verbose_name_plural = _("recorded draws")
        ordering = ["event_id", "stage_id", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="lot_number_once")]

    def __str__(self) -> str:
        return f"{self.event} · {self.number}"
