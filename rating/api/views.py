"""Ratings for programs. The same selectors as the pages, the same 304 while nothing changed."""

from decimal import Decimal

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from faults import Fault, Invalid, Missing
from people.api.answers import answer, answered
from people.api.filters import LARGEST, Query, code_of, named, word_of
from people.api.pages import Page, PageQuery, page_of
from people.selectors import visible_club
from rating.api import values
from rating.formulas.master import HEAVIEST_EVENT, division_weight
from rating.formulas.places import place_table
from rating.formulas.rateable import LONGEST
from rating.selectors import Filters, LeaderRows, expected, ratings_of_player, why
from rating.selectors.leaderboard import ORDERS
from rating.selectors.players import career
from rating.selectors.ranking import rules_of
from rating.selectors.rules import present_rule, rule_of_numbers
from rating.selectors.visibility import people_version, shown_list, shown_lists, shown_player
from rating.web.forms import LARGEST_FIELD
from rating.web.frame import zone_of


class ListQuery(PageQuery):
    club = word_of("ID of a club; limits the answer to its lists.")


class LeaderQuery(PageQuery):
    q = word_of("Words of the name, ignoring case and accents.")
    club = word_of("ID of the home club.")
    since = serializers.DateField(
        allow_null=True,
        default=None,
        help_text="Only players who have played on or after this date, in the club's time zone.",
    )
    experience = serializers.IntegerField(
        min_value=0, max_value=LARGEST, default=0, help_text="Minimum number of matches."
    )
    order = code_of(ORDERS, "Sort order; by default the rating.")
    ranked = serializers.BooleanField(default=False, help_text="Only ranked players.")


class WhatIfQuery(Query):
    """The question. `weight`, `division` and `field` matter to master points alone."""

    first = serializers.CharField(max_length=16, help_text="ID of a player.")
    second = serializers.CharField(max_length=16)
    length = serializers.IntegerField(min_value=1, max_value=LONGEST)
    weight = serializers.DecimalField(
        max_digits=4,
        decimal_places=2,
        min_value=0,
        max_value=HEAVIEST_EVENT,
        default=Decimal(1),
        coerce_to_string=False,
        help_text="Weight of the event.",
    )
    division = serializers.IntegerField(
        min_value=1, max_value=100, default=1, help_text="1 for the event's first division, 2 for the second."
    )
    field = serializers.IntegerField(
        min_value=2,
        max_value=LARGEST_FIELD,
        allow_null=True,
        default=None,
        help_text="Number of players who compete for the places.",
    )


class Lists(APIView):
    """List rating lists, one page at a time."""

    @extend_schema(
        operation_id="ratings_list", parameters=[ListQuery], responses=answered(Page[values.RatingList])
    )
    def get(self, request: Request) -> HttpResponse:
        asked = ListQuery.read(request)
        club = named("club", lambda: visible_club(asked["club"], request.user)) if asked["club"] else None
        lists = shown_lists(club.public_id if club is not None else "")
        versions = [f"{one.pk}.{one.version}.{one.club.version}" for one in lists]
        return answer(request, versions, lambda: page_of(request, asked, lists, values.RatingList.of))


class ListDetail(APIView):
    """Get a rating list."""

    @extend_schema(operation_id="ratings_read", responses=answered(values.RatingList))
    def get(self, request: Request, list_id: str) -> HttpResponse:
        found = shown_list(list_id)
        return answer(request, [found.version, found.club.version], lambda: values.RatingList.of(found))


class Leaderboard(APIView):
    """List the players of a rating list in order, one page at a time."""

    @extend_schema(
        operation_id="ratings_leaderboard", parameters=[LeaderQuery], responses=answered(Page[values.Leader])
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        found = shown_list(list_id)
        asked = LeaderQuery.read(request)
        if asked["club"]:
            named("club", lambda: visible_club(asked["club"], request.user))
        filters = Filters(
            club=asked["club"],
            active_since=asked["since"],
            minimum_experience=asked["experience"],
            search=asked["q"],
            order=asked["order"],
            ranked_only=asked["ranked"],
        )
        stamp = rules_of(found).stamp
        zone = zone_of(request._request, found.club_id)  # noqa: SLF001 - the plain request behind DRF's

        def leaders() -> Page[values.Leader]:
            with timezone.override(zone):
                return page_of(request, asked, LeaderRows(found, filters), values.Leader.of)

        return answer(request, [found.version, people_version(), zone.key, stamp], leaders)


class PlayerDetail(APIView):
    """Get the rating and rank of a player on a list."""

    @extend_schema(operation_id="ratings_player", responses=answered(values.Standing))
    def get(self, request: Request, list_id: str, player_id: str) -> HttpResponse:
        found, player = shown_list(list_id), shown_player(player_id)

        def standing() -> values.Standing:
            for rating in ratings_of_player(player.pk):
                if rating.list_public_id == found.public_id:
                    return values.Standing.of(rating)
            raise Missing("rating.player_unknown")

        return answer(request, [found.version, people_version(), rules_of(found).stamp], standing)


class History(APIView):
    """List a player's history on a list, newest first, one page at a time."""

    @extend_schema(
        operation_id="ratings_history", parameters=[PageQuery], responses=answered(Page[values.HistoryStep])
    )
    def get(self, request: Request, list_id: str, player_id: str) -> HttpResponse:
        found, player = shown_list(list_id), shown_player(player_id)
        asked = PageQuery.read(request)

        def history() -> Page[values.HistoryStep]:
            way = career(found, player, table=None)
            if way is None:
                raise Missing("rating.player_unknown")
            return page_of(request, asked, way.history, values.HistoryStep.of)

        return answer(request, [found.version, people_version()], history)


class ChangeDetail(APIView):
    """Get a rating change with its calculation."""

    @extend_schema(operation_id="ratings_change", responses=answered(values.Change))
    def get(self, request: Request, list_id: str, number: int) -> HttpResponse:
        found = shown_list(list_id)
        versions = [found.version, people_version()]
        return answer(request, versions, lambda: values.Change.of(why(found, number)))


class WhatIf(APIView):
    """Preview what a match between two players would change."""

    @extend_schema(
        operation_id="ratings_what_if", parameters=[WhatIfQuery], responses=answered(values.AtStake)
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        found = shown_list(list_id)
        asked = WhatIfQuery.read(request)
        first = named("first", lambda: shown_player(asked["first"]))
        second = named("second", lambda: shown_player(asked["second"]))
        if first == second:
            raise Invalid(faults=[Fault("rating.same_player", "second")])

        def at_stake() -> values.AtStake:
            weight, rank = float(asked["weight"]), asked["division"]
            match = expected(
                found.pk, first.pk, second.pk, asked["length"], weight=weight, division_rank=rank
            )
            rule = rule_of_numbers(found) or present_rule(found)
            pays, field = rule.system.pays(rule.parameters), asked["field"]
            places = (
                place_table(pays, field, weight * division_weight(rank))
                if pays is not None and field is not None
                else []
            )
            return values.AtStake.of(match, places)

        return answer(request, [found.version, people_version()], at_stake)
