"""Who is here: when a check-in is open, which one a draw asks for, and what scanners and people type for a code.

A division may have one check-in a day. Without any nothing is asked, and draws are made as ever.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Final

CODE_LENGTH: Final = 5
CODE_LETTERS: Final = (
    "23456789BCDFGHJKMNPQRTVWXYZ"  # without vowels, 0 and 1, L and S: read aloud and typed in a hurry
)
MAX_TYPED_LENGTH: Final = 400
_TOKEN: Final = re.compile(r"[0-9a-z]{1,16}-[0-9]{1,9}\.[\w-]{20,120}", re.ASCII)
# What a scanner that believes in an American keyboard types on a computer that believes in a German one.
_GERMAN_KEYBOARD: Final = str.maketrans("yzYZß?-", "zyZY-_/")


class CheckInState(StrEnum):
    """The state of a check-in."""

    NOT_OPEN_YET = "ahead"
    OPEN = "open"
    CLOSED = "closed"


class CheckInMethod(StrEnum):
    """How an entry was checked in: on the list, by its code, by the player's own phone, or with "all except these"."""

    LIST = "list"
    CODE = "code"
    PHONE = "phone"
    REST = "rest"


def check_in_state(opens_at: datetime, closes_at: datetime | None, now: datetime) -> CheckInState:
    """At ``now``; without ``closes_at`` it stays open until somebody closes it.

    >>> from datetime import UTC
    >>> nine, ten = datetime(2026, 11, 7, 9, tzinfo=UTC), datetime(2026, 11, 7, 10, tzinfo=UTC)
    >>> check_in_state(nine, ten, nine).value, check_in_state(nine, ten, ten).value, check_in_state(ten, None, nine).value
    ('open', 'closed', 'ahead')
    """
    if now < opens_at:
        return CheckInState.NOT_OPEN_YET
    if closes_at is not None and now >= closes_at:
        return CheckInState.CLOSED
    return CheckInState.OPEN


def current_check_in_day(days: Mapping[date, object], today: date) -> date | None:
    """The day of the check-in that a desk means on ``today``: today's, else the next one, else the last one (it is past midnight).

    >>> current_check_in_day({date(2026, 11, 7): 1, date(2026, 11, 8): 2}, date(2026, 11, 9)).day
    8
    """
    if today in days:
        return today
    ahead = [day for day in days if day > today]
    return min(ahead) if ahead else max(days, default=None)


def required_check_in_day(days: Mapping[date, bool], today: date, *, first: bool) -> date | None:
    """The day of the check-in that a draw or round published on ``today`` has to ask for, if any.

    ``days``: of all check-ins of the division, and whether something was published after each; that is asked once. The ``first`` thing that is
    published asks in any case: the evening before, or after midnight. Later ones ask for a check-in of the same day alone.

    >>> saturday, sunday = date(2026, 11, 7), date(2026, 11, 8)
    >>> required_check_in_day({saturday: True, sunday: False}, sunday, first=False) == sunday
    True
    >>> required_check_in_day({saturday: True}, saturday, first=False) is None
    True
    """
    if today in days:
        return None if days[today] else today
    if not first or not days:
        return None
    past = [day for day in days if day < today]
    day = max(past) if past else min(days)
    return None if days[day] else day


def normalize_code(text: str) -> str:
    """What somebody typed for a hall's code, in the letters in which it was made.

    >>> normalize_code(" k7 w-2q")
    'K7W2Q'
    """
    return "".join(letter for letter in text[:MAX_TYPED_LENGTH].upper() if letter.isalnum())


def parse_link_token(text: str) -> str:
    """The token of a personal link in what was scanned or typed: an address, a token alone, either through a German keyboard. Empty: there is none.

    >>> parse_link_token("https://club.example/my/abc-1.aZdefghijklmnopqrstuvw/")
    'abc-1.aZdefghijklmnopqrstuvw'
    >>> parse_link_token("httpsÖ--club.example-mz-abcß1.aYdefghijklmnopqrstuvw-")
    'abc-1.aZdefghijklmnopqrstuvw'
    """
    text = text[:MAX_TYPED_LENGTH]
    found = _TOKEN.search(text) or _TOKEN.search(text.translate(_GERMAN_KEYBOARD))
    return found[0] if found else ""
