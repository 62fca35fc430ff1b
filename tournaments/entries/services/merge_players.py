"""Merging two players who are one person, and undoing this.

Both change entries and ratings, so the module is in a layer above these.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, Club, Player, PlayerClub
from people.permissions import require_director, require_home_director
from people.rows import one_or_none
from people.services import audit
from people.services.versions import raise_versions
from people.transactions import durable
from people.versions import NAMES, club_players_topic
from rating.services import (
    lock_clubs_of_openings,
    rebuild_lists_of_player,
    remove_other_openings,
    restore_openings,
)
from tournaments.engine.trail.action import UnknownAction
from tournaments.engine.trail.entries import MergeUndone, PlayersMerged
from tournaments.engine.types import EntryId
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer
from tournaments.models.trail import parse_action_as, serialize_action
from tournaments.selectors.seats import events_with_players
from tournaments.store.shown import raise_event_versions


@durable
def merge_players(
    *, actor: Actor, club_id: int, keep_id: int, duplicate_id: int, openings: Collection[int] = ()
) -> Player:
    """Merge the player ``duplicate_id`` into ``keep_id`` and return the remaining player.

    Entries, clubs and account move, ratings are recalculated. Both must be players of the club or without a
    home club; a player of another club needs a request (`deletable_merge_requests`). ``openings``: ledger numbers of
    opening ratings to keep where both players have some on a rating list; the others of that list do not
    count until the merge is undone. On other lists all remain, each from its date.

    Raises ``Conflict`` if both took part in one division: they are two people, or the division must be
    corrected first.
    """
    club = club_for_director(actor, club_id)
    if openings:
        lock_events_of(keep_id, duplicate_id)
        lock_clubs_of_openings(openings)
    keep, duplicate = lock_players_to_merge(club, keep_id, duplicate_id)
    require_home_director(actor, duplicate, club)
    require_home_director(actor, keep, club)
    require_one_person(keep, duplicate)
    reason = _("Merged into %(name)s, whose rating starts from another opening rating.") % {"name": keep.name}
    removed_openings = remove_other_openings(
        actor=actor, stay=openings, keep=keep.pk, duplicate=duplicate.pk, reason=reason
    )
    return merge_locked(actor, keep, duplicate, clubs=[club], openings=removed_openings)


def lock_players_to_merge(club: Club, keep_id: int, duplicate_id: int) -> tuple[Player, Player]:
    """Return the remaining player and the duplicate, with their rows locked.

    Raises ``Invalid`` if they are the same, ``Missing`` if ``club`` does not know them.
    """
    if keep_id == duplicate_id:
        raise Invalid("player.same")
    rows = lock_players(keep_id, duplicate_id)
    keep, duplicate = rows.get(keep_id), rows.get(duplicate_id)
    club_player_ids = set(
        PlayerClub.objects.filter(club=club, player_id__in=rows).values_list("player_id", flat=True)
    )
    if (
        keep is None
        or duplicate is None
        or duplicate.pk not in club_player_ids
        or (keep.pk not in club_player_ids and not keep.listed)
    ):
        raise Missing("player.unknown")
    return keep, duplicate


def require_one_person(keep: Player, duplicate: Player) -> None:
    """Raise ``Conflict`` if one of the players is already merged, or if both took part in one division."""
    for player in (keep, duplicate):
        if player.merged_into_id is not None:
            raise Conflict("player.merged_already", name=player.name)
    if division_ids_of_player(keep) & division_ids_of_player(duplicate):
        raise Conflict("player.same_division", name=keep.name)


def division_ids_of_player(player: Player) -> set[int]:
    """Return the ids of the divisions in which the player takes part, or did until another took over."""
    current_ids = EntryPlayer.objects.filter(player=player).values_list("division_id", flat=True)
    former_ids = FormerPlayer.objects.filter(player=player).values_list(
        "lineup__entry__division_id", flat=True
    )
    return {*current_ids, *former_ids}


def merge_locked(
    actor: Actor,
    keep: Player,
    duplicate: Player,
    *,
    clubs: Sequence[Club | None],
    openings: tuple[int, ...] = (),
) -> Player:
    """Merge two locked players, and record this in the audit log of each of ``clubs``; each can undo it.

    The caller checks permission. ``openings``: ledger numbers of opening ratings that no longer count because
    of the merge. Ratings are recalculated.
    """
    action = replace(_move_rows(keep, duplicate), openings=openings)
    duplicate.merged_into = keep
    duplicate.version += 1
    duplicate.save()
    keep.version += 1
    keep.save()
    for club in clubs:
        audit.record_action(
            actor=actor, action=action.kind, subject=duplicate, club=club, data=serialize_action(action)
        )
    _raise_page_versions(action)
    rebuild_lists_of_player(player_id=duplicate.pk)
    return keep


@durable
def undo_merge(*, actor: Actor, club_id: int, audit_id: int) -> Player:
    """Undo a merge and return the duplicate, who gets back entries, clubs, account and opening ratings.

    ``audit_id``: row of the club's audit log that records the merge. A merge can be undone once.
    """
    club = club_for_director(actor, club_id)
    merge = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, club=club, action=PlayersMerged.kind
        )
    )
    if merge is None:
        raise Missing("player.merge_unknown")
    return undo_merge_locked(actor, merge)


@durable
def undo_last_merge(*, actor: Actor, club_id: int, duplicate: str) -> Player:
    """Undo the last merge of the player whose public id is ``duplicate``, and return this player.

    Raises ``Missing`` if the club's audit log has no such merge.
    """
    club = club_for_director(actor, club_id)
    merges = AuditEntry.objects.select_for_update(of=("self",)).filter(club=club, action=PlayersMerged.kind)
    merged_player = one_or_none(Player.objects.filter(public_id=duplicate, merged_into__isnull=False))
    merge = (
        merges.filter(subject_id=merged_player.pk).order_by("-pk").first()
        if merged_player is not None
        else None
    )
    if merge is None:
        raise Missing("player.merge_unknown")
    return undo_merge_locked(actor, merge)


def undo_merge_locked(actor: Actor, merge: AuditEntry) -> Player:
    """Undo the merge that the locked row ``merge`` of the audit log records. The caller checks permission."""
    if merge.undone_by_id is not None:
        raise Conflict("player.merge_undone")
    action = parse_action_as(PlayersMerged, merge.data)
    if isinstance(action, UnknownAction):  # a newer release made it
        raise Missing("player.merge_unknown")
    rows = lock_players(action.keep, action.duplicate)
    keep, duplicate = rows[action.keep], rows[action.duplicate]
    EntryPlayer.objects.filter(pk__in=action.entry_players, player=keep).update(player=duplicate)
    FormerPlayer.objects.filter(pk__in=action.former_players, player=keep).update(player=duplicate)
    for pk, name in action.lineups.items():
        FormerLineup.objects.filter(pk=pk).update(name=name)
    PlayerClub.objects.filter(pk__in=action.clubs_added).delete()
    for pk, name in action.names.items():
        Entry.objects.filter(pk=pk).update(name=name)
    if action.user is not None and keep.user_id == action.user:
        keep.user = None
    keep.version += 1
    keep.save()
    duplicate.merged_into = None
    duplicate.user_id = action.user
    duplicate.version += 1
    duplicate.save()
    restore_openings(removed_ids=action.openings)
    _record_undo_in_clubs(actor, duplicate)
    _raise_page_versions(action)
    rebuild_lists_of_player(player_id=duplicate.pk)
    return duplicate


def _record_undo_in_clubs(actor: Actor, duplicate: Player) -> None:
    """Record the undo in the audit log of every club whose log has the merge."""
    rows = AuditEntry.objects.select_for_update(of=("self",)).select_related("club")
    open_rows = rows.filter(action=PlayersMerged.kind, subject_id=duplicate.pk, undone_by=None)
    for row in open_rows.order_by("pk"):
        undone = MergeUndone(merge=row.pk)
        row.undone_by = audit.record_action(
            actor=actor, action=undone.kind, subject=duplicate, club=row.club, data=serialize_action(undone)
        )
        row.save(update_fields=["undone_by"])


def club_for_director(actor: Actor, club_id: int) -> Club:
    """Return the club with this id.

    Raises ``Missing``, or ``NotAllowed`` if the actor is not a director of the club.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    return club


def lock_events_of(*player_ids: int) -> None:
    """Lock all events in which players with these ids take part, in the order of the events' ids."""
    events = events_with_players(player_ids).values("pk")
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk").values_list("pk"))


def lock_players(*player_ids: int) -> dict[int, Player]:
    """Return the players with their rows locked, keyed by id.

    Their events are locked first, as when players are entered, so that no deadlock is possible.
    """
    lock_events_of(*player_ids)
    rows = Player.objects.select_for_update(of=("self",)).filter(pk__in=player_ids).order_by("pk")
    return {player.pk: player for player in rows}


def _move_rows(keep: Player, duplicate: Player) -> PlayersMerged:
    """Move the database rows of ``duplicate`` to ``keep``.

    Return the audit action with what an undo needs.
    """
    entry_players = list(EntryPlayer.objects.filter(player=duplicate).values_list("pk", "entry_id"))
    entry_ids = [entry_id for _pk, entry_id in entry_players]
    singles = Entry.objects.filter(pk__in=entry_ids, name=duplicate.name)
    names = {EntryId(pk): name for pk, name in singles.values_list("pk", "name")}
    singles.update(name=keep.name)
    EntryPlayer.objects.filter(pk__in=[pk for pk, _entry in entry_players]).update(player=keep)
    former_players = list(
        FormerPlayer.objects.filter(player=duplicate).values_list("pk", "lineup_id", "lineup__entry_id")
    )
    lineups = FormerLineup.objects.filter(
        pk__in=[pk for _row, pk, _entry in former_players], name=duplicate.name
    )
    former_names = dict(lineups.values_list("pk", "name"))
    lineups.update(name=keep.name)
    FormerPlayer.objects.filter(pk__in=[pk for pk, _lineup, _entry in former_players]).update(player=keep)
    known_club_ids = set(PlayerClub.objects.filter(player=keep).values_list("club_id", flat=True))
    added_ids = [
        PlayerClub.objects.create(player=keep, club_id=club_id).pk
        for club_id in PlayerClub.objects.filter(player=duplicate)
        .exclude(club_id__in=known_club_ids)
        .values_list("club_id", flat=True)
    ]
    user_id = duplicate.user_id
    if user_id is not None and keep.user_id is not None:
        raise Conflict("player.two_accounts", name=keep.name)
    if user_id is not None:
        duplicate.user = None
        duplicate.save(update_fields=["user"])
        keep.user_id = user_id
    return PlayersMerged(
        keep=keep.pk,
        duplicate=duplicate.pk,
        entry_players=tuple(pk for pk, _entry in entry_players),
        entries=tuple(
            EntryId(pk) for pk in [*entry_ids, *(entry for _row, _lineup, entry in former_players)]
        ),
        former_players=tuple(pk for pk, _lineup, _entry in former_players),
        lineups=former_names,
        names=names,
        clubs_added=tuple(added_ids),
        user=user_id,
    )


def _raise_page_versions(action: PlayersMerged) -> None:
    """Increase the versions of all pages that show the player's name, so that browsers load them again."""
    events = Event.objects.filter(divisions__entries__pk__in=action.entries).distinct().order_by("pk")
    raise_event_versions(list(events))
    clubs = PlayerClub.objects.filter(player__in=[action.keep, action.duplicate])
    raise_versions([NAMES, *map(club_players_topic, clubs.values_list("club_id", flat=True))])
