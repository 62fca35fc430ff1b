"""Delays of an event, found on its board: everything that waits for a person, longest waiting first.

Nothing is decided here: the director may apply penalty points by the stage's schedules (rule F15) and clocks
(rule F11).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from people.models import Player
from tournaments.engine.matches.rulings import (
    MAX_MINUTES,
    AwardReason,
    ClockStart,
    ClockUse,
    Penalty,
    awards_from_json,
    lateness_penalty,
    slow_play_points,
)
from tournaments.engine.statuses import DRAW_HIDDEN, OVER, PLAYABLE, STAGE_UNDER_WAY, MatchStatus, StageStatus
from tournaments.engine.types import Side
from tournaments.models import Match, Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.hall.board import EventBoard
from tournaments.selectors.hall.forecast import TimeRange
from tournaments.selectors.matches.answers import PlayerAnswer
from tournaments.selectors.repairs.late import reserved_line_matches
from tournaments.selectors.rounds.deadlines import OverdueMatch
from tournaments.selectors.rounds.next import rounds_left
from tournaments.selectors.standings.feeds import unresolved_feeds
from tournaments.selectors.standings.tables import is_round_based

MAX_LAST_MATCHES = 3  # a round "waits for the last match" when so few are left


@dataclass(frozen=True, slots=True)
class LateMatch:
    """A called match that has not started.

    ``minutes``: how late it is; ``penalty``: the penalty by the stage's schedule (rule F15); ``against``:
    sides that can get this penalty, because they have fewer penalty points for lateness so far.
    """

    match: DrawnMatch
    minutes: int
    penalty: Penalty
    against: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """A match under way: since when, and its expected end.

    ``over``: it takes unusually long, by ``minutes``; ``points``: the current penalty for slow play (rule
    F15); ``against``: sides that have fewer such points so far. ``clock``: the clock in use;
    ``can_introduce_clock``: a clock can be introduced.
    """

    match: DrawnMatch
    since: datetime
    expected: datetime | None
    over: bool
    minutes: int = 0
    points: int = 0
    against: tuple[Side, ...] = ()
    clock: ClockStart | None = None
    can_introduce_clock: bool = False


@dataclass(frozen=True, slots=True)
class MultipleReady:
    """A player with more than one match that waits to be called."""

    name: str
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class DecidingPath:
    """The matches that decide when a stage is over, the next match first."""

    stage: Stage
    ends: TimeRange
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class WaitingRound:
    """A round that waits for its last ``matches``.

    Without ``matches``, the round is over, and the next round waits to be paired.
    """

    stage: Stage
    number: int
    matches: tuple[DrawnMatch, ...]


@dataclass(frozen=True, slots=True)
class UndrawnStage:
    """A stage without a published draw; ``after``: the stage that has to be over first, or None."""

    stage: Stage
    after: Stage | None


@dataclass(frozen=True, slots=True)
class ReservedLines:
    """The bracket lines of a stage that are reserved for late entries.

    ``lines``: their number; ``urgent``: no other match of the draw can be played now.
    """

    stage: Stage
    lines: int
    urgent: bool


@dataclass(frozen=True, slots=True)
class Delays:
    """All delays of an event, grouped by kind; an empty tuple means that there is none of that kind.

    ``cannot``: players' answers that they cannot play; ``matches_with_reported_messages``: matches whose
    messages a director was asked to read; ``held``: reserved bracket lines; ``deciding_paths``: what decides
    when each stage is over.
    """

    cannot: tuple[PlayerAnswer, ...]
    disputed: tuple[DrawnMatch, ...]
    matches_with_reported_messages: tuple[DrawnMatch, ...]
    unanswered_reports: tuple[DrawnMatch, ...]
    overdue: tuple[OverdueMatch, ...]
    late: tuple[LateMatch, ...]
    running: tuple[RunningMatch, ...]
    matches_without_table: tuple[DrawnMatch, ...]
    players_with_several_ready_matches: tuple[MultipleReady, ...]
    rounds: tuple[WaitingRound, ...]
    undrawn_stages: tuple[UndrawnStage, ...]
    held: tuple[ReservedLines, ...]
    deciding_paths: tuple[DecidingPath, ...]

    @property
    def count(self) -> int:
        """Number of delays that need an action by the director now."""
        overrun = sum(running.over for running in self.running)
        late = sum(bool(late.penalty.points or late.penalty.lost) for late in self.late)
        rounds_to_pair = sum(not waiting_round.matches for waiting_round in self.rounds)
        stages_to_draw = sum(undrawn_stage.after is None for undrawn_stage in self.undrawn_stages)
        decisions = (
            len(self.cannot)
            + len(self.disputed)
            + len(self.unanswered_reports)
            + len(self.overdue)
            + len(self.matches_with_reported_messages)
        )
        urgent_lines = sum(reserved_lines.urgent for reserved_lines in self.held)
        return decisions + late + overrun + rounds_to_pair + stages_to_draw + urgent_lines


def find_delays(event_board: EventBoard, now: datetime) -> Delays:
    """Find the delays on the board at ``now``.

    Two queries, for names and for rulings, and those that a Swiss with lives needs.
    """

    def waiting_since(match: DrawnMatch) -> datetime:
        return event_board.since(match) or now

    def with_status(*statuses: MatchStatus) -> list[DrawnMatch]:
        return sorted((m for m in event_board.matches if m.status in statuses), key=waiting_since)

    match_by_id = event_board.matches_by_pk
    called, playing = with_status(MatchStatus.CALLED), with_status(MatchStatus.PLAYING)
    rulings_by_match = _rulings_by_match(called, playing)
    return Delays(
        cannot=tuple(
            answer for answers in event_board.answers.values() for answer in answers if answer.cannot
        ),
        disputed=tuple(with_status(MatchStatus.DISPUTED)),
        unanswered_reports=tuple(
            m
            for m in with_status(MatchStatus.REPORTED)
            if now - waiting_since(m) >= event_board.unanswered_after(m)
        ),
        matches_with_reported_messages=tuple(
            match_by_id[pk] for pk in event_board.ids_with_reported_messages if pk in match_by_id
        ),
        overdue=event_board.overdue(event_today(event_board.event, now)),
        late=tuple(_late_match(event_board, match, now, rulings_by_match) for match in called),
        running=tuple(_running_match(event_board, match, now, rulings_by_match) for match in playing),
        matches_without_table=tuple(
            match_by_id[match.pk]
            for match in event_board.ready
            if match.table is None
            and match.pk in match_by_id
            and not event_board.busy_players_of(match_by_id[match.pk])
        ),
        players_with_several_ready_matches=_multiple_ready(event_board, match_by_id),
        rounds=tuple(
            waiting_round
            for stage in event_board.stages
            if (waiting_round := _waiting_round(event_board, stage)) is not None
        ),
        undrawn_stages=tuple(
            UndrawnStage(
                stage, next((feed.stage for feed in unresolved_feeds(stage, event_board.draws)), None)
            )
            for stage in event_board.stages
            if stage.status in DRAW_HIDDEN and stage.system != Stage.System.MONEY
        ),
        held=tuple(_reserved_lines(event_board)),
        deciding_paths=_paths(event_board, match_by_id),
    )


def _reserved_lines(event_board: EventBoard) -> Iterator[ReservedLines]:
    for stage in event_board.stages:
        draw = event_board.draws.get(stage.pk)
        if draw is not None and stage.status in STAGE_UNDER_WAY and (lines := reserved_line_matches(draw)):
            urgent = not any(match.status in PLAYABLE for match in draw.matches)
            yield ReservedLines(stage, len(lines), urgent)


@dataclass(frozen=True, slots=True)
class _MatchRulings:
    """Rulings about a match: penalty points by reason and by the side that gets them, and its clock."""

    points: Mapping[tuple[AwardReason, Side], int]
    clock: ClockStart | None


_NO_RULINGS = _MatchRulings({}, None)


def _rulings_by_match(*groups: Iterable[DrawnMatch]) -> Mapping[int, _MatchRulings]:
    pks = [match.pk for group in groups for match in group]
    rows = Match.objects.filter(pk__in=pks).exclude(awards=[], clock={}) if pks else Match.objects.none()
    return {
        pk: _MatchRulings(
            {(award.why, award.to): award.points for award in awards_from_json(awards)}, ClockStart.of(clock)
        )
        for pk, awards, clock in rows.order_by().values_list("pk", "awards", "clock")
    }


def _sides_to_penalize(
    match: DrawnMatch, rulings: _MatchRulings, reason: AwardReason, points: int
) -> tuple[Side, ...]:
    """Return the sides that have fewer than ``points`` against them, and would not lose the match by them."""
    return tuple(
        side
        for side, start in zip(Side, reversed(match.start), strict=True)
        if points > (penalty_points := rulings.points.get((reason, side.other), 0))
        and start - penalty_points + points < match.length
    )


def _late_match(
    event_board: EventBoard, match: DrawnMatch, now: datetime, rulings_by_match: Mapping[int, _MatchRulings]
) -> LateMatch:
    minutes = int(
        (now - event_board.event.lateness_starts_at(event_board.since(match) or now)) / timedelta(minutes=1)
    )
    rule = event_board.stage_by_match[match.pk].settings.conduct.lateness
    penalty = lateness_penalty(match.length, max(0, minutes), rule)
    match_rulings = rulings_by_match.get(match.pk, _NO_RULINGS)
    penalized_sides = (
        tuple(Side)
        if penalty.lost
        else _sides_to_penalize(match, match_rulings, AwardReason.LATE, penalty.points)
    )
    return LateMatch(match, minutes, penalty, penalized_sides)


def _running_match(
    event_board: EventBoard, match: DrawnMatch, now: datetime, rulings_by_match: Mapping[int, _MatchRulings]
) -> RunningMatch:
    since = event_board.since(match) or now
    expected = since + event_board.forecast.takes(match.length) if event_board.forecast is not None else None
    overlong_from, match_rulings = (
        event_board.overlong_from(match),
        rulings_by_match.get(match.pk, _NO_RULINGS),
    )
    if overlong_from is None or now < overlong_from:
        return RunningMatch(match, since, expected, over=False, clock=match_rulings.clock)
    conduct = event_board.stage_by_match[match.pk].settings.conduct
    minutes = min(int((now - overlong_from) / timedelta(minutes=1)), MAX_MINUTES)
    points = slow_play_points(match.length, minutes, conduct.slow)
    return RunningMatch(
        match,
        since,
        expected,
        over=True,
        minutes=minutes,
        points=points,
        against=_sides_to_penalize(match, match_rulings, AwardReason.SLOW, points),
        clock=match_rulings.clock,
        can_introduce_clock=match_rulings.clock is None
        and (conduct.clocks is None or conduct.clock_use is not ClockUse.REQUIRED),
    )


def _multiple_ready(
    event_board: EventBoard, match_by_id: Mapping[int, DrawnMatch]
) -> tuple[MultipleReady, ...]:
    matches_by_player: dict[int, list[DrawnMatch]] = {}
    for match in event_board.ready:
        for player in match.people:
            if match.pk in match_by_id:
                matches_by_player.setdefault(player, []).append(match_by_id[match.pk])
    repeated = {player: matches for player, matches in matches_by_player.items() if len(matches) > 1}
    names = dict(Player.objects.filter(pk__in=repeated).values_list("pk", "name")) if repeated else {}
    multiple_ready = [MultipleReady(names[player], tuple(matches)) for player, matches in repeated.items()]
    return tuple(
        sorted(multiple_ready, key=lambda player_ready: (-len(player_ready.matches), player_ready.name))
    )


def _waiting_round(event_board: EventBoard, stage: Stage) -> WaitingRound | None:
    draw = event_board.draws.get(stage.pk)
    if draw is None or not is_round_based(stage) or stage.status == StageStatus.FINISHED or not draw.rounds:
        return None
    open_matches = tuple(match for match in draw.matches if match.status not in OVER)
    if len(open_matches) > MAX_LAST_MATCHES or rounds_left(stage, draw) == 0:
        return None
    return WaitingRound(stage, len(draw.rounds), open_matches)


def _paths(event_board: EventBoard, match_by_id: Mapping[int, DrawnMatch]) -> tuple[DecidingPath, ...]:
    if event_board.forecast is None:
        return ()
    return tuple(
        DecidingPath(
            stage,
            stage_forecast.ends,
            tuple(match_by_id[pk] for pk in stage_forecast.path if pk in match_by_id),
        )
        for stage in event_board.stages
        if (stage_forecast := event_board.forecast.stages.get(stage.pk)) is not None
    )
