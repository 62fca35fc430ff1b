"""An application that says what it was asked, behind the site's own door with short limits, for Granian in a test."""

import json
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from config.serving.answers import MAX_MEMORY_BYTES
from config.serving.bodies import Limits
from config.serving.site import Site

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LIMITS = Limits(silence_seconds=2.0, total_seconds=3.0, max_body_bytes=1_500_000, max_total_bytes=4_000_000)
PIECE = b"x" * 100_000
PIECES = 2 * MAX_MEMORY_BYTES // len(PIECE)


def large() -> Iterator[bytes]:
    for _ in range(PIECES):
        yield PIECE


def echo(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == "/broken":
        raise RuntimeError(path)
    if path == "/sleep" or environ["QUERY_STRING"].startswith("sleep="):
        time.sleep(float(environ["QUERY_STRING"].removeprefix("sleep=")))
    if path == "/large":
        start_response("200 OK", [("Content-Type", "text/csv")])
        return large()
    if path == "/unchanged":
        start_response("304 Not Modified", [("ETag", '"1"')])
        return [b""]
    body = environ["wsgi.input"].read()
    said = {key: value for key, value in environ.items() if isinstance(value, str)}
    answer = json.dumps({**said, "body": body[:100].decode("latin-1"), "size": len(body)}).encode()
    start_response(
        "200 OK",
        [("Content-Length", str(len(answer))), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")],
    )
    return [answer]


def refused(path: str, status: int, code: str) -> tuple[int, list[tuple[str, str]], bytes]:
    return status, [("X-Path", path)], code.encode()


application = Site(echo, build_refusal=refused, session="sessionid", limits=LIMITS)
