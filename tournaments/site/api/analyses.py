"""API of analyses over many matches: of one player, of an event, of a club.

Anyone may read the matches whose players both consented. A signed-in player reads all of their own matches,
too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from games.records.performance import Performance
from games.records.summing import (
    MIN_DECISIONS,
    RollSummary,
    pool_sides,
    summaries_by_length,
    summaries_by_roll,
)
from games.web.analysed import engine_label
from people.api.answers import Answer, Moment, Url, field_description, response_schemas, versioned_answer
from people.api.filters import Query, resolve_parameter, text_parameter
from people.api.pages import Page, PageQuery, paginate
from people.models import Club, Player
from people.selectors import player_of_user, visible_club
from tournaments.engine.types import Side
from tournaments.matches.api.sums import Margin, SumsOfPlay, decision_counts, rating_margin
from tournaments.models import Series
from tournaments.selectors.access.versions import (
    analyses_version,
    club_analyses_version,
    player_analyses_version,
)
from tournaments.selectors.access.visibility import visible_player
from tournaments.selectors.matches.play import (
    MatchPerformance,
    OwnMatch,
    PerformanceSummary,
    PlayerPerformance,
    club_performance,
    event_performance,
    event_years,
    player_performance,
)
from tournaments.selectors.series import get_public_series
from tournaments.shared.api.event_view import EventView
from tournaments.shared.api.values import page_url

_NULL_IF_FEW = f"Null if based on fewer than {MIN_DECISIONS} decisions."


class RatingOfPlay(SumsOfPlay, frozen=True):
    """A performance rating as eXtreme Gammon calculates it: 500 × equity lost / decisions that count.

    Lower is better.
    """

    rating: Annotated[float | None, field_description(_NULL_IF_FEW)]
    checker: Annotated[float | None, field_description(f"For checker plays. {_NULL_IF_FEW}")]
    cube: Annotated[float | None, field_description(f"For cube decisions. {_NULL_IF_FEW}")]
    estimated: Annotated[
        bool,
        field_description(
            "Whether an engine of the site estimated any of it; false if all of it is eXtreme Gammon's own."
        ),
    ]
    margin: Margin
    engines: Annotated[
        list[str], field_description("Engines that analysed the matches, with version and level.")
    ]

    @classmethod
    def of(cls, own_matches: list[OwnMatch] | tuple[OwnMatch, ...]) -> "RatingOfPlay":
        performance = pool_sides(own_match.sums for own_match in own_matches)
        rows = [own_match.of.row for own_match in own_matches]
        estimated = any(not row.of_file for row in rows)
        return cls(
            **decision_counts(performance),
            rating=_rounded_rating(performance.rating, performance.counted),
            checker=_rounded_rating(performance.checker_rating, performance.checker_counted),
            cube=_rounded_rating(performance.cube_rating, performance.cube_counted),
            estimated=estimated,
            margin=rating_margin(estimated=estimated),
            engines=list(dict.fromkeys(engine_label(row) for row in rows)),
        )


def _rounded_rating(rating: float | None, counted: int) -> float | None:
    return round(rating, 2) if rating is not None and counted >= MIN_DECISIONS else None


class LengthOfPlay(Answer, frozen=True):
    """The rating over all analysed matches of one match length."""

    length: int
    matches: int
    decisions: int
    rating: Annotated[float | None, field_description(_NULL_IF_FEW)]

    @classmethod
    def of(cls, length: int, matches: int, performance: Performance) -> "LengthOfPlay":
        return cls(
            length, matches, performance.counted, _rounded_rating(performance.rating, performance.counted)
        )


class OpeningOfPlay(Answer, frozen=True):
    """Equity lost and errors over all first plays of a game, or all replies, with one roll."""

    roll: Annotated[list[int], field_description("The higher die first.")]
    times: int
    lost: Annotated[float, field_description("Average equity lost.")]
    errors: int

    @classmethod
    def of(cls, row: RollSummary) -> "OpeningOfPlay":
        return cls([row.high, row.low], row.times, round(row.mean_lost, 4), row.errors)


class AnalysedMatch(Answer, frozen=True):
    """An analysed match of a player. The rating of a single match means little."""

    match: Annotated[str, field_description("ID of the match.")]
    url: Url
    event: Annotated[str, field_description("ID of the event.")]
    played_at: Moment | None
    opponent: str
    length: int
    won: bool
    rating: float | None
    decisions: int
    even: Annotated[float | None, field_description("Luck-adjusted result, as a winning chance.")]
    luck: Annotated[float | None, field_description("Your luck minus the opponent's, in winning chances.")]

    @classmethod
    def of(cls, own_match: OwnMatch) -> "AnalysedMatch":
        performance, match = pool_sides([own_match.sums]), own_match.of.match
        return cls(
            match=match.public_id,
            url=page_url("public:match", match.public_id),
            event=match.stage.division.event.public_id,
            played_at=own_match.of.at,
            opponent=own_match.opponent.name if own_match.opponent is not None else "",
            length=match.length,
            won=own_match.won,
            rating=None if performance.rating is None else round(performance.rating, 2),
            decisions=performance.counted,
            even=own_match.sums.even,
            luck=own_match.sums.net_luck,
        )


class PlayerAnalysesAnswer(Answer, frozen=True):
    """A summary of a player's analysed matches."""

    player: Annotated[str, field_description("ID of the player.")]
    matches: Annotated[int, field_description("Number of analysed matches that you may see.")]
    play: RatingOfPlay
    lengths: list[LengthOfPlay]
    first: Annotated[
        list[OpeningOfPlay], field_description("First plays of a game, largest total loss first.")
    ]
    reply: Annotated[list[OpeningOfPlay], field_description("Replies to the first play.")]

    @classmethod
    def about(cls, player: Player, own_matches: tuple[OwnMatch, ...]) -> "PlayerAnalysesAnswer":
        sums = [own_match.sums for own_match in own_matches]
        return cls(
            player=player.public_id,
            matches=len(own_matches),
            play=RatingOfPlay.of(own_matches),
            lengths=[LengthOfPlay.of(*row) for row in summaries_by_length(sums)],
            first=[OpeningOfPlay.of(row) for row in summaries_by_roll(sums, reply=False)],
            reply=[OpeningOfPlay.of(row) for row in summaries_by_roll(sums, reply=True)],
        )


class PlayStanding(Answer, frozen=True):
    """A player (or a pair that entered together) in the list of ratings.

    Those with too few decisions for a rating come last.
    """

    name: str
    player: Annotated[str | None, field_description("ID of the player, if they have a public page.")]
    matches: int
    won: int
    even: Annotated[float | None, field_description("Number of matches that would be won with even luck.")]
    luck: Annotated[
        float | None, field_description("The player's luck minus that of the opponents, in matches.")
    ]
    play: RatingOfPlay

    @classmethod
    def of(cls, row: PlayerPerformance) -> "PlayStanding":
        return cls(
            row.name,
            row.public_id or None,
            len(row.matches),
            row.won,
            row.expected_wins,
            row.luck,
            RatingOfPlay.of(row.matches),
        )


class RemarkableMatch(Answer, frozen=True):
    """A match in a list of remarkable matches; `value` is the number that ranks it in its list."""

    match: Annotated[str, field_description("ID of the match.")]
    url: Url
    names: list[str]
    value: float

    @classmethod
    def of(cls, match_performance: MatchPerformance, value: float | None) -> "RemarkableMatch":
        seats = match_performance.analysis.players_by_side
        return cls(
            match=match_performance.match.public_id,
            url=page_url("public:match", match_performance.match.public_id),
            names=[seats[side].name if side in seats else "" for side in Side],
            value=round(value or 0.0, 4),
        )


class EventAnalysesAnswer(Answer, frozen=True):
    """Performance of the players of an event, best first, and the event's most remarkable matches."""

    event: Annotated[str, field_description("ID of the event.")]
    matches: Annotated[int, field_description("Number of analysed matches that you may see.")]
    players: list[PlayStanding]
    best: Annotated[list[RemarkableMatch], field_description("By the combined rating of both sides.")]
    luckiest: Annotated[
        list[RemarkableMatch],
        field_description("By the luck of one side minus the other's, in winning chances."),
    ]
    exciting: Annotated[
        list[RemarkableMatch], field_description("By the sum of all changes of the winning chances.")
    ]

    @classmethod
    def about(cls, event: str, play: PerformanceSummary) -> "EventAnalysesAnswer":
        return cls(
            event=event,
            matches=len(play.matches),
            players=[PlayStanding.of(row) for row in play.standings],
            best=[RemarkableMatch.of(performance, performance.combined.rating) for performance in play.best],
            luckiest=[
                RemarkableMatch.of(performance, performance.luck[1] if performance.luck else None)
                for performance in play.luckiest_matches
            ],
            exciting=[
                RemarkableMatch.of(performance, performance.row.swing)
                for performance in play.most_exciting_matches
            ],
        )


class ClubAnalysesAnswer(Answer, frozen=True):
    """The events and matches that a club's PR list is based on, for a year or a series."""

    club: Annotated[str, field_description("ID of the club.")]
    year: Annotated[
        int | None,
        field_description("Year in which the events began; null for a series, or without any event."),
    ]
    series: Annotated[str | None, field_description("ID of the series.")]
    years: Annotated[list[int], field_description("Years in which events of the club began, newest first.")]
    matches: Annotated[int, field_description("Number of public analysed matches.")]


class ClubAnalysesQuery(Query):
    year = serializers.IntegerField(
        min_value=0, max_value=9999, default=0, help_text="Year in which the events began; 0 for the latest."
    )
    series = text_parameter("ID of a series of the club; if given, `year` is ignored.")


class ClubAnalysesPlayersQuery(PageQuery, ClubAnalysesQuery):
    """The list (year or series), and the page of the list."""


class PlayerAnalyses(APIView):
    """Get a summary of a player's analysed matches. It covers the public ones; for the player, all of them."""

    @extend_schema(operation_id="players_analyses", responses=response_schemas(PlayerAnalysesAnswer))
    def get(self, request: Request, player: str) -> HttpResponse:
        return _player_response(request, player, PlayerAnalysesAnswer.about)


class PlayerAnalysesMatches(APIView):
    """List a player's analysed matches, newest first, one page at a time. These are the public ones; for the
    player, all of them.
    """

    @extend_schema(
        operation_id="players_analyses_matches",
        parameters=[PageQuery],
        responses=response_schemas(Page[AnalysedMatch]),
    )
    def get(self, request: Request, player: str) -> HttpResponse:
        query = PageQuery.read(request)
        return _player_response(
            request,
            player,
            lambda _player, own_matches: paginate(request, query, own_matches[::-1], AnalysedMatch.of),
        )


class EventAnalyses(EventView):
    """Get the performance of the players of an event, and the event's most remarkable matches."""

    @extend_schema(operation_id="events_analyses", responses=response_schemas(EventAnalysesAnswer))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        own_player_ids = _own_player_ids(request)
        return versioned_answer(
            request,
            [analyses_version(visible.event), *own_player_ids],
            lambda: EventAnalysesAnswer.about(
                visible.event.public_id, event_performance(visible, own_player_ids)
            ),
            role=visible.role,
        )


class ClubAnalyses(APIView):
    """Get what a club's PR list is based on: the events that began in a year, or those of a series."""

    @extend_schema(
        operation_id="clubs_analyses",
        parameters=[ClubAnalysesQuery],
        responses=response_schemas(ClubAnalysesAnswer),
    )
    def get(self, request: Request, club: str) -> HttpResponse:
        loaded_club = visible_club(club, request.user)
        selection = _AnalysesSelection.read(loaded_club, ClubAnalysesQuery.read(request))
        return versioned_answer(
            request,
            selection.shown,
            lambda: ClubAnalysesAnswer(
                club=loaded_club.public_id,
                year=selection.year,
                series=selection.series.public_id if selection.series is not None else None,
                years=selection.years,
                matches=len(selection.performance.matches),
            ),
        )


class ClubAnalysesPlayers(APIView):
    """List the players of a club by PR, best first, one page at a time. The list covers the events that began
    in a year, or those of a series.
    """

    @extend_schema(
        operation_id="clubs_analyses_players",
        parameters=[ClubAnalysesPlayersQuery],
        responses=response_schemas(Page[PlayStanding]),
    )
    def get(self, request: Request, club: str) -> HttpResponse:
        loaded_club = visible_club(club, request.user)
        query = ClubAnalysesPlayersQuery.read(request)
        selection = _AnalysesSelection.read(loaded_club, query)
        return versioned_answer(
            request,
            selection.shown,
            lambda: paginate(request, query, selection.performance.standings, PlayStanding.of),
        )


@dataclass(frozen=True, slots=True)
class _AnalysesSelection:
    """The events whose analyses a club's list covers: of a year, of a series, or none if no event has begun.

    ``years``: years in which events of the club began, newest first.
    """

    club: Club
    years: list[int]
    year: int | None
    series: Series | None

    @classmethod
    def read(cls, club: Club, asked: Mapping[str, Any]) -> "_AnalysesSelection":
        series_id = asked["series"]
        series = (
            resolve_parameter("series", lambda: get_public_series(club, series_id)) if series_id else None
        )
        years = event_years(club)
        year = None if series is not None else asked["year"] or next(iter(years), None)
        return cls(club, years, year, series)

    @property
    def shown(self) -> list[object]:
        """Values that make up the ETag, beside the request.

        They include the years: an event that begins changes the newest year, but no version.
        """
        return [self.club.version, club_analyses_version(self.club), self.years]

    @property
    def performance(self) -> PerformanceSummary:
        if self.year is None and self.series is None:
            return PerformanceSummary((), ())
        return club_performance(self.club, year=self.year, series=self.series)


def _player_response(
    request: Request, player: str, build_answer: Callable[[Player, tuple[OwnMatch, ...]], Answer]
) -> HttpResponse:
    """Answer with ``build_answer`` of the player and the analysed matches that the caller may see."""
    loaded_player = visible_player(request.user, player)
    is_own = loaded_player.pk in _own_player_ids(request)
    return versioned_answer(
        request,
        [loaded_player.version, player_analyses_version(loaded_player)],
        lambda: build_answer(loaded_player, player_performance(loaded_player, is_own=is_own)),
        role="own" if is_own else "",
    )


def _own_player_ids(request: Request) -> list[int]:
    """Return a list with the database id of the caller's player; empty if there is none."""
    user = request.user
    player = player_of_user(user.pk) if user.is_authenticated else None
    return [player.pk] if player is not None else []
