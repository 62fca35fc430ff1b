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


def outside(shape: str, sign: str) -> Iterator[int]:
    """Yield the positions of ``sign`` outside of all brackets."""
    depth = 0
    for place, letter in enumerate(shape):
        depth += (letter == "(") - (letter == ")")
        if not depth and shape.startswith(sign, place):
            yield place


def parts(listed: str) -> set[str]:
    ends = [-2, *outside(listed, ", "), len(listed)]
    return {listed[start + 2 : end] for start, end in itertools.pairwise(ends)}


@cache
def pieces(shape: str) -> frozenset[str]:
    """Split a statement into independent pieces: columns read or written with their table and conditions.

    A statement whose parts depend on each other is one piece.
    """
    if re.match(r"SELECT (?!DISTINCT )(?!.* (?:UNION|INTERSECT|EXCEPT|GROUP BY) )", shape):
        place = next(outside(shape, " FROM "), len(shape))
        # Aliases and the number of rows do not affect the other pieces.
        read = {re.sub(r' AS "\w+"$', "", one) for one in parts(shape[len("SELECT ") : place])}
        return frozenset(
            read | {re.sub(r"(?: LIMIT \?)?(?: OFFSET \?)?(?= FOR UPDATE$|$)", "", shape[place:])}
        )
    if written := re.match(r'UPDATE "\w+" SET ', shape):
        place = next(outside(shape, " WHERE "), len(shape))
        values = parts(shape[written.end() : place])
        return frozenset({written[0] + one for one in values} | {written[0] + shape[place:]})
    return frozenset({shape})


def chosen(
    shapes: dict[str, set[str]], seconds: dict[str, float], seen: Collection[str] = frozenset()
) -> set[str]:
    """Select the cheapest tests that execute every shape ``TIMES`` times, except shapes in ``seen``.

    Greedy: repeatedly the test that adds most for its time; then those that have become redundant are
    removed, the slowest first.
    """
    counted = Counter(one for of in shapes.values() for one in of if one not in seen)
    wanted = {shape: min(TIMES, n) for shape, n in counted.items()}
    missing, left, found = dict(wanted), dict(shapes), set[str]()
    while any(missing.values()):
        best = max(
            sorted(left),
            key=lambda name: sum(missing.get(one, 0) > 0 for one in left[name]) / (seconds[name] + 0.01),
        )
        for one in left.pop(best) & missing.keys():
            missing[one] -= missing[one] > 0
        found.add(best)
    times = Counter(one for name in found for one in shapes[name] & wanted.keys())
    for name in sorted(found, key=lambda name: (-seconds[name], name)):
        mine = shapes[name] & wanted.keys()
        if all(times[one] > wanted[one] for one in mine):
            times.subtract(mine)
            found.remove(name)
    return found


def noted(file: Path) -> tuple[dict[str, set[str]], dict[str, float], set[str]]:
    """Read shapes and CPU seconds of each test that may be spared, its cases together.

    The third value is the set of pieces executed on PostgreSQL anyway.
    """
    shapes, seconds, seen = defaultdict[str, set[str]](set), defaultdict[str, float](float), set[str]()
    for line in file.read_text().splitlines():
        case, took, runs_on, found = json.loads(line)
        name, pieced = case.partition("[")[0], {piece for one in found for piece in pieces(one)}
        if runs_on == "postgres":
            seen |= pieced
        elif not runs_on:
            seconds[name] += took
            shapes[name] |= pieced
    return shapes, seconds, seen


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="crawford-statements-") as folder:
        file = Path(folder) / "noted"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.statements", *FOLDERS]
        subprocess.run(
            command, cwd=ROOT, check=True, env={**os.environ, "CRAWFORD_TEST_STATEMENTS": str(file)}
        )
        shapes, seconds, seen = noted(file)
    on_both = chosen(shapes, seconds, seen)
    listed = sorted(name.removeprefix("tests/") for name in set(shapes) - on_both)
    LISTED.write_text("".join(f"{name}\n" for name in listed))
    spared = sum(seconds[f"tests/{name}"] for name in listed)
    print(
        f"{len(listed)} of {len(shapes)} tests run only on SQLite, which saves {spared:.0f} of {sum(seconds.values()):.0f} s on PostgreSQL"
    )


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    main()
