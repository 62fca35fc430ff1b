"""Results passed from one player's device to the other's: the texts that both devices sign.

Each signed text begins with its purpose, so that a signature for one purpose is not valid for another. Times
are seconds since 1970 by the site's clock, as far as the device knows it.
"""

import re
from dataclasses import dataclass
from typing import Final

from tournaments.engine.types import Claim, Side

WON_PREFIX: Final = "crawford won 1"
AGREED_PREFIX: Final = "crawford agreed 1"
MAX_AGE_SECONDS: Final = 7 * 24 * 3600  # seconds after the signature in which it may be sent
MAX_CLOCK_AHEAD_SECONDS: Final = 900  # seconds by which a phone's clock may be fast
_WON_PATTERN = re.compile(
    r"([0-9a-z]{1,16})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,12})\.([0-9a-f]{32})", re.ASCII
)


@dataclass(frozen=True, slots=True)
class WinnerStatement:
    """A winner's statement that the match ended ``winner_points`` to ``loser_points`` points.

    ``match``: the match's public id; ``at``: time of the statement; ``key``: a random text that identifies
    it.
    """

    match: str
    winner_points: int
    loser_points: int
    at: int
    key: str

    def claim(self, side: Side) -> Claim:
        """Return the reported result if the winner plays on ``side``."""
        points = {side: self.winner_points, side.other: self.loser_points}
        return Claim(points[Side.A], points[Side.B])


def parse_winner_statement(text: str) -> WinnerStatement | None:
    """Return the statement that ``text`` contains; None if the text is not valid.

    >>> parse_winner_statement("m1.7.4.1800000000.000102030405060708090a0b0c0d0e0f").loser_points
    4
    """
    statement = _WON_PATTERN.fullmatch(text)
    if statement is None:
        return None
    match_id, winner_points, loser_points, at, key = statement.groups()
    return WinnerStatement(match_id, int(winner_points), int(loser_points), int(at), key)


def winner_message(text: str) -> bytes:
    """Return the bytes that the winner's device signs; ``text``: the statement as text."""
    return f"{WON_PREFIX}\n{text}".encode()


def agreement_message(text: str, at: int) -> bytes:
    """Return the bytes that the loser's device signs: the winner's text and the time of the signature."""
    return f"{AGREED_PREFIX}\n{text}\n{at}".encode()


def is_recent(at: int, now: float) -> bool:
    """Return whether a statement signed at ``at`` is recent enough to be accepted at ``now``."""
    return now - MAX_AGE_SECONDS <= at <= now + MAX_CLOCK_AHEAD_SECONDS
