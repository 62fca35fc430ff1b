"""Audit actions about entries before they are in a draw, and about players of the club."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.trail.matrix import PreviousApproval, PreviousPayment
from tournaments.engine.types import EntryId


class PreviousPlacement(NamedTuple):
    """Division (id) and seed of an entry before it was moved."""

    entry: EntryId
    division: int
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesAdded(AuditAction):
    """``together``: added as one list, which can be undone in one step."""

    kind: ClassVar[str] = "entry.add"
    entries: tuple[NamedEntry, ...]
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOverruled(AuditAction):
    """Entries were admitted to a ``division`` outside its rating limit, with the director's reason.

    Ratings are not logged.
    """

    kind: ClassVar[str] = "entry.overrule_limit"
    entries: tuple[NamedEntry, ...]
    division: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesMoved(AuditAction):
    """``division``: name of the new division. ``came_from``: data for an undo."""

    kind: ClassVar[str] = "entry.move"
    entries: tuple[NamedEntry, ...]
    division: str
    came_from: tuple[PreviousPlacement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryUpdated(AuditAction):
    """Name and marks (`new_entry.EntryMarks`), by field."""

    kind: ClassVar[str] = "entry.update"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetailsSet(AuditAction):
    """Fields of the players' details that changed; their values are stored with the entry only.

    ``replies``: the new values of fields that are consents.
    """

    kind: ClassVar[str] = "entry.details"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    fields: tuple[str, ...]
    replies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesPaid(AuditAction):
    """Entries were marked as paid or unpaid. ``before``: data for an undo."""

    kind: ClassVar[str] = "entry.paid"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    entries: tuple[NamedEntry, ...]
    paid: bool
    before: tuple[PreviousPayment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactsErased(AuditAction):
    """Addresses, phone numbers and notes of ``players`` were deleted at the end of their retention time."""

    kind: ClassVar[str] = "entry.forget"
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(AuditAction):
    """An entry was withdrawn before the draw; afterwards it is a repair. ``phone``: as in `ResultReported`.

    ``own``: the players withdrew themselves, so they may return without a director.
    """

    kind: ClassVar[str] = "entry.withdraw"
    name: str
    phone: int = 0
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesWithdrawn(AuditAction):
    """Entries withdrawn together before the draw.

    Each has its own earlier row; this one holds the data for an undo.

    ``seeds``: those that had one. ``waited``: were on the waiting list. ``moved``: moved up from it to a free
    place.
    """

    kind: ClassVar[str] = "entry.withdraw_together"
    entries: tuple[NamedEntry, ...]
    seeds: Mapping[EntryId, int] = field(default_factory=dict)
    waited: tuple[EntryId, ...] = ()
    moved: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesActionUndone(AuditAction):
    """An action on several entries was undone for ``entries``; those in ``kept`` had changed since.

    ``of``: id of the undone row; ``what``: its kind.
    """

    kind: ClassVar[str] = "entry.undo_together"
    of: int
    what: str
    entries: tuple[NamedEntry, ...]
    kept: tuple[NamedEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReturned(AuditAction):
    """``waits``: to the end of the waiting list. ``phone``: as in `EntryWithdrawn`."""

    kind: ClassVar[str] = "entry.return"
    name: str
    phone: int = 0
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesExceeded(AuditAction):
    """A director gave ``count`` entries a place in a full ``division``: ``have`` of its ``places`` were
    taken, and ``waiting`` entries on the waiting list were passed over. The row of those entries follows.
    """

    kind: ClassVar[str] = "entry.exceed_places"
    division: str
    count: int
    places: int
    have: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesApproved(AuditAction):
    """Entries by the link were approved.

    ``by_account``: by signing in as the player. ``before``: data for an undo.
    """

    kind: ClassVar[str] = "entry.approve"
    entries: tuple[NamedEntry, ...]
    by_account: bool = False
    before: tuple[PreviousApproval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDeclined(AuditAction):
    """A pending entry was deleted, with the player created for it. ``name``: as entered."""

    kind: ClassVar[str] = "entry.turn_away"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedUp(AuditAction):
    """From the waiting list to a place; ``by_hand``: admitted by a director, even without a free place."""

    kind: ClassVar[str] = "entry.move_up"
    name: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedBack(AuditAction):
    """Returned to the waiting list, before the entry was notified of its place."""

    kind: ClassVar[str] = "entry.move_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesUnapproved(AuditAction):
    """An approval by mistake was undone; the identity is unconfirmed again."""

    kind: ClassVar[str] = "entry.unapprove"
    entries: tuple[NamedEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReentered(AuditAction):
    """``name``: that of the new entry."""

    kind: ClassVar[str] = "entry.buy_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsSet(AuditAction):
    """New seeds of entries whose seed changed. ``before``: data for an undo."""

    kind: ClassVar[str] = "entry.seed"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    seeds: Mapping[EntryId, int | None]
    before: Mapping[EntryId, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(AuditAction):
    """A duplicate player was merged into another; row ids and data for an undo.

    ``names``: of entries named after the duplicate. ``user``: the account that was moved. ``openings``:
    ledger numbers of opening ratings that were superseded by the other player's. ``former_players`` and
    ``lineups``: as for entries, of former lineups.
    """

    kind: ClassVar[str] = "player.merge"
    keep: int
    duplicate: int
    entry_players: tuple[int, ...]
    entries: tuple[EntryId, ...]
    names: Mapping[EntryId, str]
    clubs_added: tuple[int, ...]
    user: int | None
    openings: tuple[int, ...] = ()
    former_players: tuple[int, ...] = ()
    lineups: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeUndone(AuditAction):
    """``merge``: id of the merge's row."""

    kind: ClassVar[str] = "player.undo_merge"
    merge: int
