"""A points league of money play: its sessions, and the table of their points.

There are no matches and no match lengths, so nothing is rated (rule F12). Points are whole numbers, negative
if lost; those of a session add up to zero unless a player from outside the league took part.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from faults import Fault
from tournaments.engine.types import EntryId

MAX_POINTS: Final = 100_000
MAX_DOUBLES: Final = 20
MAX_SESSIONS: Final = 366

SessionScores = Mapping[EntryId, int]


@dataclass(frozen=True, slots=True)
class MoneySettings:
    """Settings agreed before the first session: options of money play (rules R40, R41, F5), and the ranking.

    `automatic_doubles`: how many are allowed in a game. Players with fewer than `min_sessions` sessions are
    listed below the ranked ones, without a place.
    """

    jacoby: bool = True
    beavers: bool = True
    raccoons: bool = False
    automatic_doubles: int = 0
    min_sessions: int = 1


def check_money_settings(settings: MoneySettings) -> tuple[Fault, ...]:
    """Return all errors of the settings, each at its field; empty if they are valid."""
    faults = []
    if not 0 <= settings.automatic_doubles <= MAX_DOUBLES:
        faults.append(Fault("money.doubles_odd", "automatic_doubles", {"limit": MAX_DOUBLES}))
    if not 1 <= settings.min_sessions <= MAX_SESSIONS:
        faults.append(Fault("money.min_sessions_odd", "min_sessions", {"limit": MAX_SESSIONS}))
    if settings.raccoons and not settings.beavers:  # F5
        faults.append(Fault("money.raccoons_without_beavers", "raccoons"))
    return tuple(faults)


@dataclass(frozen=True, slots=True)
class MoneyStanding:
    """A player's row in the table of a points league.

    `best`: points of the player's best session. Equal points share places `first` to `last`; None: too few
    sessions to be ranked.
    """

    entry: EntryId
    points: int
    sessions: int
    best: int | None
    first: int | None
    last: int | None

    @property
    def average(self) -> float | None:
        """The player's mean points per session; None without sessions."""
        return self.points / self.sessions if self.sessions else None


def money_table(
    entries: Collection[EntryId], sessions: Sequence[SessionScores], *, min_sessions: int = 1
) -> tuple[MoneyStanding, ...]:
    """Return the table after these sessions, best first; entries with equal points share their places."""
    lines: dict[EntryId, list[int]] = {entry: [] for entry in sorted(entries)}
    for session in sessions:
        for entry, points in session.items():
            lines[entry].append(points)
    totals = {entry: sum(line) for entry, line in lines.items()}
    placed = [entry for entry, line in lines.items() if line and len(line) >= min_sessions]
    rows = []
    for entry, line in lines.items():
        better_count = sum(totals[other] > totals[entry] for other in placed)
        equal_count = sum(totals[other] == totals[entry] for other in placed)
        is_ranked = entry in placed
        rows.append(
            MoneyStanding(
                entry=entry,
                points=totals[entry],
                sessions=len(line),
                best=max(line, default=None),
                first=better_count + 1 if is_ranked else None,
                last=better_count + equal_count if is_ranked else None,
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.first is None, not row.sessions, -row.points, row.entry)))
