"""All problems that a check can find in a record, with their severities in one table.

`docs/rules.md` mirrors it (a test compares them) and ``games.messages`` has the messages. A finding is a
value: code, rule, game, turn, place and parameters, without text.

Severity follows rules R42 and F7: what both players accepted by playing on stands, so it is a note; what was
not followed by play, or makes points, score or players wrong, is a reject. A doubt is in between: points,
score and players fit, but the plays do not fit each other, so a person has to look before the record is
evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from games.records.model import NO_PLACE, Place


class Severity(StrEnum):
    REJECT = "reject"
    DOUBT = "doubt"
    INCOMPLETE = "incomplete"
    NOTE = "note"


_R, _D, _I, _N = Severity.REJECT, Severity.DOUBT, Severity.INCOMPLETE, Severity.NOTE

# code → (severity, rule quoted when the finding itself names none)
SEVERITIES: dict[str, tuple[Severity, str | None]] = {
    # form
    "cell.unreadable": (_R, None),
    "line.ignored": (_N, None),
    "file.second_match": (_N, None),
    "record.too_many_findings": (_R, None),
    # the match as a whole
    "record.variation": (_R, "R3"),
    "match.galaxy_money": (_N, None),
    "match.length_impossible": (_R, "F1"),
    "match.length_missing": (_I, None),
    "match.unfinished": (_I, "F1"),
    "match.games_after_end": (_R, "F9"),
    "match.claimed_over": (_R, "F1"),
    "match.starting_score": (_N, "F10"),
    "match.games_missing": (_I, "F10"),
    "match.players_change": (_R, None),
    "match.name_changes": (_N, None),
    "match.jacoby": (_N, "R40"),
    "score.carried": (_R, "F16"),
    "score.automatic_uncounted": (_N, "F5"),
    "crawford.flag": (_N, "F2"),
    # what the bracket expects
    "expected.length": (_R, None),
    "expected.players": (_R, None),
    "expected.score": (_R, None),
    "expected.start": (_R, "F10"),
    "expected.unfinished": (_R, None),
    # start and dice
    "start.set_up": (_N, "F16"),
    "dice.opening_double": (_N, "R7"),
    # turns
    "turn.missing": (_N, "R8"),
    "turn.lost": (_D, "R8"),
    "turn.after_end": (_N, "R31"),
    # plays
    "play.illegal": (_R, None),
    "play.illegal_stands": (_N, "R42"),
    "play.slip": (_D, "R42"),
    "play.unfitting": (_D, "R42"),
    "play.lost": (_D, "R15"),
    "play.several_illegal": (_D, "F7"),
    "play.condoned": (_N, "R42"),
    "play.unplayed": (_N, "R15"),
    "play.last_checker": (_N, "R43"),
    "star.false": (_N, "R13"),
    "star.missing": (_N, "R13"),
    # cube
    "cube.impossible": (_R, None),
    "cube.impossible_stands": (_N, None),
    "cube.crawford_stands": (_N, "F2"),
    "cube.unanswered": (_N, "R38"),
    "cube.value": (_N, "R35"),
    # end and points
    "game.unfinished": (_I, None),
    "game.forfeit": (_N, "F12"),
    "result.missing": (_N, None),
    "result.winner": (_R, "R31"),
    "points.contradict": (_R, "R39"),
    "points.uncapped": (_N, "F1"),
    "points.automatic": (_N, "F5"),
    "points.oversized": (_N, "F12"),
    "resign.oversized": (_N, "F8"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem or note found in a record.

    `game` counts from 1, `turn` from 1 within the game; 0 means the record as a whole. `rule` is a number of
    docs/rules.md.
    """

    code: str
    severity: Severity
    rule: str | None = None
    game: int = 0
    turn: int = 0
    place: Place = NO_PLACE
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def line(self) -> int:
        return self.place.line

    @property
    def column(self) -> int:
        return self.place.column


def finding(
    code: str,
    *,
    rule: str | None = None,
    game: int = 0,
    turn: int = 0,
    place: Place = NO_PLACE,
    **params: Any,
) -> Finding:
    """Return a finding with the severity of its code; ``params``: the values in its message.

    ``rule``: by default the one of the code. Raises ``KeyError`` for an unknown code.
    """
    severity, default_rule = SEVERITIES[code]
    return Finding(code, severity, rule or default_rule, game, turn, place, params)
