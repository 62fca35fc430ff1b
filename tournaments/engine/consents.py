"""What somebody agrees to at entry: photographs, film, stream, that the games of their matches may be read by everybody, and what engines think of them.

Each is answered with yes, with no, or with “ask me each time”, which is also how somebody is taken who was not asked so far.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final


class Consent(StrEnum):
    """The purpose of a consent."""

    # Each is the name of the column that keeps the answer (`new_entry.EntryDetails`).
    PHOTO = "photo"
    FILMING = "filming"
    STREAMING = "streaming"
    RECORD = "record"
    ANALYSIS = "analysis"


class Reply(StrEnum):
    """The answer. Kept as nothing while nobody has asked."""

    YES = "yes"
    ASK = "ask"
    NO = "no"


Replies = Mapping[Consent, Reply]
NOT_ASKED: Final[Replies] = dict.fromkeys(Consent, Reply.ASK)
STORED_REPLIES: Final = frozenset({"", *Reply})


def combine_own_replies(answers: Iterable[str]) -> Reply:
    """What somebody means who answered at several entries of an event: a no counts most, and nothing counts for nothing.

    >>> combine_own_replies(["", "yes"]), combine_own_replies(["yes", "no"]), combine_own_replies([])
    (<Reply.YES: 'yes'>, <Reply.NO: 'no'>, <Reply.ASK: 'ask'>)
    """
    given = {answer for answer in answers if answer}
    if Reply.NO in given:
        return Reply.NO
    return Reply.YES if given == {Reply.YES} else Reply.ASK


def combine_replies(answers: Iterable[Reply]) -> Reply:
    """What holds for all who sit at a table: yes only if everybody says so, no as soon as one does.

    >>> combine_replies([Reply.YES, Reply.ASK]), combine_replies([Reply.YES, Reply.NO]), combine_replies([Reply.YES] * 2)
    (<Reply.ASK: 'ask'>, <Reply.NO: 'no'>, <Reply.YES: 'yes'>)
    """
    given = set(answers)
    if Reply.NO in given:
        return Reply.NO
    return Reply.YES if given == {Reply.YES} else Reply.ASK
