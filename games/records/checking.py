"""Check the bytes of a file in one call, for pages, commands and tasks.

An unreadable file gives a verdict here, never an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.records.analysis import NO_ANALYSIS, Analysis
from games.records.errors import UnreadableRecord
from games.records.model import Place, Record
from games.records.registry import read_record
from games.records.validation import ExpectedMatch, Verdict, VerdictDecision, validate
from games.rules.formats import MatchFormat
from games.rules.numbering import Numbering


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file is no record: the code of a message (``games.messages``), its parameters, and the place."""

    code: str
    place: Place
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of checking a file: exactly one of `record` and `unreadable` is set.

    `analysis`: what else the file has, if it was requested.
    """

    verdict: Verdict
    record: Record | None = None
    unreadable: Unreadable | None = None
    analysis: Analysis = NO_ANALYSIS


def check_record(
    data: bytes,
    filename: str = "",
    match_format: MatchFormat | None = None,
    expected: ExpectedMatch | None = None,
    numbering: Numbering = Numbering.OWN,
    *,
    with_analysis: bool = False,
) -> CheckResult:
    """Return the verdict on a file.

    ``match_format``: the match format, None for that of the file; ``expected``: the match that it should be;
    ``numbering``: how its plays number the points. ``with_analysis``: True also reads the analysis in the
    file, which takes longer.
    """
    try:
        result = read_record(data, filename, numbering)
    except UnreadableRecord as error:
        verdict = Verdict(VerdictDecision.UNREADABLE, complete=False, findings=())
        return CheckResult(verdict, unreadable=Unreadable(error.code, error.place, error.params))
    verdict = validate(result.record, match_format, expected, result.findings)
    return CheckResult(verdict, result.record, analysis=result.analysis if with_analysis else NO_ANALYSIS)
