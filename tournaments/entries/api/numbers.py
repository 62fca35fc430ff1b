"""API of a player's federation numbers and outside ratings, for directors of the club.

200: current values. 403: not permitted, or the player's home is another club. 404: not found. 409: changed
since ``seen``. 422: invalid.
"""

from datetime import date
from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, field_description, response_schemas
from people.api.bodies import parse_body
from people.models import Player
from people.numbers import ExternalProfile, FederationNumberValue, SourceRating, external_profiles
from people.selectors import player_in_directory, visible_club
from people.services.numbers import MAX_NUMBERS, set_numbers
from tournaments.shared.api.asking import director_actor, map_fault_fields


class NumberOfPlayer(Answer, frozen=True):
    """A player's number at a federation."""

    federation: str
    number: str
    valid_until: Annotated[date | None, field_description("The last day of validity; null if unknown.")]


class RatingOfPlayer(Answer, frozen=True):
    """The rating of a player by a source outside this site, which affects no rating list here."""

    source: str
    value: float
    on: Annotated[date, field_description("Date of the rating.")]


class NumbersOfPlayer(Answer, frozen=True):
    """A player's numbers at federations and ratings by outside sources.

    Only the player and directors can see them.
    """

    numbers: list[NumberOfPlayer]
    ratings: Annotated[list[RatingOfPlayer], field_description("The newest of each source.")]
    version: Annotated[str, field_description("Send this as `seen`.")]


class NumberInput(serializers.Serializer[object]):
    """A player's number at a federation; `valid_until` is the last day of its validity."""

    federation = serializers.CharField(max_length=120)
    number = serializers.CharField(max_length=120)
    valid_until = serializers.DateField(required=False, allow_null=True, default=None)


class OutsideRatingInput(serializers.Serializer[object]):
    """The rating of a player by an outside source; `on` is the date of the rating."""

    source = serializers.CharField(max_length=120)  # type: ignore[assignment]  # a field, and no setting of one
    value = serializers.FloatField()
    on = serializers.DateField()


class NumbersInput(serializers.Serializer[object]):
    """All numbers and ratings of the player; those left out are deleted.

    ``seen``: the ``version`` that you read before; 409 if the values have changed since.
    """

    numbers = serializers.ListField(child=NumberInput(), max_length=2 * MAX_NUMBERS)
    ratings = serializers.ListField(child=OutsideRatingInput(), max_length=2 * MAX_NUMBERS)
    seen = serializers.CharField(required=False, allow_blank=True, default="", max_length=20_000)


class PlayerNumbers(APIView):
    """Get the federation numbers and outside ratings of a player."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="players_numbers", responses=response_schemas(NumbersOfPlayer))
    def get(self, request: Request, club: str, player: str) -> Response:
        loaded_club = visible_club(club)
        director_actor(request, loaded_club)
        return Response(_numbers_response(player_in_directory(loaded_club, player)))

    @extend_schema(
        operation_id="players_set_numbers", request=NumbersInput, responses=response_schemas(NumbersOfPlayer)
    )
    def put(self, request: Request, club: str, player: str) -> Response:
        """Replace the federation numbers and outside ratings of a player."""
        loaded_club = visible_club(club)
        actor, body = director_actor(request, loaded_club), parse_body(request, NumbersInput, NumbersOfPlayer)
        loaded_player = player_in_directory(loaded_club, player)
        numbers = [
            FederationNumberValue(
                number_data["federation"], number_data["number"], number_data["valid_until"]
            )
            for number_data in body["numbers"]
        ]
        ratings = [
            SourceRating(rating_data["source"], rating_data["value"], rating_data["on"])
            for rating_data in body["ratings"]
        ]
        with map_fault_fields({"number-#": "numbers.#", "rating-#": "ratings.#"}):
            set_numbers(
                actor=actor,
                player_id=loaded_player.pk,
                club_id=loaded_club.pk,
                numbers=numbers,
                ratings=ratings,
                seen=body["seen"],
            )
        return Response(_numbers_response(loaded_player))


def _numbers_response(player: Player) -> NumbersOfPlayer:
    profile = external_profiles([player.pk]).get(player.pk, ExternalProfile())
    return NumbersOfPlayer(
        numbers=[
            NumberOfPlayer(number.federation, number.number, number.valid_until) for number in profile.numbers
        ],
        ratings=[RatingOfPlayer(rating.source, rating.value, rating.on) for rating in profile.ratings],
        version=profile.version,
    )
