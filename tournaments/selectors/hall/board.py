"""The event board as one value: matches of published draws with times, busy players and the forecast.

A *part* is what a board can be limited to: one section of a stage, such as the consolation. Its key contains
the positions of division and stage and the section: ``2.1.consolation``. A dozen queries, whatever the size.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property

from django.utils import timezone

from tournaments.engine.statuses import DRAW_PUBLIC, STAGE_UNDER_WAY, UNSETTLED, MatchStatus
from tournaments.models import Event, Match, Report, Stage
from tournaments.selectors.draws import LIVE_STATUSES, Draw, DrawnMatch, drawn_match, load_draws
from tournaments.selectors.event_dates import event_date, event_today
from tournaments.selectors.events.director import linked_stages, open_reports
from tournaments.selectors.hall.calling import LONG_AGO, BusyPlayer, ReadyMatch, busy_players, ready_matches
from tournaments.selectors.hall.forecast import (
    Forecast,
    default_overlong_after,
    is_forecastable,
    load_forecast,
)
from tournaments.selectors.matches.answers import PlayerAnswer, answers_in_event
from tournaments.selectors.matches.arrangements import agreed_times, reported_matches
from tournaments.selectors.rounds.deadlines import OverdueMatch, is_arranged, overdue_matches

UNANSWERED_REPORT_DELAY = timedelta(minutes=15)
ARRANGED_UNANSWERED_AFTER = timedelta(days=1)  # by arrangement nobody stands beside the board


@dataclass(frozen=True, slots=True)
class MatchTimes:
    """When a match was called, started and confirmed."""

    called: datetime | None
    started: datetime | None
    confirmed: datetime | None


_NO_TIMES = MatchTimes(None, None, None)


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A section of a stage, to which the board can be limited; ``key`` names it in addresses.

    ``has_sibling_stages``: its division has several public stages; ``has_sibling_sections``: its stage has
    several sections.
    """

    key: str
    stage: Stage
    section: str
    has_sibling_stages: bool
    has_sibling_sections: bool


@dataclass(frozen=True)
class EventBoard:
    """The state of a running event at one moment, for the director's board and the displays.

    ``draws``: by stage id; ``reports_by_match``: unconfirmed reports by match id; ``ready``: matches that
    wait to be called; ``busy_by_player``: where players are busy, by player id; ``answers``: players' answers
    to calls, by match id.
    """

    event: Event
    stages: tuple[Stage, ...]
    draws: Mapping[int, Draw]
    times_by_match: Mapping[int, MatchTimes]  # of matches that were called, started or confirmed
    reports_by_match: Mapping[int, list[Report]]
    ready: tuple[ReadyMatch, ...]
    busy_by_player: Mapping[int, BusyPlayer]
    forecast: Forecast | None
    answers: Mapping[int, Sequence[PlayerAnswer]] = field(default_factory=dict)
    agreed: Mapping[int, datetime] = field(default_factory=dict)  # when the two of a match agreed to play
    ids_with_reported_messages: Collection[int] = ()  # matches whose messages a director was asked to read

    @cached_property
    def matches(self) -> tuple[DrawnMatch, ...]:
        """Matches of all stages in which two entries meet or can meet, byes excluded."""
        return tuple(m for draw in self.draws.values() for m in draw.matches if draw.needs_play(m))

    @cached_property
    def matches_by_pk(self) -> Mapping[int, DrawnMatch]:
        """The matches of ``matches``, keyed by match id."""
        return {match.pk: match for match in self.matches}

    @cached_property
    def stage_by_match(self) -> Mapping[int, Stage]:
        """The stage of each match, keyed by match id."""
        return {match.pk: draw.stage for draw in self.draws.values() for match in draw.matches}

    @cached_property
    def deadlines(self) -> Mapping[int, date]:
        """The last date of each match that has one, keyed by match id.

        That is the date that the players agreed on, or else the deadline of the match's round.
        """
        rounds = (round_ for draw in self.draws.values() for round_ in draw.rounds)
        deadline_by_match = {
            match.pk: round_.deadline
            for round_ in rounds
            if round_.deadline is not None
            for match in round_.matches
        }
        return {pk: self.agreed_date(pk) or day for pk, day in deadline_by_match.items()}

    def agreed_date(self, pk: int) -> date | None:
        """Return the date on which the players agreed to play the match of this id, or None.

        In the event's time zone.
        """
        at = self.agreed.get(pk)
        return event_date(self.event, at) if at is not None else None

    def overdue(self, today: date) -> tuple[OverdueMatch, ...]:
        """Return the matches whose last date (``deadlines``) is before ``today``, longest overdue first.

        An agreed date counts only if the round has a deadline. Overdue matches are marked, nothing more.
        """
        overdue_by_match = {
            overdue_match.match.pk: overdue_match
            for draw in self.draws.values()
            for overdue_match in overdue_matches(draw, today)
        }
        for pk in self.agreed:
            day = self.deadlines.get(pk)
            if pk not in overdue_by_match and pk in self.matches_by_pk and day is not None and day < today:
                overdue_by_match[pk] = OverdueMatch(self.matches_by_pk[pk], day)
        return tuple(sorted(overdue_by_match.values(), key=lambda overdue_match: overdue_match.deadline))

    def is_arranged(self, match: DrawnMatch) -> bool:
        """Return whether the players arrange the match between themselves, so that it waits for no table."""
        return is_arranged(self.stage_by_match[match.pk], match)

    def is_overdue(self, match: DrawnMatch) -> bool:
        """Return whether the last date of the match has passed."""
        return match.pk in self._overdue

    @cached_property
    def _overdue(self) -> Collection[int]:
        return {overdue_match.match.pk for overdue_match in self.overdue(event_today(self.event))}

    def played(self) -> tuple[int, int]:
        """Return how many matches of all draws are over, and how many there are; byes are not counted."""
        counts = [draw.played() for draw in self.draws.values()]
        return sum(over_count for over_count, _total in counts), sum(
            match_count for _over_count, match_count in counts
        )

    @property
    def has_matches_at_tables(self) -> bool:
        """Whether any match is played at the tables of the hall; also True if there are no matches."""
        return any(not self.is_arranged(match) for match in self.matches) or not self.matches

    def unanswered_after(self, match: DrawnMatch) -> timedelta:
        """Return how long a report about the match may stay unanswered before it counts as a delay."""
        return ARRANGED_UNANSWERED_AFTER if self.is_arranged(match) else UNANSWERED_REPORT_DELAY

    @cached_property
    def parts(self) -> tuple[BoardPart, ...]:
        stages = [draw.stage for draw in self.draws.values()]
        return tuple(
            BoardPart(
                part_key(stage, section),
                stage,
                section,
                sum(other.division_id == stage.division_id for other in stages) > 1,
                len(self.draws[stage.pk].sections) > 1,
            )
            for stage in stages
            for section in self.draws[stage.pk].sections
        )

    def part_of(self, match: DrawnMatch) -> BoardPart:
        return self._parts[part_key(self.stage_by_match[match.pk], match.section)]

    @cached_property
    def _parts(self) -> Mapping[str, BoardPart]:
        return {part.key: part for part in self.parts}

    @cached_property
    def waiting(self) -> Mapping[int, ReadyMatch]:
        """The matches that wait to be called, keyed by match id."""
        return {match.pk: match for match in self.ready}

    def busy_players_of(self, match: DrawnMatch) -> list[BusyPlayer]:
        """Return where the players of a waiting match are busy; empty for every other match."""
        ready_match = self.waiting.get(match.pk)
        return (
            [
                self.busy_by_player[player]
                for player in sorted(ready_match.people)
                if player in self.busy_by_player
            ]
            if ready_match
            else []
        )

    def since(self, match: DrawnMatch) -> datetime | None:
        """Return when the match got its current status, None if unknown."""
        times = self.times_by_match.get(match.pk, _NO_TIMES)
        if match.status in UNSETTLED:
            reports = self.reports_by_match.get(match.pk)
            return max(report.created_at for report in reports) if reports else None
        if match.status is MatchStatus.READY:
            ready_match = self.waiting.get(match.pk)
            return ready_match.since if ready_match is not None and ready_match.since > LONG_AGO else None
        since_by_status = {
            MatchStatus.CALLED: times.called,
            MatchStatus.PLAYING: times.started,
            MatchStatus.CONFIRMED: times.confirmed,
        }
        return since_by_status.get(match.status)

    def overlong_from(self, match: DrawnMatch) -> datetime | None:
        """Return when the match becomes a delay, or None if it does not.

        A called match once it is late (rule F15), a running match once it takes unusually long, a reported
        match once the report has been unanswered for too long.
        """
        since = self.since(match)
        if since is None:
            return None
        if match.status is MatchStatus.CALLED:
            return self.event.lateness_starts_at(since) + timedelta(
                minutes=self.stage_by_match[match.pk].settings.conduct.lateness.grace
            )
        if match.status is MatchStatus.PLAYING and self.forecast is not None:
            return since + self.forecast.overlong_after(match.length)
        if match.status is MatchStatus.PLAYING and is_forecastable(self.event, timezone.now()):
            return since + default_overlong_after(match.length)
        return since + self.unanswered_after(match) if match.status is MatchStatus.REPORTED else None


@dataclass(frozen=True, slots=True)
class TableState:
    """A table of the hall: whether it is in use, and the public id of the match that holds it (or empty)."""

    number: int
    in_use: bool
    match: str


def table_states(event: Event) -> list[TableState]:
    """Return the state of all tables of ``event``; one query."""
    match_by_table = dict(
        Match.objects.filter(
            stage__division__event=event,
            stage__status__in=STAGE_UNDER_WAY,
            table__isnull=False,
            status__in=LIVE_STATUSES,
        ).values_list("table", "public_id")
    )
    return [
        TableState(number, number not in event.closed_tables, match_by_table.get(number, ""))
        for number in range(1, event.tables + 1)
    ]


def drawn_matches(pks: Sequence[int]) -> list[DrawnMatch]:
    """Return the matches with these ids as values, in this order; two queries for each."""
    rows = Match.objects.select_related("round").in_bulk(list(pks))
    return [drawn_match(rows[pk]) for pk in pks]


def part_key(stage: Stage, section: str) -> str:
    """Return the key of a board part for addresses, such as ``2.1.consolation``."""
    return f"{stage.division.position}.{stage.position}.{section}"


def load_board(event: Event, stages: Collection[Stage] | None = None) -> EventBoard:
    """Load the current board of ``event`` with players' answers and agreed times, for its staff.

    ``stages``: all stages of the event, if already loaded (``linked_stages``).
    """
    stage_list = linked_stages(event) if stages is None else list(stages)
    answers: dict[int, list[PlayerAnswer]] = {}
    for answer in answers_in_event(event):
        answers.setdefault(answer.match_id, []).append(answer)
    event_board = replace(_build_board(event, stage_list, stage_list), answers=answers)
    if not any(stage.by_arrangement for stage in event_board.stages):
        return event_board
    return replace(
        event_board,
        agreed=agreed_times(event),
        ids_with_reported_messages=[match.pk for match in reported_matches(event)],
    )


def load_display_board(event: Event, divisions: Collection[int] = ()) -> EventBoard:
    """Load the current board for a display, without players' answers and agreed times.

    ``divisions``: positions of the divisions to include; empty: all.
    """
    stages = linked_stages(event)
    displayed_stages = [stage for stage in stages if not divisions or stage.division.position in divisions]
    return _build_board(event, stages, displayed_stages)


def _build_board(event: Event, stages: Sequence[Stage], loaded_stages: Sequence[Stage]) -> EventBoard:
    """``stages``: all stages of the event; ``loaded_stages``: those whose matches are loaded."""
    public_stages = [stage for stage in loaded_stages if stage.status in DRAW_PUBLIC]
    draws = load_draws(public_stages)
    timed_matches = Match.objects.filter(stage__in=draws).order_by()
    timed_matches = timed_matches.exclude(called_at=None, started_at=None, confirmed_at=None)
    times = timed_matches.values_list("pk", "called_at", "started_at", "confirmed_at")
    ready = ready_matches(event)
    return EventBoard(
        event=event,
        stages=tuple(stages),
        draws={stage.pk: draws[stage.pk] for stage in public_stages},
        times_by_match={pk: MatchTimes(*moments) for pk, *moments in times},
        reports_by_match=open_reports(event),
        ready=tuple(ready),
        busy_by_player=busy_players(event, {player for match in ready for player in match.people})
        if ready
        else {},
        forecast=load_forecast(event),
    )
