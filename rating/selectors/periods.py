"""Compute rating periods of a Glicko-2 list again, to explain one or preview a correction."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Max, Window

from rating.formulas.glicko2 import Glicko, PeriodWorking, grow_deviation, length_factor, work_period
from rating.formulas.periods import DAY_MICROSECONDS, Standing, new_player_glicko, period_number, rating_path
from rating.models import Change, Fact, Generation, RatingList
from rating.selectors.rules import RatingRule
from rating.selectors.shown import PlayerName, player_names
from rating.store.moments import from_moment

BATCH = 5000


def standings_before(
    generation: Generation, players: Iterable[int], *, period: int, days: int
) -> dict[int, Standing]:
    """Return the values of these players at the end of their last period before ``period``.

    The result is keyed by player id; players without an earlier change are left out. ``days``: the length of
    a period.
    """
    standings: dict[int, Standing] = {}
    ids = sorted(set(players))
    for start in range(0, len(ids), BATCH):
        rows = (
            Change.objects.of(generation)
            .filter(player_id__in=ids[start : start + BATCH], moment__lt=period * days * DAY_MICROSECONDS)
            .annotate(last=Window(Max("moment"), partition_by="player_id"))
            .filter(moment__gt=F("last") - days * DAY_MICROSECONDS)
            .in_order()
        )
        _collect_last_standings(standings, rows, days)
    return standings


def _collect_last_standings(standings: dict[int, Standing], rows: Iterable[Change], days: int) -> None:
    """Set ``standings`` (keyed by player id) to the values after each player's last match in ``rows``.

    For a player without a match: the values of the opening, with the deviation grown by one period.
    """
    played: set[int] = set()
    for row in rows:
        period = period_number(row.moment, days)
        standing = standings.get(row.player_id)
        if standing is not None and standing.period < period:
            played.discard(row.player_id)
        if row.won is None and row.player_id in played:
            continue
        glicko = Glicko(row.after, row.deviation or 0.0, row.volatility or 0.0)
        if row.won is None:
            glicko = grow_deviation(glicko, 1)
        else:
            played.add(row.player_id)
        standings[row.player_id] = Standing(glicko, period)


@dataclass(frozen=True, slots=True)
class MatchInPeriod:
    """A match of a rating period as the player sees it.

    ``rating`` and ``deviation``: the opponent's before the period. ``share``: how much of the player's rating
    change is due to this match.
    """

    fact_number: int
    opponent: PlayerName
    rating: float
    deviation: float
    won: int
    length: int
    stretch: float  # c, the factor of the length; 1 without one
    weight: float  # c · g(φj)
    chance: float  # E
    share: float
    here: bool  # the match that is explained


@dataclass(frozen=True, slots=True)
class PlayerPeriod:
    """A whole rating period of one player, with its matches and the calculation."""

    player: PlayerName
    begins: datetime
    ends: datetime
    working: PeriodWorking
    bouts: list[MatchInPeriod]
    tau: float
    exponent: float = 0.0  # of the length; 0 without an effect
    typical: float = 1.0

    @property
    def knows_length(self) -> bool:
        return self.exponent != 0.0


def player_periods(
    rating_list: RatingList, rule: RatingRule, fact: Fact, players: Collection[int]
) -> list[PlayerPeriod]:
    """Return the rating period that contains ``fact`` for each of ``players`` (ids) who has a match in it.

    The period is calculated again from the stored values before it.
    """
    generation = rating_list.generation
    parameters = rule.parameters
    days: int = parameters["period_days"]
    period = period_number(fact.moment, days)
    if generation is None:
        return []
    starts_at, ends_at = (
        from_moment(period * days * DAY_MICROSECONDS),
        from_moment((period + 1) * days * DAY_MICROSECONDS - 1),
    )
    period_changes = Change.objects.of(generation).filter(
        moment__gte=period * days * DAY_MICROSECONDS, moment__lt=(period + 1) * days * DAY_MICROSECONDS
    )
    played: dict[int, list[Change]] = {player: [] for player in players}
    for row in period_changes.filter(player_id__in=players, won__isnull=False).in_order():
        played[row.player_id].append(row)
    involved_ids = {row.opponent_id or 0 for rows in played.values() for row in rows} | set(players)
    before = _glickos_before(generation, involved_ids, period=period, days=days)
    for row in period_changes.filter(player_id__in=involved_ids, won__isnull=True).in_order():
        before[row.player_id] = Glicko(row.after, row.deviation or 0.0, row.volatility or 0.0)
    newcomer = new_player_glicko(parameters, rule.start)
    names = player_names(involved_ids)
    facts = {row.fact_id for rows in played.values() for row in rows}
    lengths = dict(Fact.objects.filter(pk__in=facts).values_list("pk", "length"))
    periods = []
    for player, rows in played.items():
        results = [(before.get(row.opponent_id or 0, newcomer), float(row.won or 0)) for row in rows]
        if not results:
            continue
        stretches = [length_factor(parameters, lengths[row.fact_id]) for row in rows]
        working = work_period(before.get(player, newcomer), results, parameters["tau"], stretches)
        ratings = rating_path(working)
        bouts = [
            MatchInPeriod(
                row.fact_id,
                names[row.opponent_id or 0],
                bout.other.rating,
                bout.other.deviation,
                row.won or 0,
                lengths[row.fact_id],
                bout.stretch,
                bout.weight,
                bout.chance,
                ratings[index + 1] - ratings[index],
                here=row.fact_id == fact.pk,
            )
            for index, (row, bout) in enumerate(zip(rows, working.bouts, strict=True))
        ]
        periods.append(
            PlayerPeriod(
                names[player],
                starts_at,
                ends_at,
                working,
                bouts,
                parameters["tau"],
                parameters.get("exponent", 0.0),
                parameters.get("typical", 1.0),
            )
        )
    return periods


def _glickos_before(
    generation: Generation, players: Collection[int], *, period: int, days: int
) -> dict[int, Glicko]:
    """Return the values of these players (ids) as the period begins, keyed by player id.

    Deviations have grown over periods without a match.
    """
    return {
        player: grow_deviation(standing.glicko, period - 1 - standing.period)
        for player, standing in standings_before(generation, players, period=period, days=days).items()
    }
