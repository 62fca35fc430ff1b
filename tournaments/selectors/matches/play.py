"""Performance ratings and luck over many analysed matches: of a player, in an event, in a club.

Computed from the sums stored with each analysis, and only from analyses that the reader may see
(``selectors.matches.analyses``). The number of queries does not depend on the number of analyses. Analyses
whose engine gives no ratings (``RecordAnalysis.rates``) are left out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from games.models import RecordAnalysis
from games.records.performance import Performance
from games.records.summing import MIN_DECISIONS, SideSum, pool_sides
from games.rules.sides import Side as GameSide
from games.selectors import side_sums
from people.models import Club, Player
from tournaments.engine.statuses import DRAW_PUBLIC, MatchStatus
from tournaments.engine.types import Side
from tournaments.models import Entry, EntryPlayer, Event, Match, Report, Series
from tournaments.selectors.access.visibility import VisibleEvent, events_on_player_page, listed_events
from tournaments.selectors.matches.analyses import SidePlayers, VisibleAnalysis, visible_analyses
from tournaments.selectors.seats import slots_of_players

MAX_HIGHLIGHTS: Final = 3  # matches named of each kind


@dataclass(frozen=True, slots=True)
class MatchPerformance:
    """An analysed match with the sums of its two players.

    ``sides``: the sums by side; empty if the record does not tell which side is which; ``side_sums``: always
    both.
    """

    analysis: VisibleAnalysis
    side_sums: tuple[SideSum, ...]
    sides: Mapping[Side, SideSum]

    @property
    def match(self) -> Match:
        return self.analysis.match

    @property
    def row(self) -> RecordAnalysis:
        return self.analysis.row

    @property
    def combined(self) -> Performance:
        """The performance of both players together."""
        return pool_sides(self.side_sums)

    @property
    def luck(self) -> tuple[Side, float] | None:
        """The luckier side and its net luck, in chances to win the match; None if unknown."""
        luck_by_side = [
            (side, side_sum.net_luck)
            for side, side_sum in self.sides.items()
            if side_sum.net_luck is not None
        ]
        return max(luck_by_side, key=lambda pair: pair[1]) if luck_by_side else None

    @property
    def at(self) -> datetime | None:
        return self.match.played_at or self.match.confirmed_at


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """An analysed match from the view of one side."""

    of: MatchPerformance
    side: Side
    sums: SideSum

    @property
    def won(self) -> bool:
        return self.of.match.winner_side == self.side

    @property
    def opponent(self) -> SidePlayers | None:
        return self.of.analysis.players_by_side.get(self.side.other)


@dataclass(frozen=True, slots=True)
class PlayerPerformance:
    """The performance of a player, pair or team over several matches.

    ``public_id``: the player's public id if they have a page, else empty.
    """

    name: str
    public_id: str
    matches: tuple[OwnMatch, ...]

    @property
    def combined(self) -> Performance:
        return pool_sides(own_match.sums for own_match in self.matches)

    @property
    def has_enough_decisions(self) -> bool:
        """Whether the matches contain enough decisions for a meaningful rating."""
        return self.combined.counted >= MIN_DECISIONS

    @property
    def rows(self) -> list[RecordAnalysis]:
        return [own_match.of.row for own_match in self.matches]

    @property
    def won(self) -> int:
        return sum(own_match.won for own_match in self.matches)

    @property
    def expected_wins(self) -> float | None:
        """Number of matches that the player would have won with even luck; None if unknown for any match."""
        shares = [own_match.sums.even for own_match in self.matches]
        return sum(share for share in shares if share is not None) if None not in shares else None

    @property
    def luck(self) -> float | None:
        """The player's luck minus the opponents' luck, in matches won; None if unknown for any match."""
        shares = [own_match.sums.net_luck for own_match in self.matches]
        return sum(share for share in shares if share is not None) if None not in shares else None


@dataclass(frozen=True, slots=True)
class PerformanceSummary:
    """The analysed matches of an event or club that the reader may see.

    ``standings``: the players, best first, those with too few decisions last.
    """

    matches: tuple[MatchPerformance, ...]
    standings: tuple[PlayerPerformance, ...]

    @property
    def rows(self) -> list[RecordAnalysis]:
        return [match_performance.row for match_performance in self.matches]

    @property
    def best(self) -> list[MatchPerformance]:
        """The matches with the best rating of both sides together, among those with enough decisions.

        At most ``MAX_HIGHLIGHTS``.
        """
        combined = [(match_performance.combined, match_performance) for match_performance in self.matches]
        rated_matches = [
            (performance.rating or 0.0, match_performance)
            for performance, match_performance in combined
            if performance.counted >= MIN_DECISIONS
        ]
        return [
            match_performance
            for _rating, match_performance in sorted(rated_matches, key=lambda pair: pair[0])
        ][:MAX_HIGHLIGHTS]

    @property
    def luckiest_matches(self) -> list[MatchPerformance]:
        """The matches with the largest difference in luck; at most ``MAX_HIGHLIGHTS``."""
        luck_matches = [
            (luck[1], match_performance)
            for match_performance in self.matches
            if (luck := match_performance.luck) is not None and luck[1] > 0
        ]
        return [
            match_performance for _luck, match_performance in sorted(luck_matches, key=lambda pair: -pair[0])
        ][:MAX_HIGHLIGHTS]

    @property
    def most_exciting_matches(self) -> list[MatchPerformance]:
        """The matches in which the winning chances changed most, by the sum of all changes.

        At most ``MAX_HIGHLIGHTS``.
        """
        swing_matches = [
            (match_performance.row.swing, match_performance)
            for match_performance in self.matches
            if match_performance.row.swing is not None
        ]
        return [
            match_performance
            for _swing, match_performance in sorted(swing_matches, key=lambda pair: -pair[0])
        ][:MAX_HIGHLIGHTS]


def player_performance(player: Player, *, is_own: bool = False) -> tuple[OwnMatch, ...]:
    """Return the public analysed matches that ``player`` played as a single, oldest first.

    ``is_own``: the reader is the player; all analysed matches are included.
    """
    events = Event.objects.filter(shut="", club__shut="") if is_own else events_on_player_page(player)
    matches = _played_matches(events).filter(pk__in=slots_of_players([player.pk]).values("match"))
    performances = _match_performances(matches, [player.pk] if is_own else ())
    return tuple(
        own_match
        for performance in performances
        for own_match in _own_matches(performance)
        if _single_player(own_match) == player.pk
    )


def entry_performance(entry: Entry) -> tuple[OwnMatch, ...]:
    """Return the analysed matches of ``entry`` in its current lineup, oldest first, for its players."""
    event = Event.objects.filter(pk=entry.division.event_id)
    players = EntryPlayer.objects.filter(entry=entry).values_list("player_id", flat=True)
    performances = _match_performances(
        _played_matches(event).filter(slots__entry=entry, slots__former=None), list(players)
    )
    return tuple(
        own_match
        for performance in performances
        for own_match in _own_matches(performance)
        if performance.analysis.players_by_side[own_match.side].entry == entry.pk
    )


def event_performance(visible: VisibleEvent, players: Collection[int] = ()) -> PerformanceSummary:
    """Return the analysed matches of an event that the reader may see.

    ``players``: ids of the players that the reader is. Of drafts and restricted events, only their own
    matches.
    """
    performances = _match_performances(_played_matches(Event.objects.filter(pk=visible.event.pk)), players)
    if visible.is_staff_only:
        performances = [
            match_performance
            for match_performance in performances
            if not _player_ids(match_performance).isdisjoint(players)
        ]
    return PerformanceSummary(tuple(performances), _standings(performances))


def club_performance(
    club: Club, *, year: int | None = None, series: Series | None = None
) -> PerformanceSummary:
    """Return the public analysed matches of listed events of ``club``.

    ``year``, ``series``: only of these. The standings contain only players with a public page, no pairs.
    """
    events = listed_events().filter(club=club)
    if series is not None:
        events = events.filter(series=series)
    if year is not None:
        events = events.filter(starts_on__year=year)
    performances = _match_performances(_played_matches(events))
    return PerformanceSummary(
        tuple(performances), tuple(row for row in _standings(performances) if row.public_id)
    )


def event_years(club: Club) -> list[int]:
    """Return the years in which listed events of ``club`` began, newest first; one query."""
    days = listed_events().filter(club=club, starts_on__lte=timezone.now().date())
    return [day.year for day in days.dates("starts_on", "year", order="DESC")]


def has_games(events: QuerySet[Event]) -> bool:
    """Return whether any game record was submitted in these events."""
    return Report.objects.filter(match__stage__division__event__in=events).exclude(record=None).exists()


def event_has_games(event: Event) -> bool:
    """Return whether any game record was submitted in this event."""
    return has_games(Event.objects.filter(pk=event.pk))


def club_has_games(club: Club) -> bool:
    """Return whether any game record was submitted in a listed event of the club."""
    return has_games(listed_events().filter(club=club))


def _played_matches(events: QuerySet[Event]) -> QuerySet[Match]:
    return Match.objects.filter(
        status=MatchStatus.CONFIRMED, stage__status__in=DRAW_PUBLIC, stage__division__event__in=events
    )


def _match_performances(matches: QuerySet[Match], players: Collection[int] = ()) -> list[MatchPerformance]:
    """Return the analysed matches that the reader may see and whose engine gives ratings, oldest first.

    ``players``: ids of the players that the reader is.
    """
    analyses = [analysis for analysis in visible_analyses(matches, players) if analysis.row.rates]
    sums = side_sums([analysis.row for analysis in analyses]) if analyses else {}
    performances = []
    for analysis in analyses:
        game_sums = sums.get(analysis.row.pk)
        if game_sums is None:
            continue
        left_side = analysis.record.left
        sides = (
            {left_side: game_sums[GameSide.WHITE], left_side.other: game_sums[GameSide.BLACK]}
            if left_side
            else {}
        )
        performances.append(MatchPerformance(analysis, tuple(game_sums.values()), sides))
    return performances


def _own_matches(match_performance: MatchPerformance) -> Iterable[OwnMatch]:
    return (
        OwnMatch(match_performance, side, sums)
        for side, sums in match_performance.sides.items()
        if side in match_performance.analysis.players_by_side
    )


def _single_player(own_match: OwnMatch) -> int | None:
    """Return the player's id if the side was played by a single player, else None."""
    players = own_match.of.analysis.players_by_side[own_match.side].players
    return players[0] if len(players) == 1 else None


def _player_ids(match_performance: MatchPerformance) -> set[int]:
    return {player for seat in match_performance.analysis.players_by_side.values() for player in seat.players}


def _standings(performances: Sequence[MatchPerformance]) -> tuple[PlayerPerformance, ...]:
    """Return the performance of single players over all their entries, and of pairs and teams by entry.

    Best first, too few decisions last. One query.
    """
    matches_by_player: dict[tuple[str, int], list[OwnMatch]] = {}
    for match_performance in performances:
        for own_match in _own_matches(match_performance):
            player = _single_player(own_match)
            key = (
                ("entry", match_performance.analysis.players_by_side[own_match.side].entry)
                if player is None
                else ("player", player)
            )
            matches_by_player.setdefault(key, []).append(own_match)
    players = {pk for kind, pk in matches_by_player if kind == "player"}
    pages = dict(Player.objects.filter(pk__in=players, listed=True, shut="").values_list("pk", "public_id"))
    rows = [
        PlayerPerformance(
            matches[-1].of.analysis.players_by_side[matches[-1].side].name,
            pages.get(pk, "") if kind == "player" else "",
            tuple(matches),
        )
        for (kind, pk), matches in matches_by_player.items()
    ]
    return tuple(sorted(rows, key=_sort_key))


def _sort_key(row: PlayerPerformance) -> tuple[bool, float, str]:
    rating = row.combined.rating if row.has_enough_decisions else None
    return (rating is None, rating or 0.0, row.name.casefold())
