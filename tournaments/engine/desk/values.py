"""Values of the command bar: the matches, tables and entries that a text can mean, and the commands.

A command is complete: nothing has to be filled in later. Its ``mark`` names it together with the match and
the version of the match, so that a confirmation applies to exactly this command.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from faults import Fault
from tournaments.engine.matches.reporting import NO_START
from tournaments.engine.matches.rulings import (
    DEFAULT_MATCH_CONDITIONS,
    Award,
    ClockStart,
    LatenessRule,
    Penalty,
)
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Claim, MatchNo, Score, Side


@dataclass(frozen=True, slots=True)
class SideReport:
    """A reported result that is not confirmed yet.

    ``by``: the side that reported; None if the report belongs to no side.
    """

    by: Side | None
    claim: Claim


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """A match with two known sides, as the command bar needs it.

    ``minimum_score``: starting score of both sides, which the final score is not below; ``open_reports``:
    reports that are not confirmed, loaded only if the text needs them; ``clock``: the clock that a director
    added; ``has_clock``: the match has a clock by the settings of its stage.
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
    minimum_score: Score = NO_START
    awards: tuple[Award, ...] = ()
    lateness: LatenessRule = DEFAULT_MATCH_CONDITIONS.lateness
    open_reports: tuple[SideReport, ...] = ()
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
    """What a command can be about at present: the matches that can have a result, the tables, the entries.

    ``tables``: their number; ``closed``: numbers of closed tables; ``entries``: loaded only if the text needs
    them.
    """

    matches: tuple[CommandMatch, ...]
    tables: int
    closed: frozenset[int] = frozenset()
    entries: tuple[CommandEntry, ...] = ()

    def at_table(self, table: int) -> CommandMatch | None:
        return next((match for match in self.matches if match.table == table), None)


@dataclass(frozen=True, slots=True)
class ResultCommand:
    """Set or confirm the result of a match.

    ``winner``: None if the match has no winner (rule F12); ``late``: minutes late, if the match is lost by
    lateness (rule F15); ``claimed_by``: the sides whose reports the command confirms.
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
    """Call the match that has waited longest; which one is determined when the command is executed."""

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
    """Record that a side is late by so many minutes, with the penalty for it (rule F15)."""

    match: CommandMatch
    side: Side
    minutes: int
    penalty: Penalty

    @property
    def mark(self) -> str:
        return f"late:{_match_version(self.match)}:{self.side}:{self.minutes}"


@dataclass(frozen=True, slots=True)
class ClockOnCommand:
    """Add a clock to a match from its next game on (rule F11); ``score``: the present score, if typed."""

    match: CommandMatch
    score: Score | None = None

    @property
    def mark(self) -> str:
        score = f"{self.score.a}-{self.score.b}" if self.score is not None else "-"
        return f"clock:{_match_version(self.match)}:{score}"


@dataclass(frozen=True, slots=True)
class ClockOffCommand:
    """Remove the clock that a director added to a match."""

    match: CommandMatch

    @property
    def mark(self) -> str:
        return f"clock-off:{_match_version(self.match)}"


@dataclass(frozen=True, slots=True)
class WithdrawCommand:
    """Open the page for withdrawing an entry, where the director confirms."""

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
    """Make an announcement with this text; it is shown until it is withdrawn."""

    text: str

    @property
    def mark(self) -> str:
        text = self.text.encode(errors="replace")
        return f"say:{hashlib.sha256(text).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """Undo the director's last action; which one is determined when the command is executed."""

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
    """The result for a text that is not a command, with all reasons.

    ``match``: the match that was recognised, if any; ``may_be_finished``: finished matches may be meant
    instead.
    """

    faults: tuple[Fault, ...]
    match: CommandMatch | None = None
    may_be_finished: bool = False


@dataclass(frozen=True, slots=True)
class ParsedCommands:
    """All commands that a text can mean; one is executed, between several the director chooses."""

    commands: tuple[Command, ...]


ParseResult = CommandRefusal | ParsedCommands


def make_refusal(
    code: str, match: CommandMatch | None = None, *, searched: bool = False, **params: object
) -> CommandRefusal:
    """Return a refusal with one reason; ``params``: values for the message of the error ``code``."""
    return CommandRefusal((Fault(code, None, params),), match, searched)


def _match_version(match: CommandMatch) -> str:
    return f"{match.public_id}:{match.version}"
