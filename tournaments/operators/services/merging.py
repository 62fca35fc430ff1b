"""Merge players of different clubs, and erase one: what no single club could do."""

from faults import Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, Club, Player
from people.services.operators import note, reason_given
from people.transactions import durable
from tournaments.engine.trail.entries import PlayersMerged
from tournaments.entries.services.merge_players import (
    locked_players,
    merge_locked,
    refuse_two_people,
    undo_locked,
)
from tournaments.selectors.operators.subjects import subject
from tournaments.site.services.forgetting import erase_player


@durable
def merge_across(*, actor: Actor, keep: str, duplicate: str, reason: str) -> Player:
    """``duplicate`` becomes ``keep``, whatever their clubs; in the trails of both home clubs, any of which can take it back."""
    reason = reason_given(reason)
    pks = subject("player", keep).pk, subject("player", duplicate).pk
    if pks[0] == pks[1]:
        raise Invalid("player.same")
    rows = locked_players(*pks)
    stays, goes = rows[pks[0]], rows[pks[1]]
    refuse_two_people(stays, goes)
    homes = [pk for pk in (stays.home_club_id, goes.home_club_id) if pk is not None]
    clubs = Club.objects.filter(pk__in=homes).order_by("pk")
    merged = merge_locked(actor, stays, goes, clubs=list(clubs) or [None])
    note(actor=actor, verb="merge", subject=goes, reason=reason, kind="player", keep=stays.pk)
    return merged


@durable
def undo_merge_across(*, actor: Actor, duplicate_id: int, reason: str) -> Player:
    """Give the merged duplicate of this row back what it had."""
    reason = reason_given(reason)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    merge = rows.filter(subject_id=duplicate_id, action=PlayersMerged.kind).order_by("-pk").first()
    if merge is None:
        raise Missing("player.merge_unknown")
    back = undo_locked(actor, merge)
    note(actor=actor, verb="undo_merge", subject=back, reason=reason, kind="player")
    return back


def erase(*, actor: Actor, key: str, reason: str) -> None:
    """Erase a player everywhere, for good; the trail keeps the reason and no name."""
    reason = reason_given(reason)
    about = subject("player", key)
    erase_player(actor=actor, player_id=about.pk)
    _record_erasure(actor, about.pk, reason)


@durable
def _record_erasure(actor: Actor, player_id: int, reason: str) -> None:
    player = Player.objects.get(pk=player_id)
    note(actor=actor, verb="erase", subject=player, reason=reason, kind="player")
