"""Replay of a list whose ratings change only at the end of a period (Glicko-2). PURE.

Periods are counted in whole days from 1970-01-01 (UTC), so that they never move. All matches of a period are
rated with the values that all players had *before* the period. To show the effect of one match, the change of
a period is split into the terms of the paper's sum; the last match of the period ends exactly at the new
rating.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rating.formulas.glicko2 import Glicko, PeriodWorking, grow_deviation, length_factor, work_period
from rating.formulas.replay import RareAttributes, Row, RowKind, Step

DAY_MICROSECONDS = 86_400 * 1_000_000


@dataclass(slots=True)
class Standing:
    """A player of a periodic list, with the values at the end of period number ``period``.

    ``moment``: the time of the last match, in microseconds since 1970; before any match, of the opening
    rating.
    """

    glicko: Glicko
    period: int
    experience: int = 0
    matches: int = 0
    wins: int = 0
    moment: int = 0


@dataclass(slots=True)
class PeriodicReplay:
    """The result of a replay.

    ``after``: the values of both players after each step; ``standings``: all players at the end, keyed by
    player id.
    """

    steps: list[Step] = field(default_factory=list)
    after: list[tuple[Glicko, Glicko | None]] = field(default_factory=list)
    standings: dict[int, Standing] = field(default_factory=dict)


def period_number(moment: int, days: int) -> int:
    """Return the number of the period that contains ``moment``, for periods of ``days`` days since 1970.

    ``moment`` is in microseconds since 1970.
    """
    return moment // (days * DAY_MICROSECONDS)


def rating_path(working: PeriodWorking) -> list[float]:
    """Return the rating before the period and after each of its matches; the last one is exact."""
    ratings = [working.player.rating]
    for share in working.change_by_match():
        ratings.append(ratings[-1] + share)
    ratings[-1] = working.after.rating
    return ratings


def new_player_glicko(parameters: Mapping[str, Any], start: float) -> Glicko:
    """Return the Glicko-2 values of a player without a rating."""
    return Glicko(start, parameters["deviation"], parameters["volatility"])


def replay_periods(
    rows: Iterable[Row],
    parameters: Mapping[str, Any],
    *,
    start: float,
    end_period: int,
    extras: Mapping[int, RareAttributes],
    standings: dict[int, Standing] | None = None,
) -> PeriodicReplay:
    """Rate all ``rows`` of periods before period ``end_period``, and let all deviations grow to its beginning.

    ``extras``: rare attributes of rows, keyed by ledger number. ``standings``: players known before the first
    row, with their values at the end of an earlier period; updated in place.
    """
    days: int = parameters["period_days"]
    newcomer = new_player_glicko(parameters, start)
    replay = PeriodicReplay(standings=standings if standings is not None else {})
    for period, group in groupby(rows, key=lambda row: period_number(row[1], days)):
        if period >= end_period:
            break
        _rate_period(replay, list(group), period, newcomer=newcomer, parameters=parameters, extras=extras)
    for standing in replay.standings.values():
        standing.glicko = grow_deviation(standing.glicko, end_period - 1 - standing.period)
        standing.period = end_period - 1
    return replay


def _rate_period(
    replay: PeriodicReplay,
    rows: list[Row],
    period: int,
    *,
    newcomer: Glicko,
    parameters: Mapping[str, Any],
    extras: Mapping[int, RareAttributes],
) -> None:
    standings = replay.standings
    openings = [row for row in rows if row[2] == RowKind.OPENING]
    results = [row for row in rows if row[2] == RowKind.RESULT]
    for player in {p for row in rows if row[2] != RowKind.PLACE for p in row[3:5] if p}:
        standing = standings.setdefault(player, Standing(newcomer, period - 1))
        standing.glicko = grow_deviation(standing.glicko, period - 1 - standing.period)
        standing.period = period
    for number, moment, _act, player, _other, _length in openings:
        standing, extra = standings[player], extras.get(number, RareAttributes())
        before = standing.glicko.rating
        after = before if extra.rating is None else extra.rating
        replay.steps.append((number, moment, player, before, after, standing.experience, 0, 0.0, 0.0, 0))
        standing.glicko = Glicko(after, extra.deviation or newcomer.deviation, newcomer.volatility)
        replay.after.append((standing.glicko, None))
        standing.experience = extra.experience
        if not standing.matches:
            standing.moment = moment
    before_period = {player: s.glicko for player, s in standings.items()} if results else {}
    results_by_player: dict[int, list[tuple[Glicko, float]]] = {}
    stretches: dict[int, list[float]] = {}
    for row in results:
        results_by_player.setdefault(row[3], []).append((before_period[row[4]], 1.0))
        results_by_player.setdefault(row[4], []).append((before_period[row[3]], 0.0))
        stretch = length_factor(parameters, row[5])
        for player in row[3:5]:
            stretches.setdefault(player, []).append(stretch)
    rating_paths: dict[int, list[float]] = {}
    for player, player_results in results_by_player.items():
        player_before = before_period[player]
        working = work_period(player_before, player_results, parameters["tau"], stretches[player])
        rating_paths[player] = rating_path(working)
        standings[player].glicko = working.after
    for player, standing in standings.items():
        if standing.period == period and player not in results_by_player:
            standing.glicko = grow_deviation(standing.glicko, 1)
    match_counts: dict[int, int] = {}
    for number, moment, _act, winner, loser, length in results:
        sides: list[tuple[int, float, float, int]] = []
        for player, won in ((winner, 1), (loser, 0)):
            index = match_counts.get(player, 0)
            match_counts[player] = index + 1
            standing = standings[player]
            sides.append(
                (player, rating_paths[player][index], rating_paths[player][index + 1], standing.experience)
            )
            standing.experience += length
            standing.moment = max(standing.moment, moment) if standing.matches else moment
            standing.matches += 1
            standing.wins += won
        replay.steps.append((number, moment, *sides[0], *sides[1]))
        replay.after.append((standings[winner].glicko, standings[loser].glicko))
