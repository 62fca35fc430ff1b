"""Points leagues of money play: sessions, and the table with the sessions missing for a rank.

All is computed from the sessions that count (were not struck). Three queries for any number of stages.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.engine.standings.money import MoneySettings, MoneyStanding, money_table
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import DRAW_PUBLIC, EntryStatus, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, MoneyScore, MoneySession, Stage


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """A session of money play and its players' points by entry id.

    ``is_struck``: a director has struck the session, so it does not count.
    """

    row: MoneySession
    scores: Mapping[EntryId, int]

    @property
    def is_struck(self) -> bool:
        return self.row.struck_at is not None

    @property
    def outside(self) -> int:
        """Points won by players who are not in the league (negative: lost); zero if there were none."""
        return -sum(self.scores.values())


@dataclass(frozen=True, slots=True)
class PointsLeague:
    """A stage of money play.

    ``sessions``: all sessions in order; ``rows``: the table, computed from those that count.
    """

    stage: Stage
    settings: MoneySettings
    sessions: tuple[PlayedSession, ...]
    rows: tuple[MoneyStanding, ...]

    @property
    def counted(self) -> tuple[PlayedSession, ...]:
        """The sessions that count (were not struck)."""
        return tuple(session for session in self.sessions if not session.is_struck)

    @property
    def latest(self) -> int:
        """The number of the last session, 0 before the first session."""
        return self.sessions[-1].row.number if self.sessions else 0

    def places(self) -> dict[EntryId, Place]:
        """Return the places of all ranked entries, keyed by entry id; settled once the stage is over."""
        settled = self.stage.status == StageStatus.FINISHED
        return {
            row.entry: Place(row.first, row.last, settled)
            for row in self.rows
            if row.first is not None and row.last is not None
        }

    def points_and_totals(self, entry: EntryId) -> list[tuple[int | None, int]]:
        """Return, for each session that counts, the entry's points (None: absent) and its running total."""
        running_totals: list[tuple[int | None, int]] = []
        total = 0
        for session in self.counted:
            points = session.scores.get(entry)
            total += points or 0
            running_totals.append((points, total))
        return running_totals


def is_money(stage: Stage) -> bool:
    return stage.system == Stage.System.MONEY


def points_league_settings(stage: Stage) -> MoneySettings:
    """Return the settings of a stage of money play."""
    return stage.settings.money


def points_leagues(stages: Iterable[Stage]) -> dict[int, PointsLeague]:
    """Return the points leagues of those ``stages`` that are money play, keyed by stage id; three queries."""
    by_pk = {stage.pk: stage for stage in stages if is_money(stage)}
    if not by_pk:
        return {}
    sessions: dict[int, list[PlayedSession]] = {pk: [] for pk in by_pk}
    scores: dict[int, dict[EntryId, int]] = {}
    for score in MoneyScore.objects.filter(session__stage__in=by_pk).order_by("pk"):
        scores.setdefault(score.session_id, {})[EntryId(score.entry_id)] = score.points
    for row in MoneySession.objects.filter(stage__in=by_pk).order_by("stage_id", "number"):
        sessions[row.stage_id].append(PlayedSession(row, scores.get(row.pk, {})))
    active: dict[int, set[EntryId]] = {}
    divisions = {stage.division_id for stage in by_pk.values()}
    for pk, division in Entry.objects.filter(division__in=divisions, status=EntryStatus.ACTIVE).values_list(
        "pk", "division_id"
    ):
        active.setdefault(division, set()).add(EntryId(pk))
    return {
        pk: _build_league(stage, sessions[pk], active.get(stage.division_id, set()))
        for pk, stage in by_pk.items()
    }


def public_money_stages(event: Event) -> list[Stage]:
    """Return the stages of money play of ``event`` that are public."""
    stages = Stage.objects.filter(division__event=event).select_related("division")
    return [stage for stage in stages if is_money(stage) and stage.status in DRAW_PUBLIC]


def points_league(stage: Stage) -> PointsLeague:
    """Return the points league of one stage of money play."""
    return points_leagues([stage])[stage.pk]


def _build_league(stage: Stage, sessions: list[PlayedSession], active: set[EntryId]) -> PointsLeague:
    settings = points_league_settings(stage)
    counted = [session.scores for session in sessions if not session.is_struck]
    entries = active.union(*counted)
    rows = money_table(entries, counted, min_sessions=settings.min_sessions)
    return PointsLeague(stage, settings, tuple(sessions), rows)
