"""What a repair keeps of a match: read again as it was written, by this release and of earlier ones."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.changes.trail import (
    BASELINE_COLUMNS,
    MatchBaseline,
    MatchUndo,
    PreviousEntry,
    RepairUndo,
    changed_slots,
    changed_values,
)
from tournaments.engine.types import MatchNo, Side

COLUMNS = {
    "status": "confirmed", "length": 7, "result_kind": "normal", "winner_side": "a", "score_a": 7, "score_b": 3,
    "table": None, "awards": [],
}  # fmt: skip
SLOT = {"entry_id": 5, "by_hand": False, "has_won": True}
values = (
    st.none()
    | st.booleans()
    | st.integers(-5, 99)
    | st.text(max_size=5)
    | st.lists(st.integers(0, 9), max_size=3)
)
columns = st.fixed_dictionaries(dict.fromkeys([*BASELINE_COLUMNS, "table", "awards"], values))
slots = st.fixed_dictionaries(
    {side: st.fixed_dictionaries(dict.fromkeys(("entry_id", "by_hand", "has_won"), values)) for side in Side}
)


def standing(columns, slots):
    return MatchBaseline({name: columns[name] for name in BASELINE_COLUMNS}, slots)


def touched(before, after, slots_before, slots_after, final=None):
    return MatchUndo(
        columns=changed_values(before, after),
        slots=changed_slots(slots_before, slots_after),
        was=standing(before, slots_before),
        then=standing(after, slots_after),
        open=[3, 4],
        final=final,
    )


def whole_row(row, sides, then_row, then_sides):
    """As release 0.1 wrote it."""
    told = [then_row[name] for name in BASELINE_COLUMNS]
    now = json.dumps([told, [list(slot.values()) for slot in then_sides.values()]])

    def short(columns, slots):
        return {
            "status": columns["status"], "kind": columns["result_kind"], "winner": columns["winner_side"],
            "slots": {side.value: list(slot.values())[:2] for side, slot in slots.items()},
        }  # fmt: skip

    return {
        "row": row,
        "slots": {side.value: list(slot.values()) for side, slot in sides.items()},
        "open": [3],
        "final": 8,
        "now": hashlib.sha256(now.encode()).hexdigest()[:16],
        "told": {"was": short(row, sides), "then": short(then_row, then_sides)},
    }


@given(columns, columns, slots, slots)
def test_touched_when_written_and_read_then_the_same(before, after, slots_before, slots_after):
    wanted = touched(before, after, slots_before, slots_after, final=9)
    undo = RepairUndo(
        {4: {MatchNo(2): wanted}},
        {7: PreviousEntry("active", "Ann", None, players=[[1, 2, 3]])},
        {4: 3},
        {11: 5},
    )
    read = RepairUndo.of(json.loads(json.dumps(undo.data())))
    assert read == undo


@given(columns, slots, st.sampled_from(BASELINE_COLUMNS), values)
def test_still_when_a_named_value_differs_then_something_was_built_on_it(now, sides, name, value):
    kept = touched(COLUMNS, now, dict.fromkeys(Side, SLOT), sides)
    assert kept.is_unchanged(standing(now, sides))
    assert kept.is_unchanged(standing({**now, name: value}, sides)) is (now[name] == value)


def test_still_when_a_column_is_new_or_gone_then_it_says_nothing():
    kept = touched(COLUMNS, COLUMNS, dict.fromkeys(Side, SLOT), dict.fromkeys(Side, SLOT))
    newer = MatchBaseline({**kept.then.columns, "colour": "red"}, kept.then.slots)
    older = MatchBaseline({"status": "confirmed"}, {Side.A: {"entry_id": 5}})
    assert kept.is_unchanged(newer)
    assert kept.is_unchanged(older)
    assert not kept.is_unchanged(MatchBaseline({"status": "ready"}, {}))
    assert not kept.is_unchanged(MatchBaseline({}, {Side.A: {"entry_id": 6}}))


def test_whole_row_when_read_then_its_columns_are_put_back_and_its_hash_is_asked():
    then = {
        **COLUMNS,
        "status": "ready",
        "result_kind": "",
        "winner_side": "",
        "score_a": None,
        "score_b": None,
    }
    sides = {side: dict(SLOT) for side in Side}
    moved = {Side.A: SLOT, Side.B: {**SLOT, "entry_id": 6}}
    data = {
        "stages": {"4": {"2": whole_row(COLUMNS, sides, then, moved)}},
        "entries": {"7": {"status": "active", "name": "Ann", "seed": 1}},
    }
    undo = RepairUndo.of(data)
    kept = undo.stages[4][MatchNo(2)]
    assert {name: before for name, (before, _after) in kept.columns.items()} == COLUMNS
    assert kept.slots[Side.B]["entry_id"] == (5, 6)
    assert (kept.was.columns["status"], kept.then.columns["status"]) == ("confirmed", "ready")
    assert kept.was.slots[Side.B]["entry_id"] == 5
    assert kept.is_unchanged(standing(then, moved))
    assert not kept.is_unchanged(standing({**then, "length": 9}, moved))  # only the hash knows of it
    assert undo.entries[7] == PreviousEntry("active", "Ann", 1)


def test_undo_when_it_says_more_than_is_known_then_that_is_passed_over():
    undo = RepairUndo.of(
        {
            "v": 1,
            "stages": {},
            "entries": {"7": {"status": "active", "name": "Ann", "seed": 1, "club": 5}},
            "later": 1,
        }
    )
    assert undo.entries[7].name == "Ann"
