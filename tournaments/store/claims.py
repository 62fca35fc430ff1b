"""Validation of reported results: submission key, length, score, and which reporter may report what."""

from collections.abc import Sequence

from faults import Fault, Invalid, raise_faults
from games.rules.sheets import MAX_ROWS, Row
from tournaments.engine.matches.lengths import check_lengths
from tournaments.engine.matches.reporting import (
    Reporter,
    can_report,
    check_score,
)
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.types import Claim, Side
from tournaments.models import Match
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.matches.claims import minimum_match_score

MAX_SHEET_POINTS = 999  # of a row of a sheet
MAX_REPORTS = 50  # of one side in one match; a director is never stopped


def check_submission_key(key: str) -> None:
    """Raise ``Invalid`` if the key is too long or unprintable; to be called before a query with it."""
    if not (0 < len(key) <= KEY_LIMIT and key.isprintable()):
        raise Invalid("report.key_odd", field="submission_key", limit=KEY_LIMIT)


def validate_sheet(sheet: Sequence[Row]) -> tuple[Row, ...]:
    """Return the score sheet as a tuple. Raises ``Invalid`` (422) if too long or not made of scores.

    An impossible sequence of scores is returned unchanged.
    """
    if len(sheet) > MAX_ROWS:
        raise Invalid("sheet.too_long", field="sheet", limit=MAX_ROWS)
    for row in sheet:
        if len(row) != len(Side) or not all(0 <= points <= MAX_SHEET_POINTS for points in row):
            raise Invalid("sheet.unreadable", field="sheet", words="-".join(map(str, row))[:20])
    return tuple(sheet)


def check_claim(match: Match, claim: Claim, reporter: Reporter) -> None:
    """Raise ``Invalid`` (422) for an impossible score, or a result kind that is not possible here.

    A kind is not possible if this reporter may not report it or if it does not end the match.
    """
    faults = [*check_score(match.length, claim, start=minimum_match_score(match))]
    if not can_report(claim.kind, reporter):
        faults.append(Fault("report.kind_not_yours", "kind", {"kind": claim.kind}))
    elif not RESULT_RULES[claim.kind].ends_match:
        faults.append(Fault("report.kind_ends_nothing", "kind", {"kind": claim.kind}))
    raise_faults(faults)


def check_length(length: int) -> None:
    """Raise ``Invalid`` (422) for a length that no match can have."""
    for fault in check_lengths((length,)):
        raise Invalid(fault.code, field="length", length=length)
