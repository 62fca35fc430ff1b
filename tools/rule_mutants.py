"""Check that a test notices when a rule is broken: `python tools/rule_mutants.py [R16 F2 …]` breaks them one by one and runs the tests.

`docs/rules.md` names the places that implement each rule, and `tools/rule_mutants.toml` has a change in each and pure tests that must then
fail. The changes are made in a temporary copy of the checkout. Exit status 1 if a change goes unnoticed.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.mutants import copy_checkout, environment

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "rules.md"
CHANGES = ROOT / "tools" / "rule_mutants.toml"
PATIENCE = 300.0  # seconds for the tests as they are
TIMES = 3  # times the duration of all unchanged tests; a change that takes longer loops forever
FAILED = 1  # exit status of pytest for failures; higher means that it could not start
_ROW = re.compile(r"^\| ([RF]\d+) \|[^|]+\| (.+) \|$", re.MULTILINE)
_PLACE = re.compile(r"`([\w/]+\.py):([\w.]+)`")


@dataclass(frozen=True, slots=True)
class Place:
    """A named object in a file: a function, class, method or constant."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.name}"

    def text(self) -> str | None:
        """Return the source of the object with the comment above it, or None if the object does not exist."""
        file = ROOT / self.path
        if not file.is_file():
            return None
        source, node = _read(file)
        for part in self.name.split("."):
            next_node = next((child for child in ast.iter_child_nodes(node) if part in _names(child)), None)
            if next_node is None:
                return None
            node = next_node
        return _with_comment(source.splitlines(keepends=True), node)


@dataclass(frozen=True, slots=True)
class Change:
    """A change that breaks a rule: ``new`` replaces ``old``, which occurs once in a place that implements it.

    ``tests``: the tests of which at least one must then fail.
    """

    rule: str
    place: Place
    old: str
    new: str
    tests: tuple[str, ...]

    def of(self, source: str) -> str:
        text = self.place.text()
        if text is None or text.count(self.old) != 1 or source.count(text) != 1:
            raise ValueError(f"{self.rule}: {self.old!r} is not exactly once in {self.place}")
        return source.replace(text, text.replace(self.old, self.new))


def rows() -> Iterator[tuple[str, str]]:
    """Yield each rule of docs/rules.md as its number and the last column of its row."""
    return ((row[1], row[2]) for row in _ROW.finditer(DOCUMENT.read_text()))


def places(column_text: str) -> list[Place]:
    """Return the places that the last column of a rule names."""
    return [Place(*groups) for groups in _PLACE.findall(column_text)]


def changes() -> list[Change]:
    """Return all changes in the order of the file."""
    data = tomllib.loads(CHANGES.read_text())
    places_by_rule = {rule: places(column_text) for rule, column_text in rows()}
    return [
        Change(
            rule, place, row["old"], row["new"], tuple(data["tests"][name] for name in row["tests"].split())
        )
        for rule, changed_rows in data["mutants"].items()
        for place, row in zip(places_by_rule.get(rule, ()), changed_rows, strict=True)
    ]


@cache
def _read(file: Path) -> tuple[str, ast.AST]:
    """Return the source and the syntax tree of a file.

    Cached, because several rules are in one file; no file changes during a run.
    """
    source = file.read_text()
    return source, ast.parse(source)


def _names(node: ast.AST) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _with_comment(lines: Sequence[str], node: ast.AST) -> str:
    if not isinstance(node, ast.stmt):
        return ""
    first = node.lineno - 1
    while first and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return "".join(lines[first : node.end_lineno])


def fate(change: Change, copy: Path, number: int, patience: float) -> str:
    """Return what happened to a change: "noticed", "UNNOTICED", or that its tests did not run.

    ``number``: the change's ordinal, for a new modification time. ``patience``: timeout in seconds.
    """
    target, source = copy / change.place.path, (ROOT / change.place.path).read_text()
    target.write_text(change.of(source))
    os.utime(target, (2_000_000_000 + number,) * 2)  # differs from the time in any compiled file
    try:
        code = _run(change.tests, copy, patience)
    except subprocess.TimeoutExpired:
        return "noticed"
    finally:
        target.write_text(source)
        os.utime(target, (2_100_000_000 + number,) * 2)
    return {0: "UNNOTICED", FAILED: "noticed"}.get(code, f"tests did not run ({code})")


def _run(tests: Sequence[str], copy: Path, patience: float = PATIENCE) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(
        command, cwd=copy, env=environment(copy), check=False, timeout=patience, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ).returncode  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", help="numbers of rules (default: all)")
    rule_numbers = parser.parse_args().rules
    start = time.monotonic()
    selected = [change for change in changes() if not rule_numbers or change.rule in rule_numbers]
    with tempfile.TemporaryDirectory(prefix="crawford-rules-") as folder:
        copy = copy_checkout(Path(folder))
        if _run(sorted({test for change in selected for test in change.tests}), copy):
            print("The tests fail without a change.")
            return 1
        patience, unnoticed = TIMES * (time.monotonic() - start), 0
        for number, change in enumerate(selected):
            outcome = fate(change, copy, number, patience)
            if outcome != "noticed":
                unnoticed += 1
                print(
                    f"{change.rule} in {change.place}: {change.old!r} as {change.new!r}: {outcome}",
                    flush=True,
                )
    print(
        f"{len(selected) - unnoticed} of {len(selected)} broken rules noticed, {time.monotonic() - start:.0f} s"
    )
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
