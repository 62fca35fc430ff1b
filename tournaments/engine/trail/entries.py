"""Deeds about entries before they are in a draw, and about players of the club."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tournaments.engine.trail.action import AuditAction, ChangeScope, NamedEntry
from tournaments.engine.trail.matrix import PreviousApproval, PreviousPayment
from tournaments.engine.types import EntryId


class PreviousPlacement(NamedTuple):
    """The division, by its id, and the seed that an entry had before it was moved."""

    entry: EntryId
    division: int
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesAdded(AuditAction):
    """``together``: as one list, which can be undone in one step."""

    kind: ClassVar[str] = "entry.add"
    entries: tuple[NamedEntry, ...]
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOverruled(AuditAction):
    """They came into a ``division`` that their ratings keep them out of, because a director said so, and why. No rating stands here."""

    kind: ClassVar[str] = "entry.overrule_limit"
    entries: tuple[NamedEntry, ...]
    division: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesMoved(AuditAction):
    """Into another division, by its name. ``came_from``: what an undo needs."""

    kind: ClassVar[str] = "entry.move"
    entries: tuple[NamedEntry, ...]
    division: str
    came_from: tuple[PreviousPlacement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryUpdated(AuditAction):
    """Name and marks (`new_entry.EntryMarks`), by their names."""

    kind: ClassVar[str] = "entry.update"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetailsSet(AuditAction):
    """Which details of an entry's players were changed, by the names of the fields: what they say is kept nowhere but beside the entry.

    ``replies``: of those that are an agreement, what was said.
    """

    kind: ClassVar[str] = "entry.details"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    fields: tuple[str, ...]
    replies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesPaid(AuditAction):
    """Entries that were marked as paid, or as not paid. ``before``: what an undo needs."""

    kind: ClassVar[str] = "entry.paid"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    entries: tuple[NamedEntry, ...]
    paid: bool
    before: tuple[PreviousPayment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactsErased(AuditAction):
    """The time for which addresses, telephone numbers and notes of entries are kept is over; of so many ``players``."""

    kind: ClassVar[str] = "entry.forget"
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn(AuditAction):
    """Before the draw; after it, it is a repair. ``phone``: as in `ResultReported`, where they left by their link. ``own``: the player left by
    themselves, so they may come back by themselves.
    """

    kind: ClassVar[str] = "entry.withdraw"
    name: str
    phone: int = 0
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesWithdrawn(AuditAction):
    """Entries that were withdrawn together before the draw; each has a row of its own before this one, which holds what an undo needs.

    ``seeds``: those that had one. ``waited``: who was on the waiting list. ``moved``: who came from it to a place that became free.
    """

    kind: ClassVar[str] = "entry.withdraw_together"
    entries: tuple[NamedEntry, ...]
    seeds: Mapping[EntryId, int] = field(default_factory=dict)
    waited: tuple[EntryId, ...] = ()
    moved: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesActionUndone(AuditAction):
    """What was done with several entries in one step is undone for ``entries``; ``kept`` had changed since. ``of``: the row that was undone; ``what``: its kind."""

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
    """A director gave ``count`` more entries a place in a ``division`` that has no place free for all of them: ``have`` of its ``places``
    were taken, and ``waiting`` entries on its waiting list were passed over. The row of those entries follows.
    """

    kind: ClassVar[str] = "entry.exceed_places"
    division: str
    count: int
    places: int
    have: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesApproved(AuditAction):
    """Who had entered by the link as somebody known, or where all are approved, is them. ``by_account``: they signed in as that player. ``before``: what an undo needs."""

    kind: ClassVar[str] = "entry.approve"
    entries: tuple[NamedEntry, ...]
    by_account: bool = False
    before: tuple[PreviousApproval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDeclined(AuditAction):
    """An entry that was not approved is gone, and the player who was made with it. ``name``: the one that was typed."""

    kind: ClassVar[str] = "entry.turn_away"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedUp(AuditAction):
    """From the waiting list to a place; ``by_hand``: a director let them in, whether there was one free or not."""

    kind: ClassVar[str] = "entry.move_up"
    name: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMovedBack(AuditAction):
    """To the waiting list again: the place that they had moved up to is taken back, before they heard of it."""

    kind: ClassVar[str] = "entry.move_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesUnapproved(AuditAction):
    """Approved by mistake: whether they are who they say they are is open again."""

    kind: ClassVar[str] = "entry.unapprove"
    entries: tuple[NamedEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReentered(AuditAction):
    """``name``: that of the new entry."""

    kind: ClassVar[str] = "entry.buy_back"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsSet(AuditAction):
    """The new seeds of those whose seed changed. ``before``: what an undo needs."""

    kind: ClassVar[str] = "entry.seed"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    seeds: Mapping[EntryId, int | None]
    before: Mapping[EntryId, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(AuditAction):
    """A player became another one, by ids of rows, with what is needed to take it back.

    ``names``: of the entries that bore the name of the duplicate. ``user``: the account that moved over. ``openings``: ledger numbers
    of opening ratings that were taken back because another one stays. ``former_players`` and ``lineups``: the same of former lineups.
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
    """``merge``: the id of the merge's row."""

    kind: ClassVar[str] = "player.undo_merge"
    merge: int
