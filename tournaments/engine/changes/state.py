"""A stage as values: its matches before and after a change.

``load`` (``tournaments.store``) builds these values from database rows, `next_state` computes the result of a
change, ``save`` writes the differences. A live result loads only the nearby matches; `MatchNotLoaded`
requests others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Final, Self

from tournaments.engine.brackets.progression import MatchState, Slot, SlotState
from tournaments.engine.brackets.structure import SlotTarget
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
    """A change needs the match ``number``, which was not loaded: load it and repeat the computation."""

    def __init__(self, number: MatchNo) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A saved report: its database id and its version among the reports of the match (1, 2…)."""

    pk: int
    version: int


@dataclass(frozen=True, slots=True)
class NewReport:
    """A report that a change makes, to be saved as the next report of its match.

    ``key``: its submission key; ``repeated_report_id``: database id of a report to repeat unchanged, with its
    game record; ``absent``: made by the software because an entry has left.
    """

    claim: Claim | None = None
    key: str = ""
    note: str = ""
    repeated_report_id: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """The columns of a match that a change may write, with the names of the database.

    A column of matches that changes are to write has to be added here; it then has a history and can be
    undone.
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
        """Return the columns as a dictionary from names to JSON values; times are in ISO form."""
        values = ((name, getattr(self, name)) for name in MATCH_COLUMNS)
        return {
            name: value.isoformat() if name in TIME_COLUMNS and value else value for name, value in values
        }

    def with_values(self, before: Mapping[str, Any]) -> Self:
        """Return a copy in which these columns have these values (names to JSON values).

        Unknown names and ``status`` are ignored.
        """
        values = {name: value for name, value in before.items() if name in MATCH_COLUMNS and name != "status"}
        for name in TIME_COLUMNS & values.keys():
            values[name] = datetime.fromisoformat(values[name]) if values[name] else None
        return replace(self, **values)

    def reset(self, status: MatchStatus) -> Self:
        """Return the columns of an unplayed match with this status: all are reset but the length."""
        return replace(
            self,
            status=status,
            **{name: _column_default(name) for name in MATCH_COLUMNS if name not in PERMANENT_COLUMNS},
        )


MATCH_COLUMNS: Final = tuple(column.name for column in fields(MatchColumns))
TIME_COLUMNS: Final = frozenset({"called_at", "started_at", "sent_back_at", "played_at", "confirmed_at"})
PERMANENT_COLUMNS: Final = frozenset({"status", "length"})
_RESULT_COLUMNS: Final = frozenset({"result_kind", "winner_side", "score_a", "score_b"})
# Set or ruled before the match had a result, so they remain when the result is withdrawn.
RULING_COLUMNS: Final = tuple(
    name for name in MATCH_COLUMNS if name not in PERMANENT_COLUMNS | TIME_COLUMNS | _RESULT_COLUMNS
)
# May be set after a repair made the match playable, and before an undo: the undo resets them too.
PLAY_COLUMNS: Final = (*RULING_COLUMNS, *sorted(TIME_COLUMNS))


def _column_default(name: str) -> Any:
    column = next(column for column in fields(MatchColumns) if column.name == name)
    return column.default_factory() if column.default_factory is not MISSING else column.default


@dataclass(frozen=True, slots=True)
class MatchData:
    """A match of a stage.

    ``winner_to``, ``loser_to``: the slots that winner and loser go to; ``open``: database ids of reports that
    are not yet confirmed; ``final``: the report that is the result; ``former_lineups``: the database id of
    the lineup that played, for each side on which another player has taken over the entry since.
    """

    number: MatchNo
    a: Slot
    b: Slot
    columns: MatchColumns
    winner_to: SlotTarget | None = None
    loser_to: SlotTarget | None = None
    open: tuple[int, ...] = ()
    final: StoredReport | NewReport | None = None
    former_lineups: Mapping[Side, int] = field(default_factory=dict)

    @property
    def status(self) -> MatchStatus:
        return self.columns.status

    @property
    def start(self) -> Score:
        return Score(self.columns.start_a, self.columns.start_b)

    def slot(self, side: Side) -> Slot:
        return self.a if side is Side.A else self.b

    def absent_sides(self, withdrawn: frozenset[EntryId]) -> list[Side]:
        """Return the sides whose entries are in ``withdrawn``."""
        return [side for side in Side if self.slot(side).entry in withdrawn]

    def with_slot(self, side: Side, slot: Slot) -> Self:
        """Return a copy of the match with ``slot`` on this side."""
        return replace(self, a=slot) if side is Side.A else replace(self, b=slot)

    def with_former_lineup(self, side: Side, lineup: int | None) -> Self:
        """Return a copy of the match with this former lineup (a database id) on a side.

        None: the present players of the entry count as those who played.
        """
        other_lineups = {
            other_side: pk for other_side, pk in self.former_lineups.items() if other_side is not side
        }
        return replace(
            self, former_lineups=other_lineups if lineup is None else {**other_lineups, side: lineup}
        )

    def written(self, **values: Any) -> Self:
        """Return a copy of the match in which these columns have these values."""
        return replace(self, columns=replace(self.columns, **values))

    def to_match_state(self) -> MatchState:
        """Return the match as a `MatchState`, for computations in the bracket."""
        outcome = None
        if self.status is MatchStatus.CONFIRMED:
            winner = Side(self.columns.winner_side) if self.columns.winner_side else None
            outcome = Outcome(winner, ResultKind(self.columns.result_kind))
        return MatchState(self.number, self.a, self.b, self.status, outcome, self.winner_to, self.loser_to)

    def slots(self) -> dict[Side, dict[str, Any]]:
        """Return the database columns of both slots, as a dictionary from sides to columns by name."""
        return {
            side: {
                "entry_id": slot.entry,
                "by_hand": slot.is_manual,
                "has_won": slot.has_won,
                "former_id": self.former_lineups.get(side),
            }
            for side, slot in ((Side.A, self.a), (Side.B, self.b))
        }

    def standing(self) -> MatchBaseline:
        """Return the values of the match that later actions may depend on (status, length, result, slots)."""
        columns = self.columns.data()
        return MatchBaseline({name: columns[name] for name in BASELINE_COLUMNS}, self.slots())

    def touched(self, after: MatchData) -> MatchUndo:
        """Return what a repair that turns this match into ``after`` has to store for its undo."""
        before_columns, after_columns = self.columns.data(), after.columns.data()
        return MatchUndo(
            columns={
                **{name: (before_columns[name], after_columns[name]) for name in PLAY_COLUMNS},
                **changed_values(before_columns, after_columns),
            },
            slots=changed_slots(self.slots(), after.slots()),
            was=self.standing(),
            then=after.standing(),
            open=self.open,
            final=self.final.pk if isinstance(self.final, StoredReport) else None,
        )

    def differs(self, other: MatchData) -> bool:
        """Return whether the match has to be saved if it was ``other`` before.

        Compares columns, reports and slots, but not where the entry of an open slot comes from.
        """
        own_values = (self.columns, self.open, self.final, self.slots())
        return own_values != (other.columns, other.open, other.final, other.slots())


@dataclass(frozen=True, slots=True)
class StageState:
    """The loaded matches of a stage, keyed by number: all, or those around one match.

    ``withdrawn_entries``: entries that have left; ``cancelled_entries``: those of them whose results in a
    round robin do not count.
    """

    matches: Mapping[MatchNo, MatchData]
    withdrawn_entries: frozenset[EntryId] = frozenset()
    cancelled_entries: frozenset[EntryId] = frozenset()

    def match(self, number: MatchNo) -> MatchData:
        """Return the match of this number; raises `MatchNotLoaded` if it was not loaded."""
        try:
            return self.matches[number]
        except KeyError:
            raise MatchNotLoaded(number) from None

    def merge(self, other: StageState) -> StageState:
        """Return the state with the matches and entries of ``other`` added."""
        return StageState(
            {**self.matches, **other.matches},
            self.withdrawn_entries | other.withdrawn_entries,
            self.cancelled_entries | other.cancelled_entries,
        )

    def changed(self, after: StageState) -> dict[MatchNo, tuple[MatchData, MatchData]]:
        """Return the matches that differ in ``after``, as pairs (before, after) keyed by match number."""
        return {
            number: (match, after.matches[number])
            for number, match in self.matches.items()
            if match is not after.matches[number] and match.differs(after.matches[number])
        }

    def matches_with_changed_slots(self, after: StageState) -> set[MatchNo]:
        """Return the numbers of the matches with a slot whose state differs in ``after``.

        The state is open, entry or vacant. In these matches an entry may come that could not before, or the
        reverse; whether a match waits or is passed as a bye depends on that.
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
    """Return the slot with these column values.

    A slot without an entry is vacant, or open if ``open_`` says that an entry may still come.
    """
    state = SlotState.ENTRY if entry is not None else SlotState.OPEN if open_ else SlotState.VACANT
    return Slot(state, entry, has_won, by_hand)
