"""Audit actions about draws, rounds of a Swiss or round robin, and play-offs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tournaments.engine.stages.swiss import AvoidancePolicy
from tournaments.engine.trail.action import AuditAction, ChangeScope, Pair, RoundNo
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawMade(AuditAction):
    """A draw was made.

    ``method``: its code. ``lines``: entries from the top line of the bracket down; missing in early rows.
    ``number``: counts the draws of the stage; ``by``: source of the random seed
    (``lots.committed.SeedSourceKind``); ``why``: the reason for a repeated draw; ``list_hash``: the hash of
    its frozen list. ``commitment``: that to its secret, with its publicity; ``next_commitment``: that for the
    next draw. ``randomness``: number of the public randomness named for it, and its ``value`` if the draw
    used it. Rows before 0.4 have none of these.
    """

    kind: ClassVar[str] = "draw.make"
    seed: str
    method: str
    entries: tuple[EntryId, ...]
    lines: tuple[EntryId | None, ...] | None = None
    number: int = 0
    by: str = ""
    why: str = ""
    list_hash: str = ""
    commitment: str = ""
    publicity: str = ""
    next_commitment: str = ""
    randomness: int = 0
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDiscarded(AuditAction):
    kind: ClassVar[str] = "draw.discard"
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPublished(AuditAction):
    """A draw was published.

    ``absent``: entries that are in the draw by the director's decision though not checked in.
    """

    kind: ClassVar[str] = "draw.publish"
    seed: str
    absent: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawUnpublished(AuditAction):
    kind: ClassVar[str] = "draw.take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPaired(AuditAction):
    kind: ClassVar[str] = "round.pair"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int
    seed: str
    pairs: tuple[Pair, ...]
    bye: EntryId | None
    number: int = 0
    by: str = ""
    why: str = ""
    list_hash: str = ""
    commitment: str = ""
    publicity: str = ""
    next_commitment: str = ""
    randomness: int = 0
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingDiscarded(AuditAction):
    kind: ClassVar[str] = "round.discard"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPublished(AuditAction):
    """The pairings of one or more rounds were published.

    ``rounds``: number of rounds published together, beginning with ``round``. ``rests``: half points of
    entries without a match. ``pairs``: of every round; missing in early rows. ``absent``: entries that are
    paired by the director's decision though not checked in.
    """

    kind: ClassVar[str] = "round.publish"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int
    seed: str
    rests: Mapping[EntryId, int]
    rounds: int
    pairs: Mapping[RoundNo, tuple[Pair, ...]] | None = None
    absent: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundUnpublished(AuditAction):
    """A round was unpublished and, if they were published together, also those after it."""

    kind: ClassVar[str] = "round.take_back"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SitOutSet(AuditAction):
    """It was decided whether an entry sits out the next round.

    ``points``: half points that it gets; None: the entry plays after all.
    """

    kind: ClassVar[str] = "round.sit_out"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    name: str
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsEnded(AuditAction):
    """The director ended the stage after ``rounds`` of ``planned`` rounds."""

    kind: ClassVar[str] = "round.end"
    rounds: int
    planned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesSwapped(AuditAction):
    kind: ClassVar[str] = "round.swap"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    round: int
    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapsUndone(AuditAction):
    kind: ClassVar[str] = "round.undo_swaps"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesKeptApart(AuditAction):
    """A director set whether two entries may be paired; ``first``, ``second``: names of the entries."""

    kind: ClassVar[str] = "round.keep_apart"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    first: str
    second: str
    wish: AvoidancePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffStarted(AuditAction):
    """A play-off between tied entries was started.

    ``names``: of the entries; ``pairs``: of every round, missing in early rows.
    """

    kind: ClassVar[str] = "play_off.start"
    names: tuple[str, ...]
    pairs: Mapping[RoundNo, tuple[Pair, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffUndone(AuditAction):
    """A play-off was undone; ``round``: its first round."""

    kind: ClassVar[str] = "play_off.take_back"
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffRecorded(AuditAction):
    """The result of a play-off was recorded; ``order``: names of the tied entries, best first."""

    kind: ClassVar[str] = "stage.play_off"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffsDiscarded(AuditAction):
    kind: ClassVar[str] = "stage.forget_play_off"


class Commitment(NamedTuple):
    """The commitment of a stage: the SHA-256 of its secret; ``stage``: its database id."""

    stage: int
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentPublicitySet(AuditAction):
    """The event became public or private, or its draws have new commitments.

    ``public``: whether the event is public; ``commitments``: those of all stages at that time.
    """

    kind: ClassVar[str] = "draw.commitments_public"
    public: bool
    commitments: tuple[Commitment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomnessNamed(AuditAction):
    """A director named the source of public randomness for the next draw of a stage (`lots.randomness`).

    ``number``: counts these in the stage; ``promise``: the commitment to the server's secret; ``commitment``:
    the hash over all of it, for witnesses.
    """

    kind: ClassVar[str] = "draw.name_randomness"
    number: int
    source: str
    network: str
    round: int | None
    label: str
    due_at: str
    list_hash: str
    promise: str
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomnessFetched(AuditAction):
    """The ``value`` of named public randomness was fetched; ``read_from``: the address it was read from."""

    kind: ClassVar[str] = "draw.fetch_randomness"
    number: int
    value: str
    read_from: str


# Kinds of actions that state commitments and contain nothing private.
COMMITMENT_ACTION_KINDS: Final = (CommitmentPublicitySet.kind, RandomnessNamed.kind, RandomnessFetched.kind)
