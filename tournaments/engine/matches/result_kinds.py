"""The kinds of results (rule F12): who may report them, which scores are valid, what they count for.

All questions about a kind are answered by `RESULT_RULES`; no other code branches on a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.types import ResultKind


class ScoreRule(StrEnum):
    """Which scores are valid for a kind of result; N is the match length."""

    TO_LENGTH = "to_length"  # one side at N, the other below: the score decides the winner
    BROKEN_OFF = "broken_off"  # the loser below N, the winner at N or where play stopped
    NOT_PLAYED = (
        "not_played"  # the loser at its starting score, the winner there, at N or in between (F10 F15)
    )
    JUDGED = "judged"  # any score but both at N; the director names the winner
    STANDING = "standing"  # both below N, no winner
    START = "start"  # both at their starting score, no winner


class WinnerRule(StrEnum):
    ONE = "one"
    NONE = "none"


class WhoMayReport(StrEnum):
    PLAYERS = "players"  # and the director
    DIRECTOR = "director"
    NOBODY = "nobody"  # results only from the draw


@dataclass(frozen=True, slots=True)
class ResultRule:
    """The rules for one kind of result.

    `score_rule`: valid scores; `claimant`: who may report it; `rated`: the default of rule F12; settings of
    event and stage can only exclude more results from rating.
    """

    score_rule: ScoreRule
    winner: WinnerRule
    claimant: WhoMayReport
    ends_match: bool
    played: bool  # the two met at the board: counts as an opponent met, and as a loss that qualifies for a consolation (F17)
    rated: bool


_PLAYED_DEFAULTS: Final = {"ends_match": True, "played": True, "rated": True}
_UNPLAYED_DEFAULTS: Final = {"ends_match": True, "played": False, "rated": False}

# F12
RESULT_RULES: Final[Mapping[ResultKind, ResultRule]] = {
    ResultKind.PLAYED: ResultRule(
        ScoreRule.TO_LENGTH, WinnerRule.ONE, WhoMayReport.PLAYERS, **_PLAYED_DEFAULTS
    ),
    ResultKind.LOST_ON_TIME: ResultRule(
        ScoreRule.BROKEN_OFF, WinnerRule.ONE, WhoMayReport.PLAYERS, **_PLAYED_DEFAULTS
    ),
    ResultKind.RETIRED: ResultRule(
        ScoreRule.BROKEN_OFF, WinnerRule.ONE, WhoMayReport.PLAYERS, **_PLAYED_DEFAULTS
    ),
    ResultKind.WALKOVER: ResultRule(
        ScoreRule.NOT_PLAYED, WinnerRule.ONE, WhoMayReport.DIRECTOR, **_UNPLAYED_DEFAULTS
    ),
    ResultKind.FORFEIT: ResultRule(
        ScoreRule.NOT_PLAYED, WinnerRule.ONE, WhoMayReport.DIRECTOR, **_UNPLAYED_DEFAULTS
    ),
    ResultKind.DOUBLE_WALKOVER: ResultRule(
        ScoreRule.START, WinnerRule.NONE, WhoMayReport.DIRECTOR, **_UNPLAYED_DEFAULTS
    ),
    ResultKind.BYE: ResultRule(ScoreRule.START, WinnerRule.ONE, WhoMayReport.NOBODY, **_UNPLAYED_DEFAULTS),
    ResultKind.DISQUALIFIED: ResultRule(
        ScoreRule.JUDGED, WinnerRule.ONE, WhoMayReport.DIRECTOR, **_UNPLAYED_DEFAULTS
    ),
    ResultKind.SETTLED: ResultRule(
        ScoreRule.BROKEN_OFF, WinnerRule.ONE, WhoMayReport.DIRECTOR, ends_match=True, played=True, rated=False
    ),
    ResultKind.UNFINISHED: ResultRule(
        ScoreRule.STANDING, WinnerRule.NONE, WhoMayReport.DIRECTOR, ends_match=True, played=True, rated=False
    ),
    ResultKind.ADJOURNED: ResultRule(
        ScoreRule.STANDING, WinnerRule.NONE, WhoMayReport.DIRECTOR, ends_match=False, played=True, rated=False
    ),
}
