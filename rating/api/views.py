"""API of ratings. Reads through the selectors that the pages use; answers 304 while nothing has changed."""

from decimal import Decimal

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from faults import Fault, Invalid, Missing
from people.api.answers import response_schemas, versioned_answer
from people.api.filters import MAX_INTEGER, Query, choice_parameter, resolve_parameter, text_parameter
from people.api.pages import Page, PageQuery, paginate
from people.selectors import visible_club
from rating.api import values
from rating.formulas.master import MAX_EVENT_WEIGHT, division_weight
from rating.formulas.places import place_pay_table
from rating.formulas.rateable import MAX_MATCH_LENGTH
from rating.selectors import LeaderboardFilter, LeaderRows, explain_change, preview_match, ratings_of_player
from rating.selectors.leaderboard import SORT_FIELDS
from rating.selectors.players import player_career
from rating.selectors.ranking import current_rules
from rating.selectors.rules import computed_rule, current_rule
from rating.selectors.visibility import names_version, visible_list, visible_lists, visible_player
from rating.web.forms import MAX_FIELD_SIZE
from rating.web.frame import visitor_zone


class ListQuery(PageQuery):
    club = text_parameter("ID of a club; limits the answer to its lists.")


class LeaderQuery(PageQuery):
    q = text_parameter("Words of the name, ignoring case and accents.")
    club = text_parameter("ID of the home club.")
    since = serializers.DateField(
        allow_null=True,
        default=None,
        help_text="Only players who have played on or after this date, in the club's time zone.",
    )
    experience = serializers.IntegerField(
        min_value=0, max_value=MAX_INTEGER, default=0, help_text="Minimum number of matches."
    )
    order = choice_parameter(SORT_FIELDS, "Sort order; by default the rating.")
    ranked = serializers.BooleanField(default=False, help_text="Only ranked players.")


class WhatIfQuery(Query):
    """Parameters of the preview. `weight`, `division` and `field` only affect master points."""

    first = serializers.CharField(max_length=16, help_text="ID of a player.")
    second = serializers.CharField(max_length=16)
    length = serializers.IntegerField(min_value=1, max_value=MAX_MATCH_LENGTH)
    weight = serializers.DecimalField(
        max_digits=4,
        decimal_places=2,
        min_value=0,
        max_value=MAX_EVENT_WEIGHT,
        default=Decimal(1),
        coerce_to_string=False,
        help_text="Weight of the event.",
    )
    division = serializers.IntegerField(
        min_value=1, max_value=100, default=1, help_text="1 for the event's first division, 2 for the second."
    )
    field = serializers.IntegerField(
        min_value=2,
        max_value=MAX_FIELD_SIZE,
        allow_null=True,
        default=None,
        help_text="Number of players who compete for the places.",
    )


class Lists(APIView):
    """List rating lists, one page at a time."""

    @extend_schema(
        operation_id="ratings_list",
        parameters=[ListQuery],
        responses=response_schemas(Page[values.RatingList]),
    )
    def get(self, request: Request) -> HttpResponse:
        query = ListQuery.read(request)
        club = (
            resolve_parameter("club", lambda: visible_club(query["club"], request.user))
            if query["club"]
            else None
        )
        lists = visible_lists(club.public_id if club is not None else "")
        versions = [
            f"{rating_list.pk}.{rating_list.version}.{rating_list.club.version}" for rating_list in lists
        ]
        return versioned_answer(
            request, versions, lambda: paginate(request, query, lists, values.RatingList.of)
        )


class ListDetail(APIView):
    """Get a rating list."""

    @extend_schema(operation_id="ratings_read", responses=response_schemas(values.RatingList))
    def get(self, request: Request, list_id: str) -> HttpResponse:
        rating_list = visible_list(list_id)
        return versioned_answer(
            request,
            [rating_list.version, rating_list.club.version],
            lambda: values.RatingList.of(rating_list),
        )


class Leaderboard(APIView):
    """List the players of a rating list in the requested order, one page at a time."""

    @extend_schema(
        operation_id="ratings_leaderboard",
        parameters=[LeaderQuery],
        responses=response_schemas(Page[values.Leader]),
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        rating_list = visible_list(list_id)
        query = LeaderQuery.read(request)
        if query["club"]:
            resolve_parameter("club", lambda: visible_club(query["club"], request.user))
        filters = LeaderboardFilter(
            club=query["club"],
            active_since=query["since"],
            minimum_experience=query["experience"],
            search=query["q"],
            order=query["order"],
            ranked_only=query["ranked"],
        )
        stamp = current_rules(rating_list).stamp
        zone = visitor_zone(request._request, rating_list.club_id)  # noqa: SLF001 - the plain request behind DRF's

        def leaders() -> Page[values.Leader]:
            with timezone.override(zone):
                return paginate(request, query, LeaderRows(rating_list, filters), values.Leader.of)

        return versioned_answer(request, [rating_list.version, names_version(), zone.key, stamp], leaders)


class PlayerDetail(APIView):
    """Get the rating and rank of a player on a rating list."""

    @extend_schema(operation_id="ratings_player", responses=response_schemas(values.Standing))
    def get(self, request: Request, list_id: str, player_id: str) -> HttpResponse:
        rating_list, player = visible_list(list_id), visible_player(player_id)

        def standing() -> values.Standing:
            for rating in ratings_of_player(player.pk):
                if rating.list_public_id == rating_list.public_id:
                    return values.Standing.of(rating)
            raise Missing("rating.player_unknown")

        return versioned_answer(
            request, [rating_list.version, names_version(), current_rules(rating_list).stamp], standing
        )


class History(APIView):
    """List a player's rating history on a list, newest first, one page at a time."""

    @extend_schema(
        operation_id="ratings_history",
        parameters=[PageQuery],
        responses=response_schemas(Page[values.HistoryStep]),
    )
    def get(self, request: Request, list_id: str, player_id: str) -> HttpResponse:
        rating_list, player = visible_list(list_id), visible_player(player_id)
        query = PageQuery.read(request)

        def history() -> Page[values.HistoryStep]:
            career = player_career(rating_list, player, row_limit=None)
            if career is None:
                raise Missing("rating.player_unknown")
            return paginate(request, query, career.history, values.HistoryStep.of)

        return versioned_answer(request, [rating_list.version, names_version()], history)


class ChangeDetail(APIView):
    """Get a rating change with its calculation."""

    @extend_schema(operation_id="ratings_change", responses=response_schemas(values.Change))
    def get(self, request: Request, list_id: str, number: int) -> HttpResponse:
        rating_list = visible_list(list_id)
        versions = [rating_list.version, names_version()]
        return versioned_answer(
            request, versions, lambda: values.Change.of(explain_change(rating_list, number))
        )


class WhatIf(APIView):
    """Preview how a match between two players would change their ratings."""

    @extend_schema(
        operation_id="ratings_what_if", parameters=[WhatIfQuery], responses=response_schemas(values.AtStake)
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        rating_list = visible_list(list_id)
        query = WhatIfQuery.read(request)
        first = resolve_parameter("first", lambda: visible_player(query["first"]))
        second = resolve_parameter("second", lambda: visible_player(query["second"]))
        if first == second:
            raise Invalid(faults=[Fault("rating.same_player", "second")])

        def at_stake() -> values.AtStake:
            weight, division_rank = float(query["weight"]), query["division"]
            match = preview_match(
                rating_list.pk,
                first.pk,
                second.pk,
                query["length"],
                weight=weight,
                division_rank=division_rank,
            )
            rule = computed_rule(rating_list) or current_rule(rating_list)
            place_rate, field = rule.system.place_rate_for(rule.parameters), query["field"]
            places = (
                place_pay_table(place_rate, field, weight * division_weight(division_rank))
                if place_rate is not None and field is not None
                else []
            )
            return values.AtStake.of(match, places)

        return versioned_answer(request, [rating_list.version, names_version()], at_stake)
