"""Write `tests/support/statements.txt`: tests that need no second database, because others execute their statements.

Runs the tests of services and selectors on SQLite, notes the shape of every statement, and chooses for PostgreSQL the cheapest tests
that execute each shape; the others are listed. A test that is not listed runs on both databases, so a new one does. List anew when
the run has become slow: `python tools/statements.py`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tests" / "support" / "statements.txt"
FOLDERS = ("tests/services", "tests/selectors")
TIMES = 1
"""In how many tests on PostgreSQL each shape is wanted, where there are so many."""


def chosen(shapes: dict[str, set[str]], seconds: dict[str, float]) -> set[str]:
    """The cheapest tests that execute every shape so often: the one that adds most for its time, again and again."""
    wanted = {
        shape: min(TIMES, n) for shape, n in Counter(one for of in shapes.values() for one in of).items()
    }
    left, found = dict(shapes), set[str]()
    while any(wanted.values()):
        best = max(
            sorted(left), key=lambda name: sum(wanted[one] > 0 for one in left[name]) / (seconds[name] + 0.01)
        )
        for one in left.pop(best):
            wanted[one] -= wanted[one] > 0
        found.add(best)
    return found


def noted(file: Path) -> tuple[dict[str, set[str]], dict[str, float]]:
    """Shapes and CPU seconds of each test, its cases taken together; shapes only of tests that may be spared."""
    shapes, seconds = defaultdict[str, set[str]](set), defaultdict[str, float](float)
    for line in file.read_text().splitlines():
        case, took, stays, found = json.loads(line)
        name = case.partition("[")[0]
        seconds[name] += took
        if not stays:
            shapes[name] |= set(found)
    return shapes, seconds


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="crawford-statements-") as folder:
        file = Path(folder) / "noted"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.statements", *FOLDERS]
        subprocess.run(
            command, cwd=ROOT, check=True, env={**os.environ, "CRAWFORD_TEST_STATEMENTS": str(file)}
        )
        shapes, seconds = noted(file)
    on_both = chosen(shapes, seconds)
    listed = sorted(name.removeprefix("tests/") for name in set(shapes) - on_both)
    LISTED.write_text("".join(f"{name}\n" for name in listed))
    spared = sum(seconds[f"tests/{name}"] for name in listed)
    print(
        f"{len(listed)} of {len(shapes)} tests on SQLite alone: {spared:.0f} of {sum(seconds.values()):.0f} s spared on PostgreSQL"
    )


if __name__ == "__main__":
    main()
