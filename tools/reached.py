"""Report the share of branches in the code that changes events which the random events of `make test` reach, file by file.

`python tools/reached.py` plays the fifty events of `tests/services/tournaments/test_random_events.py` under coverage. Exit status 1 if the
share is below `FLOOR`. Raise it when the simulations cover more; lower it only with a reason.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVENTS = "tests/services/tournaments/test_random_events.py"
HOMES = ("tournaments/*/services", "tournaments/store", "tournaments/engine/changes")
# Moving, moderating and erasing whole sites and events is not a step of an event.
EXCLUDED_APPS = frozenset({"backups", "bundles", "operators", "site"})
# Per cent of the branches in HOMES: 34.6 before entries left early, leagues and arrangements were played; 38.1 before the matrix was filled
# by chance; 43.5 before moderating and erasing were left out. What is new beside play is not simulated.
FLOOR = 44.0

Branches = tuple[int, int]  # taken, all


def measured() -> dict[str, Branches]:
    """Return the numbers of branches taken and of all branches, keyed by file, after the fifty events.

    Files without branches are left out.
    """
    with tempfile.TemporaryDirectory(prefix="crawford-reached-") as folder:
        report = Path(folder) / "report.json"
        env = {
            **os.environ,
            "COVERAGE_FILE": f"{folder}/coverage",
            "CRAWFORD_TEST_DATABASE": "sqlite",
            "CRAWFORD_RANDOM_EVENTS": "50",
        }
        paths = (path for home in HOMES for path in ROOT.glob(home))
        homes = sorted(str(path.relative_to(ROOT)) for path in paths if path.parent.name not in EXCLUDED_APPS)
        source_option = f"--source={','.join(homes)}"
        coverage = [sys.executable, "-m", "coverage"]
        tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", EVENTS, "-k", "a_random_event"]
        for arguments in (["run", "--branch", source_option, *tests], ["json", "--quiet", "-o", str(report)]):
            subprocess.run([*coverage, *arguments], cwd=ROOT, env=env, check=True)
        files = json.loads(report.read_text())["files"]
    summaries = {name: file_data["summary"] for name, file_data in files.items()}
    return {
        name: (summary["covered_branches"], summary["num_branches"])
        for name, summary in summaries.items()
        if summary["num_branches"]
    }


def share(branches: Branches) -> float:
    covered, total = branches
    return 100 * covered / total if total else 100.0


def report(files: Mapping[str, Branches]) -> list[str]:
    """Return a line for each file, the smallest share of reached branches first, and the total last."""
    total = (
        sum(covered for covered, _ in files.values()),
        sum(branch_count for _, branch_count in files.values()),
    )
    rows = [*sorted(files.items(), key=lambda row: (share(row[1]), row[0])), ("branches in total", total)]
    return [
        f"{share(branches):5.1f} %  {branches[0]:4} of {branches[1]:4}  {name}" for name, branches in rows
    ]


def main() -> int:
    files = measured()
    print(*report(files), sep="\n")
    reached = share((sum(t for t, _ in files.values()), sum(a for _, a in files.values())))
    if reached < FLOOR:
        print(f"The fifty random events reach {reached:.1f} %, less than {FLOOR} %.")
        return 1
    return 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main())
