"""What is told now, for every page that shows it: ``shared/_notices.html`` with ``notices``."""

from collections.abc import Collection

from tournaments.models import Event
from tournaments.selectors.notices import current_notices
from tournaments.shared.fragments.cards import Context


def notice_contexts(event: Event, divisions: Collection[int] | None = None) -> list[Context]:
    """Newest first; of ``divisions`` (ids) and of the whole event where they are named. One query."""
    return [
        {
            "key": notice.public_id,
            "template": notice_template(notice.kind),
            "news": news,
            "division": notice.division.name if notice.division is not None else "",
        }
        for notice, news in current_notices(event, divisions)
    ]


def notice_template(kind: str) -> str:
    """How a notice of this kind stands on a page."""
    return f"notices/kinds/{kind}.html"
