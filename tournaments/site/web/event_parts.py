"""Parts of the public pages of an event: its progress, the overview of a division, and the stage to show."""

from collections.abc import Sequence

from tournaments.engine.statuses import StageStatus
from tournaments.models import Stage
from tournaments.selectors.access.visibility import VisibleEvent
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.matches.moments import StageTimes
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.limits import limit_rows
from tournaments.site.web.stages import stage_overview


def active_entry_count(divisions: Sequence[DivisionView]) -> int:
    return sum(len(division.active_entries) for division in divisions)


def match_progress(divisions: Sequence[DivisionView]) -> Context:
    """Return numbers of finished and of all matches of these divisions, and whether more will follow."""
    counts = [view.draw.played() for d in divisions for view in d.stages if view.draw is not None]
    return {
        "done": sum(done for done, _all in counts),
        "to_play": sum(total for _done, total in counts),
        "more_to_come": any(_has_more(view) for d in divisions for view in d.stages),
    }


def _has_more(view: StageView) -> bool:
    """Return whether unknown matches will follow: the stage is not drawn, or a round not published."""
    if view.draw is None:
        return not is_money(view.stage)
    return is_round_based(view.stage) and rounds_left(view.stage, view.draw) > 0


def draws_tab_kind(summaries: Sequence[DivisionSummary]) -> str:
    """Return the kind that all stages share, for the tab's label: rounds, points or bracket; else draws."""
    kinds = {
        "rounds" if is_round_based(stage) else "points" if is_money(stage) else "bracket"
        for summary in summaries
        for stage in summary.stages
    }
    return kinds.pop() if len(kinds) == 1 else "draws"


def division_overview(
    visible: VisibleEvent, division: DivisionView, limit: int, times: StageTimes
) -> Context:
    return {
        "key": f"division-{division.division.pk}",
        "name": division.division.name,
        "entry_count": len(division.active_entries),
        "limit": limit_rows(division.division),
        "stages": [stage_overview(visible, division, view, limit, times) for view in division.stages],
    }


def chosen_stage_number(drawn_stages: Sequence[tuple[DivisionSummary, Stage]], requested: int) -> int:
    """Return the number (from 1) of the requested stage, or of the first unfinished one."""
    if 1 <= requested <= len(drawn_stages):
        return requested
    unfinished = (
        number
        for number, (_head, stage) in enumerate(drawn_stages, start=1)
        if stage.status != StageStatus.FINISHED
    )
    return next(unfinished, 1)
