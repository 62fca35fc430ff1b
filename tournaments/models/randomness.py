"""Public numbers named for draws: public rows, so that naming numbers until one suits cannot be concealed."""

from datetime import UTC
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.lots.committed import json_digest
from tournaments.engine.lots.randomness import NETWORKS, DrandNetwork, RandomnessKind
from tournaments.models.event import Event, Stage


class PublicRandomness(models.Model):
    """A public number, named for the next draw of a stage before the number existed.

    It is a drand round (``network``, ``round``) or a lottery number (``label``). The row is never changed or
    deleted, also when its ``stage`` (id ``of_stage``) is removed; naming another number replaces it.
    ``list_hash``: of the frozen list; ``promise`` and ``promised_at``: the commitment to the secret that it
    is mixed with; ``commitment``: the hash of all of these. It can be used as long as it is the latest of its
    stage, the secret is unchanged, and no draw used it or passed it over (``Lot.randomness``). ``value`` was
    set at ``value_at``, typed from ``read_from`` or fetched (``origin``); ``signature`` and ``previous``
    belong to a drand round.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="randomness")
    stage = models.ForeignKey(Stage, null=True, on_delete=models.SET_NULL, related_name="randomness")
    of_stage = models.BigIntegerField()
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8)
    network = models.CharField(max_length=64, blank=True)
    round = models.BigIntegerField(null=True)
    label = models.CharField(max_length=160, blank=True)
    due_at = models.DateTimeField()
    list_hash = models.CharField(max_length=64)
    promise = models.CharField(max_length=64)
    promised_at = models.DateTimeField()
    named_at = models.DateTimeField()
    commitment = models.CharField(max_length=64)
    value = models.CharField(max_length=80, blank=True)
    signature = models.CharField(max_length=192, blank=True)
    previous = models.CharField(max_length=192, blank=True)
    origin = models.CharField(max_length=8, blank=True)
    read_from = models.CharField(max_length=200, blank=True)
    value_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("public random number")
        verbose_name_plural = _("public random numbers")
        ordering = ["event_id", "of_stage", "number"]
        indexes = [
            models.Index(
                fields=["due_at"], name="randomness_to_fetch", condition=models.Q(kind="drand", value="")
            )
        ]
        constraints = [models.UniqueConstraint(fields=["of_stage", "number"], name="randomness_number_once")]

    def __str__(self) -> str:
        return f"{self.event} · {self.number}"

    @property
    def drand(self) -> DrandNetwork | None:
        """The drand network; None for a lottery."""
        return NETWORKS[self.network] if self.kind == RandomnessKind.DRAND else None

    def named(self) -> dict[str, Any]:
        """Return the facts of which ``commitment`` is the hash."""
        return {
            "stage": self.of_stage,
            "promise": self.promise,
            "list_hash": self.list_hash,
            "source": self.kind,
            "network": self.network,
            "round": self.round,
            "label": self.label,
            "due_at": self.due_at.astimezone(UTC).isoformat(timespec="microseconds"),
        }

    def compute_commitment(self) -> str:
        """Return the commitment, computed from its facts, to be compared with the stored one."""
        return json_digest(self.named())
