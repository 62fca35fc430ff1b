"""What a repair changed, as stored in the audit log for its undo and for display.

Every value is stored by name, never by position, so that columns added or dropped later do not change stored
data: an undo restores the named columns and leaves columns that did not exist then.

The data carries its version ``v``. Each release reads what all earlier ones wrote: `RepairUndo.of` converts
old versions.

- 0 (no ``v``): each touched match as a whole row with all columns, slots as lists, and a hash of what it
  became.
- 1: each touched match as ``{column: [before, after]}``, the same for its slots, and by name the values that
  later actions may depend on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from tournaments.engine.types import MatchNo, Side

UNDO_VERSION: Final = 1
ValueChange = tuple[Any, Any]  # value before and after, as in JSON

# Values that later actions may depend on: sides, length and result; not the table or a cleared call.
BASELINE_COLUMNS: Final = ("status", "length", "result_kind", "winner_side", "score_a", "score_b")
SLOT_COLUMNS: Final = ("entry_id", "by_hand", "has_won")


@dataclass(frozen=True, slots=True)
class MatchBaseline:
    """The values of a match that later actions may depend on.

    ``columns``: values by column name; ``slots``: the same for the slot of each side.
    """

    columns: Mapping[str, Any]
    slots: Mapping[Side, Mapping[str, Any]]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the baseline that this JSON contains; columns that the JSON does not name are left out."""
        return cls(data["columns"], {Side(side): slot for side, slot in data["slots"].items()})

    def data(self) -> dict[str, Any]:
        return {
            "columns": dict(self.columns),
            "slots": {side.value: dict(slot) for side, slot in self.slots.items()},
        }

    def agrees(self, other: MatchBaseline) -> bool:
        """Return whether both baselines are equal in every column that both contain."""
        pairs = [(self.columns, other.columns)]
        pairs += [(slot, other.slots[side]) for side, slot in self.slots.items() if side in other.slots]
        return all(own[name] == others[name] for own, others in pairs for name in own.keys() & others.keys())

    def before(
        self, columns: Mapping[str, ValueChange], slots: Mapping[Side, Mapping[str, ValueChange]]
    ) -> MatchBaseline:
        """Return the values as they were before these changes of columns and slots."""
        return MatchBaseline(
            {name: columns[name][0] if name in columns else value for name, value in self.columns.items()},
            {
                side: {name: slots.get(side, {}).get(name, (value, None))[0] for name, value in slot.items()}
                for side, slot in self.slots.items()
            },
        )


@dataclass(frozen=True, slots=True)
class MatchUndo:
    """What the undo of a repair needs to know of one match that the repair touched.

    ``columns``, ``slots``: the changed columns, each with its value before and after. ``was``, ``then``: the
    values that later actions may depend on, before and after the repair. ``open``, ``final``: database ids of
    the reports that were not yet confirmed, and of the report that was the result. ``mark``: in data of
    version 0 only, a hash of what the match became.
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
        """Return the undo data that the JSON of one match contains.

        ``version``: the version of the stored data.
        """
        if version == 0:
            return cls._from_version_0(data)
        columns = {name: (before, after) for name, (before, after) in data["columns"].items()}
        slots = {
            Side(side): {name: (before, after) for name, (before, after) in slot_changes.items()}
            for side, slot_changes in data["slots"].items()
        }
        then = MatchBaseline.of(data["then"])
        return cls(columns, slots, then.before(columns, slots), then, data["open"], data["final"])

    @classmethod
    def _from_version_0(cls, data: Mapping[str, Any]) -> Self:
        """Return the undo data that the JSON of one match contains in version 0.

        It has every column as it was; ``told`` and ``now`` hold what the match became.
        """
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
        """Return the undo data of the match as JSON.

        ``was`` is left out, as it follows from ``then`` and the changes.
        """
        return {
            "columns": {name: list(change) for name, change in self.columns.items()},
            "slots": {
                side.value: {name: list(change) for name, change in slot_changes.items()}
                for side, slot_changes in self.slots.items()
            },
            "then": self.then.data(),
            "open": list(self.open),
            "final": self.final,
        }

    def is_unchanged(self, baseline: MatchBaseline) -> bool:
        """Return whether the match, now with these values, is still as the repair left it.

        Then nothing depends on the repair yet.
        """
        return baseline.agrees(self.then) and (not self.mark or self.mark == _baseline_digest(baseline))


@dataclass(frozen=True, slots=True)
class PreviousEntry:
    """An entry as it was before a repair.

    ``links``: whether the repair revoked its personal links; ``players``: its players, each as ``[row,
    player, attempt]``; ``lineup``: the database id of the former lineup that the repair created; ``lineups``:
    the previous names of lineups that the repair changed, keyed by id; ``former_players``: the players of
    these lineups, each as ``[row, player]``.
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
    """All that a repair stores for its undo.

    ``stages``: the touched matches by stage id and match number; ``entries``: the touched entries by id.
    ``rounds``: the number of rounds that each stage had, by stage id; if a stage has more rounds now, undo is
    impossible. ``lengths``: the previous match lengths by round id.
    """

    stages: Mapping[int, Mapping[MatchNo, MatchUndo]]
    entries: Mapping[int, PreviousEntry] = field(default_factory=dict)
    rounds: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the undo data of a repair that the JSON of any release contains.

        Unknown keys are ignored.
        """
        version = data.get("v", 0)
        known_fields = PreviousEntry.__dataclass_fields__
        return cls(
            stages={
                int(stage): {
                    MatchNo(int(number)): MatchUndo.of(undo, version)
                    for number, undo in undo_by_number.items()
                }
                for stage, undo_by_number in data["stages"].items()
            },
            entries={
                int(entry): PreviousEntry(
                    **{name: value for name, value in previous.items() if name in known_fields}
                )
                for entry, previous in data.get("entries", {}).items()
            },
            rounds={int(stage): count for stage, count in data.get("rounds", {}).items()},
            lengths={int(round_): length for round_, length in data.get("lengths", {}).items()},
        )

    def data(self) -> dict[str, Any]:
        """Return the undo data as JSON of the present version."""
        return {
            "v": UNDO_VERSION,
            "stages": {
                str(stage): {str(number): undo.data() for number, undo in undo_by_number.items()}
                for stage, undo_by_number in self.stages.items()
            },
            "entries": {str(entry): asdict(previous) for entry, previous in self.entries.items()},
            "rounds": {str(stage): count for stage, count in self.rounds.items()},
            "lengths": {str(round_): length for round_, length in self.lengths.items()},
        }


def changed_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, ValueChange]:
    """Return the values that differ, as pairs (before, after) keyed by name."""
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def changed_slots(
    before: Mapping[Side, Mapping[str, Any]], after: Mapping[Side, Mapping[str, Any]]
) -> dict[Side, dict[str, ValueChange]]:
    """Return the values of both slots that differ, as pairs (before, after) keyed by side and name.

    A side without changes is left out.
    """
    changes = {side: changed_values(slot, after[side]) for side, slot in before.items()}
    return {side: slot_changes for side, slot_changes in changes.items() if slot_changes}


def _baseline_from_row(row: Mapping[str, Any]) -> MatchBaseline:
    return MatchBaseline(
        {"status": row["status"], "result_kind": row["kind"], "winner_side": row["winner"]},
        {Side(side): dict(zip(SLOT_COLUMNS, values, strict=False)) for side, values in row["slots"].items()},
    )


def _baseline_digest(baseline: MatchBaseline) -> str:
    """Return the hash of these values by which version 0 recognised a match that has not changed."""
    sides = [[baseline.slots[side][name] for name in SLOT_COLUMNS] for side in Side]
    row = json.dumps([[baseline.columns[name] for name in BASELINE_COLUMNS], sides])
    return hashlib.sha256(row.encode()).hexdigest()[:16]
