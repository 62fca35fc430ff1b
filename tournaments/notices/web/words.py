"""What each kind of notice says, in a sentence: for the API, lists and whoever has no page before them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournaments.engine.notices import Announcement, NoticeContent

NEWS_MESSAGES: Final[Mapping[type[NoticeContent], Callable[[Any], str]]] = {
    Announcement: lambda news: str(news.text),
}


def news_message(news: NoticeContent) -> str:
    """What is told, in the active language; what a director typed stays as it was typed."""
    return NEWS_MESSAGES[type(news)](news)
