"""Two players of a club who are one person, for programs: what a merge moves and does to ratings, the merge, and taking it back.

200: done. 403: not yours. 404: unknown. 409: not possible, or not any more. 422: makes no sense.
"""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, answered, says
from people.api.bodies import body_of
from people.api.filters import Query, named
from people.models import Club, Player
from people.permissions import may_direct
from people.selectors import player_for_club, visible_club
from rating.selectors.merging import MergedOpenings, openings_of_both
from tournaments.entries.services.merge_players import merge_players, take_merge_back
from tournaments.selectors.events.director import merge_preview
from tournaments.shared.api.asking import director_of


class OpeningOfTwo(Answer, frozen=True):
    """An opening rating of one of the two."""

    number: Annotated[int, says("In the ledger; send it for this one to stay alone.")]
    player: Annotated[str, says("The name of whom it is.")]
    rating: str
    at: Moment
    alone: Annotated[
        str, says("Rating of both in one if this one stays alone; empty where that is too much to compute.")
    ]


class OpeningsOfList(Answer, frozen=True):
    """A rating list on which both have opening ratings, in the order in which they are rated: each counts from its day on."""

    rating_list: Annotated[str, says("Id of it.")]
    name: str
    may_choose: Annotated[bool, says("Whether you direct the club of the list, and may say which one stays.")]
    now: Annotated[list[str], says("Present ratings of who stays and of who goes, empty without one.")]
    then: Annotated[str, says("Rating of both in one if all stay; empty where that is too much to compute.")]
    openings: list[OpeningOfTwo]


class MergePreview(Answer, frozen=True):
    """What a merge moves. Nothing is done yet."""

    keep: str
    duplicate: str
    entries: Annotated[int, says("Of the one that goes: they move over.")]
    clubs: Annotated[list[str], says("Names of clubs that come to know the one that stays.")]
    account: Annotated[bool, says("Whether an account moves over.")]
    possible: Annotated[bool, says("False: both played in one division, so they are two people.")]
    openings: list[OpeningsOfList]


class MergedPlayer(Answer, frozen=True):
    """Who is left."""

    player: str
    name: str


class MergeQuery(Query):
    keep = serializers.CharField(max_length=16, help_text="Id of the player that stays.")


class MergeInput(serializers.Serializer[object]):
    """`openings`: ledger numbers of opening ratings that stay alone on their lists, one for each list at most."""

    keep = serializers.CharField(max_length=16, help_text="Id of the player that stays.")
    openings = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        required=False,
        default=list,
        max_length=50,
    )


class MergePlayer(APIView):
    """The player of the address becomes another one that the club knows."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="players_merge_preview", parameters=[MergeQuery], responses=answered(MergePreview)
    )
    def get(self, request: Request, club: str, player: str) -> Response:
        found = visible_club(club)
        director_of(request, found)
        keep, duplicate = _two(found, MergeQuery.read(request)["keep"], player)
        moves = merge_preview(keep, duplicate)
        return Response(
            MergePreview(
                keep.public_id,
                duplicate.public_id,
                len(moves.entries),
                [one.name for one in moves.clubs],
                moves.has_account,
                not moves.same_division,
                [_openings(request, one) for one in openings_of_both(keep.pk, duplicate.pk)],
            )
        )

    @extend_schema(operation_id="players_merge", request=MergeInput, responses=answered(MergedPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        found = visible_club(club)
        actor = director_of(request, found)
        data = body_of(request, MergeInput)
        keep, duplicate = _two(found, data["keep"], player)
        stays = merge_players(
            actor=actor,
            club_id=found.pk,
            keep_id=keep.pk,
            duplicate_id=duplicate.pk,
            openings=data["openings"],
        )
        return Response(MergedPlayer(stays.public_id, stays.name))


class UnmergePlayer(APIView):
    """Take the merge of the player of the address back: they are a player of their own again, with all they had."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="players_unmerge", request=None, responses=answered(MergedPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        found = visible_club(club)
        back = take_merge_back(actor=director_of(request, found), club_id=found.pk, duplicate=player)
        return Response(MergedPlayer(back.public_id, back.name))


def _two(club: Club, keep: str, duplicate: str) -> tuple[Player, Player]:
    goes = player_for_club(club, duplicate, own=True)
    return named("keep", lambda: player_for_club(club, keep)), goes


def _openings(request: Request, one: MergedOpenings) -> OpeningsOfList:
    return OpeningsOfList(
        one.list_id,
        one.list_name,
        may_direct(request.user, one.club),
        list(one.now),
        one.then,
        [OpeningOfTwo(o.number, o.whose, o.rating_text, o.at, o.alone) for o in one.openings],
    )
