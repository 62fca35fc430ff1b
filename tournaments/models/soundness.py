"""The last integrity check of an event."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event


class EventSoundness(models.Model):
    """The last integrity check of an event in the background (``tournaments.checks.soundness``).

    It ran at the event's version ``version`` and found ``faults`` inconsistencies; ``checks``: the
    comma-separated names of the checks that found them.
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
