"""Write `tests/support/statements.txt`: tests that need not run on a second database, because others execute their statements.

Runs the tests of services, selectors and privacy on SQLite, records the shape of every statement of the product, and selects for
PostgreSQL the fastest tests that execute each shape not executed by tests that run there anyway; the other tests are listed. Columns and
values that are read or written together count separately (`pieces`). A test that is not listed, such as a new one, runs on both databases.
Update the list when the test run has become slow: `python tools/statements.py`.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tests" / "support" / "statements.txt"
FOLDERS = ("tests/privacy", "tests/selectors", "tests/services")
TIMES = 1
"""In how many tests on PostgreSQL each shape is wanted, where there are so many."""


def separator_positions(shape: str, separator: str) -> Iterator[int]:
    """Yield the positions of ``separator`` in a query that are outside of all brackets."""
    depth = 0
    for index, character in enumerate(shape):
        depth += (character == "(") - (character == ")")
        if not depth and shape.startswith(separator, index):
            yield index


def parts(text: str) -> set[str]:
    ends = [-2, *separator_positions(text, ", "), len(text)]
    return {text[start + 2 : end] for start, end in itertools.pairwise(ends)}


@cache
def pieces(shape: str) -> frozenset[str]:
    """Split a query into independent pieces: columns read or written, and the tables with their conditions.

    A query whose parts depend on each other is one piece.
    """
    if re.match(r"SELECT (?!DISTINCT )(?!.* (?:UNION|INTERSECT|EXCEPT|GROUP BY) )", shape):
        index = next(separator_positions(shape, " FROM "), len(shape))
        # Aliases and the number of rows do not affect the other pieces.
        columns = {re.sub(r' AS "\w+"$', "", part) for part in parts(shape[len("SELECT ") : index])}
        return frozenset(
            columns | {re.sub(r"(?: LIMIT \?)?(?: OFFSET \?)?(?= FOR UPDATE$|$)", "", shape[index:])}
        )
    if update := re.match(r'UPDATE "\w+" SET ', shape):
        index = next(separator_positions(shape, " WHERE "), len(shape))
        values = parts(shape[update.end() : index])
        return frozenset({update[0] + part for part in values} | {update[0] + shape[index:]})
    return frozenset({shape})


def choose_tests(
    shapes: dict[str, set[str]], seconds: dict[str, float], known_shapes: Collection[str] = frozenset()
) -> set[str]:
    """Select the cheapest tests that execute every piece ``TIMES`` times, except pieces in ``known_shapes``.

    Repeatedly selects the test that adds most for its time; then removes tests that have become redundant,
    the slowest first.
    """
    counts = Counter(
        item for test_shapes in shapes.values() for item in test_shapes if item not in known_shapes
    )
    needed = {shape: min(TIMES, n) for shape, n in counts.items()}
    missing, remaining, chosen_tests = dict(needed), dict(shapes), set[str]()
    while any(missing.values()):
        best = max(
            sorted(remaining),
            key=lambda name: (
                sum(missing.get(item, 0) > 0 for item in remaining[name]) / (seconds[name] + 0.01)
            ),
        )
        for item in remaining.pop(best) & missing.keys():
            missing[item] -= missing[item] > 0
        chosen_tests.add(best)
    times = Counter(item for name in chosen_tests for item in shapes[name] & needed.keys())
    for name in sorted(chosen_tests, key=lambda name: (-seconds[name], name)):
        own_shapes = shapes[name] & needed.keys()
        if all(times[item] > needed[item] for item in own_shapes):
            times.subtract(own_shapes)
            chosen_tests.remove(name)
    return chosen_tests


def read_recorded(file: Path) -> tuple[dict[str, set[str]], dict[str, float], set[str]]:
    """Return the pieces and the CPU seconds of each test that may be left out, keyed by test name.

    All parameters of a test count as one test. The third value is the set of pieces executed on PostgreSQL
    anyway.
    """
    shapes, seconds, known_shapes = (
        defaultdict[str, set[str]](set),
        defaultdict[str, float](float),
        set[str](),
    )
    for line in file.read_text().splitlines():
        case, cpu_seconds, runs_on, statements = json.loads(line)
        name, new_pieces = (
            case.partition("[")[0],
            {piece for statement in statements for piece in pieces(statement)},
        )
        if runs_on == "postgres":
            known_shapes |= new_pieces
        elif not runs_on:
            seconds[name] += cpu_seconds
            shapes[name] |= new_pieces
    return shapes, seconds, known_shapes


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="crawford-statements-") as folder:
        file = Path(folder) / "noted"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.statements", *FOLDERS]
        subprocess.run(
            command, cwd=ROOT, check=True, env={**os.environ, "CRAWFORD_TEST_STATEMENTS": str(file)}
        )
        shapes, seconds, known_shapes = read_recorded(file)
    both_tests = choose_tests(shapes, seconds, known_shapes)
    sqlite_only = sorted(name.removeprefix("tests/") for name in set(shapes) - both_tests)
    LISTED.write_text("".join(f"{name}\n" for name in sqlite_only))
    saved_seconds = sum(seconds[f"tests/{name}"] for name in sqlite_only)
    print(
        f"{len(sqlite_only)} of {len(shapes)} tests run only on SQLite, which saves {saved_seconds:.0f} of {sum(seconds.values()):.0f} s on PostgreSQL"
    )


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    main()
