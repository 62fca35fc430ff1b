"""Measure a first visit on a phone: requests and bytes transferred without a cache, and the time until text is visible on a slow network.

    .venv/bin/python benchmarks/first_visit.py [PAGE…] [--times N]

Uses the site as in production (compressed files with hashes, brotli) with HTTPS, one web server process, two played
events of 64 and 256, and headless Chromium. *Readable* is the first contentful paint at 400 kbit/s with a round-trip time of 400 ms
(WebPageTest's "3G Slow", https://docs.webpagetest.org/network-profiles/), median of N. Limits: 60 kB except for brackets above 64; my page
readable in 2.5 s.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from load import ask, running, serving
from playwright.sync_api import Browser, sync_playwright

from tools import services
from tools.run import programs

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 3,
}
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
BROWSERS = ("chromium-headless-shell", "chromium")
PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0"""
LIMIT, LARGE = 60.0, "bracket of 256"  # kB


@dataclass(frozen=True)
class Visit:
    """``later``: kB that came after the page had loaded, by the worker that keeps the shell."""

    requests: int
    kinds: dict[str, float]
    later: float

    @property
    def weight(self) -> float:
        return sum(self.kinds.values())


def door(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that it has given itself, and its key, for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))]
    now = datetime.now(UTC)
    signed_certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(signed_certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate_file, key_file


def visit(browser: Browser, address: str) -> Visit:
    """A window that has never been here."""
    context = browser.new_context(**PHONE, ignore_https_errors=True)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    kinds: dict[str, str] = {}
    weights: dict[str, float] = {}
    count = 0

    def asked(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event.get("type", "Other")

    def came(event: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        kind = kinds.get(event["requestId"], "Other")
        weights[kind] = weights.get(kind, 0) + event["encodedDataLength"] / 1000

    devtools.on("Network.requestWillBeSent", asked)
    devtools.on("Network.loadingFinished", came)
    page.goto(address, wait_until="networkidle")
    result = Visit(count, dict(weights), 0)
    context.close()
    return result


def readable(browser: Browser, address: str) -> float:
    """Seconds to the first words on a slow network."""
    context = browser.new_context(**PHONE, ignore_https_errors=True)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    page.goto(address, wait_until="load", timeout=60_000)
    seconds = float(page.evaluate(PAINTED)) / 1000
    context.close()
    return seconds


def measure(site: str, pages: dict[str, str], times: int) -> None:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("Chromium is not installed.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        print(f"{'page':<18}{'requests':>9}{'kB':>7}{'limit':>7}{'readable':>10}   of it")
        for name, path in pages.items():
            visited = visit(browser, site + path)
            readable_seconds = statistics.median(readable(browser, site + path) for _ in range(times))
            parts = ", ".join(
                f"{kind} {weight:.1f}"
                for kind, weight in sorted(visited.kinds.items(), key=lambda item: -item[1])
            )
            limit = "" if name == LARGE else f"{LIMIT:.0f}"
            print(
                f"{name:<18}{visited.requests:>9}{visited.weight:>7.1f}{limit:>7}{readable_seconds:>8.2f} s   {parts}",
                flush=True,
            )
        browser.close()


@contextmanager
def visited_site(certificate_paths: tuple[Path, Path]) -> Iterator[tuple[str, dict[str, str]]]:
    """The site as in production with events that are played; its address, and its pages by name.

    It speaks https itself, with the ``certificate_paths``: a certificate and its key.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(services.data_folder(None))
        port = services.free_port()
        development = {
            **os.environ,
            "CRAWFORD_VAR": str(folder / "var"),
            "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "ERROR",
            "SECRET_KEY": "only-this-benchmark-uses-it-0123456789-abcdefghijklmnopqrstuvwxyz",
        }
        ask(["manage.py", "migrate", "-v0"], development)
        page_paths = json.loads(ask(["benchmarks/loading/visited.py"], development).splitlines()[-1])
        env = {
            **development,
            "CRAWFORD_ENV": "production",
            "SITE_URL": f"https://localhost:{port}",
            "ALLOWED_HOSTS": "localhost,127.0.0.1",
            "GRANIAN_SSL_CERTIFICATE": str(certificate_paths[0]),
            "GRANIAN_SSL_KEYFILE": str(certificate_paths[1]),
            "ACCOUNTS": "invited",
            "CACHE_URL": "locmemcache://visits",
            "CRAWFORD_STATIC_ROOT": str(folder / "static"),
        }
        ask(["manage.py", "collectstatic", "--no-input", "-v0"], env)
        web, *background = programs("127.0.0.1", port)
        site = stack.enter_context(
            serving(
                web.command,
                port,
                "/healthz",
                env,
                1,
                folder / "web.log",
                certificate=certificate_paths[0],
            )
        )
        for program in background:
            stack.enter_context(running(program.command, env, folder / f"{program.name}.log"))
        yield site.address.replace("127.0.0.1", "localhost"), page_paths


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", help="pages to measure (default: all)")
    parser.add_argument("--times", type=int, default=5, help="number of visits on the slow network")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, visited_site(door(Path(folder))) as (site, page_paths):
        selected = {
            name: path for name, path in page_paths.items() if not options.pages or name in options.pages
        }
        measure(site, selected, options.times)


if __name__ == "__main__":
    main()
