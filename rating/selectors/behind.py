"""How far ratings are behind results: for those who keep the site running."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rating.models import Pending

MAX_COUNTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class RatingBacklog:
    """``count``: facts that some list has yet to take in, `MAX_COUNTED` standing for more; ``since``: when the first of them was recorded."""

    count: int
    since: datetime | None


def rating_backlog() -> RatingBacklog:
    """Two statements, whatever waits."""
    rows = Pending.objects.filter(applied=False)
    first = rows.order_by("pk").values_list("fact__recorded_at", flat=True).first()
    return RatingBacklog(rows.order_by()[:MAX_COUNTED].count() if first else 0, first)
