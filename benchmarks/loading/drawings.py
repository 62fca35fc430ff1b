"""What the first drawing of pages costs, with nothing in the cache: CPU of the process, time in the database, statements, bytes.

python benchmarks/loading/drawings.py /e/…/ /c/…/
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client

RUNS = 5


class Waited:
    """How many statements there were, and seconds that they took, as the program sees them."""

    def __init__(self) -> None:
        self.seconds, self.count = 0.0, 0

    def __call__(self, execute, sql, parameters, many, context):
        start = time.perf_counter()
        try:
            return execute(sql, parameters, many, context)
        finally:
            self.seconds += time.perf_counter() - start
            self.count += 1


def draw(client: Client, address: str, tag: str = "") -> tuple[float, float, int, int, str, int]:
    """CPU and database in ms, bytes, statements, ETag, status."""
    waited = Waited()
    start = time.process_time()
    with connection.execute_wrapper(waited):
        answer = client.get(address, headers={"If-None-Match": tag} if tag else {})
        size = sum(map(len, answer.streaming_content)) if answer.streaming else len(answer.content)
    cpu = 1000 * (time.process_time() - start)
    return cpu, 1000 * waited.seconds, size, waited.count, answer.headers.get("ETag", ""), answer.status_code


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    print(
        f"{'first drawing, quietest of ' + str(RUNS):<44}{'CPU':>8}{'database':>10}{'kB':>8}{'statements':>12}   unchanged"
    )
    for argument in sys.argv[1:]:
        name, address = argument.split("=", 1) if not argument.startswith("/") else ("", argument)
        draw(client, address)
        runs = []
        for _ in range(RUNS):
            cache.clear()
            runs.append(draw(client, address))
        cpu, waited, size, count = (min(run[column] for run in runs) for column in range(4))
        tag = runs[-1][4]
        unchanged = [draw(client, address, tag) for _ in range(RUNS)] if tag else []
        unchanged_text = (
            f"{unchanged[-1][5]}: {min(run[0] for run in unchanged):.1f} ms, {min(run[1] for run in unchanged):.1f} ms"
            if unchanged
            else "no ETag"
        )
        print(
            f"{name or address:<44}{cpu:>6.0f}ms{waited:>8.1f}ms{size / 1000:>8.0f}{count:>12}   {unchanged_text}",
            flush=True,
        )


if __name__ == "__main__":
    main()
