"""Deeds about a match: called, ruled on, adjourned, reported, objected to."""

from dataclasses import dataclass, field
from typing import ClassVar

from tournaments.engine.matches.adjourning import Adjourned
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.matches.rulings import Award
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import FLAT, Called, Reach, TrailAction
from tournaments.engine.types import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalled(TrailAction):
    kind: ClassVar[str] = "match.call"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(TrailAction):
    kind: ClassVar[str] = "match.start"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSentBack(TrailAction):
    kind: ClassVar[str] = "match.send_back"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchesCalled(TrailAction):
    """Who had waited longest, and to which table."""

    kind: ClassVar[str] = "match.call_next"
    reach: ClassVar[Reach] = Reach.DIVISION
    matches: tuple[Called, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsUndone(TrailAction):
    """Calls that were made together are undone: ``matches`` wait again, ``kept`` had moved on. ``of``: the row of the calls."""

    kind: ClassVar[str] = "match.calls_undone"
    reach: ClassVar[Reach] = Reach.DIVISION
    of: int
    matches: tuple[Called, ...]
    kept: tuple[Called, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGiven(TrailAction):
    kind: ClassVar[str] = "match.table"
    reach: ClassVar[Reach] = Reach.DIVISION
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesSwapped(TrailAction):
    """Two tables change their matches; of an empty one there is none. ``moved``: each match with the table it has now."""

    kind: ClassVar[str] = "match.swap_tables"
    reach: ClassVar[Reach] = Reach.DIVISION
    first: int
    second: int
    moved: tuple[Called, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAwarded(TrailAction):
    """``start_a`` and ``start_b``: at which score the match starts with it."""

    kind: ClassVar[str] = "match.award"
    reach: ClassVar[Reach] = Reach.DIVISION
    award: Award = field(metadata={FLAT: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardTakenBack(TrailAction):
    """``start_a`` and ``start_b``: at which score the match starts without it."""

    kind: ClassVar[str] = "match.take_back_award"
    reach: ClassVar[Reach] = Reach.DIVISION
    award: Award = field(metadata={FLAT: True})
    start_a: int
    start_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPutOn(TrailAction):
    """At which score, if that is known, and how many seconds of reserve each side has then."""

    kind: ClassVar[str] = "match.clock_on"
    reach: ClassVar[Reach] = Reach.DIVISION
    score_a: int | None = None
    score_b: int | None = None
    reserve: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTakenOff(TrailAction):
    """It should not have been put on."""

    kind: ClassVar[str] = "match.clock_off"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAdjourned(TrailAction):
    """``before``: what had been written down of an earlier adjournment; ``again``: the match was adjourned already."""

    kind: ClassVar[str] = "match.adjourn"
    reach: ClassVar[Reach] = Reach.DIVISION
    adjourned: Adjourned = field(metadata={FLAT: True})
    before: Adjourned | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResumed(TrailAction):
    """It goes on as it was written down; ``taken_back``: it should never have been adjourned."""

    kind: ClassVar[str] = "match.resume"
    reach: ClassVar[Reach] = Reach.DIVISION
    adjourned: Adjourned = field(metadata={FLAT: True})
    taken_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAction(TrailAction):
    """A claim, and what followed from it. A result stands where ``decision`` is ``CONFIRMED``."""

    claim: Claim = field(metadata={FLAT: True})
    decision: MatchStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultReported(ResultAction):
    """``version``: that of the report; ``record``: the hash of the game record that came with it; ``phone``: the number of the phone that
    spoke by the personal link, 0 if nobody spoke by one; ``handed_over``: both phones had signed it (`engine.matches.hand_over`);
    ``doubtful``: the record's plays do not fit each other.
    ``sheet``: the score after each game as it was noted, side a first (`games.rules.sheets`), empty if it was not.
    """

    kind: ClassVar[str] = "match.report"
    reach: ClassVar[Reach] = Reach.DIVISION
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
    reach: ClassVar[Reach] = Reach.DIVISION
    by: Reporter
    version: int
    record: str = ""
    phone: int = 0
    handed_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentPassed(ResultAction):
    """A result that follows from a withdrawal and that nobody reported."""

    kind: ClassVar[str] = "match.absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultObjected(TrailAction):
    kind: ClassVar[str] = "match.object"
    reach: ClassVar[Reach] = Reach.DIVISION
    text: str = ""
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered(TrailAction):
    """A player's answer before the match, or that it is taken back: then ``coming`` is empty. ``phone``: as in `ResultReported`. Why somebody
    cannot play is no matter of a trail that is kept for ever.
    """

    kind: ClassVar[str] = "match.answer"
    reach: ClassVar[Reach] = Reach.DESK
    by: Reporter
    coming: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSetAside(TrailAction):
    """The desk has seen to an answer: it stands no longer."""

    kind: ClassVar[str] = "match.set_aside_answer"
    reach: ClassVar[Reach] = Reach.DESK
    by: Reporter
    coming: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionSettled(TrailAction):
    kind: ClassVar[str] = "match.settle_objection"
    reach: ClassVar[Reach] = Reach.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCorrected(TrailAction):
    """A corrected copy of the record that came with this ``report`` was made: ``copy`` is its number, ``key`` what was changed in it
    (`games.records.repair.Proposal.key`), ``phone`` the number of the phone that spoke by the personal link, 0 if nobody spoke by one.
    """

    kind: ClassVar[str] = "match.correct_record"
    reach: ClassVar[Reach] = Reach.DIVISION
    report: int
    copy: int
    key: str
    phone: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSettled(TrailAction):
    """Whether everybody may read the games of the match that came with this ``report``: the players were asked, or one of them minds."""

    kind: ClassVar[str] = "match.record"
    report: int
    shown: bool
