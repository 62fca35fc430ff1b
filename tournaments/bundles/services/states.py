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
    """State of an event of the bundle, as seen from this site."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    OLDER = "newer on this site"


def import_states(taking: "BundleLoader") -> dict[str, tuple[int, ImportState]]:
    """Return id and state of every event of the bundle by public id. Locks the events that exist here."""
    links = taking.links()
    return {
        row["public_id"]: (row["id"], _import_state(row, links.get(f"event:{row['id']}", set())))
        for row in taking.row_dicts(Event)
    }


def _import_state(row: dict[str, Any], links: set[str]) -> ImportState:
    here = one_or_none(Event.objects.select_for_update().filter(public_id=row["public_id"]))
    if here is None:
        return ImportState.NEW
    if here.club_id != row["club_id"]:
        raise BackupRefused(f"{here.name} belongs to another club on this site.")
    head, begin = row["trail_head"], initial_hash(here.public_id)
    if here.trail_head == head:
        return ImportState.UNCHANGED
    if here.trail_head in {begin, *links}:
        return ImportState.UPDATED
    if head == begin or AuditEntry.objects.filter(scope=audit_scope(here), link=head).exists():
        return ImportState.OLDER
    raise BackupRefused(
        f"{here.name} was changed on both sites since they last agreed, so it was not imported. Its audit log head is"
        f" {here.trail_head[:12]} here and {head[:12]} there."
    )
