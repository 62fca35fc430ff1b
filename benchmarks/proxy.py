"""Measure unfinished request bodies at the proxy: how long others wait, and what reaches the site.

    .venv/bin/python benchmarks/proxy.py [--bodies 300] [--seconds 8]

Starts the site behind deploy/Caddyfile, as a process, with its own certificate, and sends unfinished bodies over HTTPS. Exit status 1 if a
page took more than `LIMIT_REACHED` ms longer than before, if one of the bodies reached the site, if a header that only the proxy may set got
through, if something for operators only is shown to others, or if unfinished bodies are kept longer than their deadline.
"""

import argparse
import socket
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "loading"), str(HERE)]

from bodies import report
from fronted import FORM, SENT_TO, UNKNOWN, Fronted, ask, fronted, line_to

PAGES = ("/en/", "/en/events/", "/account/login/", "/api/v1/clubs/")
LIMIT = 250  # ms; with HTTPS and the proxy on the same two cores
READ_BODY = 60.0  # as deploy/Caddyfile says


def unfinished(site: str, stack: ExitStack) -> socket.socket:
    parts = urlsplit(site)
    plain_socket = socket.create_connection((parts.hostname or "", parts.port or 443), timeout=90)
    connection = stack.enter_context(UNKNOWN.wrap_socket(plain_socket, server_hostname=parts.hostname))
    request_head = f"POST {SENT_TO} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 3000000\r\nContent-Type: {FORM}\r\n\r\n--x\r\n"
    connection.sendall(request_head.encode())
    return connection


def asked_for(site: str, seconds: float) -> list[float]:
    times: list[float] = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for path in PAGES:
            start = time.perf_counter()
            ask(site, "GET", path)
            times.append((time.perf_counter() - start) * 1000)
        time.sleep(0.05)
    return times


def sent_to_the_site(server: Fronted) -> float:
    """How many requests to the check of records the web processes have had."""
    lines = [
        line
        for number in (0, 1)
        for line in ask(server.door(number), "GET", "/metrics")[1].decode().splitlines()
    ]
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith('crawford_requests_total{method="POST"') and "check" in line)  # fmt: skip


def oddities(server: Fronted) -> list[str]:
    """What must not come through."""
    internal_paths = ("/metrics", "/readyz", "/livez")
    messages = [
        f"{path} is shown to everyone" for path in internal_paths if ask(server.site, "GET", path)[0] != 404
    ]
    if ask(server.site, "GET", "/en/", **{"X-Forwarded-Proto": "http"})[0] != 200:
        messages.append("X-Forwarded-Proto of a visitor came through")
    connection = line_to(server.site)
    connection.request("POST", SENT_TO, headers={"Content-Length": "42000000", "Content-Type": FORM})
    if (status := connection.getresponse().status) != 413:
        messages.append(f"a body of 42 MB is answered by {status} and not by 413")
    connection.close()
    return messages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crawford-proxy-") as folder, ExitStack() as stack:
        server = stack.enter_context(fronted(Path(folder)))
        faults = oddities(server)
        asked_for(server.site, 2)
        before = report("no other players", asked_for(server.site, options.seconds))
        request_count = sent_to_the_site(server)
        open_sockets = stack.enter_context(ExitStack())
        start = time.monotonic()
        connections = [unfinished(server.site, open_sockets) for _ in range(options.bodies)]
        after = report(f"{options.bodies} unfinished bodies", asked_for(server.site, options.seconds))
        if sent_to_the_site(server) != request_count:
            faults.append("unfinished bodies came to the site")
        # Until the deadline of the proxy: each line is ended by it.
        for connection in connections:
            connection.settimeout(max(1.0, READ_BODY + 20 - (time.monotonic() - start)))
            try:
                while connection.recv(4096):
                    pass
            except TimeoutError:
                faults.append("an unfinished body was kept beyond its deadline")
                break
            except OSError:
                pass
        print(f"all ended after {time.monotonic() - start:.0f} s; limit: {LIMIT} ms more than without them")
    if after > before + LIMIT:
        faults.append(f"{after - before:.0f} ms more than without them")
    for fault in faults:
        print(f"wrong: {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
