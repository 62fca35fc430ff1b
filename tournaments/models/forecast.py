"""Forecasts of the end of an event: the latest one, data from its matches, and forecasts made during play."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event


class EventForecast(models.Model):
    """The latest forecast of an event, computed by a worker at ``made_at``, from its version ``version``.

    ``summary`` is small, for every page: the end and the pace. ``matches`` holds when each match begins, and
    what decides the end of each stage. Both are empty if there is nothing to forecast.
    ``selectors.hall.forecast`` writes and reads them; times are seconds after ``made_at``. ``taught``:
    statistics of the event's matches, keyed by length: their count, and the sums of the logarithms of their
    seconds per point and of the squares of those (``engine.hall.durations``); used for later events of the
    club.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="forecast")
    made_at = models.DateTimeField()
    version = models.PositiveIntegerField()
    summary = models.JSONField(default=dict)
    matches = models.JSONField(default=dict)
    taught = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("forecast")
        verbose_name_plural = _("forecasts")

    def __str__(self) -> str:
        return str(self.event)


class ForecastMark(models.Model):
    """A forecast of an event's end that was made during play, to be compared with the real end.

    ``mark``: 25, 50 or 75 percent of the matches; the first forecast after that is stored. Half of all ends
    lie before ``median``, nine of ten between ``first`` and ``last``.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="forecast_marks")
    mark = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    first = models.DateTimeField()
    median = models.DateTimeField()
    last = models.DateTimeField()

    class Meta:
        verbose_name = _("forecast of an event in play")
        verbose_name_plural = _("forecasts of events in play")
        ordering = ["mark"]
        constraints = [models.UniqueConstraint(fields=["event", "mark"], name="forecastmark_once")]

    def __str__(self) -> str:
        return f"{self.event} · {self.mark}"
