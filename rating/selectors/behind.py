"""The backlog of ratings behind results, for monitoring."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rating.models import Pending

MAX_COUNTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class RatingBacklog:
    """``count``: facts not yet applied, at most ``MAX_COUNTED``; ``since``: when the first was recorded."""

    count: int
    since: datetime | None


def rating_backlog() -> RatingBacklog:
    """Return the backlog; two statements, whatever its size."""
    rows = Pending.objects.filter(applied=False)
    first = rows.order_by("pk").values_list("fact__recorded_at", flat=True).first()
    return RatingBacklog(rows.order_by()[:MAX_COUNTED].count() if first else 0, first)
