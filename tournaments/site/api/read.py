"""GET: the same facts as the public pages, with the same ETags. Drafts and unlisted events follow the same rules."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from people.api.answers import answer, answered
from people.api.filters import Query, code_of, named, word_of
from people.api.pages import Page, PageQuery, page_of
from people.audience import Audience, read_for
from people.permissions import may_direct
from people.selectors import fresh, visible_club
from rating.selectors import list_versions
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.events.api.values import Event
from tournaments.events.api.values import EventDetail as EventDetailOf
from tournaments.selectors.access.versions import (
    in_play_version,
    topics_of_clubs,
    topics_of_lists,
    topics_of_players,
    version_of,
)
from tournaments.selectors.access.visibility import (
    knows,
    visible_player,
)
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.events.clubs import all_clubs, find_players, players_of_club
from tournaments.selectors.events.detail import browse_events, divisions_of
from tournaments.selectors.leagues import champions_of, seasons_of, seasons_version
from tournaments.shared.api.event_view import EventView, match_for
from tournaments.shared.api.values import Match, match_list
from tournaments.shared.api.values import MatchDetail as MatchDetailOf
from tournaments.site.api import values


class EventQuery(PageQuery):
    status = code_of(
        (status for status in EventStatus if status is not EventStatus.DRAFT), "Status of the event."
    )
    club = word_of("ID of a club.")


class MatchQuery(Query):
    status = code_of(MatchStatus, "Status of the match.")


class PlayerQuery(PageQuery):
    q = word_of("Words of the name, ignoring case and accents.")
    club = word_of("ID of a club that knows the players.")


class EventList(APIView):
    """List public events, newest first."""

    @extend_schema(
        operation_id="events_list",
        parameters=[EventQuery],
        responses=answered(Page[Event]),
    )
    def get(self, request: Request) -> HttpResponse:
        asked = EventQuery.read(request)
        if asked["club"]:
            named("club", lambda: visible_club(asked["club"], request.user))
        events = browse_events(asked["status"], asked["club"])
        return answer(
            request,
            [version_of(*topics_of_lists()), in_play_version()],
            lambda: page_of(request, asked, events, lambda event: Event.of(event, event.entry_count)),
        )


class EventDetail(EventView):
    """Get an event with its divisions and formats."""

    @extend_schema(operation_id="events_read", responses=answered(EventDetailOf))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        return answer(
            request,
            self.versions(visible),
            lambda: EventDetailOf.about(visible.event, divisions_of(visible.event)),
            role=visible.role,
        )


class EventBracket(EventView):
    """Get the published draws with results and places."""

    @extend_schema(operation_id="events_bracket", responses=answered(values.Bracket))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        return answer(
            request,
            self.versions(visible),
            lambda: values.Bracket.of(visible.event, divisions_of(visible.event)),
            role=visible.role,
        )


class EventDraws(EventView):
    """Get how an event was drawn. This includes the commitments made before, and every draw with all that is needed to repeat it."""

    @extend_schema(operation_id="events_draws", responses=answered(values.EventLots))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        return answer(
            request,
            [visible.event.version],
            lambda: values.EventLots.of(visible.event),
            role=visible.role,
        )


class EventTrailHead(EventView):
    """Get the audit log head of an event: the hash of its last row, which covers all rows before it. If you note it, any later change of a row can be detected."""

    @extend_schema(operation_id="events_trail_head", responses=answered(values.TrailHead))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        return answer(
            request,
            [visible.event.version],
            lambda: values.TrailHead.of(visible.event),
            role=visible.role,
        )


class EventMatches(EventView):
    """List all matches of the published draws by number."""

    @extend_schema(
        operation_id="events_matches",
        parameters=[MatchQuery],
        responses=answered(list[Match]),
    )
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        status = MatchQuery.read(request)["status"]

        def matches() -> list[Match]:
            return match_list(
                match
                for division in divisions_of(visible.event, entries=False)
                for view in division.stages
                if view.draw is not None
                for match in view.draw.matches
                if status in {"", match.status}
            )

        return answer(request, self.versions(visible), matches, role=visible.role)


class EventPoints(EventView):
    """List the points leagues of money play: settings, table and all sessions. Empty if none has started."""

    @extend_schema(operation_id="events_points", responses=answered(list[values.PointsLeague]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)

        def points() -> list[values.PointsLeague]:
            return [
                values.PointsLeague.of(view.league, division)
                for division in divisions_of(visible.event)
                for view in division.stages
                if view.league is not None
            ]

        return answer(request, self.versions(visible), points, role=visible.role)


class EventSeasons(EventView):
    """List all seasons of the league that the event belongs to, newest first, with the champions of every division."""

    @extend_schema(operation_id="events_seasons", responses=answered(list[values.Season]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)
        found = seasons_of(visible.event, directs=visible.directs)
        return answer(
            request,
            [*self.versions(visible), *seasons_version(found)],
            lambda: [values.Season.of(champions) for champions in champions_of(found)],
            role=visible.role,
        )


class MatchDetail(APIView):
    """Get a match of a published draw."""

    @extend_schema(operation_id="matches_read", responses=answered(MatchDetailOf))
    def get(self, request: Request, match: str) -> HttpResponse:
        visible = match_for(request, match)
        return answer(
            request,
            [visible.event.version],
            lambda: MatchDetailOf.about(visible.match, drawn_match(visible.match)),
            role=visible.role,
        )


class ClubList(APIView):
    """List clubs by name."""

    @extend_schema(operation_id="clubs_list", parameters=[PageQuery], responses=answered(Page[values.Club]))
    def get(self, request: Request) -> HttpResponse:
        asked = PageQuery.read(request)
        return answer(
            request,
            [version_of(*topics_of_clubs())],
            lambda: page_of(request, asked, all_clubs(), values.Club.of),
        )


class ClubDetail(APIView):
    """Get a club."""

    @extend_schema(operation_id="clubs_read", responses=answered(values.Club))
    def get(self, request: Request, club: str) -> HttpResponse:
        found = visible_club(club, request.user)
        parent = found.parent.version if found.parent is not None else 0
        return answer(request, [found.version, parent], lambda: values.Club.of(found))


class PlayerList(APIView):
    """List players with a public page by name."""

    @extend_schema(
        operation_id="players_list",
        parameters=[PlayerQuery],
        responses=answered(Page[values.Player]),
    )
    def get(self, request: Request) -> HttpResponse:
        asked = PlayerQuery.read(request)
        text = asked["q"]
        club = named("club", lambda: visible_club(asked["club"], request.user)) if asked["club"] else None
        if club is not None and may_direct(request.user, club):
            read_for(Audience.FULL)
        rows = players_of_club(club, text) if club is not None else find_players(text)
        return answer(
            request,
            [version_of(*topics_of_players())],
            lambda: page_of(request, asked, rows, values.Player.of),
        )


class PlayerDetail(APIView):
    """Get a player with their current ratings."""

    @extend_schema(operation_id="players_read", responses=answered(values.PlayerDetail))
    def get(self, request: Request, player: str) -> HttpResponse:
        found = visible_player(request.user, player)
        if knows(request.user, found):
            read_for(Audience.FULL)
            found = fresh(found)
        club = found.home_club.version if found.home_club is not None else 0
        return answer(
            request,
            [found.version, club, list_versions(player_id=found.pk)],
            lambda: values.PlayerDetail.about(found),
        )
