"""What each kind of notice says, in a sentence: for the API, lists and whoever has no page before them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournaments.engine.notices import Announcement, News

SENTENCES: Final[Mapping[type[News], Callable[[Any], str]]] = {
    Announcement: lambda news: str(news.text),
}


def sentence_of(news: News) -> str:
    """What is told, in the active language; what a director typed stays as it was typed."""
    return SENTENCES[type(news)](news)
