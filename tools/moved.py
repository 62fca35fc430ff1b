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
SETTLE_SECONDS = 70.0  # beat starts forecasts each minute
START_PATHS: Mapping[str, tuple[str, ...]] = {
    "visitor": ("/", "/api/v1/clubs/", "/api/v1/events/"),
    "director": ("/direct/",),
}
# Pages that show or end sessions, create files of the present moment, or are for programs.
SKIPPED = re.compile(r"^(/[a-z]{2})?/(static|account|admin|media)/|now\.zip|/logout|^//")
OF_THE_DAY = re.compile(
    rb"\d{1,2}[:.]\d{2}(?!\d)|\d+(?= (?:min|h\b|seconds|minutes|hours))|\d{4}-\d{2}-\d{2}T[\d:.+]+(?:Z|\+00:00)?"
)
Answer = tuple[int, str, bytes]


@dataclass
class Visitor:
    """A browser session on a site, with its cookies."""

    site: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def ask(self, path: str, form: Mapping[str, str] | None = None) -> Answer:
        """Return status, content type and content of a page after redirects; posts ``form`` if given."""
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
        token_match = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        form = {
            "login": DIRECTOR,
            "password": PASSWORD,
            "csrfmiddlewaretoken": token_match[1].decode() if token_match else "",
        }
        self.ask("/account/login/", form)
        if self.ask("/direct/")[0] != 200 or "sessionid" not in {cookie.name for cookie in self.jar}:
            sys.exit("The director could not sign in.")
        return self


def page_kind(path: str) -> str:
    """Return the kind of a page: its path with ids replaced by an asterisk."""
    return re.sub(r"(?<=[/=])(?=[\w:-]*\d)[\w:.-]+", "*", path)


def crawl(visitor: Visitor, start_paths: tuple[str, ...], same_kind: int) -> dict[str, Answer]:
    """Return the pages that a visitor reaches by links, keyed by path, at most ``same_kind`` of each kind."""
    pending, kind_counts = deque(start_paths), Counter(map(page_kind, start_paths))
    answers: dict[str, Answer] = {}
    while pending:
        path = pending.popleft()
        answers[path] = visitor.ask(path)
        if not answers[path][1].startswith("text/html"):
            continue
        for link in re.findall(rb'href="(/[^"#]*)', answers[path][2]):
            target = link.decode().replace("&amp;", "&")
            if (
                target in answers
                or target in pending
                or SKIPPED.search(target)
                or kind_counts[page_kind(target)] >= same_kind
            ):
                continue
            kind_counts[page_kind(target)] += 1
            pending.append(target)
    return answers


def without_random_parts(content: bytes) -> bytes:
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as sheet:
            parts = [name for name in sorted(sheet.namelist()) if name != "docProps/core.xml"]
            content = b"\n".join(part.encode() + b"\n" + sheet.read(part) for part in parts)
    for pattern, replacement in LEFT_OUT:
        content = pattern.sub(replacement, content)
    return content


@contextmanager
def running(folder: Path, port: int, extra_env: Mapping[str, str]) -> Iterator[str]:
    """Run ``make run`` and yield the site's address once the site is healthy and no rating is pending."""
    process, output = try_run.start(str(folder), port, extra_env), list[str]()
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=try_run.read, args=(process, lines), daemon=True).start()
    try:
        site = try_run.until_ready(lines, output)
        deadline = time.monotonic() + WAIT
        while b'"status": "ready"' not in (readiness := Visitor(site).ask("/readyz")[2]).replace(
            b'":"', b'": "'
        ):
            if time.monotonic() > deadline:
                sys.exit(f"The site did not become ready: {readiness.decode()}")
            time.sleep(1)
        yield site
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def first_column(folder: Path, statement: str) -> list[str]:
    """Return the values in the first column of a query on the first site's database."""
    with closing(sqlite3.connect(folder / "crawford.sqlite3", timeout=30)) as database:
        return [str(row[0]) for row in database.execute(statement)]


def wait_for_forecasts(folder: Path) -> None:
    """Wait until the worker has computed the forecasts of all events of a new site."""
    forecasts, changed_at, deadline = list[str](), time.monotonic(), time.monotonic() + 4 * WAIT
    while time.monotonic() < min(deadline, changed_at + SETTLE_SECONDS) or not forecasts:
        time.sleep(2)
        current = first_column(folder, "SELECT event_id FROM tournaments_eventforecast ORDER BY event_id")
        if current != forecasts:
            forecasts, changed_at = current, time.monotonic()
        if not forecasts and time.monotonic() > deadline:
            sys.exit("No forecast was made.")


def manage(folder: Path, more: Mapping[str, str], *words: str) -> str:
    env = {**os.environ, "CRAWFORD_VAR": str(folder), **more}
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=env,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    if result.returncode:
        sys.exit(f"{' '.join(words)} exited with status {result.returncode}:\n{result.stdout}")
    return result.stdout


def visitors(site: str) -> dict[str, Visitor]:
    return {"visitor": Visitor(site), "director": Visitor(site).sign_in()}


def differences(
    before: Mapping[str, dict[str, Answer]], site: str, unfinished_events: Collection[str]
) -> tuple[list[str], Counter[str]]:
    """Return the pages that have changed, with their first differences, and the number of pages by outcome.

    ``before``: earlier pages of each visitor. ``unfinished_events``: public ids of events whose pages may
    differ.
    """
    messages, counts = list[str](), Counter[str]()
    for name, visitor in visitors(site).items():
        for path, old_answer in before[name].items():
            new_answer = visitor.ask(path)
            old_content, new_content = (
                without_random_parts(old_answer[2]),
                without_random_parts(new_answer[2]),
            )
            outcome = "byte for byte"
            if old_answer[:2] != new_answer[:2]:
                outcome = "other"
            elif old_content != new_content and OF_THE_DAY.sub(b"-", old_content) == OF_THE_DAY.sub(
                b"-", new_content
            ):
                outcome = "except for times of day"
            elif old_content != new_content:
                outcome = (
                    "of unfinished events" if any(event in path for event in unfinished_events) else "other"
                )
            counts[outcome] += 1
            if outcome != "byte for byte":
                lines = difflib.unified_diff(
                    old_content.decode(errors="replace").splitlines(), new_content.decode(errors="replace").splitlines(), lineterm="", n=0
                )  # fmt: skip
                changes = [line[:200] for line in lines if not line.startswith(("---", "+++", "@@"))]
                messages.append(
                    "\n    ".join(
                        [f"{outcome}: {name} {path} {old_answer[:2]} {new_answer[:2]}", *changes[:4]]
                    )
                )
    return messages, counts


def empty_machine(folder: Path, previous_folder: Path) -> Path:
    """Return a new folder with only the secret key in it, as docs/operations.md describes."""
    folder.mkdir()
    shutil.copy(previous_folder / "secret_key", folder / "secret_key")
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
        first_folder = top / "first"
        with running(first_folder, port, {}) as site:
            wait_for_forecasts(first_folder)
            unfinished_events = first_column(
                first_folder,
                "SELECT public_id FROM tournaments_event WHERE status NOT IN ('finished', 'cancelled')",
            )
            before = {
                name: crawl(visitor, START_PATHS[name], same_kind) for name, visitor in visitors(site).items()
            }
            manage(first_folder, {}, "backup", str(top / "first.backup"))
        kinds = len({page_kind(path) for pages in before.values() for path in pages})
        print(f"{sum(map(len, before.values()))} pages of {kinds} kinds")
        statuses = Counter(answer[0] for pages in before.values() for answer in pages.values())
        print(f"answers: {dict(statuses)}")
        previous_folder = first_folder
        with services.postgres(top) as address:
            for database_name, extra_env in (("PostgreSQL", {"DATABASE_URL": address}), ("SQLite again", {})):
                new_folder = empty_machine(top / database_name.replace(" ", "-"), previous_folder)
                output = manage(new_folder, extra_env, "restore", str(top / f"{previous_folder.name}.backup"))
                if "all consistent" not in output or "SECRET_KEY" in output:
                    sys.exit(output)
                with running(new_folder, port, extra_env) as site:
                    messages, counts = differences(before, site, unfinished_events)
                    manage(new_folder, extra_env, "backup", str(top / f"{new_folder.name}.backup"))
                print(f"{database_name}: {dict(counts)}", *messages, sep="\n  ", flush=True)
                failed |= bool(counts["other"]) or 30 * counts["of unfinished events"] > counts.total()
                previous_folder = new_folder
    return int(failed or statuses[200] < 100 * same_kind)


if __name__ == "__main__":
    sys.exit(main())
