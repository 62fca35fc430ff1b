"""Deeds of every kind with any values, for Hypothesis."""

from dataclasses import fields
from datetime import time
from decimal import Decimal
from typing import get_type_hints

from hypothesis import strategies as st

from tournaments.engine.changes.trail import RepairUndo
from tournaments.engine.standings.prizes import Prize, PrizeUnit, SectionPrizes
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.repairs import RoundLengthSet
from tournaments.engine.types import Side

NUMBERS = st.integers(0, 10**9)
VALUES = st.none() | st.booleans() | NUMBERS | st.text(max_size=5)
CHANGED = st.dictionaries(st.text(max_size=5), st.tuples(VALUES, VALUES).map(list), max_size=2)
STOOD = st.dictionaries(st.text(max_size=5), VALUES, max_size=2)
SIDES = st.sampled_from([side.value for side in Side])
TOUCHED = st.fixed_dictionaries(
    {
        "columns": CHANGED,
        "slots": st.dictionaries(SIDES, CHANGED, max_size=2),
        "then": st.fixed_dictionaries({"columns": STOOD, "slots": st.dictionaries(SIDES, STOOD, max_size=2)}),
        "open": st.lists(NUMBERS, max_size=2),
        "final": st.none() | NUMBERS,
    }
)
KEYS = NUMBERS.map(str)
CODES: dict[tuple[type[AuditAction], str], st.SearchStrategy[str]] = {
    (RoundLengthSet, "code"): st.sampled_from(["final", "semifinal"])
}
UNDOS = st.fixed_dictionaries(
    {
        "v": st.just(1),
        "stages": st.dictionaries(KEYS, st.dictionaries(KEYS, TOUCHED, max_size=2), max_size=2),
        "rounds": st.dictionaries(KEYS, NUMBERS, max_size=2),
        "lengths": st.dictionaries(KEYS, NUMBERS, max_size=2),
    }
).map(RepairUndo.of)
st.register_type_strategy(RepairUndo, UNDOS)
SECTIONS = st.builds(
    SectionPrizes,
    st.sampled_from(["main", "consolation", "last_chance"]),
    st.sampled_from(PrizeUnit),
    st.lists(st.builds(Prize, st.decimals(0, 10, places=3), st.text(max_size=5)), max_size=3).map(tuple),
    st.none() | st.decimals(0, 10**9, places=2),
    st.none() | st.decimals(0, 100, places=3),
)
# What is no number or has no end is refused before anything is kept (`check_rating_limit`).
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(Decimal, st.decimals(0, 10**9, places=3))
st.register_type_strategy(SectionPrizes, SECTIONS)
st.register_type_strategy(time, st.builds(time, st.integers(0, 23), st.integers(0, 59)))


def trail_actions(kind: type[AuditAction]) -> st.SearchStrategy[AuditAction]:
    hints = get_type_hints(kind)
    known = {one.name: CODES.get((kind, one.name), st.from_type(hints[one.name])) for one in fields(kind)}
    return st.builds(kind, **known)
