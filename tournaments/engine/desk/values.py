"""What the desk line is read against, and what it can mean.

A *meaning* is one whole deed: nothing is left to be filled in later. Its ``mark`` names the deed with the match and the version that
were looked at, so that whoever confirms it confirms exactly this.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from faults import Fault
from tournaments.engine.matches.reporting import NO_START
from tournaments.engine.matches.rulings import USUAL_CONDUCT, Award, ClockOn, LatenessRule, Penalty
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Claim, MatchNo, Score, Side


@dataclass(frozen=True, slots=True)
class SideClaim:
    """What a side has reported, and nobody has settled yet; ``by`` None: a report that no side stands for."""

    by: Side | None
    claim: Claim


@dataclass(frozen=True, slots=True)
class DeskMatch:
    """A match as the line sees it: both its sides are known. ``least``: what both have without a game; ``claims``: what was
    reported and waits for a decision, only where a line asks for it; ``clock``: that a director put on; ``clocked``: it has one anyway.
    """

    pk: int
    public_id: str
    number: MatchNo
    version: int
    status: MatchStatus
    length: int
    table: int | None
    names: tuple[str, str]
    stage: int = 0
    round: int = 0
    least: Score = NO_START
    awards: tuple[Award, ...] = ()
    lateness: LatenessRule = USUAL_CONDUCT.lateness
    claims: tuple[SideClaim, ...] = ()
    clock: ClockOn | None = None
    clocked: bool = False

    def name(self, side: Side) -> str:
        return self.names[0 if side is Side.A else 1]


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """Who can be taken out of the event."""

    public_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What is on the desk now: matches that can have a result, tables, and (only where a line asks for them) entries."""

    matches: tuple[DeskMatch, ...]
    tables: int
    closed: frozenset[int] = frozenset()
    entries: tuple[DeskEntry, ...] = ()

    def at_table(self, table: int) -> DeskMatch | None:
        return next((match for match in self.matches if match.table == table), None)


@dataclass(frozen=True, slots=True)
class Result:
    """A result of a match. ``winner`` is who the claim makes it, None where nobody has won (F12); ``late``: so many minutes late, and
    lost by it (F15); ``claimed_by``: the sides that have reported just this, where that is confirmed.
    """

    match: DeskMatch
    claim: Claim
    winner: Side | None
    late: int | None = None
    claimed_by: tuple[Side, ...] = ()

    @property
    def mark(self) -> str:
        claim = self.claim
        return f"result:{_seen(self.match)}:{claim.kind}:{claim.score_a}-{claim.score_b}:{self.winner or '-'}"


@dataclass(frozen=True, slots=True)
class CallNext:
    """Who has waited longest; which match that is, is known when it is asked."""

    mark: str = "call"


@dataclass(frozen=True, slots=True)
class CallMatch:
    """One match to its table."""

    match: DeskMatch

    @property
    def mark(self) -> str:
        return f"call:{_seen(self.match)}"


@dataclass(frozen=True, slots=True)
class Step:
    """A match is started, sent back from its table, or goes on after it was adjourned."""

    match: DeskMatch
    action: MatchAction

    @property
    def mark(self) -> str:
        return f"{self.action}:{_seen(self.match)}"


@dataclass(frozen=True, slots=True)
class Adjourn:
    """A match is broken off at a score, to go on another time."""

    match: DeskMatch
    score: Score

    @property
    def mark(self) -> str:
        return f"adjourn:{_seen(self.match)}:{self.score.a}-{self.score.b}"


@dataclass(frozen=True, slots=True)
class Late:
    """So many minutes late, and what the other side gets for it (F15)."""

    match: DeskMatch
    side: Side
    minutes: int
    penalty: Penalty

    @property
    def mark(self) -> str:
        return f"late:{_seen(self.match)}:{self.side}:{self.minutes}"


@dataclass(frozen=True, slots=True)
class PutClockOn:
    """From its next game on the match is played with a clock; ``score``: where it stands, if that was typed (F11)."""

    match: DeskMatch
    score: Score | None = None

    @property
    def mark(self) -> str:
        score = f"{self.score.a}-{self.score.b}" if self.score is not None else "-"
        return f"clock:{_seen(self.match)}:{score}"


@dataclass(frozen=True, slots=True)
class TakeClockOff:
    """The clock that a director put on is taken off."""

    match: DeskMatch

    @property
    def mark(self) -> str:
        return f"clock-off:{_seen(self.match)}"


@dataclass(frozen=True, slots=True)
class Out:
    """An entry leaves: its page asks and shows what follows."""

    entry: DeskEntry

    @property
    def mark(self) -> str:
        return f"out:{self.entry.public_id}"


@dataclass(frozen=True, slots=True)
class Swap:
    """The matches of two tables change places; one of the tables may be empty."""

    tables: tuple[int, int]
    matches: tuple[DeskMatch | None, DeskMatch | None]

    @property
    def mark(self) -> str:
        seen = ":".join(_seen(match) if match is not None else "-" for match in self.matches)
        return f"swap:{self.tables[0]}:{self.tables[1]}:{seen}"


@dataclass(frozen=True, slots=True)
class Say:
    """Announced to everybody, as it was typed, until it is taken away."""

    text: str

    @property
    def mark(self) -> str:
        text = self.text.encode(errors="replace")
        return f"say:{hashlib.sha256(text).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Undo:
    """The last deed is taken back; which one that is, is known when it is asked."""

    mark: str = "undo"


@dataclass(frozen=True, slots=True)
class Help:
    """The page with all words."""

    mark: str = "help"


Meaning = (
    Result
    | CallNext
    | CallMatch
    | Step
    | Adjourn
    | Late
    | PutClockOn
    | TakeClockOff
    | Out
    | Swap
    | Say
    | Undo
    | Help
)
# Those that are about one match.
OfMatch = Result | CallMatch | Step | Adjourn | Late | PutClockOn | TakeClockOff


@dataclass(frozen=True, slots=True)
class Refused:
    """No meaning: every reason. ``match``: what was found so far; ``searched``: nothing that is open fits, so what is over may."""

    faults: tuple[Fault, ...]
    match: DeskMatch | None = None
    searched: bool = False


@dataclass(frozen=True, slots=True)
class Understood:
    """Everything that the line can mean. One: it can be done. Several: somebody has to choose."""

    meanings: tuple[Meaning, ...]


Reading = Refused | Understood


def refused(
    code: str, match: DeskMatch | None = None, *, searched: bool = False, **params: object
) -> Refused:
    """One reason, in the shape of all of them."""
    return Refused((Fault(code, None, params),), match, searched)


def _seen(match: DeskMatch) -> str:
    return f"{match.public_id}:{match.version}"
