"""State of an event of a bundle relative to this site, by the hash chains of both audit logs."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from people.models import AuditEntry
from people.rows import one_or_none
from tournaments.backups.services.archive import BackupRefused
from tournaments.engine.trail.chain import initial_hash
from tournaments.models import Event
from tournaments.models.trail import audit_scope

if TYPE_CHECKING:
    from tournaments.bundles.services.taking import BundleLoader


class ImportState(StrEnum):
    """Whether an event of the bundle is new or changed, compared with this site."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    OLDER = "newer on this site"


def import_states(loader: "BundleLoader") -> dict[str, tuple[int, ImportState]]:
    """Return id and state of every event of the bundle, keyed by public id.

    Locks the events that exist here.
    """
    links = loader.links()
    return {
        row["public_id"]: (row["id"], _import_state(row, links.get(f"event:{row['id']}", set())))
        for row in loader.row_dicts(Event)
    }


def _import_state(row: dict[str, Any], links: set[str]) -> ImportState:
    event = one_or_none(Event.objects.select_for_update().filter(public_id=row["public_id"]))
    if event is None:
        return ImportState.NEW
    if event.club_id != row["club_id"]:
        raise BackupRefused(f"{event.name} belongs to another club on this site.")
    head, start_hash = row["trail_head"], initial_hash(event.public_id)
    if event.trail_head == head:
        return ImportState.UNCHANGED
    if event.trail_head in {start_hash, *links}:
        return ImportState.UPDATED
    if head == start_hash or AuditEntry.objects.filter(scope=audit_scope(event), link=head).exists():
        return ImportState.OLDER
    raise BackupRefused(
        f"{event.name} was changed on both sites since they last agreed, so it was not imported. Its audit log head is"
        f" {event.trail_head[:12]} here and {head[:12]} there."
    )
