"""Values of the command bar: what a line is parsed against, and the commands that it can mean.

A command is complete: nothing has to be filled in later. Its ``mark`` names it together with the match and
its version, so that a confirmation applies to exactly this command.
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
    """A reported claim that is not settled yet; ``by`` None: a report that belongs to no side."""

    by: Side | None
    claim: Claim


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """A match with two known sides.

    ``least``: minimum score of both sides; ``claims``: unsettled reports, loaded only if the line needs them;
    ``clock``: added by a director; ``has_clock``: it has one by the settings of its stage.
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
    """An entry that can be withdrawn from the event."""

    public_id: str
    name: str


@dataclass(frozen=True, slots=True)
class CommandTargets:
    """The present matches that can have a result, tables, and (only if the line needs them) entries."""

    matches: tuple[CommandMatch, ...]
    tables: int
    closed: frozenset[int] = frozenset()
    entries: tuple[CommandEntry, ...] = ()

    def at_table(self, table: int) -> CommandMatch | None:
        return next((match for match in self.matches if match.table == table), None)


@dataclass(frozen=True, slots=True)
class ResultCommand:
    """A result of a match.

    ``winner``: by the claim, None without a winner (F12); ``late``: minutes late, if the match is lost by it
    (F15); ``claimed_by``: the sides whose reports are confirmed by it.
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
    """Call the match that has waited longest, determined at execution."""

    mark: str = "call"


@dataclass(frozen=True, slots=True)
class CallMatchCommand:
    """Call one match to its table."""

    match: CommandMatch

    @property
    def mark(self) -> str:
        return f"call:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class MatchActionCommand:
    """Start a match, return it to the queue, or resume it after an adjournment."""

    match: CommandMatch
    action: MatchAction

    @property
    def mark(self) -> str:
        return f"{self.action}:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class AdjournCommand:
    """Adjourn a match at a score."""

    match: CommandMatch
    score: Score

    @property
    def mark(self) -> str:
        return f"adjourn:{_match_version(self.match)}:{self.score.a}-{self.score.b}"


@dataclass(frozen=True, slots=True)
class LatenessCommand:
    """Record that a side is late by so many minutes, with the penalty (F15)."""

    match: CommandMatch
    side: Side
    minutes: int
    penalty: Penalty

    @property
    def mark(self) -> str:
        return f"late:{_match_version(self.match)}:{self.side}:{self.minutes}"


@dataclass(frozen=True, slots=True)
class ClockOnCommand:
    """Add a clock to a match from its next game on; ``score``: the present score, if typed (F11)."""

    match: CommandMatch
    score: Score | None = None

    @property
    def mark(self) -> str:
        score = f"{self.score.a}-{self.score.b}" if self.score is not None else "-"
        return f"clock:{_match_version(self.match)}:{score}"


@dataclass(frozen=True, slots=True)
class ClockOffCommand:
    """Remove a clock that a director added."""

    match: CommandMatch

    @property
    def mark(self) -> str:
        return f"clock-off:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class WithdrawCommand:
    """Open the page to withdraw an entry, which asks for confirmation."""

    entry: CommandEntry

    @property
    def mark(self) -> str:
        return f"out:{self.entry.public_id}"


@dataclass(frozen=True, slots=True)
class SwapTablesCommand:
    """Swap the matches of two tables, one of which may be empty."""

    tables: tuple[int, int]
    matches: tuple[CommandMatch | None, CommandMatch | None]

    @property
    def mark(self) -> str:
        versions = ":".join(_match_version(match) if match is not None else "-" for match in self.matches)
        return f"swap:{self.tables[0]}:{self.tables[1]}:{versions}"


@dataclass(frozen=True, slots=True)
class AnnounceCommand:
    """Make an announcement with this text, until it is withdrawn."""

    text: str

    @property
    def mark(self) -> str:
        text = self.text.encode(errors="replace")
        return f"say:{hashlib.sha256(text).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """Undo the last action, determined at execution."""

    mark: str = "undo"


@dataclass(frozen=True, slots=True)
class HelpCommand:
    """Open the page with all command words."""

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
# Commands about one match.
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
    """No command, with all reasons.

    ``match``: the match found so far; ``searched``: finished matches may fit.
    """

    faults: tuple[Fault, ...]
    match: CommandMatch | None = None
    searched: bool = False


@dataclass(frozen=True, slots=True)
class ParsedCommands:
    """All meanings of a line. One can be executed; of several the director chooses."""

    meanings: tuple[Command, ...]


ParseResult = CommandRefusal | ParsedCommands


def make_refusal(
    code: str, match: CommandMatch | None = None, *, searched: bool = False, **params: object
) -> CommandRefusal:
    """Return a refusal with one reason."""
    return CommandRefusal((Fault(code, None, params),), match, searched)


def _match_version(match: CommandMatch) -> str:
    return f"{match.public_id}:{match.version}"
