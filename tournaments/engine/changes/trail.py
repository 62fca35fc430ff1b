"""What a repair did, as the audit trail keeps it: differences by name, from which it is undone and told again.

Everything is a value by its name, never by its place in a list, so that a column that is added or dropped later changes nothing
of what is kept: an undo puts back the columns that are named, and leaves what did not exist then as it is.

The data carries its version ``v``. Each release reads what every earlier one wrote: `Undo.of` lifts it to the present shape.

- 0 (no ``v``): each touched match as a whole row with all columns, slots as lists, and a hash of what it became.
- 1: each touched match as ``{column: [before, after]}``, the same for its slots, and by name what somebody could build on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from tournaments.engine.types import MatchNo, Side

UNDO_VERSION: Final = 1
ValueChange = tuple[Any, Any]  # a value before and after, as JSON holds it

# What somebody could build on: sides, length and result. Another table or a call taken back is not it.
BASELINE_COLUMNS: Final = ("status", "length", "result_kind", "winner_side", "score_a", "score_b")
SLOT_COLUMNS: Final = ("entry_id", "by_hand", "has_won")


@dataclass(frozen=True, slots=True)
class MatchBaseline:
    """A match as far as somebody could build on it: its columns by name, and those of both slots."""

    columns: Mapping[str, Any]
    slots: Mapping[Side, Mapping[str, Any]]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """From its JSON; columns that are not named are not known."""
        return cls(data["columns"], {Side(side): slot for side, slot in data["slots"].items()})

    def data(self) -> dict[str, Any]:
        return {
            "columns": dict(self.columns),
            "slots": {side.value: dict(slot) for side, slot in self.slots.items()},
        }

    def agrees(self, other: MatchBaseline) -> bool:
        """Whether both say the same wherever both say something."""
        pairs = [(self.columns, other.columns)]
        pairs += [(slot, other.slots[side]) for side, slot in self.slots.items() if side in other.slots]
        return all(
            mine[name] == theirs[name] for mine, theirs in pairs for name in mine.keys() & theirs.keys()
        )

    def before(
        self, columns: Mapping[str, ValueChange], slots: Mapping[Side, Mapping[str, ValueChange]]
    ) -> MatchBaseline:
        """What stood there before these changes were made."""
        return MatchBaseline(
            {name: columns[name][0] if name in columns else value for name, value in self.columns.items()},
            {
                side: {name: slots.get(side, {}).get(name, (value, None))[0] for name, value in slot.items()}
                for side, slot in self.slots.items()
            },
        )


@dataclass(frozen=True, slots=True)
class MatchUndo:
    """A match that a repair touched: the columns that changed, what it was and became, and which reports stood.

    ``open`` and ``final``: database ids of the reports that were open, and of the one that was its result.
    ``mark``: in data of version 0 alone, a hash of what it became.
    """

    columns: Mapping[str, ValueChange]
    slots: Mapping[Side, Mapping[str, ValueChange]]
    was: MatchBaseline
    then: MatchBaseline
    open: Sequence[int] = ()
    final: int | None = None
    mark: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any], version: int) -> Self:
        """From the JSON of one match."""
        if version == 0:
            return cls._from_version_0(data)
        columns = {name: (before, after) for name, (before, after) in data["columns"].items()}
        slots = {
            Side(side): {name: (before, after) for name, (before, after) in changed.items()}
            for side, changed in data["slots"].items()
        }
        then = MatchBaseline.of(data["then"])
        return cls(columns, slots, then.before(columns, slots), then, data["open"], data["final"])

    @classmethod
    def _from_version_0(cls, data: Mapping[str, Any]) -> Self:
        """Version 0: every column stands there as it was; what became of it is told by ``told`` and ``now``."""
        was, then = (_baseline_from_row(data["told"][when]) for when in ("was", "then"))
        columns = {name: (value, then.columns.get(name, value)) for name, value in data["row"].items()}
        slots = {
            Side(side): {
                name: (value, then.slots[Side(side)].get(name, value))
                for name, value in zip(SLOT_COLUMNS, values, strict=False)
            }
            for side, values in data["slots"].items()
        }
        return cls(columns, slots, was, then, data["open"], data["final"], data["now"])

    def data(self) -> dict[str, Any]:
        """As JSON; what it was follows from what it became and the changes."""
        return {
            "columns": {name: list(change) for name, change in self.columns.items()},
            "slots": {
                side.value: {name: list(change) for name, change in changed.items()}
                for side, changed in self.slots.items()
            },
            "then": self.then.data(),
            "open": list(self.open),
            "final": self.final,
        }

    def is_unchanged(self, now: MatchBaseline) -> bool:
        """Whether the match stands as the repair left it, so that nothing was built on it."""
        return now.agrees(self.then) and (not self.mark or self.mark == _baseline_digest(now))


@dataclass(frozen=True, slots=True)
class PreviousEntry:
    """An entry as it was before a repair. ``links``: personal links were revoked; ``players``: ``[row, player, attempt]``.

    ``lineup``: the former lineup that the repair made. ``lineups``: names of those that it changed, by id; ``former_players``:
    ``[row, player]`` of them.
    """

    status: str
    name: str
    seed: int | None
    links: bool = False
    players: Sequence[Sequence[int]] = ()
    lineup: int | None = None
    lineups: Mapping[str, str] = field(default_factory=dict)
    former_players: Sequence[Sequence[int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RepairUndo:
    """All that a repair keeps for its undo, by database ids.

    ``rounds``: how many rounds each stage had; more of them since, and it cannot be undone. ``lengths``: of rounds, before.
    """

    stages: Mapping[int, Mapping[MatchNo, MatchUndo]]
    entries: Mapping[int, PreviousEntry] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """From what the trail keeps, of whichever release. What it says beyond that is not needed and passed over."""
        version = data.get("v", 0)
        known = PreviousEntry.__dataclass_fields__
        return cls(
            stages={
                int(stage): {
                    MatchNo(int(number)): MatchUndo.of(kept, version) for number, kept in touched.items()
                }
                for stage, touched in data["stages"].items()
            },
            entries={
                int(entry): PreviousEntry(**{name: value for name, value in was.items() if name in known})
                for entry, was in data.get("entries", {}).items()
            },
            rounds={int(stage): count for stage, count in data.get("rounds", {}).items()},
            lengths={int(round_): length for round_, length in data.get("lengths", {}).items()},
        )

    def data(self) -> dict[str, Any]:
        """As JSON of the present version."""
        return {
            "v": UNDO_VERSION,
            "stages": {
                str(stage): {str(number): kept.data() for number, kept in touched.items()}
                for stage, touched in self.stages.items()
            },
            "entries": {str(entry): asdict(was) for entry, was in self.entries.items()},
            "rounds": {str(stage): count for stage, count in self.rounds.items()},
            "lengths": {str(round_): length for round_, length in self.lengths.items()},
        }


def changed_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, ValueChange]:
    """What is no longer as it was, by name."""
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def changed_slots(
    before: Mapping[Side, Mapping[str, Any]], after: Mapping[Side, Mapping[str, Any]]
) -> dict[Side, dict[str, ValueChange]]:
    """The same for both slots; one that is as it was is not named."""
    found = {side: changed_values(slot, after[side]) for side, slot in before.items()}
    return {side: changed for side, changed in found.items() if changed}


def _baseline_from_row(row: Mapping[str, Any]) -> MatchBaseline:
    return MatchBaseline(
        {"status": row["status"], "result_kind": row["kind"], "winner_side": row["winner"]},
        {Side(side): dict(zip(SLOT_COLUMNS, values, strict=False)) for side, values in row["slots"].items()},
    )


def _baseline_digest(now: MatchBaseline) -> str:
    """The hash that version 0 kept of what a match became."""
    sides = [[now.slots[side][name] for name in SLOT_COLUMNS] for side in Side]
    row = json.dumps([[now.columns[name] for name in BASELINE_COLUMNS], sides])
    return hashlib.sha256(row.encode()).hexdigest()[:16]
