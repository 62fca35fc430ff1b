"""Consents of players: photographs, film, stream, public game records, and public analysis of these.

Each is answered with yes, no, or "ask me each time", which is also assumed of a player who has not been
asked.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final


class Consent(StrEnum):
    """What a player may consent to."""

    # Each value is the name of the column that stores the answer (`new_entry.EntryDetails`).
    PHOTO = "photo"
    FILMING = "filming"
    STREAMING = "streaming"
    RECORD = "record"
    ANALYSIS = "analysis"


class Reply(StrEnum):
    """The answer of a player to one of the consents; an empty string is stored before a player was asked."""

    YES = "yes"
    ASK = "ask"
    NO = "no"


Replies = Mapping[Consent, Reply]
NOT_ASKED: Final[Replies] = dict.fromkeys(Consent, Reply.ASK)
STORED_REPLIES: Final = frozenset({"", *Reply})


def combine_own_replies(answers: Iterable[str]) -> Reply:
    """Return one person's answer from that person's answers at several entries of an event.

    No if any answer is no, yes if all are yes, else "ask"; blank answers are ignored.

    >>> combine_own_replies(["", "yes"]), combine_own_replies(["yes", "no"]), combine_own_replies([])
    (<Reply.YES: 'yes'>, <Reply.NO: 'no'>, <Reply.ASK: 'ask'>)
    """
    replies = {answer for answer in answers if answer}
    if Reply.NO in replies:
        return Reply.NO
    return Reply.YES if replies == {Reply.YES} else Reply.ASK


def combine_replies(answers: Iterable[Reply]) -> Reply:
    """Return the answer that holds for a table: yes only if all its players agree, no if any player refuses.

    >>> combine_replies([Reply.YES, Reply.ASK]), combine_replies([Reply.YES, Reply.NO]), combine_replies([Reply.YES] * 2)
    (<Reply.ASK: 'ask'>, <Reply.NO: 'no'>, <Reply.YES: 'yes'>)
    """
    replies = set(answers)
    if Reply.NO in replies:
        return Reply.NO
    return Reply.YES if replies == {Reply.YES} else Reply.ASK
