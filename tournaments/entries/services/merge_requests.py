"""Requests to merge into a player of another home club, and the answers of its directors."""

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
    must_be_one_person,
)


@durable
def request_merge(*, actor: Actor, club_id: int, keep_id: int, duplicate_id: int) -> MergeRequest:
    """Request a merge from the home club of ``keep``.

    Raises ``Conflict`` if it is impossible or already requested.
    """
    club = club_for_director(actor, club_id)
    keep, duplicate = lock_players_to_merge(club, keep_id, duplicate_id)
    require_home_director(actor, duplicate, club)
    must_be_one_person(keep, duplicate)
    if keep.home_club is None or keep.home_club_id == club.pk:
        raise Conflict("merge.nobody_to_ask", name=keep.name)
    if MergeRequest.objects.filter(duplicate=duplicate, answered_at=None).exists():
        raise Conflict("merge.asked_already", name=duplicate.name)
    made = MergeRequest.objects.create(
        club=club, keeper=keep.home_club, keep=keep, duplicate=duplicate, asked_by=actor.user
    )
    _record_in_both_clubs(actor, "merge.ask", made)
    return made


@durable
def answer_merge(*, actor: Actor, club_id: int, public_id: str, accepts: bool) -> MergeRequest:
    """Answer a request as the home club.

    If accepted, merge, with a row in both clubs' audit logs; either can undo it.
    """
    keeper = club_for_director(actor, club_id)
    rows = MergeRequest.objects.select_for_update(of=("self",)).select_related(
        "club", "keeper", "keep", "duplicate"
    )
    asked = one_or_none(rows.filter(public_id=public_id, keeper=keeper))
    if asked is None:
        raise Missing("merge.request_unknown")
    if asked.answered_at is not None:
        raise Conflict("merge.answered")
    if accepts:
        keep, duplicate = lock_players_to_merge(asked.club, asked.keep_id, asked.duplicate_id)
        if keep.home_club_id != keeper.pk or duplicate.home_club_id not in {None, asked.club_id, keeper.pk}:
            raise Conflict("merge.changed", name=keep.name)  # the home club of one of them has changed
        must_be_one_person(keep, duplicate)
        merge_locked(actor, keep, duplicate, clubs=[asked.club, keeper])
    else:
        _record_in_both_clubs(actor, "merge.decline", asked)
    asked.answered_at, asked.accepted = timezone.now(), accepts
    asked.save(update_fields=["answered_at", "accepted"])
    return asked


def _record_in_both_clubs(actor: Actor, kind: str, asked: MergeRequest) -> None:
    """Record the action in the audit logs of both clubs."""
    facts = {"keep": asked.keep_id, "duplicate": asked.duplicate_id, "name": asked.keep.name}
    clubs: tuple[Club, ...] = (asked.club, asked.keeper)
    for club in clubs:
        audit.record_action(
            actor=actor,
            action=kind,
            subject=asked.duplicate,
            club=club,
            data={**facts, "club": asked.club.name, "keeper": asked.keeper.name},
        )
