"""Requests to merge a player into a player of another home club, and the answers of that club's directors."""

from django.utils import timezone

from faults import Conflict, Missing
from people.actors import Actor
from people.models import Club, MergeRequest
from people.permissions import require_home_director
from people.rows import one_or_none
from people.services import audit
from people.transactions import durable
from tournaments.entries.services.merge_players import (
    club_for_director,
    lock_players_to_merge,
    merge_locked,
    require_one_person,
)


@durable
def request_merge(*, actor: Actor, club_id: int, keep_id: int, duplicate_id: int) -> MergeRequest:
    """Ask the home club of the player ``keep_id`` to merge the player ``duplicate_id`` into this player.

    Records the request in both clubs' audit logs. Raises ``Conflict`` if a merge is impossible or already
    requested.
    """
    club = club_for_director(actor, club_id)
    keep, duplicate = lock_players_to_merge(club, keep_id, duplicate_id)
    require_home_director(actor, duplicate, club)
    require_one_person(keep, duplicate)
    if keep.home_club is None or keep.home_club_id == club.pk:
        raise Conflict("merge.nobody_to_ask", name=keep.name)
    if MergeRequest.objects.filter(duplicate=duplicate, answered_at=None).exists():
        raise Conflict("merge.asked_already", name=duplicate.name)
    merge_request = MergeRequest.objects.create(
        club=club, keeper=keep.home_club, keep=keep, duplicate=duplicate, asked_by=actor.user
    )
    _record_in_both_clubs(actor, "merge.ask", merge_request)
    return merge_request


@durable
def answer_merge(*, actor: Actor, club_id: int, public_id: str, accepts: bool) -> MergeRequest:
    """Answer a merge request as a director of the home club of the remaining player.

    ``public_id``: of the request. If ``accepts``, the players are merged; either club can undo the merge.
    Both clubs' audit logs have the answer.
    """
    keeper = club_for_director(actor, club_id)
    rows = MergeRequest.objects.select_for_update(of=("self",)).select_related(
        "club", "keeper", "keep", "duplicate"
    )
    merge_request = one_or_none(rows.filter(public_id=public_id, keeper=keeper))
    if merge_request is None:
        raise Missing("merge.request_unknown")
    if merge_request.answered_at is not None:
        raise Conflict("merge.answered")
    if accepts:
        keep, duplicate = lock_players_to_merge(
            merge_request.club, merge_request.keep_id, merge_request.duplicate_id
        )
        if keep.home_club_id != keeper.pk or duplicate.home_club_id not in {
            None,
            merge_request.club_id,
            keeper.pk,
        }:
            raise Conflict("merge.changed", name=keep.name)  # the home club of one of them has changed
        require_one_person(keep, duplicate)
        merge_locked(actor, keep, duplicate, clubs=[merge_request.club, keeper])
    else:
        _record_in_both_clubs(actor, "merge.decline", merge_request)
    merge_request.answered_at, merge_request.accepted = timezone.now(), accepts
    merge_request.save(update_fields=["answered_at", "accepted"])
    return merge_request


def _record_in_both_clubs(actor: Actor, kind: str, merge_request: MergeRequest) -> None:
    """Record the action in the audit logs of both clubs."""
    data = {
        "keep": merge_request.keep_id,
        "duplicate": merge_request.duplicate_id,
        "name": merge_request.keep.name,
    }
    clubs: tuple[Club, ...] = (merge_request.club, merge_request.keeper)
    for club in clubs:
        audit.record_action(
            actor=actor,
            action=kind,
            subject=merge_request.duplicate,
            club=club,
            data={**data, "club": merge_request.club.name, "keeper": merge_request.keeper.name},
        )
