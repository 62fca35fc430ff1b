"""The crosstable of a Swiss or round robin: opponents and points of each entry, round by round.

It is built from the rounds alone, independent of the order of results. Points are half points, whole numbers;
fractions stay exact. `tie_breaks` and `order` evaluate it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.engine.chance import Seed
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.history import ZERO_POINTS, SwissRound
from tournaments.engine.standings.editions import DEFAULT_EDITION, EDITIONS, Edition
from tournaments.engine.types import EntryId

Value = int | Fraction


@dataclass(frozen=True, slots=True)
class CrosstableRound:
    """What one entry did in one round.

    `points`: half points; `scored`, `conceded`: points in the match itself. Without an `opponent`: a bye
    (`is_allotted_bye`), or a requested or missed round (a `RestingEntry`). Not `present`: there is no record of the
    entry in that round, so it counts for nothing, like the free round of an odd round robin; a Swiss gives a
    `RestingEntry` to entries that are late or absent.
    """

    points: int
    opponent: EntryId | None = None
    played: bool = False
    scored: int = 0
    conceded: int = 0
    present: bool = True
    is_allotted_bye: bool = False
    length: int = 1


class Crosstable:
    """The rounds of all entries, and values shared by tie-breaks.

    `has_fixed_pairings`: pairings were fixed in advance, as in a round robin; a walkover then is a match like others if
    the edition says so. `planned_rounds`: planned number of rounds; `max_wins`: how many of them one entry can win.
    `ratings`: those with which players entered; entries without a rating are left out. Raises ``BadInput``
    for a round with an unknown entry or an entry named twice.
    """

    def __init__(
        self,
        entries: Collection[EntryId],
        rounds: Sequence[SwissRound],
        *,
        seed: Seed = 0,
        play_offs: Sequence[Mapping[EntryId, int]] = (),
        lives: int = 0,
        edition: Edition = DEFAULT_EDITION,
        has_fixed_pairings: bool = False,
        planned_rounds: int = 0,
        max_wins: int = 0,
        ratings: Mapping[EntryId, float] | None = None,
    ) -> None:
        self.entries = tuple(sorted(entries))
        self.seed = seed  # for the lots
        self.play_offs = tuple(
            play_offs
        )  # values of each play-off by entry, more is better; the first counts most
        self.lives = lives  # in a Swiss with lives: number of losses after which an entry is out
        self.rule = EDITIONS[edition]
        self.has_fixed_pairings = has_fixed_pairings
        self.planned_rounds = max(planned_rounds, len(rounds))
        self.max_wins = max_wins or self.planned_rounds
        self.ratings = ratings or {}
        self.lines: dict[EntryId, list[CrosstableRound]] = {entry: [] for entry in self.entries}
        for swiss_round in rounds:
            self._add_round(swiss_round)
        self.points = {entry: sum(line.points for line in lines) for entry, lines in self.lines.items()}
        self.kept: dict[str, object] = {}  # cache of values shared by tie-breaks

    def lost(self, entry: EntryId) -> list[int]:
        """Return the numbers of the rounds, from 1, in which the entry lost a match.

        A match that gives half a point to each side is not a loss.
        """
        return [
            number
            for number, line in enumerate(self.lines[entry], start=1)
            if line.opponent is not None and line.points == ZERO_POINTS
        ]

    def met(self, line: CrosstableRound) -> EntryId | None:
        """Return the opponent of a round if the edition counts the match, else None.

        Counted are matches at the board, and walkovers between fixed pairings.
        """
        is_counted = line.played or (self.has_fixed_pairings and not self.rule.uses_virtual_opponent)
        return line.opponent if is_counted else None

    def _add_round(self, swiss_round: SwissRound) -> None:
        lines: dict[EntryId, CrosstableRound] = {}
        for meeting in swiss_round.meetings:
            score_a, score_b = (
                _cap_score(meeting.score_a, meeting.length),
                _cap_score(meeting.score_b, meeting.length),
            )
            length = meeting.length or 1
            for entry, line in (
                (
                    meeting.a,
                    CrosstableRound(
                        meeting.points_a, meeting.b, meeting.played, score_a, score_b, length=length
                    ),
                ),
                (
                    meeting.b,
                    CrosstableRound(
                        meeting.points_b, meeting.a, meeting.played, score_b, score_a, length=length
                    ),
                ),
            ):
                if lines.setdefault(entry, line) is not line:
                    raise BadInput("standings.entry_twice", entry=entry)
        for rest in swiss_round.rests:
            if (
                lines.setdefault(
                    rest.entry, line := CrosstableRound(rest.points, is_allotted_bye=rest.is_allotted)
                )
                is not line
            ):
                raise BadInput("standings.entry_twice", entry=rest.entry)
        unknown = lines.keys() - self.lines.keys()
        if unknown:
            raise BadInput("swiss.not_entered", entry=min(unknown))
        for entry, entry_lines in self.lines.items():
            entry_lines.append(lines.get(entry, CrosstableRound(0, present=False)))


def _cap_score(score: int, length: int | None) -> int:
    return score if length is None else min(score, length)
