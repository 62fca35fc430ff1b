"""Save forecasts. A forecast is no change of the event: no new version, no audit log entry, no lock."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from people.transactions import durable
from tournaments.models import Event, EventForecast, ForecastMark


@dataclass(frozen=True, slots=True)
class NewForecast:
    """A forecast to be saved. The fields are those of `EventForecast` in ``models.forecast``.

    ``mark``: the percentage of matches played that this forecast is the first to follow, or None.
    """

    made_at: datetime
    version: int
    summary: Mapping[str, Any]
    matches: Mapping[str, Any]
    taught: Mapping[str, Any]
    mark: int | None = None


@durable
def save_forecast(*, event_id: int, new_forecast: NewForecast) -> bool:
    """Save the forecast and return True; return False if a later one is stored or the event is deleted."""
    if not Event.objects.filter(pk=event_id).exists():
        return False
    values = {
        "made_at": new_forecast.made_at,
        "version": new_forecast.version,
        "summary": new_forecast.summary,
        "matches": new_forecast.matches,
        "taught": new_forecast.taught,
    }
    row, is_new = EventForecast.objects.select_for_update().get_or_create(event_id=event_id, defaults=values)
    if not is_new:
        if row.made_at > new_forecast.made_at:
            return False
        EventForecast.objects.filter(pk=row.pk).update(**values)
    if new_forecast.mark is not None:
        first, _, median, _, last = (
            new_forecast.made_at + timedelta(seconds=seconds) for seconds in new_forecast.summary["over"]
        )
        ForecastMark.objects.get_or_create(
            event_id=event_id,
            mark=new_forecast.mark,
            defaults={"at": new_forecast.made_at, "first": first, "median": median, "last": last},
        )
    return True
