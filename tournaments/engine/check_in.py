"""Check-in: its state, the check-in that a draw requires, and codes as scanners and people enter them.

A division may have one check-in a day. Without a check-in, draws require nothing.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Final

CODE_LENGTH: Final = 5
CODE_LETTERS: Final = (
    "23456789BCDFGHJKMNPQRTVWXYZ"  # no vowels, 0, 1, L or S: the code is read aloud and typed quickly
)
MAX_TYPED_LENGTH: Final = 400
_TOKEN: Final = re.compile(r"[0-9a-z]{1,16}-[0-9]{1,9}\.[\w-]{20,120}", re.ASCII)
# Corrects a scanner set to an American keyboard on a computer set to a German one.
_GERMAN_KEYBOARD: Final = str.maketrans("yzYZß?-", "zyZY-_/")


class CheckInState(StrEnum):
    """Whether a check-in has not opened yet, is open, or is closed."""

    NOT_OPEN_YET = "ahead"
    OPEN = "open"
    CLOSED = "closed"


class CheckInMethod(StrEnum):
    """How an entry was checked in.

    By staff on the list, by its code, on the player's own device, or by staff with "all except these".
    """

    LIST = "list"
    CODE = "code"
    PHONE = "phone"
    REST = "rest"


def check_in_state(opens_at: datetime, closes_at: datetime | None, now: datetime) -> CheckInState:
    """Return the state of a check-in at ``now``.

    Without ``closes_at`` the check-in stays open until it is closed by hand.

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
    """Return the day of the check-in to show: today's, else the next one, else the last one.

    None if ``days``, which has the check-in days as its keys, is empty. The last check-in is shown after
    midnight too.

    >>> current_check_in_day({date(2026, 11, 7): 1, date(2026, 11, 8): 2}, date(2026, 11, 9)).day
    8
    """
    if today in days:
        return today
    upcoming_days = [day for day in days if day > today]
    return min(upcoming_days) if upcoming_days else max(days, default=None)


def required_check_in_day(
    published_by_day: Mapping[date, bool], today: date, *, is_first_publication: bool
) -> date | None:
    """Return the day of the check-in that a draw or round published on ``today`` requires, or None.

    ``published_by_day``: for the day of each check-in of the division, whether something was published after that
    check-in; each check-in is required once only. ``is_first_publication``: nothing was published before. The first
    publication also requires a check-in of another day (published the evening before, or after midnight),
    later ones only a check-in of the same day.

    >>> saturday, sunday = date(2026, 11, 7), date(2026, 11, 8)
    >>> required_check_in_day({saturday: True, sunday: False}, sunday, is_first_publication=False) == sunday
    True
    >>> required_check_in_day({saturday: True}, saturday, is_first_publication=False) is None
    True
    """
    if today in published_by_day:
        return None if published_by_day[today] else today
    if not is_first_publication or not published_by_day:
        return None
    past_days = [day for day in published_by_day if day < today]
    day = max(past_days) if past_days else min(published_by_day)
    return None if published_by_day[day] else day


def normalize_code(text: str) -> str:
    """Return a typed check-in code in capitals, without spaces and punctuation.

    >>> normalize_code(" k7 w-2q")
    'K7W2Q'
    """
    return "".join(letter for letter in text[:MAX_TYPED_LENGTH].upper() if letter.isalnum())


def parse_link_token(text: str) -> str:
    """Return the token of a personal link from scanned or typed text, or an empty string.

    Accepts an address or the token alone, also typed through a German keyboard.

    >>> parse_link_token("https://club.example/my/abc-1.aZdefghijklmnopqrstuvw/")
    'abc-1.aZdefghijklmnopqrstuvw'
    >>> parse_link_token("httpsÖ--club.example-mz-abcß1.aYdefghijklmnopqrstuvw-")
    'abc-1.aZdefghijklmnopqrstuvw'
    """
    text = text[:MAX_TYPED_LENGTH]
    match = _TOKEN.search(text) or _TOKEN.search(text.translate(_GERMAN_KEYBOARD))
    return match[0] if match else ""
