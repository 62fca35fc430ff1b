"""Deeds about a match: called, ruled on, adjourned, reported, objected to."""

from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.matches.rulings import Award
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import FLAT_FIELD, AuditAction, CalledMatch, ChangeScope
from tournaments.engine.types import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalled(AuditAction):
    kind: ClassVar[str] = "match.call"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(AuditAction):
    kind: ClassVar[str] = "match.start"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReturnedToQueue(AuditAction):
    kind: ClassVar[str] = "match.send_back"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchesCalled(AuditAction):
    """Who had waited longest, and to which table."""

    kind: ClassVar[str] = "match.call_next"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    matches: tuple[CalledMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsUndone(AuditAction):
    """Calls that were made together are undone: ``matches`` wait again, ``kept`` had moved on. ``of``: the row of the calls."""

    kind: ClassVar[str] = "match.calls_undone"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    of: int
    matches: tuple[CalledMatch, ...]
    kept: tuple[CalledMatch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAssigned(AuditAction):
    kind: ClassVar[str] = "match.table"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesSwapped(AuditAction):
    """Two tables change their matches; of an empty one there is none. ``moved``: each match with the table it has now."""

    kind: ClassVar[str] = "match.swap_tables"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    first: int
    second: int
    moved: tuple[CalledMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAwarded(AuditAction):
    """``start_a`` and ``start_b``: at which score the match starts with it."""

    kind: ClassVar[str] = "match.award"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    award: Award = field(metadata={FLAT_FIELD: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRemoved(AuditAction):
    """``start_a`` and ``start_b``: at which score the match starts without it."""

    kind: ClassVar[str] = "match.take_back_award"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    award: Award = field(metadata={FLAT_FIELD: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAdded(AuditAction):
    """At which score, if that is known, and how many seconds of reserve each side has then."""

    kind: ClassVar[str] = "match.clock_on"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    score_a: int | None = None
    score_b: int | None = None
    reserve: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRemoved(AuditAction):
    """It should not have been put on."""

    kind: ClassVar[str] = "match.clock_off"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAdjourned(AuditAction):
    """``before``: what had been written down of an earlier adjournment; ``again``: the match was adjourned already."""

    kind: ClassVar[str] = "match.adjourn"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    adjourned: Adjournment = field(metadata={FLAT_FIELD: True})
    before: Adjournment | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResumed(AuditAction):
    """It goes on as it was written down; ``taken_back``: it should never have been adjourned."""

    kind: ClassVar[str] = "match.resume"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    adjourned: Adjournment = field(metadata={FLAT_FIELD: True})
    taken_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAction(AuditAction):
    """A claim, and what followed from it. A result stands where ``decision`` is ``CONFIRMED``."""

    claim: Claim = field(metadata={FLAT_FIELD: True})
    decision: MatchStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultReported(ResultAction):
    """``version``: that of the report; ``record``: the hash of the game record that came with it; ``phone``: the number of the phone that
    spoke by the personal link, 0 if nobody spoke by one; ``handed_over``: both phones had signed it (`engine.matches.hand_over`);
    ``doubtful``: the record's plays do not fit each other.
    ``sheet``: the score after each game as it was noted, side a first (`games.rules.sheets`), empty if it was not.
    """

    kind: ClassVar[str] = "match.report"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    by: Reporter
    version: int
    record: str = ""
    doubtful: bool = False
    phone: int = 0
    handed_over: bool = False
    sheet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAgreed(ResultAction):
    """As `ResultReported`, by the side that had not reported."""

    kind: ClassVar[str] = "match.agree"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    by: Reporter
    version: int
    record: str = ""
    phone: int = 0
    handed_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceResultRecorded(ResultAction):
    """A result that follows from a withdrawal and that nobody reported."""

    kind: ClassVar[str] = "match.absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultObjected(AuditAction):
    kind: ClassVar[str] = "match.object"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    text: str = ""
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReplyGiven(AuditAction):
    """A player's answer before the match, or that it is taken back: then ``coming`` is empty. ``phone``: as in `ResultReported`. Why somebody
    cannot play is no matter of a trail that is kept for ever.
    """

    kind: ClassVar[str] = "match.answer"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    coming: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReplyDismissed(AuditAction):
    """The desk has seen to an answer: it stands no longer."""

    kind: ClassVar[str] = "match.set_aside_answer"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    coming: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionSettled(AuditAction):
    kind: ClassVar[str] = "match.settle_objection"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCorrected(AuditAction):
    """A corrected copy of the record that came with this ``report`` was made: ``copy`` is its number, ``key`` what was changed in it
    (`games.records.repair.Proposal.key`), ``phone`` the number of the phone that spoke by the personal link, 0 if nobody spoke by one.
    """

    kind: ClassVar[str] = "match.correct_record"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    report: int
    copy: int
    key: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPublicitySet(AuditAction):
    """Whether everybody may read the games of the match that came with this ``report``: the players were asked, or one of them minds."""

    kind: ClassVar[str] = "match.record"
    report: int
    shown: bool
