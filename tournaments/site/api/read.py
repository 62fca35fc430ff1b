"""GET: the same facts as the public pages, with the same ETags. Drafts and unlisted events follow the same rules."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from people.selectors import club_seen
from rating.selectors import list_versions
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.selectors.access.versions import (
    clubs_version,
    listed_events_version,
    players_version,
)
from tournaments.selectors.access.visibility import (
    match_seen_by,
    player_seen_by,
)
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.events.clubs import all_clubs, find_players, players_of_club
from tournaments.selectors.events.detail import browse_events, divisions_of
from tournaments.selectors.leagues import champions_of, seasons_of, seasons_version
from tournaments.shared.api import schemas, shapes
from tournaments.shared.api.answers import PAGE, EventView, answer, paged, pages_of, word
from tournaments.shared.fragments.cards import addresses


class EventList(APIView):
    """Public events, newest first."""

    @extend_schema(
        operation_id="events_list",
        parameters=[
            OpenApiParameter("status", enum=[s.value for s in EventStatus if s is not EventStatus.DRAFT]),
            OpenApiParameter("club", description="Id of a club."),
            PAGE,
        ],
        responses=pages_of("EventPage", schemas.EventSchema),
    )
    def get(self, request: Request) -> HttpResponse:
        status, club = word(request, "status"), word(request, "club")
        return answer(
            request,
            [listed_events_version()],
            lambda: paged(
                self,
                request,
                browse_events(status, club),
                lambda event: shapes.event_shape(event, event.entry_count),
            ),
        )


class EventDetail(EventView):
    """One event with its divisions and how it is played."""

    @extend_schema(operation_id="events_read", responses=schemas.EventDetailSchema)
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)
        return answer(
            request,
            self.versions(seen),
            lambda: shapes.event_detail(seen.event, divisions_of(seen.event)),
            role=seen.role,
        )


class EventBracket(EventView):
    """The published draws with results and places."""

    @extend_schema(operation_id="events_bracket", responses=schemas.BracketSchema)
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)
        return answer(
            request,
            self.versions(seen),
            lambda: shapes.bracket_shape(seen.event, divisions_of(seen.event)),
            role=seen.role,
        )


class EventMatches(EventView):
    """All matches of the published draws, in the order of their numbers."""

    @extend_schema(
        operation_id="events_matches",
        parameters=[OpenApiParameter("status", enum=[status.value for status in MatchStatus])],
        responses=schemas.MatchSchema(many=True),
    )
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)
        status = word(request, "status")

        def shape() -> list[shapes.Json]:
            url = addresses("public:match")
            return [
                shapes.match_shape(match, url(match.public_id))
                for division in divisions_of(seen.event, entries=False)
                for view in division.stages
                if view.draw is not None
                for match in view.draw.matches
                if status in {"", match.status}
            ]

        return answer(request, self.versions(seen), shape, role=seen.role)


class EventPoints(EventView):
    """Points leagues of money play: what is agreed, the table, every session. Empty where none has started."""

    @extend_schema(operation_id="events_points", responses=schemas.PointsLeagueSchema(many=True))
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)

        def shape() -> list[shapes.Json]:
            return [
                shapes.points_shape(view.league, division)
                for division in divisions_of(seen.event)
                for view in division.stages
                if view.league is not None
            ]

        return answer(request, self.versions(seen), shape, role=seen.role)


class EventSeasons(EventView):
    """All seasons of the league that the event belongs to, the newest first, with the champions of every division."""

    @extend_schema(operation_id="events_seasons", responses=schemas.SeasonSchema(many=True))
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)
        found = seasons_of(seen.event, directs=seen.directs)
        return answer(
            request,
            [*self.versions(seen), *seasons_version(found)],
            lambda: [shapes.season_shape(champions) for champions in champions_of(found)],
            role=seen.role,
        )


class MatchDetail(APIView):
    """One match of a published draw."""

    @extend_schema(operation_id="matches_read", responses=schemas.MatchDetailSchema)
    def get(self, request: Request, match: str) -> HttpResponse:
        seen = match_seen_by(request.user, match)
        return answer(
            request,
            [seen.event.version],
            lambda: shapes.match_detail(seen.match, drawn_match(seen.match)),
            role=seen.role,
        )


class ClubList(APIView):
    """All clubs, by name."""

    @extend_schema(
        operation_id="clubs_list", parameters=[PAGE], responses=pages_of("ClubPage", schemas.ClubSchema)
    )
    def get(self, request: Request) -> HttpResponse:
        return answer(
            request, [clubs_version()], lambda: paged(self, request, all_clubs(), shapes.club_shape)
        )


class ClubDetail(APIView):
    """One club."""

    @extend_schema(operation_id="clubs_read", responses=schemas.ClubSchema)
    def get(self, request: Request, club: str) -> HttpResponse:
        found = club_seen(club)
        parent = found.parent.version if found.parent is not None else 0
        return answer(request, [found.version, parent], lambda: shapes.club_shape(found))


class PlayerList(APIView):
    """Players with a public page, by name."""

    @extend_schema(
        operation_id="players_list",
        parameters=[
            OpenApiParameter("q", description="Words of the name; accents and case do not matter."),
            OpenApiParameter("club", description="Id of a club that knows them."),
            PAGE,
        ],
        responses=pages_of("PlayerPage", schemas.PlayerSchema),
    )
    def get(self, request: Request) -> HttpResponse:
        text, club = word(request, "q"), word(request, "club")
        rows = players_of_club(club_seen(club), text) if club else find_players(text)
        return answer(request, [players_version()], lambda: paged(self, request, rows, shapes.player_shape))


class PlayerDetail(APIView):
    """One player with today's ratings."""

    @extend_schema(operation_id="players_read", responses=schemas.PlayerDetailSchema)
    def get(self, request: Request, player: str) -> HttpResponse:
        found = player_seen_by(request.user, player)
        club = found.home_club.version if found.home_club is not None else 0
        return answer(
            request,
            [found.version, club, list_versions(player_id=found.pk)],
            lambda: shapes.player_detail(found),
        )
