"""Contexts of current notices for ``shared/_notices.html``, which reads them from ``notices``."""

from collections.abc import Collection

from tournaments.models import Event
from tournaments.selectors.notices import current_notices
from tournaments.shared.fragments.cards import Context


def notice_contexts(event: Event, divisions: Collection[int] | None = None) -> list[Context]:
    """Return the template contexts of the current notices of an event, newest first. One query.

    ``divisions``: division ids; if given, only notices for these divisions or for the whole event.
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
    """Return the path of the template for a notice of this kind."""
    return f"notices/kinds/{kind}.html"
