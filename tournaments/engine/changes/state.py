"""A stage as one change sees it: its matches as values, before and after.

``load`` (``tournaments.store``) makes it from rows, `next_state` says what a change makes of it, ``save`` writes what differs.
A live result reads the few matches around it; what it looks at beyond that is asked for by `MatchNotLoaded`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Final, Self

from tournaments.engine.brackets.progression import MatchState, Slot, SlotState
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import (
    BASELINE_COLUMNS,
    MatchBaseline,
    MatchUndo,
    changed_slots,
    changed_values,
)
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Score, Side


class MatchNotLoaded(LookupError):
    """A change looks at a match of the stage that was not read: read it, and ask again."""

    def __init__(self, number: MatchNo) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report that is kept: its database id, and which word about its match it is (1, 2…)."""

    pk: int
    version: int


@dataclass(frozen=True, slots=True)
class NewReport:
    """What is said by a change itself, to be kept as the next report of its match.

    ``repeated_report_id``: the database id of a report that is said again as it was, with its record. ``absent``: nobody said it; it
    follows from an entry that has left.
    """

    claim: Claim | None = None
    key: str = ""
    note: str = ""
    repeated_report_id: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """The columns of a match that a change may write, by their names in the database.

    A column that is added to the matches is added here: with a history, and undone by name, from then on.
    """

    status: MatchStatus
    length: int
    table: int | None = None
    result_kind: str = ""
    winner_side: str = ""
    score_a: int | None = None
    score_b: int | None = None
    start_a: int = 0
    start_b: int = 0
    awards: Sequence[Mapping[str, Any]] = field(default_factory=list)
    adjourned: Mapping[str, Any] = field(default_factory=dict)
    clock: Mapping[str, Any] = field(default_factory=dict)
    called_at: datetime | None = None
    started_at: datetime | None = None
    sent_back_at: datetime | None = None
    played_at: datetime | None = None
    confirmed_at: datetime | None = None

    def data(self) -> dict[str, Any]:
        """As JSON, by name."""
        values = ((name, getattr(self, name)) for name in MATCH_COLUMNS)
        return {
            name: value.isoformat() if name in TIME_COLUMNS and value else value for name, value in values
        }

    def put_back(self, before: Mapping[str, Any]) -> Self:
        """With these values, from JSON; a column that there is no more is nothing to put back."""
        known = {name: value for name, value in before.items() if name in MATCH_COLUMNS and name != "status"}
        for name in TIME_COLUMNS & known.keys():
            known[name] = datetime.fromisoformat(known[name]) if known[name] else None
        return replace(self, **known)

    def unplayed(self, status: MatchStatus) -> Self:
        """As if nothing had happened in it: every column but its length as in a new match."""
        return replace(
            self,
            status=status,
            **{name: _column_default(name) for name in MATCH_COLUMNS if name not in PERMANENT_COLUMNS},
        )


MATCH_COLUMNS: Final = tuple(one.name for one in fields(MatchColumns))
TIME_COLUMNS: Final = frozenset({"called_at", "started_at", "sent_back_at", "played_at", "confirmed_at"})
PERMANENT_COLUMNS: Final = frozenset({"status", "length"})
_RESULT_COLUMNS: Final = frozenset({"result_kind", "winner_side", "score_a", "score_b"})
# What was set or ruled for a match before it had a result: it still holds when the result is taken back.
RULING_COLUMNS: Final = tuple(
    name for name in MATCH_COLUMNS if name not in PERMANENT_COLUMNS | TIME_COLUMNS | _RESULT_COLUMNS
)
# What a match that a repair lets be played gets by itself, or by the director, before an undo: it goes with the undo.
PLAY_COLUMNS: Final = (*RULING_COLUMNS, *sorted(TIME_COLUMNS))


def _column_default(name: str) -> Any:
    one = next(one for one in fields(MatchColumns) if one.name == name)
    return one.default_factory() if one.default_factory is not MISSING else one.default


@dataclass(frozen=True, slots=True)
class MatchData:
    """A match: who stands in it, where its winner and loser go, its columns, and what was said about it and counts.

    ``open``: database ids of the reports that wait for an answer; ``final``: the one that is its result. ``former``: by side the
    database id of the lineup that sat there, where another player took over the entry since.
    """

    number: MatchNo
    a: Slot
    b: Slot
    columns: MatchColumns
    winner_to: Target | None = None
    loser_to: Target | None = None
    open: tuple[int, ...] = ()
    final: StoredReport | NewReport | None = None
    former: Mapping[Side, int] = field(default_factory=dict)

    @property
    def status(self) -> MatchStatus:
        return self.columns.status

    @property
    def start(self) -> Score:
        return Score(self.columns.start_a, self.columns.start_b)

    def slot(self, side: Side) -> Slot:
        return self.a if side is Side.A else self.b

    def absent(self, gone: frozenset[EntryId]) -> list[Side]:
        """The sides whose entries have left."""
        return [side for side in Side if self.slot(side).entry in gone]

    def with_slot(self, side: Side, slot: Slot) -> Self:
        """With somebody else, or nobody, on this side."""
        return replace(self, a=slot) if side is Side.A else replace(self, b=slot)

    def with_former_lineup(self, side: Side, lineup: int | None) -> Self:
        """With this former lineup on a side; None: the entry's players of today."""
        others = {one: pk for one, pk in self.former.items() if one is not side}
        return replace(self, former=others if lineup is None else {**others, side: lineup})

    def written(self, **values: Any) -> Self:
        """With these columns."""
        return replace(self, columns=replace(self.columns, **values))

    def to_match_state(self) -> MatchState:
        """As the bracket sees it."""
        outcome = None
        if self.status is MatchStatus.CONFIRMED:
            winner = Side(self.columns.winner_side) if self.columns.winner_side else None
            outcome = Outcome(winner, ResultKind(self.columns.result_kind))
        return MatchState(self.number, self.a, self.b, self.status, outcome, self.winner_to, self.loser_to)

    def slots(self) -> dict[Side, dict[str, Any]]:
        """The columns of both slots, by name."""
        return {
            side: {
                "entry_id": slot.entry,
                "by_hand": slot.by_hand,
                "has_won": slot.has_won,
                "former_id": self.former.get(side),
            }
            for side, slot in ((Side.A, self.a), (Side.B, self.b))
        }

    def standing(self) -> MatchBaseline:
        """As far as somebody could build on it."""
        columns = self.columns.data()
        return MatchBaseline({name: columns[name] for name in BASELINE_COLUMNS}, self.slots())

    def touched(self, after: MatchData) -> MatchUndo:
        """What a repair that leaves ``after`` has to keep for its undo."""
        before, then = self.columns.data(), after.columns.data()
        return MatchUndo(
            columns={
                **{name: (before[name], then[name]) for name in PLAY_COLUMNS},
                **changed_values(before, then),
            },
            slots=changed_slots(self.slots(), after.slots()),
            was=self.standing(),
            then=after.standing(),
            open=self.open,
            final=self.final.pk if isinstance(self.final, StoredReport) else None,
        )

    def differs(self, other: MatchData) -> bool:
        """Whether anything is to be written: what the slots wait for is computed, and no column."""
        mine = (self.columns, self.open, self.final, self.slots())
        return mine != (other.columns, other.open, other.final, other.slots())


@dataclass(frozen=True, slots=True)
class StageState:
    """The matches of a stage, all of them or those around one. ``gone``: entries in them that have left; ``struck``: of
    these, whose results in a round robin count for nothing.
    """

    matches: Mapping[MatchNo, MatchData]
    gone: frozenset[EntryId] = frozenset()
    struck: frozenset[EntryId] = frozenset()

    def match(self, number: MatchNo) -> MatchData:
        """Raises `MatchNotLoaded` where it was not read."""
        try:
            return self.matches[number]
        except KeyError:
            raise MatchNotLoaded(number) from None

    def joined(self, other: StageState) -> StageState:
        """With more matches, read since."""
        return StageState(
            {**self.matches, **other.matches}, self.gone | other.gone, self.struck | other.struck
        )

    def changed(self, after: StageState) -> dict[MatchNo, tuple[MatchData, MatchData]]:
        """What differs, by number: before and after."""
        return {
            number: (match, after.matches[number])
            for number, match in self.matches.items()
            if match is not after.matches[number] and match.differs(after.matches[number])
        }

    def awaited(self, after: StageState) -> set[MatchNo]:
        """The matches in which, afterwards, somebody may still come where nobody would, or the other way round: who passes
        such a match, or waits in it, builds on that.
        """
        return {
            number
            for number, match in self.matches.items()
            if (match.a.state, match.b.state)
            != (after.matches[number].a.state, after.matches[number].b.state)
        }


def slot_from_columns(
    entry: EntryId | None, *, by_hand: bool = False, has_won: bool = False, open_: bool = False
) -> Slot:
    """A slot from its columns; without an entry it is vacant, unless somebody may still come (``open_``)."""
    state = SlotState.ENTRY if entry is not None else SlotState.OPEN if open_ else SlotState.VACANT
    return Slot(state, entry, has_won, by_hand)
