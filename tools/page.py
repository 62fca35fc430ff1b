"""`make page P=/direct/ WHO=director@example.org`: render one page of this installation without a server.

Prints the status, the time of the first and a second request, and the number of database statements. The page is written to
`var/page.html`, for reading or comparing. `SQL=yes` prints the statements.
"""

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A rendered page: its response and database queries.

    ``leads_to``: the address of a redirect, or empty. ``times``: milliseconds of the first and the second
    request.
    """

    status: int
    content: bytes
    leads_to: str
    times: tuple[float, float]
    statements: tuple[str, ...]


def render(address: str, email: str = "") -> RenderedPage:
    """Request the page at ``address`` twice, as an anonymous visitor or as the account with ``email``."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from people.models import User

    client = Client(SERVER_NAME="localhost")
    if email:
        user = User.objects.filter(email=email).first()
        if user is None:
            sys.exit(f"No account uses the address {email}.")
        client.force_login(user)
    times = []
    with CaptureQueriesContext(connection) as captured:
        start = time.perf_counter()
        answer = client.get(address)
        times.append((time.perf_counter() - start) * 1000)
    statements = tuple(query["sql"] for query in captured.captured_queries)
    start = time.perf_counter()
    client.get(address)
    times.append((time.perf_counter() - start) * 1000)
    return RenderedPage(
        answer.status_code,
        b"".join(answer) if answer.streaming else answer.content,
        answer.headers.get("Location", ""),
        (times[0], times[1]),
        statements,
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make page", description="Render one page without a server.")
    parser.add_argument("address", help="path of the page, such as /direct/")
    parser.add_argument("--as", dest="email", default="", help="e-mail address of the account to use")
    parser.add_argument("--sql", action="store_true", help="print every statement")
    options = parser.parse_args(arguments)
    if not options.address.startswith("/"):
        parser.error("Name a page, for example: make page P=/direct/ WHO=director@example.org")

    import django
    from django.conf import settings
    from django.db import OperationalError, ProgrammingError

    django.setup()
    try:
        rendered = render(options.address, options.email)
    except (OperationalError, ProgrammingError) as error:
        sys.exit(f"The database has no tables yet ({error}). Run `make run` once.")
    if options.sql:
        print(*rendered.statements, sep="\n")
    output_file = settings.VAR / "page.html"
    output_file.write_bytes(rendered.content)
    first_time, second_time = rendered.times
    print(
        f"{options.address}: {rendered.status} {rendered.leads_to}".rstrip()
        + f", {len(rendered.content):,} bytes, "
        f"{len(rendered.statements)} statements, {first_time:.0f} ms, again {second_time:.0f} ms; see {output_file}"
    )
    return 0 if rendered.status < 400 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
