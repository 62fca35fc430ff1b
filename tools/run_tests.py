"""`make test`: run the whole test suite on two processors.

With PostgreSQL (`DATABASE_URL_POSTGRES`), each of four processes is a lane with its own database; `tests/support/lanes.py` says which tests
run on both kinds and distributes the others. In a full run (`CRAWFORD_TEST_FULL`) a fifth process shares the work on PostgreSQL, which takes
most of the time then. Without PostgreSQL, two processes share the work on SQLite.
Arguments are passed to pytest; naming files or `-n` turns the lanes off.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANES = [
    "--dist=each",
    "--max-worker-restart=0",
    "--tx=popen//env:CRAWFORD_TEST_LANES=busy//env:CRAWFORD_TEST_DATABASE=sqlite",
    "--tx=popen//env:CRAWFORD_TEST_LANES=busy//env:CRAWFORD_TEST_DATABASE=postgres",
    "--tx=popen//env:CRAWFORD_TEST_LANES=patient-first//env:CRAWFORD_TEST_DATABASE=sqlite",
    "--tx=popen//env:CRAWFORD_TEST_LANES=patient//env:CRAWFORD_TEST_DATABASE=sqlite",
]
IN_FULL = "--tx=popen//env:CRAWFORD_TEST_LANES=busy//env:CRAWFORD_TEST_DATABASE=postgres"
SHARED = ["--numprocesses=2", "--dist=worksteal"]


def arguments(pytest_arguments: list[str], *, postgres: bool, full: bool) -> list[str]:
    if any(
        word in {"-n", "--numprocesses", "-p"} or word.startswith(("-n", "--dist", "--tx"))
        for word in pytest_arguments
    ):
        return pytest_arguments
    if not postgres:
        return [*SHARED, *pytest_arguments]
    return [*LANES, *([IN_FULL] if full else []), *pytest_arguments]


def main() -> None:
    os.chdir(ROOT)
    pytest_arguments = arguments(
        sys.argv[1:],
        postgres=bool(os.environ.get("DATABASE_URL_POSTGRES")),
        full=os.environ.get("CRAWFORD_TEST_FULL") == "1",
    )
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *pytest_arguments])


if __name__ == "__main__":
    main()
