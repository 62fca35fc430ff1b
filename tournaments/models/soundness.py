"""Whether what is stored of an event was right when it was last asked."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event


class EventSoundness(models.Model):
    """The last time that an event was asked in the background: at which ``version``, how many ``faults`` there were, and which ``checks``
    found them, with commas between them (`tournaments.checks.soundness`).
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="soundness")
    checked_at = models.DateTimeField()
    version = models.PositiveIntegerField()
    faults = models.PositiveIntegerField(default=0)
    checks = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("integrity check of an event")
        verbose_name_plural = _("integrity checks of events")

    def __str__(self) -> str:
        return f"{self.event_id}: {self.faults}"
