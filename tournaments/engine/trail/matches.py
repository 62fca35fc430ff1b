"""Audit actions about a match: calls, rulings, adjournments, reports, correction requests."""

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
    """The matches that had waited longest were called together; ``matches``: each with its table."""

    kind: ClassVar[str] = "match.call_next"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    matches: tuple[CalledMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsUndone(AuditAction):
    """Calls that were made together were undone.

    ``matches``: those that wait again; ``kept``: those that had changed since and were left alone. ``of``: id
    of the row of the calls.
    """

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
    """Two tables exchanged their matches, if any; ``moved``: each match with its new table."""

    kind: ClassVar[str] = "match.swap_tables"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    first: int
    second: int
    moved: tuple[CalledMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAwarded(AuditAction):
    """A side was given points without play.

    ``start_a``, ``start_b``: the starting score of the match with these points.
    """

    kind: ClassVar[str] = "match.award"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    award: Award = field(metadata={FLAT_FIELD: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRemoved(AuditAction):
    """Points without play were removed again; ``start_a``, ``start_b``: the starting score without them."""

    kind: ClassVar[str] = "match.take_back_award"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    award: Award = field(metadata={FLAT_FIELD: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAdded(AuditAction):
    """A clock was added to a match.

    ``score_a``, ``score_b``: the score at that moment, if known; ``reserve``: seconds of reserve of each
    side.
    """

    kind: ClassVar[str] = "match.clock_on"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    score_a: int | None = None
    score_b: int | None = None
    reserve: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRemoved(AuditAction):
    """A clock was removed that had been added to a match by mistake."""

    kind: ClassVar[str] = "match.clock_off"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAdjourned(AuditAction):
    """A match was adjourned, or what was saved of its adjournment was changed.

    ``before``: what was saved before; ``again``: the match was already adjourned.
    """

    kind: ClassVar[str] = "match.adjourn"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    adjourned: Adjournment = field(metadata={FLAT_FIELD: True})
    before: Adjournment | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResumed(AuditAction):
    """An adjourned match was resumed as saved; ``rolled_back``: because the adjournment was a mistake."""

    kind: ClassVar[str] = "match.resume"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    adjourned: Adjournment = field(metadata={FLAT_FIELD: True})
    taken_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAction(AuditAction):
    """An action that states a result of a match.

    ``decision``: the status that follows; the result is confirmed if it is ``CONFIRMED``.
    """

    claim: Claim = field(metadata={FLAT_FIELD: True})
    decision: MatchStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultReported(ResultAction):
    """A result was reported.

    ``version``: that of the report; ``record``: hash of the submitted game record; ``doubtful``: the record's
    plays do not fit each other; ``phone``: which of the devices that use the personal link, 0 if no link was
    used; ``handed_over``: both players' devices signed the result (`engine.matches.hand_over`); ``sheet``:
    score after each game, side a first (`games.rules.sheets`), empty if not noted.
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
    """The side that had not reported yet confirmed the result; fields as in `ResultReported`."""

    kind: ClassVar[str] = "match.agree"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    by: Reporter
    version: int
    record: str = ""
    phone: int = 0
    handed_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceResultRecorded(ResultAction):
    """A result was set without a report, because an entry has withdrawn."""

    kind: ClassVar[str] = "match.absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequested(AuditAction):
    kind: ClassVar[str] = "match.object"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    text: str = ""
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReplyGiven(AuditAction):
    """A player answered the up-next notice or the call, or undid the answer (``coming`` is then empty).

    ``coming``: the answer; ``phone``: which of the devices that use the personal link, 0 if no link was used.
    The reason is not logged, because the audit log is permanent.
    """

    kind: ClassVar[str] = "match.answer"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    coming: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReplyDismissed(AuditAction):
    """The staff has dealt with a player's answer to a call, which no longer applies."""

    kind: ClassVar[str] = "match.set_aside_answer"
    reach: ClassVar[ChangeScope] = ChangeScope.STAFF
    by: Reporter
    coming: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequestSettled(AuditAction):
    kind: ClassVar[str] = "match.settle_objection"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCorrected(AuditAction):
    """A corrected copy of a game record was made.

    ``report``: the version of the report with the record; ``copy``: counts its copies; ``key``: the
    correction (`games.records.repair.Proposal.key`); ``phone``: which of the devices that use the personal
    link, 0 if no link was used.
    """

    kind: ClassVar[str] = "match.correct_record"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    report: int
    copy: int
    key: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPublicitySet(AuditAction):
    """The game record of a report became public or no longer is (``shown``), by the players' consents."""

    kind: ClassVar[str] = "match.record"
    report: int
    shown: bool
