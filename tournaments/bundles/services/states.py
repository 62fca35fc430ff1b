"""How an event of a bundle stands to the one that is here, told by the chains of both trails."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from people.models import AuditEntry
from people.rows import one_or_none
from tournaments.backups.services.archive import BackupRefused
from tournaments.engine.trail.chain import first_link
from tournaments.models import Event
from tournaments.models.trail import scope_of

if TYPE_CHECKING:
    from tournaments.bundles.services.taking import Taking


class State(StrEnum):
    """What the bundle has of an event, seen from here."""

    NEW = "new"
    FURTHER = "updated"
    SAME = "unchanged"
    OLDER = "newer on this site"


def states_of(taking: "Taking") -> dict[str, tuple[int, State]]:
    """Every event of the bundle by its public id: its number and how it stands. Those that are here are locked."""
    links = taking.links()
    return {
        row["public_id"]: (row["id"], _state(row, links.get(f"event:{row['id']}", set())))
        for row in taking.dicts(Event)
    }


def _state(row: dict[str, Any], links: set[str]) -> State:
    here = one_or_none(Event.objects.select_for_update().filter(public_id=row["public_id"]))
    if here is None:
        return State.NEW
    if here.club_id != row["club_id"]:
        raise BackupRefused(f"{here.name} belongs to another club on this site.")
    head, begin = row["trail_head"], first_link(here.public_id)
    if here.trail_head == head:
        return State.SAME
    if here.trail_head in {begin, *links}:
        return State.FURTHER
    if head == begin or AuditEntry.objects.filter(scope=scope_of(here), link=head).exists():
        return State.OLDER
    raise BackupRefused(
        f"{here.name} was changed on both sites since they last agreed, so it was not imported. Its audit log head is"
        f" {here.trail_head[:12]} here and {head[:12]} there."
    )
