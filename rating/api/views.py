"""Ratings for programs. The same selectors as the pages, the same 304 while nothing changed."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Fault, Invalid, Missing
from people.web.versioned import page_etag
from rating.api import shapes
from rating.formulas import system_named
from rating.formulas.master import division_weight, place_table
from rating.selectors import expected, leaderboard, ratings_of_player, why
from rating.selectors.leaderboard import clubs_on
from rating.selectors.players import career
from rating.selectors.visibility import people_version, shown_list, shown_lists, shown_player
from rating.web.explain import reasons
from rating.web.forms import FilterForm
from rating.web.frame import zone_of


class _View(APIView):
    """An answer that is a 304 while its versions stand."""

    def answer(self, request: Request, versions: list[object], body: Callable[[], Any]) -> Any:
        etag = page_etag(request._request, versions)  # noqa: SLF001 - the plain request behind DRF's
        unchanged = get_conditional_response(request._request, etag=etag)  # noqa: SLF001
        response = unchanged if unchanged is not None else Response(body())
        response["ETag"] = etag
        return response


_FILTERS = [
    OpenApiParameter("q", OpenApiTypes.STR, description="words of the name"),
    OpenApiParameter("club", OpenApiTypes.STR, description="id of the home club"),
    OpenApiParameter("since", OpenApiTypes.DATE, description="active since"),
    OpenApiParameter("experience", OpenApiTypes.INT, description="least experience"),
    OpenApiParameter("order", OpenApiTypes.STR, description="rating, name, experience, matches, wins, last"),
    OpenApiParameter("ranked", OpenApiTypes.BOOL, description="ranked players only"),
    OpenApiParameter("page", OpenApiTypes.INT),
]


class Lists(_View):
    """All lists; with `club`, those of one club."""

    @extend_schema(
        responses=shapes.ListShape(many=True),
        parameters=[OpenApiParameter("club", OpenApiTypes.STR, description="id of the club")],
    )
    def get(self, request: Request) -> Any:
        club = request.query_params.get("club", "").replace("\0", "?")  # no id holds either of them
        lists = shown_lists(club)
        versions: list[object] = [f"{one.pk}.{one.version}" for one in lists]
        return self.answer(request, versions, lambda: shapes.ListShape(lists, many=True).data)


class ListDetail(_View):
    """One list."""

    @extend_schema(responses=shapes.ListShape)
    def get(self, request: Request, list_id: str) -> Any:
        found = shown_list(list_id)
        return self.answer(request, [found.version, found.club.version], lambda: shapes.ListShape(found).data)


class Leaderboard(_View):
    """A page of the leaderboard."""

    @extend_schema(operation_id="ratings_leaderboard", responses=shapes.LeaderPageShape, parameters=_FILTERS)
    def get(self, request: Request, list_id: str) -> Any:
        found = shown_list(list_id)
        zone = zone_of(request._request, found.club_id)  # noqa: SLF001 - the plain request behind DRF's

        def body() -> Any:
            form = FilterForm(request.query_params or None, clubs=clubs_on(found))
            with timezone.override(zone):
                page = leaderboard(found, form.filters, request.query_params.get("page") or 1)
            return shapes.LeaderPageShape(
                {
                    "count": page.paginator.count,
                    "page": page.number,
                    "pages": page.paginator.num_pages,
                    "version": found.version,
                    "players": page.object_list,
                }
            ).data

        return self.answer(request, [found.version, people_version(), zone.key], body)


class PlayerDetail(_View):
    """Where a player stands on a list."""

    @extend_schema(responses=shapes.StandingShape)
    def get(self, request: Request, list_id: str, player_id: str) -> Any:
        found, player = shown_list(list_id), shown_player(player_id)

        def body() -> Any:
            for rating in ratings_of_player(player.pk):
                if rating.list_public_id == found.public_id:
                    return shapes.StandingShape(rating).data
            raise Missing("rating.player_unknown")

        return self.answer(request, [found.version, people_version()], body)


class History(_View):
    """A player's whole history on a list, newest first."""

    @extend_schema(responses=shapes.HistoryShape(many=True))
    def get(self, request: Request, list_id: str, player_id: str) -> Any:
        found, player = shown_list(list_id), shown_player(player_id)

        def body() -> Any:
            way = career(found, player, table=None)
            if way is None:
                raise Missing("rating.player_unknown")
            return shapes.HistoryShape(way.history, many=True).data

        return self.answer(request, [found.version, people_version()], body)


class ChangeDetail(_View):
    """A change with its working."""

    @extend_schema(responses=shapes.ChangeShape)
    def get(self, request: Request, list_id: str, number: int) -> Any:
        found = shown_list(list_id)

        def body() -> Any:
            seen = why(found, number)
            return shapes.ChangeShape(
                {
                    "ledger_number": seen.fact.pk,
                    "played_at": seen.fact.played_at,
                    "length": seen.fact.length,
                    "taken_back": seen.taken_back is not None,
                    "winner": seen.change.winner if seen.change else None,
                    "loser": seen.change.loser if seen.change else None,
                    "expected": seen.working.expected if seen.working else None,
                    "steps": reasons(seen),
                }
            ).data

        return self.answer(request, [found.version, people_version()], body)


class WhatIf(_View):
    """What a match between two players would change."""

    @extend_schema(responses=shapes.WhatIfShape, parameters=[shapes.WhatIfQuery])
    def get(self, request: Request, list_id: str) -> Any:
        found = shown_list(list_id)
        query = shapes.WhatIfQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked = query.validated_data
        first, second = shown_player(asked["first"]), shown_player(asked["second"])
        if first == second:
            raise Invalid(faults=[Fault("rating.same_player", "second")])

        def body() -> Any:
            weight, rank = float(asked["weight"]), asked["division"]
            at_stake = expected(
                found.pk, first.pk, second.pk, asked["length"], weight=weight, division_rank=rank
            )
            pays = asked["field"] is not None and system_named(found.system).weighted
            places = place_table(asked["field"], weight * division_weight(rank)) if pays else []
            names = "first_rating second_rating length chance first_wins second_wins".split()
            return shapes.WhatIfShape(
                {**{name: getattr(at_stake, name) for name in names}, "places": places}
            ).data

        return self.answer(request, [found.version, people_version()], body)
