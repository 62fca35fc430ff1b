"""What becomes of the results of an entry that leaves a round robin before its end.

Two usual rules: what it played counts and the rest are walk-overs; or, when it has played less than half, everything that
it played is struck, so that nobody gains by having met it or not. The director decides.
"""

from __future__ import annotations

from enum import StrEnum


class Leaving(StrEnum):
    KEEP = "keep"
    STRIKE = "strike"


def usual_leaving(played: int, in_all: int) -> Leaving:
    """The rule that is usual after so many of its matches: struck when it has played less than half.

    >>> str(usual_leaving(3, 7)), str(usual_leaving(4, 7))
    ('strike', 'keep')
    """
    return Leaving.STRIKE if 2 * played < in_all else Leaving.KEEP
