"""Merge players of different clubs and erase players, which directors of a single club may not do."""

from faults import Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, Club, Player
from people.services.operators import clean_reason, record_operator_action
from people.transactions import durable
from tournaments.engine.trail.entries import PlayersMerged
from tournaments.entries.services.merge_players import (
    lock_players,
    merge_locked,
    require_one_person,
    undo_merge_locked,
)
from tournaments.selectors.operators.subjects import get_subject
from tournaments.site.services.forgetting import erase_player


@durable
def merge_across_clubs(*, actor: Actor, keep: str, duplicate: str, reason: str) -> Player:
    """Merge player ``duplicate`` into player ``keep``, whatever their clubs. Both are public ids.

    Recorded in the audit logs of both home clubs, and either of them can undo the merge.
    """
    reason = clean_reason(reason)
    pks = get_subject("player", keep).pk, get_subject("player", duplicate).pk
    if pks[0] == pks[1]:
        raise Invalid("player.same")
    rows = lock_players(*pks)
    kept_player, merged_player = rows[pks[0]], rows[pks[1]]
    require_one_person(kept_player, merged_player)
    club_ids = [pk for pk in (kept_player.home_club_id, merged_player.home_club_id) if pk is not None]
    clubs = Club.objects.filter(pk__in=club_ids).order_by("pk")
    player = merge_locked(actor, kept_player, merged_player, clubs=list(clubs) or [None])
    record_operator_action(
        actor=actor, verb="merge", subject=merged_player, reason=reason, kind="player", keep=kept_player.pk
    )
    return player


@durable
def undo_merge_across_clubs(*, actor: Actor, duplicate_id: int, reason: str) -> Player:
    """Undo the last merge of the player with database id ``duplicate_id``; return the restored player.

    Raises ``Missing`` if this player was never merged.
    """
    reason = clean_reason(reason)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    merge = rows.filter(subject_id=duplicate_id, action=PlayersMerged.kind).order_by("-pk").first()
    if merge is None:
        raise Missing("player.merge_unknown")
    restored = undo_merge_locked(actor, merge)
    record_operator_action(actor=actor, verb="undo_merge", subject=restored, reason=reason, kind="player")
    return restored


def erase_with_reason(*, actor: Actor, key: str, reason: str) -> None:
    """Erase the player with public id ``key`` permanently; the audit log keeps the reason and no name."""
    reason = clean_reason(reason)
    subject = get_subject("player", key)
    erase_player(actor=actor, player_id=subject.pk)
    _record_erasure(actor, subject.pk, reason)


@durable
def _record_erasure(actor: Actor, player_id: int, reason: str) -> None:
    player = Player.objects.get(pk=player_id)
    record_operator_action(actor=actor, verb="erase", subject=player, reason=reason, kind="player")
