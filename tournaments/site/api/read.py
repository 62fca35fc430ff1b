"""Read-only API: the same facts as the public pages, with the same ETags and the same rules of visibility."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from people.api.answers import response_schemas, versioned_answer
from people.api.filters import Query, choice_parameter, resolve_parameter, text_parameter
from people.api.pages import Page, PageQuery, paginate
from people.audience import Audience, activate_audience
from people.permissions import may_direct
from people.selectors import refresh_row, visible_club
from rating.selectors import list_versions
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.events.api.values import Event
from tournaments.events.api.values import EventDetail as EventDetailOf
from tournaments.selectors.access.versions import (
    club_list_topics,
    event_list_topics,
    player_list_topics,
    running_events_version,
    topics_version,
)
from tournaments.selectors.access.visibility import (
    can_view_unlisted,
    visible_player,
)
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.events.clubs import all_clubs, find_players, players_of_club
from tournaments.selectors.events.detail import browse_events, division_views
from tournaments.selectors.leagues import league_seasons, season_champions, seasons_version
from tournaments.shared.api.event_view import EventView, match_for
from tournaments.shared.api.values import Match, match_list
from tournaments.shared.api.values import MatchDetail as MatchDetailOf
from tournaments.site.api import values


class EventQuery(PageQuery):
    status = choice_parameter(
        (status for status in EventStatus if status is not EventStatus.DRAFT), "Status of the event."
    )
    club = text_parameter("ID of a club.")


class MatchQuery(Query):
    status = choice_parameter(MatchStatus, "Status of the match.")


class PlayerQuery(PageQuery):
    q = text_parameter("Words of the name, ignoring case and accents.")
    club = text_parameter("ID of a club that knows the players.")


class EventList(APIView):
    """List public events, newest first."""

    @extend_schema(
        operation_id="events_list",
        parameters=[EventQuery],
        responses=response_schemas(Page[Event]),
    )
    def get(self, request: Request) -> HttpResponse:
        query = EventQuery.read(request)
        if query["club"]:
            resolve_parameter("club", lambda: visible_club(query["club"], request.user))
        events = browse_events(query["status"], query["club"])
        return versioned_answer(
            request,
            [topics_version(*event_list_topics()), running_events_version()],
            lambda: paginate(request, query, events, lambda event: Event.of(event, event.entry_count)),
        )


class EventDetail(EventView):
    """Get an event with its divisions and formats."""

    @extend_schema(operation_id="events_read", responses=response_schemas(EventDetailOf))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            self.versions(visible),
            lambda: EventDetailOf.about(visible.event, division_views(visible.event)),
            role=visible.role,
        )


class EventBracket(EventView):
    """Get the published draws of an event with results and places."""

    @extend_schema(operation_id="events_bracket", responses=response_schemas(values.Bracket))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            self.versions(visible),
            lambda: values.Bracket.of(visible.event, division_views(visible.event)),
            role=visible.role,
        )


class EventDraws(EventView):
    """Get the records of an event's draws. They include the commitments made before, and every draw with all
    that is needed to repeat it.
    """

    @extend_schema(operation_id="events_draws", responses=response_schemas(values.EventLots))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            [visible.event.version],
            lambda: values.EventLots.of(visible.event),
            role=visible.role,
        )


class EventTrailHead(EventView):
    """Get the audit log head of an event: the hash of its last row, which covers all rows before. If you note
    it, any later change of a row can be detected.
    """

    @extend_schema(operation_id="events_trail_head", responses=response_schemas(values.TrailHead))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        return versioned_answer(
            request,
            [visible.event.version],
            lambda: values.TrailHead.of(visible.event),
            role=visible.role,
        )


class EventMatches(EventView):
    """List all matches of the published draws of an event, sorted by match number."""

    @extend_schema(
        operation_id="events_matches",
        parameters=[MatchQuery],
        responses=response_schemas(list[Match]),
    )
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        status = MatchQuery.read(request)["status"]

        def matches() -> list[Match]:
            return match_list(
                match
                for division in division_views(visible.event, with_entries=False)
                for view in division.stages
                if view.draw is not None
                for match in view.draw.matches
                if status in {"", match.status}
            )

        return versioned_answer(request, self.versions(visible), matches, role=visible.role)


class EventPoints(EventView):
    """List the points leagues of money play: settings, table and all sessions. Empty if none has started."""

    @extend_schema(operation_id="events_points", responses=response_schemas(list[values.PointsLeague]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)

        def points() -> list[values.PointsLeague]:
            return [
                values.PointsLeague.of(view.league, division)
                for division in division_views(visible.event)
                for view in division.stages
                if view.league is not None
            ]

        return versioned_answer(request, self.versions(visible), points, role=visible.role)


class EventSeasons(EventView):
    """List all seasons of the league that an event belongs to, newest first. Each has the champions of every
    division.
    """

    @extend_schema(operation_id="events_seasons", responses=response_schemas(list[values.Season]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)
        seasons = league_seasons(visible.event, can_direct=visible.can_direct)
        return versioned_answer(
            request,
            [*self.versions(visible), *seasons_version(seasons)],
            lambda: [values.Season.of(champions) for champions in season_champions(seasons)],
            role=visible.role,
        )


class MatchDetail(APIView):
    """Get a match of a published draw."""

    @extend_schema(operation_id="matches_read", responses=response_schemas(MatchDetailOf))
    def get(self, request: Request, match: str) -> HttpResponse:
        visible = match_for(request, match)
        return versioned_answer(
            request,
            [visible.event.version],
            lambda: MatchDetailOf.about(visible.match, drawn_match(visible.match)),
            role=visible.role,
        )


class ClubList(APIView):
    """List clubs, sorted by name."""

    @extend_schema(
        operation_id="clubs_list", parameters=[PageQuery], responses=response_schemas(Page[values.Club])
    )
    def get(self, request: Request) -> HttpResponse:
        query = PageQuery.read(request)
        return versioned_answer(
            request,
            [topics_version(*club_list_topics())],
            lambda: paginate(request, query, all_clubs(), values.Club.of),
        )


class ClubDetail(APIView):
    """Get a club."""

    @extend_schema(operation_id="clubs_read", responses=response_schemas(values.Club))
    def get(self, request: Request, club: str) -> HttpResponse:
        loaded_club = visible_club(club, request.user)
        parent_version = loaded_club.parent.version if loaded_club.parent is not None else 0
        return versioned_answer(
            request, [loaded_club.version, parent_version], lambda: values.Club.of(loaded_club)
        )


class PlayerList(APIView):
    """List players with a public page, sorted by name."""

    @extend_schema(
        operation_id="players_list",
        parameters=[PlayerQuery],
        responses=response_schemas(Page[values.Player]),
    )
    def get(self, request: Request) -> HttpResponse:
        query = PlayerQuery.read(request)
        text = query["q"]
        club = (
            resolve_parameter("club", lambda: visible_club(query["club"], request.user))
            if query["club"]
            else None
        )
        if club is not None and may_direct(request.user, club):
            activate_audience(Audience.FULL)
        rows = players_of_club(club, text) if club is not None else find_players(text)
        return versioned_answer(
            request,
            [topics_version(*player_list_topics())],
            lambda: paginate(request, query, rows, values.Player.of),
        )


class PlayerDetail(APIView):
    """Get a player with their current ratings."""

    @extend_schema(operation_id="players_read", responses=response_schemas(values.PlayerDetail))
    def get(self, request: Request, player: str) -> HttpResponse:
        loaded_player = visible_player(request.user, player)
        if can_view_unlisted(request.user, loaded_player):
            activate_audience(Audience.FULL)
            loaded_player = refresh_row(loaded_player)
        club_version = loaded_player.home_club.version if loaded_player.home_club is not None else 0
        return versioned_answer(
            request,
            [loaded_player.version, club_version, list_versions(player_id=loaded_player.pk)],
            lambda: values.PlayerDetail.about(loaded_player),
        )
