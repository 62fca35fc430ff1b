"""Check that tests notice changes of the program: `python tools/mutants.py --mutants 200 --seed 1` changes it at random and runs them.

In a temporary copy of the checkout, one small change (`tools/mutations.py`) is made at a time, and the tests that reach the changed line are
run. Which tests these are is recorded once with coverage and kept in `var/mutants` while the code stays the same; `--add tests/unit/…`
records further tests. A mutant that no test notices is printed with file, line and change: it needs a test, or changes nothing that anyone
could observe. Exit status 1 if so few were noticed that chance does not explain it (`too_few`).
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from math import comb
from pathlib import Path

import coverage

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.mutations import Mutation, mutations

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "mutants"
WANTED_PERCENT = 85.0
HOMES = (
    "names",
    "tournaments/engine",
    "tournaments/store",
    "games/rules",
    "rating/formulas",
    "rating/services",
    "tournaments/matches/services",
    "tournaments/repairs/services",
    "tournaments/rounds/services",
)
TESTS = (
    "tests/unit", "tests/golden", "tests/properties", "tests/selectors", "tests/services", "tests/api", "tests/web/rating",
)  # fmt: skip
# Code mutated in one night, and the tests recorded for it: recording all tests takes longer than that.
PARTS = (
    (("names", "tournaments/engine", "games/rules", "rating/formulas"), ("tests/unit", "tests/golden", "tests/properties")),
    (("tournaments/store", "tournaments/matches", "tournaments/repairs", "tournaments/rounds"), ("tests/services/tournaments", "tests/selectors/tournaments")),
    (("rating/services",), (
        "tests/services/rating", "tests/selectors/rating", "tests/web/rating", "tests/unit/rating", "tests/api/rating", "tests/properties/rating",
        "tests/services/tournaments/test_ratings.py", "tests/services/people/test_foreign_clubs.py",
    )),
)  # fmt: skip
PURE = ("tests/unit/", "tests/golden/", "tests/properties/")  # they need no database
MAX_TEST_SECONDS = 120.0  # seconds of recorded tests for one mutant, the fastest first
EXTRA_SECONDS = 60.0  # more seconds than they took when nothing was changed


@dataclass(frozen=True, slots=True)
class Mutant:
    path: str
    change: Mutation

    def __str__(self) -> str:
        return f"{self.path}:{self.change}"

    @property
    def home(self) -> str:
        """Return the folder by which mutants are counted, such as ``tournaments/engine/lists``."""
        return "/".join(self.path.split("/")[:-1][:3])


class RecordedCoverage:
    """Recorded data on which tests reach a line, and how long each test takes.

    For a file that was changed since the recording, all its lines count as reached by the same tests.
    """

    def __init__(self, folder: Path, copy: Path) -> None:
        self._copy = copy
        self._data = coverage.CoverageData(str(folder / "coverage"))
        self._data.read()
        self._hashes = json.loads((folder / "hashes.json").read_text())
        self.seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text())

    def tests(self, path: str, line: int) -> list[str]:
        """Return the tests that reach the line, the fastest first.

        For a line that no test reaches, such as one that runs on import, return all tests that reach or
        import its file.
        """
        tests_by_line = self._data.contexts_by_lineno(path)
        is_unchanged = self._hashes.get(path) == _hash(self._copy / path)
        test_names = set(tests_by_line.get(line, ()) if is_unchanged else ())
        if not test_names & self.seconds.keys():
            test_names = {test for tests in tests_by_line.values() for test in tests} | self._naming(path)
        return sorted(test_names & self.seconds.keys(), key=lambda test: (self.seconds[test], test))

    def _naming(self, path: str) -> set[str]:
        """Return the tests in files that contain the name of the module."""
        module = path.removesuffix(".py").replace("/", ".")
        files = {
            file
            for file in {test.partition("::")[0] for test in self.seconds}
            if (self._copy / file).is_file() and module in (self._copy / file).read_text()
        }
        return {test for test in self.seconds if test.partition("::")[0] in files}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def sources() -> list[str]:
    """Return the files that are mutated, as paths from the root."""
    paths = []
    for home in HOMES:
        paths += sorted((ROOT / home).rglob("*.py"))
    return [str(path.relative_to(ROOT)) for path in paths]


def copy_checkout(folder: Path) -> Path:
    """Copy the checkout into ``folder`` without its history, environment and data; return the copy's path."""
    ignore = shutil.ignore_patterns(
        ".git", ".venv", "var", "__pycache__", "*.sqlite3", ".hypothesis", "staticfiles"
    )
    return Path(shutil.copytree(ROOT, folder / "checkout", ignore=ignore))


def environment(copy: Path) -> dict[str, str]:
    """Return the environment variables for tests in the copy: SQLite, without the caller's database."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DATABASE_URL", "CELERY_BROKER_URL"))
    }
    return {**env, "CRAWFORD_TEST_DATABASE": "sqlite", "PYTHONPATH": str(copy), "CI": ""}


def record(copy: Path, tests: list[str], *, more: bool = False) -> None:
    """Run the tests once and store which lines each test reaches; ``more``: add to what is stored."""
    known_seconds = json.loads((FOLDER / "seconds.json").read_text()) if more else {}
    if not more:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        (FOLDER / "settings").write_text("[run]\nrelative_files = True\n")  # the copy is gone when it is read
    record_env = {
        **environment(copy),
        "COVERAGE_FILE": str(FOLDER / "coverage"),
        "CRAWFORD_TEST_SECONDS": str(FOLDER / "seconds.json"),
    }
    homes = ",".join(sorted({home.split("/")[0] for home in HOMES}))
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={FOLDER / 'settings'}",
        f"--source={homes}",
    ]
    command += [*(["--append"] if more else []), "-m", "pytest"]
    command += ["-q", "-p", "no:cacheprovider", "-p", "tools.recorded", *tests]
    result = subprocess.run(command, cwd=copy, env=record_env, check=False, capture_output=True, text=True)
    if result.returncode not in {0, 1}:  # a few tests may fail, but all must be found
        shutil.rmtree(FOLDER)
        sys.exit(result.stdout[-3000:])
    if more:
        seconds = json.loads((FOLDER / "seconds.json").read_text())
        (FOLDER / "seconds.json").write_text(json.dumps(known_seconds | seconds))
    else:
        (FOLDER / "hashes.json").write_text(json.dumps({path: _hash(copy / path) for path in sources()}))


def fate(mutant: Mutant, copy: Path, reached: RecordedCoverage, number: int) -> str:
    """Return what happened to a mutant: "killed", "survived", "slow" (timeout), or "no test" (reaches it).

    ``number``: the mutant's ordinal, used for a modification time that differs from all earlier ones.
    """
    tests, total_seconds = [], 0.0
    for test in reached.tests(mutant.path, mutant.change.line):
        if total_seconds > MAX_TEST_SECONDS:
            break
        tests.append(test)
        total_seconds += reached.seconds[test]
    if not tests:
        return "no test"
    target = copy / mutant.path
    source = target.read_text()
    target.write_text(mutant.change.of(source))
    os.utime(target, (2_000_000_000 + number,) * 2)  # differs from the time in any compiled file
    pure_tests = [test for test in tests if test.startswith(PURE)]
    try:
        for part in (pure_tests, [test for test in tests if test not in pure_tests]):
            if part and not _pass(part, copy, EXTRA_SECONDS + 3 * total_seconds):
                return "killed"
    except subprocess.TimeoutExpired:
        return "slow"
    finally:
        target.write_text(source)
        os.utime(target, (2_100_000_000 + number,) * 2)
    return "survived"


def _pass(tests: list[str], copy: Path, patience: float) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as list_file:
        list_file.write("\n".join(tests))
        list_file.flush()
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"@{list_file.name}"]
        result = subprocess.run(
            command, cwd=copy, env=environment(copy), check=False, timeout=patience, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )  # fmt: skip
    return result.returncode == 0


def too_few(noticed_count: int, sample_size: int) -> bool:
    """Return whether fewer mutants were noticed than chance explains.

    That is, if each mutant is noticed with a probability of ``WANTED_PERCENT`` per cent, at most one sample in twenty
    of ``sample_size`` mutants has so few.
    """
    wanted_share = WANTED_PERCENT / 100
    return (
        sum(
            comb(sample_size, n) * wanted_share**n * (1 - wanted_share) ** (sample_size - n)
            for n in range(noticed_count + 1)
        )
        <= 1 / 20
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", nargs="*", default=[""], help="change only files whose paths begin with this"
    )
    parser.add_argument("--record", action="store_true", help="record again which test reaches which lines")
    parser.add_argument("--add", nargs="*", default=[], help="further tests to record")
    parser.add_argument("--tests", nargs="*", default=list(TESTS), help="tests to record")
    parser.add_argument(
        "--minutes",
        type=float,
        default=1e6,
        help="start no further mutant after this many minutes from the recording",
    )
    parser.add_argument(
        "--night",
        type=int,
        help="number of the night, which selects the third of the code to change and record",
    )
    options = parser.parse_args()
    if options.night is not None:
        options.only, options.tests = PARTS[options.night % len(PARTS)]
        options.record = True
    started_at = time.monotonic()
    outcomes: Counter[str] = Counter()
    homes: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory(prefix="crawford-mutants-") as folder:
        copy = copy_checkout(Path(folder))
        all_mutants = [
            Mutant(path, change)
            for path in sources()
            if path.startswith(tuple(options.only))
            for change in mutations((copy / path).read_text())
        ]
        sample = random.Random(options.seed).sample(all_mutants, min(options.mutants, len(all_mutants)))
        if options.record or not (FOLDER / "hashes.json").is_file():
            record(copy, options.tests)
        if options.add:
            record(copy, options.add, more=True)
        reached, recorded_at = RecordedCoverage(FOLDER, copy), time.monotonic()
        for number, mutant in enumerate(sample):
            if number and time.monotonic() - recorded_at > 60 * options.minutes:
                break
            outcome = fate(mutant, copy, reached, number)
            outcomes[outcome] += 1
            homes.setdefault(mutant.home, Counter())[outcome] += 1
            if outcome in {"survived", "no test"}:
                print(f"{outcome}: {mutant}", flush=True)
    for home, counts in sorted(homes.items()):
        print(f"{counts['killed'] + counts['slow']:4} of {counts.total():3}  {home}")
    total = outcomes.total()
    noticed_count = outcomes["killed"] + outcomes["slow"]
    percentage = 100 * noticed_count / total if total else 100.0
    print(
        f"{noticed_count} of {total} mutants noticed ({percentage:.1f} %; {outcomes['slow']} by timeout), of {len(all_mutants)} possible, "
        f"seed {options.seed}, {time.monotonic() - started_at:.0f} s"
    )
    return 1 if too_few(noticed_count, total) else 0


if __name__ == "__main__":
    sys.exit(main())
