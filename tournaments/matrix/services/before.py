"""The state before a save of the players table, stored so that the save can be undone.

Approvals and moves up are in the save's entry in the audit log. Notes and custom fields are not, because the
audit log is permanent: they are stored beside the entries, and deleted with them.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from people.models import AuditEntry
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX, NOTE_COLUMN
from tournaments.engine.trail.entries import EntriesApproved, EntryMovedUp
from tournaments.engine.trail.matrix import PreviousApproval
from tournaments.engine.types import EntryId
from tournaments.models import EntryDetail, EntryPlayer, Event
from tournaments.models.trail import audit_scope, parse_row

MAX_SAVES: Final = 5  # the last ones of each entry


class TextChange(NamedTuple):
    """The text of a cell for one entry of a player, ``before`` and ``after`` a save."""

    entry: int
    player: int
    cell: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AuditSnapshot:
    """The last id in the audit log before a save, and new players of unapproved entries, keyed by entry id.

    New players: those created with the entry (ids).
    """

    last: int
    new: Mapping[int, tuple[int, ...]]

    @classmethod
    def now(cls, event: Event) -> "AuditSnapshot":
        newest = (
            AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk").values_list("pk", flat=True)
        )
        new_players: dict[int, tuple[int, ...]] = {}
        new_rows = EntryPlayer.objects.filter(division__event=event, is_new=True)
        for entry, player in new_rows.order_by("pk").values_list("entry_id", "player_id"):
            new_players[entry] = (*new_players.get(entry, ()), player)
        return cls(newest.first() or 0, new_players)

    def since(self, event: Event) -> tuple[tuple[PreviousApproval, ...], tuple[EntryId, ...]]:
        """Return the approvals, and the entries that moved up, since the snapshot.

        The caller holds the event's lock, so all later entries in the audit log are its own.
        """
        approved: list[PreviousApproval] = []
        moved_up: list[EntryId] = []
        kinds = (EntriesApproved.kind, EntryMovedUp.kind)
        rows = AuditEntry.objects.filter(scope=audit_scope(event), pk__gt=self.last, action__in=kinds)
        for row in rows.order_by("pk"):
            action = parse_row(row)
            if isinstance(action, EntriesApproved):
                approved += [
                    PreviousApproval(entry.entry, self.new.get(entry.entry, ())) for entry in action.entries
                ]
            elif row.subject_id is not None:
                moved_up.append(EntryId(row.subject_id))
        return tuple(approved), tuple(moved_up)


def is_unlogged_text(column: str) -> bool:
    """Return whether the texts of a column are not recorded in the audit log."""
    return column == NOTE_COLUMN or column.startswith(CUSTOM_FIELD_PREFIX)


TextsByEntry = Mapping[tuple[int, int], Mapping[str, str]]


def texts_by_entry(event: Event, players: Collection[int]) -> TextsByEntry:
    """Return notes and custom values of these players, keyed by (entry id, player id) and by cell."""
    if not players:
        return {}
    rows = EntryDetail.objects.filter(entry__division__event=event, player__in=players)
    return {(row.entry_id, row.player_id): _texts(row) for row in rows}


def store_previous_texts(event: Event, players: Collection[int], before: TextsByEntry, key: str) -> None:
    """Store the texts that have changed since ``before``, under the ``key`` of the save."""
    if not players:
        return
    rows = []
    for row in EntryDetail.objects.filter(entry__division__event=event, player__in=players):
        old_texts, new_texts = before.get((row.entry_id, row.player_id), {}), _texts(row)
        cells = {
            cell: [old_texts.get(cell, ""), new_texts.get(cell, "")]
            for cell in sorted({*old_texts, *new_texts})
            if old_texts.get(cell, "") != new_texts.get(cell, "")
        }
        if cells:
            row.undo = {**dict(list(row.undo.items())[1 - MAX_SAVES :]), key: cells}
            rows.append(row)
    EntryDetail.objects.bulk_update(rows, ["undo"], batch_size=200)


def stored_changes(event: Event, key: str) -> Iterator[TextChange]:
    """Yield the text changes of the save with this ``key``."""
    if not key:
        return
    rows = EntryDetail.objects.filter(entry__division__event=event).exclude(undo={}).order_by("pk")
    for row in rows:
        for cell, (before, after) in row.undo.get(key, {}).items():
            yield TextChange(row.entry_id, row.player_id, cell, before, after)


def _texts(row: EntryDetail) -> dict[str, str]:
    custom_values = {f"{CUSTOM_FIELD_PREFIX}{column}": value for column, value in row.extra.items()}
    return {NOTE_COLUMN: row.note, **custom_values}
