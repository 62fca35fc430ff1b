"""Back up a site, restore it on an empty machine, start it with `make run`, and check that its pages are the same, byte for byte.

    python tools/moved.py [--same-kind 4]

Everything is done as an operator would do it, with processes and HTTP. A demo site on SQLite is backed up while it runs; the backup is
restored into an empty folder and a PostgreSQL database, and started. A backup of that site, also made while it runs, is restored into an
empty folder with SQLite, and started. Each site is asked for the same addresses: a sample of each kind of page that a visitor and a director
can reach by links, and the pages of personal links.

Random parts of pages are ignored as in `tools/compare_pages.py`, as is the creation time of spreadsheets. Everything else must be the same,
with two exceptions, which are named and counted: times of day, and pages of unfinished events, whose forecasts are recalculated each minute.
Exit status 1 if any other page differs, or if more than one in thirty falls under the exceptions.
"""

import argparse
import difflib
import http.cookiejar
import io
import os
import queue
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import services, try_run  # noqa: E402
from tools.compare_pages import LEFT_OUT  # noqa: E402

DIRECTOR, PASSWORD = "director@example.org", "crawford-demo"
WAIT = 120.0
SETTLED = 70.0  # beat starts forecasts each minute
BEGINS: Mapping[str, tuple[str, ...]] = {
    "visitor": ("/", "/api/v1/clubs/", "/api/v1/events/"),
    "director": ("/direct/",),
}
# Pages that show or end sessions, create files of the present moment, or are for programs.
SKIPPED = re.compile(r"^/(static|account|admin|media)/|now\.zip|/logout|^//")
OF_THE_DAY = re.compile(
    rb"\d{1,2}[:.]\d{2}(?!\d)|\d+(?= (?:min|h\b|seconds|minutes|hours))|\d{4}-\d{2}-\d{2}T[\d:.+]+(?:Z|\+00:00)?"
)
Answer = tuple[int, str, bytes]


@dataclass
class Visitor:
    """A browser session."""

    site: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def ask(self, path: str, form: Mapping[str, str] | None = None) -> Answer:
        """Return status, content type and content after redirects."""
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(self.site + path, data, {"Referer": self.site + path})
        try:
            with self._opener.open(request, timeout=60) as answer:
                return answer.status, answer.headers.get("Content-Type", ""), answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get("Content-Type", ""), error.read()

    def sign_in(self) -> "Visitor":
        """Sign in as the demo's director."""
        _status, _kind, page = self.ask("/account/login/")
        found = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        form = {
            "login": DIRECTOR,
            "password": PASSWORD,
            "csrfmiddlewaretoken": found[1].decode() if found else "",
        }
        self.ask("/account/login/", form)
        if self.ask("/direct/")[0] != 200 or "sessionid" not in {one.name for one in self.jar}:
            sys.exit("The director could not sign in.")
        return self


def shape(path: str) -> str:
    """Return the kind of a page: its path with ids replaced."""
    return re.sub(r"(?<=[/=])(?=[\w:-]*\d)[\w:.-]+", "*", path)


def walk(somebody: Visitor, begins: tuple[str, ...], same_kind: int) -> dict[str, Answer]:
    """Return the pages that a visitor reaches by links, at most ``same_kind`` of each kind."""
    waiting, seen = deque(begins), Counter(map(shape, begins))
    found: dict[str, Answer] = {}
    while waiting:
        path = waiting.popleft()
        found[path] = somebody.ask(path)
        if not found[path][1].startswith("text/html"):
            continue
        for link in re.findall(rb'href="(/[^"#]*)', found[path][2]):
            other = link.decode().replace("&amp;", "&")
            if other in found or other in waiting or SKIPPED.search(other) or seen[shape(other)] >= same_kind:
                continue
            seen[shape(other)] += 1
            waiting.append(other)
    return found


def cleaned(content: bytes) -> bytes:
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as sheet:
            parts = [one for one in sorted(sheet.namelist()) if one != "docProps/core.xml"]
            content = b"\n".join(part.encode() + b"\n" + sheet.read(part) for part in parts)
    for pattern, instead in LEFT_OUT:
        content = pattern.sub(instead, content)
    return content


@contextmanager
def running(folder: Path, port: int, more: Mapping[str, str]) -> Iterator[str]:
    """Run ``make run``; yield its address once it is healthy and no rating is pending."""
    process, output = try_run.start(str(folder), port, more), list[str]()
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=try_run.read, args=(process, lines), daemon=True).start()
    try:
        site = try_run.until_ready(lines, output)
        deadline = time.monotonic() + WAIT
        while b'"status": "ready"' not in (ready := Visitor(site).ask("/readyz")[2]).replace(b'":"', b'": "'):
            if time.monotonic() > deadline:
                sys.exit(f"The site did not become ready: {ready.decode()}")
            time.sleep(1)
        yield site
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def asked(folder: Path, statement: str) -> list[str]:
    """The first column of a query on the first site's database."""
    with closing(sqlite3.connect(folder / "crawford.sqlite3", timeout=30)) as database:
        return [str(row[0]) for row in database.execute(statement)]


def until_foretold(folder: Path) -> None:
    """Wait until the worker has computed all forecasts of a new site."""
    made, since, deadline = list[str](), time.monotonic(), time.monotonic() + 4 * WAIT
    while time.monotonic() < min(deadline, since + SETTLED) or not made:
        time.sleep(2)
        now = asked(folder, "SELECT event_id FROM tournaments_eventforecast ORDER BY event_id")
        if now != made:
            made, since = now, time.monotonic()
        if not made and time.monotonic() > deadline:
            sys.exit("No forecast was made.")


def manage(folder: Path, more: Mapping[str, str], *words: str) -> str:
    env = {**os.environ, "CRAWFORD_VAR": str(folder), **more}
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=env,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} exited with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def visitors(site: str) -> dict[str, Visitor]:
    return {"visitor": Visitor(site), "director": Visitor(site).sign_in()}


def differences(
    before: Mapping[str, dict[str, Answer]], site: str, going_on: Collection[str]
) -> tuple[list[str], Counter[str]]:
    """Return the pages that have changed, with their first differences, and the number of pages by result."""
    found, counts = list[str](), Counter[str]()
    for name, somebody in visitors(site).items():
        for path, was in before[name].items():
            now = somebody.ask(path)
            one, other = cleaned(was[2]), cleaned(now[2])
            how = "byte for byte"
            if was[:2] != now[:2]:
                how = "other"
            elif one != other and OF_THE_DAY.sub(b"-", one) == OF_THE_DAY.sub(b"-", other):
                how = "except for times of day"
            elif one != other:
                how = "of unfinished events" if any(event in path for event in going_on) else "other"
            counts[how] += 1
            if how != "byte for byte":
                lines = difflib.unified_diff(
                    one.decode(errors="replace").splitlines(), other.decode(errors="replace").splitlines(), lineterm="", n=0
                )  # fmt: skip
                changes = [line[:200] for line in lines if not line.startswith(("---", "+++", "@@"))]
                found.append("\n    ".join([f"{how}: {name} {path} {was[:2]} {now[:2]}", *changes[:4]]))
    return found, counts


def empty_machine(folder: Path, former: Path) -> Path:
    """Create a folder with the secret key only, as docs/operations.md describes."""
    folder.mkdir()
    shutil.copy(former / "secret_key", folder / "secret_key")
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--same-kind", type=int, default=4)
    same_kind = parser.parse_args().same_kind
    failed = False
    with tempfile.TemporaryDirectory(prefix="crawford-moved-") as name:
        top = Path(name)
        top.chmod(0o755)
        port = services.free_port()
        first = top / "first"
        with running(first, port, {}) as site:
            until_foretold(first)
            going_on = asked(
                first, "SELECT public_id FROM tournaments_event WHERE status NOT IN ('finished', 'cancelled')"
            )
            before = {
                name: walk(somebody, BEGINS[name], same_kind) for name, somebody in visitors(site).items()
            }
            manage(first, {}, "backup", str(top / "first.backup"))
        kinds = len({shape(path) for pages in before.values() for path in pages})
        print(f"{sum(map(len, before.values()))} pages of {kinds} kinds")
        statuses = Counter(answer[0] for pages in before.values() for answer in pages.values())
        print(f"answers: {dict(statuses)}")
        former = first
        with services.postgres(top) as address:
            for where, more in (("PostgreSQL", {"DATABASE_URL": address}), ("SQLite again", {})):
                here = empty_machine(top / where.replace(" ", "-"), former)
                heard = manage(here, more, "restore", str(top / f"{former.name}.backup"))
                if "all consistent" not in heard or "SECRET_KEY" in heard:
                    sys.exit(heard)
                with running(here, port, more) as site:
                    found, counts = differences(before, site, going_on)
                    manage(here, more, "backup", str(top / f"{here.name}.backup"))
                print(f"{where}: {dict(counts)}", *found, sep="\n  ", flush=True)
                failed |= bool(counts["other"]) or 30 * counts["of unfinished events"] > counts.total()
                former = here
    return int(failed or statuses[200] < 100 * same_kind)


if __name__ == "__main__":
    sys.exit(main())
