"""What the desk line is read against, and what it can mean.

A *meaning* is one whole deed: nothing is left to be filled in later. Its ``mark`` names the deed with the match and the version that
were looked at, so that whoever confirms it confirms exactly this.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from faults import Fault
from tournaments.engine.matches.reporting import NO_START
from tournaments.engine.matches.rulings import DEFAULT_CONDUCT, Award, ClockStart, LatenessRule, Penalty
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Claim, MatchNo, Score, Side


@dataclass(frozen=True, slots=True)
class SideClaim:
    """What a side has reported, and nobody has settled yet; ``by`` None: a report that no side stands for."""

    by: Side | None
    claim: Claim


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """A match as the line sees it: both its sides are known. ``least``: what both have without a game; ``claims``: what was
    reported and waits for a decision, only where a line asks for it; ``clock``: that a director put on; ``has_clock``: it has one anyway.
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
    lateness: LatenessRule = DEFAULT_CONDUCT.lateness
    claims: tuple[SideClaim, ...] = ()
    clock: ClockStart | None = None
    has_clock: bool = False

    def name(self, side: Side) -> str:
        return self.names[0 if side is Side.A else 1]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Who can be taken out of the event."""

    public_id: str
    name: str


@dataclass(frozen=True, slots=True)
class CommandTargets:
    """What is on the desk now: matches that can have a result, tables, and (only where a line asks for them) entries."""

    matches: tuple[CommandMatch, ...]
    tables: int
    closed: frozenset[int] = frozenset()
    entries: tuple[CommandEntry, ...] = ()

    def at_table(self, table: int) -> CommandMatch | None:
        return next((match for match in self.matches if match.table == table), None)


@dataclass(frozen=True, slots=True)
class ResultCommand:
    """A result of a match. ``winner`` is who the claim makes it, None where nobody has won (F12); ``late``: so many minutes late, and
    lost by it (F15); ``claimed_by``: the sides that have reported just this, where that is confirmed.
    """

    match: CommandMatch
    claim: Claim
    winner: Side | None
    late: int | None = None
    claimed_by: tuple[Side, ...] = ()

    @property
    def mark(self) -> str:
        claim = self.claim
        return f"result:{_match_version(self.match)}:{claim.kind}:{claim.score_a}-{claim.score_b}:{self.winner or '-'}"


@dataclass(frozen=True, slots=True)
class CallNextCommand:
    """Who has waited longest; which match that is, is known when it is asked."""

    mark: str = "call"


@dataclass(frozen=True, slots=True)
class CallMatchCommand:
    """One match to its table."""

    match: CommandMatch

    @property
    def mark(self) -> str:
        return f"call:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class MatchActionCommand:
    """A match is started, sent back from its table, or goes on after it was adjourned."""

    match: CommandMatch
    action: MatchAction

    @property
    def mark(self) -> str:
        return f"{self.action}:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class AdjournCommand:
    """A match is broken off at a score, to go on another time."""

    match: CommandMatch
    score: Score

    @property
    def mark(self) -> str:
        return f"adjourn:{_match_version(self.match)}:{self.score.a}-{self.score.b}"


@dataclass(frozen=True, slots=True)
class LatenessCommand:
    """So many minutes late, and what the other side gets for it (F15)."""

    match: CommandMatch
    side: Side
    minutes: int
    penalty: Penalty

    @property
    def mark(self) -> str:
        return f"late:{_match_version(self.match)}:{self.side}:{self.minutes}"


@dataclass(frozen=True, slots=True)
class ClockOnCommand:
    """From its next game on the match is played with a clock; ``score``: where it stands, if that was typed (F11)."""

    match: CommandMatch
    score: Score | None = None

    @property
    def mark(self) -> str:
        score = f"{self.score.a}-{self.score.b}" if self.score is not None else "-"
        return f"clock:{_match_version(self.match)}:{score}"


@dataclass(frozen=True, slots=True)
class ClockOffCommand:
    """The clock that a director put on is taken off."""

    match: CommandMatch

    @property
    def mark(self) -> str:
        return f"clock-off:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class WithdrawCommand:
    """An entry leaves: its page asks and shows what follows."""

    entry: CommandEntry

    @property
    def mark(self) -> str:
        return f"out:{self.entry.public_id}"


@dataclass(frozen=True, slots=True)
class SwapTablesCommand:
    """The matches of two tables change places; one of the tables may be empty."""

    tables: tuple[int, int]
    matches: tuple[CommandMatch | None, CommandMatch | None]

    @property
    def mark(self) -> str:
        seen = ":".join(_match_version(match) if match is not None else "-" for match in self.matches)
        return f"swap:{self.tables[0]}:{self.tables[1]}:{seen}"


@dataclass(frozen=True, slots=True)
class AnnounceCommand:
    """Announced to everybody, as it was typed, until it is taken away."""

    text: str

    @property
    def mark(self) -> str:
        text = self.text.encode(errors="replace")
        return f"say:{hashlib.sha256(text).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """The last deed is taken back; which one that is, is known when it is asked."""

    mark: str = "undo"


@dataclass(frozen=True, slots=True)
class HelpCommand:
    """The page with all words."""

    mark: str = "help"


Command = (
    ResultCommand
    | CallNextCommand
    | CallMatchCommand
    | MatchActionCommand
    | AdjournCommand
    | LatenessCommand
    | ClockOnCommand
    | ClockOffCommand
    | WithdrawCommand
    | SwapTablesCommand
    | AnnounceCommand
    | UndoCommand
    | HelpCommand
)
# Those that are about one match.
MatchCommand = (
    ResultCommand
    | CallMatchCommand
    | MatchActionCommand
    | AdjournCommand
    | LatenessCommand
    | ClockOnCommand
    | ClockOffCommand
)


@dataclass(frozen=True, slots=True)
class CommandRefusal:
    """No meaning: every reason. ``match``: what was found so far; ``searched``: nothing that is open fits, so what is over may."""

    faults: tuple[Fault, ...]
    match: CommandMatch | None = None
    searched: bool = False


@dataclass(frozen=True, slots=True)
class ParsedCommands:
    """Everything that the line can mean. One: it can be done. Several: somebody has to choose."""

    meanings: tuple[Command, ...]


ParseResult = CommandRefusal | ParsedCommands


def make_refusal(
    code: str, match: CommandMatch | None = None, *, searched: bool = False, **params: object
) -> CommandRefusal:
    """One reason, in the shape of all of them."""
    return CommandRefusal((Fault(code, None, params),), match, searched)


def _match_version(match: CommandMatch) -> str:
    return f"{match.public_id}:{match.version}"
