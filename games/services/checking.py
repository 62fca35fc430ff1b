"""Check records of any size with limits.

A usual record takes milliseconds and is checked in this process. One of megabytes takes seconds, which would
block Python: it is checked in a separate process, with a limit.
"""

import logging
import subprocess
import sys
from multiprocessing.reduction import ForkingPickler
from typing import Final

from django.conf import settings

from games.records.checking import CheckResult, Unreadable, check_record
from games.records.model import NO_PLACE
from games.records.unpacked import size_to_read
from games.records.validation import ExpectedMatch, Verdict, VerdictDecision
from games.rules.formats import MatchFormat
from games.rules.numbering import Numbering

log = logging.getLogger(__name__)
SUBPROCESS_BYTES: Final = 200_000  # bytes; about a tenth of a second
SUBPROCESS_UNPACKED_BYTES: Final = 4_000_000  # of a packed file, whatever its own size
CPU_SECONDS: Final = 10  # of the processor; 2.9 MB of text take 1.5
WALL_SECONDS: Final = 40  # by the clock, with other processes running


def check_with_limits(
    data: bytes,
    filename: str = "",
    form: MatchFormat | None = None,
    expected: ExpectedMatch | None = None,
    numbering: Numbering = Numbering.OWN,
    *,
    seconds: int = CPU_SECONDS,
    with_analysis: bool = False,
) -> CheckResult:
    """Return the result of ``check_record``; a file whose check takes more than ``seconds`` is unreadable."""
    if (
        len(data) <= SUBPROCESS_BYTES
        and size_to_read(data, SUBPROCESS_UNPACKED_BYTES) <= SUBPROCESS_UNPACKED_BYTES
    ):
        return check_record(data, filename, form, expected, numbering, with_analysis=with_analysis)
    try:
        completed = subprocess.run(  # noqa: S603 (this Python, this module)
            [sys.executable, "-m", "games.apart", str(seconds)],
            input=bytes(ForkingPickler.dumps((data, filename, form, expected, numbering, with_analysis))),
            capture_output=True,
            cwd=settings.BASE_DIR,
            timeout=WALL_SECONDS,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        log.warning("A record of %s bytes was given up: %s", len(data), type(error).__name__)
        verdict = Verdict(VerdictDecision.UNREADABLE, complete=False, findings=())
        return CheckResult(verdict, unreadable=Unreadable("record.too_much_work", NO_PLACE, {}))
    answer: CheckResult = ForkingPickler.loads(completed.stdout)
    return answer
