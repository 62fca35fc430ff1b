"""Every error code that the code can raise has words, and every text of words fits its parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults import Fault
from people.messages import describe, known_codes
from tests.architecture.source import APPS, ROOT, nodes, tree

RAISED = {"Invalid", "Conflict", "Missing", "NotAllowed", "Unreadable", "Fault"}
ENGINE = {"BadInput", "Fault"}
# The rules room's own faults carry a rule number; a page shows them only through a finding, which has words of its own.
PURE = ("games/rules", "games/records", "rating/formulas", "tournaments/engine")


def raised_codes() -> Iterator[tuple[str, str]]:
    """(code, place) of every expected error made with a literal code outside the pure rooms."""
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            if place.startswith(PURE):
                continue
            # Other rooms have a Fault or an Invalid of their own; only ours reach people through these words.
            ours = {
                name.asname or name.name
                for node in nodes(tree(path), ast.ImportFrom)
                if node.module == "faults"
                for name in node.names
            }
            for node in nodes(tree(path), ast.Call):
                if not (isinstance(node.func, ast.Name) and node.func.id in RAISED & ours):
                    continue
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value, f"{place}:{node.lineno}"


def test_codes_when_raised_anywhere_then_they_have_words():
    codes = dict(raised_codes())
    assert len(codes) > 50
    assert {code: place for code, place in codes.items() if code not in known_codes()} == {}


def engine_codes() -> Iterator[tuple[str, str]]:
    """(code, place) of every refusal of the tournament engine: services pass them on as they are."""
    for path in (ROOT / "tournaments" / "engine").rglob("*.py"):
        for node in nodes(tree(path), ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ENGINE:
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant):
                    yield first.value, f"{path.name}:{node.lineno}"


def test_engine_codes_when_refused_then_they_have_words():
    codes = dict(engine_codes())
    assert len(codes) > 20
    assert {code: place for code, place in codes.items() if code not in known_codes()} == {}


def keys_of(path: Path) -> set[str]:
    """The codes that a module of words has words for."""
    keys = {
        key.value
        for table in nodes(tree(path), ast.Dict)
        for key in table.keys
        if isinstance(key, ast.Constant)
    }
    return {key for key in keys if "." in key}


def test_words_when_one_room_alone_refuses_so_then_they_stand_in_that_room():
    rooms = ROOT / "tournaments"
    used: dict[str, set[str]] = {}
    for path in rooms.rglob("*.py"):
        room = path.relative_to(rooms).parts[0]
        if path.name != "words.py" and path.parent.name != "words":
            for node in nodes(tree(path), ast.Constant):
                if isinstance(node.value, str):
                    used.setdefault(node.value, set()).add(room)
    homes = {path.parent.name: keys_of(path) for path in rooms.glob("*/words.py")}
    assert len(homes) > 5
    strangers = {(room, code) for room, codes in homes.items() for code in codes if used.get(code) != {room}}
    shared = keys_of(rooms / "shared" / "words" / "refusals.py")
    alone = {code for code in shared if len(found := used.get(code, set())) == 1 and found <= homes.keys()}
    assert (strangers, alone) == (set(), set())


def test_describe_when_the_code_is_unknown_then_refused_loudly():
    with pytest.raises(LookupError):
        describe(Fault("no.such_code"))


def test_describe_when_parameters_are_given_then_they_stand_in_the_sentence():
    assert describe(Fault("event.name_long", "name", {"limit": 120})) == (
        "The name is too long: 120 characters at most."
    )


def test_fault_when_looked_for_then_there_is_one_kind_of_it():
    """A finding of a game record is graver or lighter and has a place in a file; what is wrong with an input is a Fault."""
    kinds = {
        f"{path.relative_to(ROOT)}: {node.name}"
        for app in ("faults", "config", *APPS)
        for path in (ROOT / app).rglob("*.py")
        for node in nodes(tree(path), ast.ClassDef)
        if node.name.endswith("Fault")
    }
    assert kinds == {"faults/__init__.py: Fault"}
