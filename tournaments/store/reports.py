"""Keep what is said about a match: nothing of it is ever overwritten, and what counts no more is set aside."""

from collections.abc import Iterable

from tournaments.models import Match, Report


def save_report(report: Report) -> None:
    """One more word about its match."""
    report.save()


def supersede_reports(reports: Iterable[int]) -> None:
    """Reports, by database id, that are replaced or not followed."""
    gone = list(reports)
    if gone:
        Report.objects.filter(pk__in=gone).update(state=Report.State.SUPERSEDED)


def supersede_open_reports(match: Match) -> None:
    """All that was said about a match that goes on after all."""
    Report.objects.filter(match=match, state=Report.State.OPEN).update(state=Report.State.SUPERSEDED)
