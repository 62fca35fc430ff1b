"""Record every page of the site for one fixed database with two versions of the code, and compare them.

    python tools/compare_pages.py record FOLDER [--code CHECKOUT] [--events N]
    python tools/compare_pages.py compare FOLDER OTHER

`record` unpacks the database of an earlier release (`tests/data`), migrates it with the current code (or that of another checkout), and
requests every address for every object it can be about, as every kind of visitor: anonymous, an account without a club, a director of
another club, the club's director and owner, and the site's staff. Part of this is repeated in German. Then the club's director and the
players submit every form that they see, with the values in it, and the forms that this leads to; each change is rolled back. Each response
becomes one file with status, relevant headers and body. The clock is stopped, and random values are the same each time.

Expected differences between releases are left out: hashes of static files, ETags (their presence is recorded, and that they give a 304)
and random tokens. Every other difference is a change of behaviour, intended or not.
"""

import argparse
import difflib
import lzma
import os
import re
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.page_visits import visit_everything  # noqa: E402

OURS = {str(ROOT), str(ROOT / "tools"), ""}
PACKED = ROOT / "tests" / "data" / "d1ae13b" / "database.sql.xz"
SHOWN = 12  # lines of a difference
# What may differ between releases, is random, or is an expected version.
LEFT_OUT = [
    (re.compile(rb'((?:csrfmiddlewaretoken|submission_key)" value=")[^"]*'), rb"\1-"),
    (re.compile(rb'(csrf[-_]token[^"]{0,20}"[^"]{0,20}")[^"]{32,64}(?=")', re.IGNORECASE), rb"\1-"),
    (re.compile(rb'(data-live-etag=")[^"]*'), rb"\1-"),
    (re.compile(rb'(name="seen" value=")\d+'), rb"\1-"),
    (
        re.compile(rb"""(["'](?:seen|previewed|mark)["'](?:, | value=)["'])[0-9a-f]{16}(?=["'])"""),
        rb"\1-",
    ),
    (re.compile(rb"(/static/[\w/.-]+?)\.[0-9a-f]{12}(\.\w+)"), rb"\1\2"),
    (re.compile(rb"(/static/[\w/.-]+)\?v=[\w.-]+"), rb"\1"),
    (re.compile(rb"(chart\.svg\?v=\d+)\.[\w.%+]+"), rb"\1"),
    (re.compile(rb'nonce="[^"]*"'), rb'nonce="-"'),
]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    does = parser.add_subparsers(dest="does", required=True)
    record = does.add_parser("record", help="visit all pages and write the responses")
    record.add_argument("folder", type=Path)
    record.add_argument(
        "--code", type=Path, default=ROOT, help="checkout whose code is used (default: this one)"
    )
    record.add_argument("--database", type=Path, default=PACKED)
    record.add_argument(
        "--events", type=int, default=0, help="visit only this number of events, for a quick check"
    )
    compare = does.add_parser("compare", help="list differences; exit status 1 if there are any")
    compare.add_argument("folder", type=Path)
    compare.add_argument("other", type=Path)
    compare.add_argument("--common", action="store_true", help="ignore responses that are only in one folder")
    return parser.parse_args()


def record(folder: Path, code: Path, database: Path, events: int) -> int:
    """Record the visits in a process that imports the code of that checkout only."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty.")
    with tempfile.TemporaryDirectory(prefix="crawford-pages-") as scratch:
        file = Path(scratch) / "pages.sqlite3"
        with closing(sqlite3.connect(file)) as made:
            made.executescript(lzma.decompress(database.read_bytes()).decode())
        os.chdir(code)
        sys.path[:] = [str(code), *(path for path in sys.path if path not in OURS)]
        began = time.perf_counter()
        counts = visit_everything(file, folder, events)
        for what, count in sorted(counts.items()):
            print(f"{count:7} {what}")
        print(f"{sum(counts.values()):7} responses in {time.perf_counter() - began:.0f} s")
    return 0


def answers(folder: Path) -> dict[str, Path]:
    """Recorded responses by request: visitor, address, and for a form the data sent, without random parts."""
    found = {}
    for path in folder.rglob("*.txt"):
        shown = str(path.relative_to(folder))
        if "/post/" in shown:
            sent = without_what_may_differ(path.read_bytes()).partition(b"\n\n")[0].splitlines()
            asked = b" ".join(line for line in sent if line.startswith((b"POST ", b"after ")))
            shown = f"{shown.rpartition('--')[0]} {asked.decode()}"
        found[shown] = path
    return found


def without_what_may_differ(body: bytes) -> bytes:
    for pattern, instead in LEFT_OUT:
        body = pattern.sub(instead, body)
    # The name of a form's response is made of the data sent, including random parts.
    return re.sub(rb"\A(\S+)--[0-9a-f]{12}\n", rb"\1\n", body)


def compare(folder: Path, other: Path, *, common: bool) -> int:
    """Print every response that is in one folder only or differs, with the first lines of the difference."""
    one, two = answers(folder), answers(other)
    asked = sorted(one.keys() & two.keys())
    found = []
    if not common:
        found += [f"only in {folder}: {name}" for name in sorted(one.keys() - two.keys())]
        found += [f"only in {other}: {name}" for name in sorted(two.keys() - one.keys())]
    for name in asked:
        before, after = (without_what_may_differ(top[name].read_bytes()) for top in (one, two))
        if before != after:
            lines = difflib.unified_diff(
                before.decode(errors="replace").splitlines(),
                after.decode(errors="replace").splitlines(),
                lineterm="",
                n=0,
            )
            changes = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
            found.append("\n    ".join([f"differs: {name}", *changes[:SHOWN]]))
    print(*found, sep="\n")
    print(f"{len(asked)} responses compared, {len(found)} differ or are missing")
    return 1 if found else 0


def main() -> int:
    given = arguments()
    if given.does == "compare":
        return compare(given.folder, given.other, common=given.common)
    return record(given.folder.resolve(), given.code.resolve(), given.database.resolve(), given.events)


if __name__ == "__main__":
    sys.exit(main())
