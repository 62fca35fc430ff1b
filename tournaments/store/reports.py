"""Save reports about matches. A report is never overwritten.

Reports that no longer count are marked as superseded.
"""

from collections.abc import Iterable

from tournaments.models import Match, Report


def save_report(report: Report) -> None:
    """Save a new report."""
    report.save()


def supersede_reports(reports: Iterable[int]) -> None:
    """Mark reports (ids) as superseded."""
    report_ids = list(reports)
    if report_ids:
        Report.objects.filter(pk__in=report_ids).update(state=Report.State.SUPERSEDED)


def supersede_open_reports(match: Match) -> None:
    """Mark all unconfirmed reports of a match that continues as superseded."""
    Report.objects.filter(match=match, state=Report.State.OPEN).update(state=Report.State.SUPERSEDED)
