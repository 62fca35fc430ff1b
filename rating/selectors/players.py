"""A player's ratings on all lists, and the history, statistics and opponents on one list."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode

from people.models import Club, Player
from people.rows import one_or_none
from people.selectors import clubs_on_page
from rating.formulas import get_system
from rating.formulas.glicko2 import Glicko, grow_deviation
from rating.formulas.periods import DAY_MICROSECONDS, period_number
from rating.formulas.ranking import Unranked
from rating.models import RatingList, Standing
from rating.selectors.lists import ListRanks
from rating.selectors.ranking import current_rules
from rating.selectors.ranking_words import reasons_text
from rating.selectors.shown import (
    DeviationMixin,
    PlayerName,
    delta_text,
    is_provisional,
    number_label,
    percent_text,
    player_names,
    rating_text,
    sign_of,
)
from rating.store.history import PlayerStep, player_steps
from rating.store.moments import from_moment

FORM_MATCHES = 10
MAX_BEST_WINS = 5
MAX_RIVALS = 8
HISTORY_ROWS = 50


@dataclass(frozen=True, slots=True)
class PlayerRating(DeviationMixin):
    """A player's rating, rank and counts on one list.

    ``why``: the reasons for having no rank, empty for a ranked player; ``ranked_of``: the number of ranked
    players.
    """

    list_public_id: str
    list_name: str
    club_name: str
    rating: float
    rating_text: str
    rank: int | None
    why: tuple[Unranked, ...]  # there is none
    ranked_of: int
    experience: int
    matches: int
    wins: int
    provisional: bool
    deviation: float | None
    last_played: datetime
    url: str

    @property
    def why_text(self) -> str:
        return reasons_text(self.why)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A match, a final place or an opening rating in a player's rating history, with texts for the page."""

    fact_number: int
    at: datetime
    at_text: str
    won: int | None
    opponent: PlayerName | None
    length: int
    place: int
    field: int
    event: str
    opponent_text: str
    opponent_url: str
    before: float
    before_text: str
    after: float
    after_text: str
    delta_text: str
    sign: int
    why_url: str


@dataclass(frozen=True, slots=True)
class WinLossCount:
    """Wins and losses at one match length or against one opponent; ``label`` is the length or the name."""

    label: str
    won: int
    lost: int
    url: str = ""
    last_text: str = ""

    @property
    def played(self) -> int:
        return self.won + self.lost

    @property
    def percent_text(self) -> str:
        return percent_text(self.won / self.played)


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Everything that a page shows about a player on one list.

    ``form``: the last matches, newest first, with the rating change in them (``form_delta``). ``points``: the
    rating after each fact, for the chart.
    """

    standing: PlayerRating
    peak_text: str
    peak_at: datetime | None
    form: list[HistoryRow]
    form_delta: str
    form_sign: int
    by_length: list[WinLossCount]
    rivals: list[WinLossCount]
    best_wins: list[HistoryRow]
    streak: int  # positive: present run of wins; negative: of losses
    longest_wins: int
    longest_losses: int
    history: list[HistoryRow]
    history_total: int
    chart_url: str = ""
    periodic: bool = False
    word: str = ""
    points: list[tuple[datetime, float]] = field(default_factory=list)
    deviation_band: list[tuple[datetime, float, float]] = field(
        default_factory=list
    )  # twice the deviation to either side

    @property
    def losing_streak(self) -> int:
        """Return the number of matches lost since the last win."""
        return max(0, -self.streak)


def ratings_of_player(
    player_id: int, clubs: QuerySet[Club] | None = None, also_list_id: str = ""
) -> list[PlayerRating]:
    """Return the player's rating on every public list, with the lists of the home club first.

    ``clubs``: if given, only lists of these clubs and the list with public id ``also_list_id``.
    """
    standings = {s.generation_id: s for s in Standing.objects.filter(player_id=player_id)}
    lists = RatingList.objects.public().filter(generation_id__in=standings).select_related("club")
    if clubs is not None:
        lists = lists.filter(Q(club__in=clubs) | Q(public_id=also_list_id))
    home = one_or_none(Player.objects.filter(pk=player_id).values_list("home_club_id", flat=True))
    return [
        _player_rating(rating_list, standings[rating_list.generation_id])
        for rating_list in sorted(
            lists, key=lambda x: (x.club_id != home, not x.is_main, x.club.name, x.name, x.pk)
        )
        if rating_list.generation_id is not None
    ]


def _player_rating(rating_list: RatingList, standing: Standing) -> PlayerRating:
    rules = current_rules(rating_list)
    ranks = ListRanks(rating_list, rules)
    public_id, home_club_id = Player.objects.values_list("public_id", "home_club_id").get(
        pk=standing.player_id
    )
    reasons = rules.reasons(
        matches=standing.matches, experience=standing.experience, moment=standing.moment, club=home_club_id
    )
    return PlayerRating(
        list_public_id=rating_list.public_id,
        list_name=rating_list.name,
        club_name=rating_list.club.name,
        rating=standing.rating,
        rating_text=rating_text(standing.rating),
        rank=None if reasons else ranks.of(standing.rating),
        why=reasons,
        ranked_of=len(ranks),
        experience=standing.experience,
        matches=standing.matches,
        wins=standing.wins,
        provisional=is_provisional(rating_list, standing.experience),
        deviation=standing.deviation,
        last_played=from_moment(standing.moment),
        url=reverse("rating:player", args=[rating_list.public_id, public_id]),
    )


def player_career(
    rating_list: RatingList, player: Player, *, row_limit: int | None = HISTORY_ROWS
) -> PlayerStatistics | None:
    """Return everything about a player on one list, or None if the player is not on the list.

    ``row_limit``: the number of newest history rows; None for all.
    """
    standing = Standing.objects.on(rating_list).filter(player=player).first()
    if standing is None or rating_list.generation is None:
        return None
    steps = player_steps(rating_list.generation, player.pk)
    names = player_names(step.opponent for step in steps if step.opponent)
    matches = [step for step in steps if step.won is not None]
    recent = matches[-FORM_MATCHES:]
    rating_gain = sum(step.after - step.before for step in recent)
    peak = max(steps, key=lambda step: step.after, default=None)
    best_wins = sorted(
        (step for step in matches if step.won and step.opponent_before is not None),
        key=lambda step: -(step.opponent_before or 0.0),
    )[:MAX_BEST_WINS]
    longest_wins, longest_losses = _longest_runs(matches)

    def rows(chosen: Iterable[PlayerStep]) -> list[HistoryRow]:
        return [_history_row(rating_list, step, names) for step in chosen]

    return PlayerStatistics(
        standing=_player_rating(rating_list, standing),
        peak_text=rating_text(peak.after) if peak else "",
        peak_at=from_moment(peak.moment) if peak else None,
        form=rows(reversed(recent)),
        form_delta=delta_text(rating_gain),
        form_sign=sign_of(rating_gain),
        by_length=_by_length(matches),
        rivals=_rivals(rating_list, player, matches, names)[:MAX_RIVALS],
        best_wins=rows(best_wins),
        streak=_streak(matches),
        longest_wins=longest_wins,
        longest_losses=longest_losses,
        history=rows(reversed(steps if row_limit is None else steps[-row_limit:])),
        history_total=len(steps),
        chart_url=reverse("rating:chart", args=[rating_list.public_id, player.public_id])
        + "?"
        + urlencode({"v": f"{rating_list.version}.{settings.RELEASE}"}),
        periodic=get_system(rating_list.system).is_periodic,
        word=number_label(rating_list),
        points=[(from_moment(step.moment), step.after) for step in steps],
        deviation_band=_deviation_band(rating_list, steps),
    )


def _deviation_band(rating_list: RatingList, steps: list[PlayerStep]) -> list[tuple[datetime, float, float]]:
    """Return (time, lower bound, upper bound) of the rating plus or minus two deviations, for Glicko-2.

    The band contains the true rating 19 times of 20. It widens with every period without a match, until the
    last closed period.
    """
    if rating_list.generation is None or not get_system(rating_list.system).is_periodic:
        return []
    days: int = get_system(rating_list.system).read(rating_list.parameters)["period_days"]
    points: list[tuple[datetime, float, float]] = []

    def add(moment: int, glicko: Glicko) -> None:
        low, high = glicko.rating - 2 * glicko.deviation, glicko.rating + 2 * glicko.deviation
        points.append((from_moment(moment), low, high))

    step_ends = [
        *(step.moment for step in steps[1:]),
        rating_list.generation.closed * days * DAY_MICROSECONDS,
    ]
    for step, end in zip(steps, step_ends, strict=True):
        if step.deviation is None:
            continue
        glicko = Glicko(step.after, step.deviation, step.volatility or 0.0)
        add(step.moment, glicko)
        first, last = period_number(step.moment, days), period_number(end, days)
        for period in range(first + 2, last + 1):
            add(period * days * DAY_MICROSECONDS, grow_deviation(glicko, period - 1 - first))
    return points


def _history_row(rating_list: RatingList, step: PlayerStep, names: dict[int, PlayerName]) -> HistoryRow:
    played_at = timezone.localtime(from_moment(step.moment))
    delta = step.after - step.before
    return HistoryRow(
        fact_number=step.fact,
        at=played_at,
        at_text=date_format(played_at, "SHORT_DATE_FORMAT"),
        won=step.won,
        opponent=names.get(step.opponent) if step.opponent else None,
        length=step.length,
        place=step.place,
        field=step.field,
        event=step.event,
        opponent_text="" if step.opponent_before is None else rating_text(step.opponent_before),
        opponent_url=_opponent_url(rating_list, step, names),
        before=step.before,
        before_text=rating_text(step.before),
        after=step.after,
        after_text=rating_text(step.after),
        delta_text=delta_text(delta),
        sign=sign_of(delta),
        why_url=reverse("rating:why", args=[rating_list.public_id, step.fact]),
    )


def _opponent_url(rating_list: RatingList, step: PlayerStep, names: dict[int, PlayerName]) -> str:
    opponent = names.get(step.opponent or 0)
    return opponent.url(rating_list.public_id) if opponent is not None else ""


def _by_length(matches: list[PlayerStep]) -> list[WinLossCount]:
    won = Counter(step.length for step in matches if step.won)
    played = Counter(step.length for step in matches)
    return [WinLossCount(str(length), won[length], played[length] - won[length]) for length in sorted(played)]


def _rivals(
    rating_list: RatingList, player: Player, matches: list[PlayerStep], names: dict[int, PlayerName]
) -> list[WinLossCount]:
    tallies: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    last_by_opponent = {step.opponent: step.moment for step in matches}
    for step in matches:
        tallies[step.opponent or 0][0 if step.won else 1] += 1
    ranked_ids = sorted(tallies, key=lambda pk: (-sum(tallies[pk]), names[pk].name))
    return [
        WinLossCount(
            names[pk].name,
            won=tallies[pk][0],
            lost=tallies[pk][1],
            url=reverse("rating:versus", args=[rating_list.public_id, player.public_id, names[pk].public_id]),
            last_text=date_format(timezone.localtime(from_moment(last_by_opponent[pk])), "SHORT_DATE_FORMAT"),
        )
        for pk in ranked_ids
        if names[pk].public_id
    ]


def _streak(matches: list[PlayerStep]) -> int:
    streak = 0
    for step in reversed(matches):
        direction = 1 if step.won else -1
        if streak and (streak > 0) != (direction > 0):
            break
        streak += direction
    return streak


def _longest_runs(matches: list[PlayerStep]) -> tuple[int, int]:
    """Return the number of matches in the longest runs of wins and of losses."""
    longest = [0, 0]
    run, last = 0, None
    for step in matches:
        run = run + 1 if step.won == last else 1
        last = step.won
        index = 0 if step.won else 1
        longest[index] = max(longest[index], run)
    return longest[0], longest[1]


def opponents(rating_list: RatingList, player: Player) -> list[WinLossCount]:
    """Return wins and losses against each opponent who has a public page, most frequent opponent first."""
    if rating_list.generation is None:
        return []
    matches = [step for step in player_steps(rating_list.generation, player.pk) if step.won is not None]
    return _rivals(
        rating_list, player, matches, player_names(step.opponent for step in matches if step.opponent)
    )


def matches_between(rating_list: RatingList, player: Player, other: Player) -> list[HistoryRow]:
    """Return all matches of two players that the list counts, newest first, as ``player`` sees them."""
    if rating_list.generation is None:
        return []
    steps = [step for step in player_steps(rating_list.generation, player.pk) if step.opponent == other.pk]
    names = player_names([other.pk])
    return [_history_row(rating_list, step, names) for step in reversed(steps)]


def player_context(player: Player, list_public_id: str = "") -> dict[str, Any]:
    """Return the context of `rating/_player.html`: the player's ratings on all lists, and one list in full.

    ``list_public_id``: the list shown in full, none if the player is not on it; "": the player's first list.
    The other lists are those allowed on the player's own page (``people.selectors.clubs_on_page``).
    """
    ratings = ratings_of_player(player.pk, clubs_on_page(player), list_public_id)
    matching = (r for r in ratings if list_public_id in {"", r.list_public_id})
    chosen = next(matching, None)
    career: PlayerStatistics | None = None
    if chosen is not None:
        rating_list = RatingList.objects.select_related("club", "generation").get(
            public_id=chosen.list_public_id
        )
        career = player_career(rating_list, player)
    return {
        "rating_section": {
            "player": player,
            "ratings": ratings,
            "several_clubs": len({rating.club_name for rating in ratings}) > 1,
            "chosen": chosen,
            "career": career,
        }
    }
