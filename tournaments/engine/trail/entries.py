"""Audit actions about entries before they are in a draw, and about players of the club."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.trail.matrix import PreviousApproval, PreviousPayment
from tournaments.engine.types import EntryId


class PreviousPlacement(NamedTuple):
    """The division (its id) and the seed of an entry before the entry was moved."""

    entry: EntryId
    division: int
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesAdded(AuditAction):
    """Entries were added; ``together``: as one list, which can be undone in one step."""

    kind: ClassVar[str] = "entry.add"
    entries: tuple[NamedEntry, ...]
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOverruled(AuditAction):
    """Entries were admitted to a division although they are outside its rating limit.

    ``division``: its name; ``reason``: the director's. Ratings are not logged.
    """

    kind: ClassVar[str] = "entry.overrule_limit"
    entries: tuple[NamedEntry, ...]
    division: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesMoved(AuditAction):
    """Entries were moved to another division.

    ``division``: its name; ``came_from``: where each was before, for an undo.
    """

    kind: ClassVar[str] = "entry.move"
    entries: tuple[NamedEntry, ...]
    division: str
    came_from: tuple[PreviousPlacement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryUpdated(AuditAction):
    """The name or marks (`new_entry.EntryMarks`) of an entry were changed.

    ``before``, ``after``: values of the changed fields, keyed by field.
    """

    kind: ClassVar[str] = "entry.update"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetailsSet(AuditAction):
    """Details of an entry's players were changed.

    ``fields``: which; their values are stored with the entry only. ``replies``: the new values of fields that
    are consents.
    """

    kind: ClassVar[str] = "entry.details"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    fields: tuple[str, ...]
    replies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesPaid(AuditAction):
    """Entries were marked as paid or unpaid; ``before``: data for an undo."""

    kind: ClassVar[str] = "entry.paid"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    entries: tuple[NamedEntry, ...]
    paid: bool
    before: tuple[PreviousPayment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactsErased(AuditAction):
    """Contact details and notes were deleted at the end of their retention time; ``players``: of how many."""

    kind: ClassVar[str] = "entry.forget"
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(AuditAction):
    """An entry was withdrawn before the draw; afterwards a withdrawal is a repair.

    ``own``: the players withdrew themselves, so they may return without a director. ``phone``: which of the
    devices that use the personal link, 0 if no link was used.
    """

    kind: ClassVar[str] = "entry.withdraw"
    name: str
    phone: int = 0
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesWithdrawn(AuditAction):
    """Several entries were withdrawn together before the draw.

    Each has its own earlier row; this one holds the data for an undo. ``seeds``: seeds of those that had one.
    ``waited``: those that were on the waiting list. ``moved``: entries that moved up from it to a free place.
    """

    kind: ClassVar[str] = "entry.withdraw_together"
    entries: tuple[NamedEntry, ...]
    seeds: Mapping[EntryId, int] = field(default_factory=dict)
    waited: tuple[EntryId, ...] = ()
    moved: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesActionUndone(AuditAction):
    """An action on several entries was undone for ``entries``.

    ``kept``: entries that had changed since and were left alone. ``of``: id of the undone row; ``what``: its
    kind.
    """

    kind: ClassVar[str] = "entry.undo_together"
    of: int
    what: str
    entries: tuple[NamedEntry, ...]
    kept: tuple[NamedEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReturned(AuditAction):
    """A withdrawn entry returned.

    ``waits``: to the end of the waiting list. ``phone``: which of the devices that use the personal link, 0
    if no link was used.
    """

    kind: ClassVar[str] = "entry.return"
    name: str
    phone: int = 0
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesExceeded(AuditAction):
    """A director gave ``count`` entries a place in a full ``division``.

    ``have`` of its ``places`` were taken, and ``waiting`` entries on the waiting list were passed over. The
    row of those entries follows.
    """

    kind: ClassVar[str] = "entry.exceed_places"
    division: str
    count: int
    places: int
    have: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesApproved(AuditAction):
    """Entries made by the public link were approved.

    ``by_account``: the player approved the entry by signing in. ``before``: data for an undo.
    """

    kind: ClassVar[str] = "entry.approve"
    entries: tuple[NamedEntry, ...]
    by_account: bool = False
    before: tuple[PreviousApproval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDeclined(AuditAction):
    """A pending entry was declined: it was deleted, with the player created for it.

    ``name``: as entered.
    """

    kind: ClassVar[str] = "entry.turn_away"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedUp(AuditAction):
    """An entry moved from the waiting list to a place.

    ``by_hand``: admitted by a director, even without a free place.
    """

    kind: ClassVar[str] = "entry.move_up"
    name: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedBack(AuditAction):
    """An entry was returned to the waiting list before it was notified of its place."""

    kind: ClassVar[str] = "entry.move_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesUnapproved(AuditAction):
    """An approval by mistake was undone; the identity of the players is unconfirmed again."""

    kind: ClassVar[str] = "entry.unapprove"
    entries: tuple[NamedEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReentered(AuditAction):
    """A player who had lost entered again (a buy-back); ``name``: name of the new entry."""

    kind: ClassVar[str] = "entry.buy_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsSet(AuditAction):
    """Seeds of entries were changed.

    ``seeds``: the new ones by entry id, None for no seed; ``before``: the previous ones, for an undo.
    """

    kind: ClassVar[str] = "entry.seed"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    seeds: Mapping[EntryId, int | None]
    before: Mapping[EntryId, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(AuditAction):
    """A duplicate player was merged into another; ids of rows and data for an undo.

    ``keep``, ``duplicate``: ids of the players. ``names``: previous names of entries named after the
    duplicate. ``user``: the account that was moved. ``openings``: ledger numbers of opening ratings that were
    superseded by the other player's. ``former_players``, ``lineups``: as ``entry_players`` and ``names``, for
    former lineups.
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
    """A merge of two players was undone; ``merge``: id of the merge's row."""

    kind: ClassVar[str] = "player.undo_merge"
    merge: int
