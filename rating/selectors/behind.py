"""How many facts of the ledger the ratings do not include yet, for monitoring."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rating.models import Pending

MAX_COUNTED: Final = 100_000


@dataclass(frozen=True, slots=True)
class RatingBacklog:
    """Facts that the ratings do not include yet.

    ``count``: how many, at most ``MAX_COUNTED``; ``since``: when the oldest was recorded, None without any.
    """

    count: int
    since: datetime | None


def rating_backlog() -> RatingBacklog:
    """Return how many facts wait to be rated, and since when; two queries, however many there are."""
    rows = Pending.objects.filter(applied=False)
    first = rows.order_by("pk").values_list("fact__recorded_at", flat=True).first()
    return RatingBacklog(rows.order_by()[:MAX_COUNTED].count() if first else 0, first)
