"""When an event will be over: what was worked out last, what its matches taught, and what was foretold on the way."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event


class EventForecast(models.Model):
    """The last forecast of an event, worked out by a worker from ``version`` of it, as it stood at ``made_at``.

    ``summary`` is little, for every page: the end, the pace. ``matches`` is when each match begins, and what decides the end of each stage. Both
    are empty where there is nothing to forecast. What they hold is written and read by ``selectors.hall.forecast``; times are seconds after
    ``made_at``. ``taught``: what the event's matches showed, by length: how many, and the sums of the logarithms of their seconds a
    point and of those squared (``engine.hall.durations``); later events of the club learn from it.
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
    """What was foretold of the end of an event when so many per cent of its matches were over, to be held against the end as it came.

    ``mark``: 25, 50 or 75; the first forecast after it counts. Half of all ends lie before ``median``, nine of ten from ``first`` to ``last``.
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
