"""Check of one record in a separate process: `python -m games.apart SECONDS`.

The request is read from stdin, the result written to stdout. The kernel ends the process at its limit of
processor time or memory, and the caller goes on.
"""

import resource
import sys
from multiprocessing.reduction import ForkingPickler

from games.records.checking import check_record

MEMORY_BYTES = 1_500_000_000


def main(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    *arguments, with_analysis = ForkingPickler.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(ForkingPickler.dumps(check_record(*arguments, with_analysis=with_analysis)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
