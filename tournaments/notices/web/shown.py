"""Current notices for every page that shows them: ``shared/_notices.html`` with ``notices``."""

from collections.abc import Collection

from tournaments.models import Event
from tournaments.selectors.notices import current_notices
from tournaments.shared.fragments.cards import Context


def notice_contexts(event: Event, divisions: Collection[int] | None = None) -> list[Context]:
    """Contexts of the current notices, newest first. One query.

    ``divisions``: ids; limits them to these divisions and to the whole event.
    """
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
    """Template for a notice of this kind."""
    return f"notices/kinds/{kind}.html"
