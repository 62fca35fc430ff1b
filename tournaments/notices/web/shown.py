"""What is told now, for every page that shows it: ``shared/_notices.html`` with ``notices``."""

from collections.abc import Collection

from tournaments.models import Event
from tournaments.selectors.notices import notices_now
from tournaments.shared.fragments.cards import Shape


def notice_shapes(event: Event, divisions: Collection[int] | None = None) -> list[Shape]:
    """Newest first; of ``divisions`` (ids) and of the whole event where they are named. One query."""
    return [
        {
            "key": notice.public_id,
            "template": template_of(notice.kind),
            "news": news,
            "division": notice.division.name if notice.division is not None else "",
        }
        for notice, news in notices_now(event, divisions)
    ]


def template_of(kind: str) -> str:
    """How a notice of this kind stands on a page."""
    return f"notices/kinds/{kind}.html"
