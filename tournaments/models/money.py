"""Money play for points: sessions of several players, without matches or lengths."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from tournaments.models.entry import Entry
from tournaments.models.event import Stage


class MoneySession(models.Model):
    """One session of a points league with the points won and lost.

    A wrong one is marked as struck, not deleted.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    submission_key = models.CharField(max_length=64)
    played_on = models.DateField(_("date"))
    note = models.CharField(_("note"), max_length=200, blank=True)
    struck_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="moneysession_number_once"),
            models.UniqueConstraint(fields=["stage", "submission_key"], name="moneysession_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"


class MoneyScore(models.Model):
    """Points of an entry in a session, negative if it lost them."""

    session = models.ForeignKey(MoneySession, on_delete=models.CASCADE, related_name="scores")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="money_scores")
    points = models.IntegerField(_("points"))

    class Meta:
        verbose_name = _("points of a session")
        verbose_name_plural = _("points of sessions")
        constraints = [
            models.UniqueConstraint(fields=["session", "entry"], name="moneyscore_entry_once"),
            models.CheckConstraint(
                condition=Q(points__gte=-100_000, points__lte=100_000), name="moneyscore_sane"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry} · {self.points}"
