"""Performance over many analysed matches: of a player, in an event, in a club.

Computed from the sums stored with each analysis, and only from visible ones (``selectors.matches.analyses``),
with as many statements for five hundred analyses as for one. Analyses whose engine gives no ratings
(``RecordAnalysis.rates``) are left out.
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
    """An analysed match with the sums of its sides.

    Sides that cannot be identified are missing in ``sides``.
    """

    seen: VisibleAnalysis
    both: tuple[SideSum, ...]
    sides: Mapping[Side, SideSum]

    @property
    def match(self) -> Match:
        return self.seen.match

    @property
    def row(self) -> RecordAnalysis:
        return self.seen.row

    @property
    def combined(self) -> Performance:
        """The performance of both players together."""
        return pool_sides(self.both)

    @property
    def luck(self) -> tuple[Side, float] | None:
        """The luckier side, and by how much, in chances to win."""
        found = [(side, own.net_luck) for side, own in self.sides.items() if own.net_luck is not None]
        return max(found, key=lambda pair: pair[1]) if found else None

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
        return self.of.seen.seats.get(self.side.other)


@dataclass(frozen=True, slots=True)
class PlayerPerformance:
    """The performance of a player, pair or team. ``public_id``: of the player, if they have a page."""

    name: str
    public_id: str
    matches: tuple[OwnMatch, ...]

    @property
    def whole(self) -> Performance:
        return pool_sides(one.sums for one in self.matches)

    @property
    def enough(self) -> bool:
        """Whether there are enough decisions for a meaningful rating."""
        return self.whole.counted >= MIN_DECISIONS

    @property
    def rows(self) -> list[RecordAnalysis]:
        return [one.of.row for one in self.matches]

    @property
    def won(self) -> int:
        return sum(one.won for one in self.matches)

    @property
    def even(self) -> float | None:
        """Expected matches won with even luck; None if unknown for any match."""
        shares = [one.sums.even for one in self.matches]
        return sum(share for share in shares if share is not None) if None not in shares else None

    @property
    def luck(self) -> float | None:
        """Own luck minus that of the opponents, in matches; None if unknown for any match."""
        shares = [one.sums.net_luck for one in self.matches]
        return sum(share for share in shares if share is not None) if None not in shares else None


@dataclass(frozen=True, slots=True)
class PerformanceSummary:
    """All visible analysed matches of an event or club, with ``standings``.

    ``standings``: best first, those with too few decisions last.
    """

    matches: tuple[MatchPerformance, ...]
    standings: tuple[PlayerPerformance, ...]

    @property
    def rows(self) -> list[RecordAnalysis]:
        return [one.row for one in self.matches]

    @property
    def best(self) -> list[MatchPerformance]:
        """Matches by the rating of both sides together, if they have enough decisions."""
        rated = [(one.combined, one) for one in self.matches]
        found = [(whole.rating or 0.0, one) for whole, one in rated if whole.counted >= MIN_DECISIONS]
        return [one for _rating, one in sorted(found, key=lambda pair: pair[0])][:MAX_HIGHLIGHTS]

    @property
    def luckiest(self) -> list[MatchPerformance]:
        """Matches by the difference in luck."""
        found = [(luck[1], one) for one in self.matches if (luck := one.luck) is not None and luck[1] > 0]
        return [one for _luck, one in sorted(found, key=lambda pair: -pair[0])][:MAX_HIGHLIGHTS]

    @property
    def exciting(self) -> list[MatchPerformance]:
        """Matches by the sum of all swings of the chances."""
        found = [(one.row.swing, one) for one in self.matches if one.row.swing is not None]
        return [one for _swing, one in sorted(found, key=lambda pair: -pair[0])][:MAX_HIGHLIGHTS]


def player_performance(player: Player, *, themselves: bool = False) -> tuple[OwnMatch, ...]:
    """Public analysed matches that ``player`` played alone, oldest first; all of them for ``themselves``."""
    events = Event.objects.filter(shut="", club__shut="") if themselves else events_on_player_page(player)
    matches = _played_matches(events).filter(pk__in=slots_of_players([player.pk]).values("match"))
    found = _match_performances(matches, [player.pk] if themselves else ())
    return tuple(own for one in found for own in _own_matches(one) if _single_player(own) == player.pk)


def entry_performance(entry: Entry) -> tuple[OwnMatch, ...]:
    """Analysed matches of ``entry`` in its current lineup, oldest first, for its players."""
    event = Event.objects.filter(pk=entry.division.event_id)
    players = EntryPlayer.objects.filter(entry=entry).values_list("player_id", flat=True)
    found = _match_performances(
        _played_matches(event).filter(slots__entry=entry, slots__former=None), list(players)
    )
    return tuple(
        own for one in found for own in _own_matches(one) if one.seen.seats[own.side].entry == entry.pk
    )


def event_performance(visible: VisibleEvent, players: Collection[int] = ()) -> PerformanceSummary:
    """Analysed matches of an event that the reader, one of ``players``, may see.

    For drafts and restricted events only their own.
    """
    found = _match_performances(_played_matches(Event.objects.filter(pk=visible.event.pk)), players)
    if visible.inside:
        found = [one for one in found if not _player_ids(one).isdisjoint(players)]
    return PerformanceSummary(tuple(found), _standings(found))


def club_performance(
    club: Club, *, year: int | None = None, series: Series | None = None
) -> PerformanceSummary:
    """Public analysed matches of listed events of ``club``, of a ``year`` or a ``series``.

    The standings contain only players with a public page, no pairs.
    """
    events = listed_events().filter(club=club)
    if series is not None:
        events = events.filter(series=series)
    if year is not None:
        events = events.filter(starts_on__year=year)
    found = _match_performances(_played_matches(events))
    return PerformanceSummary(tuple(found), tuple(row for row in _standings(found) if row.public_id))


def event_years(club: Club) -> list[int]:
    """Years in which listed events of ``club`` began, newest first; one statement."""
    days = listed_events().filter(club=club, starts_on__lte=timezone.now().date())
    return [day.year for day in days.dates("starts_on", "year", order="DESC")]


def has_games(events: QuerySet[Event]) -> bool:
    """Return whether game records of these events exist."""
    return Report.objects.filter(match__stage__division__event__in=events).exclude(record=None).exists()


def event_has_games(event: Event) -> bool:
    """``has_games`` for one event."""
    return has_games(Event.objects.filter(pk=event.pk))


def club_has_games(club: Club) -> bool:
    """``has_games`` for the listed events of a club."""
    return has_games(listed_events().filter(club=club))


def _played_matches(events: QuerySet[Event]) -> QuerySet[Match]:
    return Match.objects.filter(
        status=MatchStatus.CONFIRMED, stage__status__in=DRAW_PUBLIC, stage__division__event__in=events
    )


def _match_performances(matches: QuerySet[Match], players: Collection[int] = ()) -> list[MatchPerformance]:
    """Visible rated analyses, oldest first."""
    seen = [one for one in visible_analyses(matches, players) if one.row.rates]
    sums = side_sums([one.row for one in seen]) if seen else {}
    found = []
    for one in seen:
        of_game = sums.get(one.row.pk)
        if of_game is None:
            continue
        left = one.record.left
        sides = {left: of_game[GameSide.WHITE], left.other: of_game[GameSide.BLACK]} if left else {}
        found.append(MatchPerformance(one, tuple(of_game.values()), sides))
    return found


def _own_matches(one: MatchPerformance) -> Iterable[OwnMatch]:
    return (OwnMatch(one, side, sums) for side, sums in one.sides.items() if side in one.seen.seats)


def _single_player(own: OwnMatch) -> int | None:
    """The player's id if the side was played by a single player, else None."""
    players = own.of.seen.seats[own.side].players
    return players[0] if len(players) == 1 else None


def _player_ids(one: MatchPerformance) -> set[int]:
    return {player for seat in one.seen.seats.values() for player in seat.players}


def _standings(found: Sequence[MatchPerformance]) -> tuple[PlayerPerformance, ...]:
    """Performance of single players over all their entries, of pairs and teams by entry. One statement."""
    own: dict[tuple[str, int], list[OwnMatch]] = {}
    for one in found:
        for mine in _own_matches(one):
            player = _single_player(mine)
            key = ("entry", one.seen.seats[mine.side].entry) if player is None else ("player", player)
            own.setdefault(key, []).append(mine)
    players = {pk for kind, pk in own if kind == "player"}
    pages = dict(Player.objects.filter(pk__in=players, listed=True, shut="").values_list("pk", "public_id"))
    rows = [
        PlayerPerformance(
            matches[-1].of.seen.seats[matches[-1].side].name,
            pages.get(pk, "") if kind == "player" else "",
            tuple(matches),
        )
        for (kind, pk), matches in own.items()
    ]
    return tuple(sorted(rows, key=_sort_key))


def _sort_key(row: PlayerPerformance) -> tuple[bool, float, str]:
    rating = row.whole.rating if row.enough else None
    return (rating is None, rating or 0.0, row.name.casefold())
