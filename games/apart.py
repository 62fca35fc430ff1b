"""One check in a process of its own: `python -m games.apart`, request on stdin, response on stdout.

The kernel ends it at its limit of processor time or memory, without ending its caller.
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
