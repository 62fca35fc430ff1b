"""Run the journey of `tests/e2e/test_firefox.py` in the installed Firefox: `python tools/firefox.py [pytest arguments]`.

Playwright controls it with WebDriver BiDi. The Playwright in `.venv` is too new for Debian's Firefox, so another version, pinned with
hashes in `requirements/firefox.txt`, is installed in `var/firefox` and used instead.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import environment  # noqa: E402

FOLDER = ROOT / "var" / "firefox"
PINNED = ROOT / "requirements" / "firefox.txt"
STAMP = FOLDER / "stamp"
JOURNEY = "tests/e2e/test_firefox.py"


def program() -> str:
    path = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
    return path or sys.exit("Firefox is not installed (Debian: apt install firefox-esr).")


def install() -> None:
    digest = hashlib.sha256(PINNED.read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == digest:
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    arguments = (
        "--target",
        str(FOLDER),
        "--no-deps",
        *environment.FROM_INDEX,
        *environment.INSTALL_OPTIONS,
        str(PINNED),
    )
    result = environment.run_uv("pip", "install", "--python", sys.executable, *arguments)
    if result.returncode != 0:
        sys.exit(
            f"The tools that control Firefox could not be installed. Is the package index reachable?\n{result.stderr}"
        )
    STAMP.write_text(digest)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    surroundings = {**os.environ, "FIREFOX": program(), "CRAWFORD_TEST_FULL": "1"}
    install()
    surroundings["PYTHONPATH"] = os.pathsep.join(filter(None, (str(FOLDER), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "pytest", "-q", JOURNEY, *sys.argv[1:]]
    sys.exit(subprocess.run(command, cwd=ROOT, env=surroundings, check=False).returncode)
