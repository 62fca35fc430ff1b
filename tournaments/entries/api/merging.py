"""API for merging two players of a club who are one person: preview with effects on ratings, merge, undo.

200: done. 403: not permitted. 404: not found. 409: not possible, or no longer. 422: invalid.
"""

from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, field_description, response_schemas
from people.api.bodies import parse_body
from people.api.filters import Query, resolve_parameter
from people.models import Club, Player
from people.permissions import may_direct
from people.selectors import player_for_club, visible_club
from rating.selectors.merging import MergedOpenings, merged_openings
from tournaments.entries.services.merge_players import merge_players, undo_last_merge
from tournaments.selectors.events.director import merge_preview
from tournaments.shared.api.asking import director_actor


class OpeningOfTwo(Answer, frozen=True):
    """An opening rating that one of the two players has in a rating list."""

    number: Annotated[int, field_description("Number in the ledger; send it to keep only this one.")]
    player: Annotated[str, field_description("Name of the player it belongs to.")]
    rating: str
    at: Moment
    alone: Annotated[
        str,
        field_description(
            "Combined rating if only this one is kept; empty if there is too much to calculate."
        ),
    ]


class OpeningsOfList(Answer, frozen=True):
    """A rating list in which both players have opening ratings; each counts from its date on."""

    rating_list: Annotated[str, field_description("ID of the rating list.")]
    name: str
    may_choose: Annotated[
        bool,
        field_description("Whether you are a director of the list's club, and can choose which one to keep."),
    ]
    now: Annotated[
        list[str],
        field_description("Current ratings of the remaining player and of the duplicate; empty if none."),
    ]
    then: Annotated[
        str, field_description("Combined rating if all are kept; empty if there is too much to calculate.")
    ]
    openings: list[OpeningOfTwo]


class MergePreview(Answer, frozen=True):
    """What a merge would move from the duplicate to the remaining player. A preview changes nothing."""

    keep: str
    duplicate: str
    entries: Annotated[int, field_description("Entries of the duplicate, which are moved.")]
    clubs: Annotated[list[str], field_description("Names of the clubs that will know the remaining player.")]
    account: Annotated[bool, field_description("Whether an account is moved.")]
    possible: Annotated[
        bool, field_description("False if both played in one division and so are different people.")
    ]
    openings: list[OpeningsOfList]


class MergedPlayer(Answer, frozen=True):
    """The player who remains after a merge, or who is separate again after undoing it."""

    player: str
    name: str


class MergeQuery(Query):
    keep = serializers.CharField(max_length=16, help_text="ID of the player that remains.")


class MergeInput(serializers.Serializer[object]):
    """The player to merge into, and what to keep.

    `openings`: ledger numbers of opening ratings to keep as the only one, at most one for each rating list.
    """

    keep = serializers.CharField(max_length=16, help_text="ID of the player that remains.")
    openings = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        required=False,
        default=list,
        max_length=50,
    )


class MergePlayer(APIView):
    """Preview a merge of this player into another player known to the club."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="players_merge_preview",
        parameters=[MergeQuery],
        responses=response_schemas(MergePreview),
    )
    def get(self, request: Request, club: str, player: str) -> Response:
        loaded_club = visible_club(club)
        director_actor(request, loaded_club)
        keep, duplicate = _both_players(loaded_club, MergeQuery.read(request)["keep"], player)
        preview = merge_preview(keep, duplicate)
        return Response(
            MergePreview(
                keep.public_id,
                duplicate.public_id,
                len(preview.entries),
                [moved_club.name for moved_club in preview.clubs],
                preview.has_account,
                not preview.share_division,
                [
                    _openings(request, list_openings)
                    for list_openings in merged_openings(keep.pk, duplicate.pk)
                ],
            )
        )

    @extend_schema(operation_id="players_merge", request=MergeInput, responses=response_schemas(MergedPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        """Merge this player into another player known to the club."""
        loaded_club = visible_club(club)
        actor = director_actor(request, loaded_club)
        data = parse_body(request, MergeInput)
        keep, duplicate = _both_players(loaded_club, data["keep"], player)
        merged_player = merge_players(
            actor=actor,
            club_id=loaded_club.pk,
            keep_id=keep.pk,
            duplicate_id=duplicate.pk,
            openings=data["openings"],
        )
        return Response(MergedPlayer(merged_player.public_id, merged_player.name))


class UnmergePlayer(APIView):
    """Undo the merge of this player. They become a separate player again, with everything they had."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="players_unmerge", request=None, responses=response_schemas(MergedPlayer))
    def post(self, request: Request, club: str, player: str) -> Response:
        loaded_club = visible_club(club)
        restored_player = undo_last_merge(
            actor=director_actor(request, loaded_club), club_id=loaded_club.pk, duplicate=player
        )
        return Response(MergedPlayer(restored_player.public_id, restored_player.name))


def _both_players(club: Club, keep: str, duplicate: str) -> tuple[Player, Player]:
    duplicate_player = player_for_club(club, duplicate, own_only=True)
    return resolve_parameter("keep", lambda: player_for_club(club, keep)), duplicate_player


def _openings(request: Request, list_openings: MergedOpenings) -> OpeningsOfList:
    return OpeningsOfList(
        list_openings.list_id,
        list_openings.list_name,
        may_direct(request.user, list_openings.club),
        list(list_openings.now),
        list_openings.then,
        [OpeningOfTwo(o.number, o.whose, o.rating_text, o.at, o.alone) for o in list_openings.openings],
    )
