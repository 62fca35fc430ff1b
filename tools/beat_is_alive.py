"""Check the health of beat: it updates its schedule file with every task it sends, so an old file means that it has stopped.

Exit status: 0 if beat is running, 1 if not.
"""

import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_AGE_SECONDS = 75.0


def schedule_age(folder: Path) -> float:
    """Return the seconds since beat last wrote its schedule file in ``folder``; infinite without a file.

    The library chooses the file's suffix.
    """
    files = list(folder.glob("beat-schedule*"))
    return time.time() - max(path.stat().st_mtime for path in files) if files else float("inf")


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(0 if schedule_age(ROOT / (os.environ.get("CRAWFORD_VAR") or "var")) < MAX_AGE_SECONDS else 1)
