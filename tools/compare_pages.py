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

CHECKOUT_PATHS = {str(ROOT), str(ROOT / "tools"), ""}
PACKED = ROOT / "tests" / "data" / "d1ae13b" / "database.sql.xz"
MAX_SHOWN_LINES = 12  # lines of a difference
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
    subparsers = parser.add_subparsers(dest="does", required=True)
    record_parser = subparsers.add_parser("record", help="visit all pages and write the responses")
    record_parser.add_argument("folder", type=Path)
    record_parser.add_argument(
        "--code", type=Path, default=ROOT, help="checkout whose code is used (default: this one)"
    )
    record_parser.add_argument("--database", type=Path, default=PACKED)
    record_parser.add_argument(
        "--events", type=int, default=0, help="visit only this number of events, for a quick check"
    )
    compare_parser = subparsers.add_parser("compare", help="list differences; exit status 1 if there are any")
    compare_parser.add_argument("folder", type=Path)
    compare_parser.add_argument("other", type=Path)
    compare_parser.add_argument(
        "--common", action="store_true", help="ignore responses that are only in one folder"
    )
    return parser.parse_args()


def record(folder: Path, code: Path, database: Path, events: int) -> int:
    """Record the visits in ``folder``; from here on, this process imports only the code of checkout ``code``.

    ``database``: a packed SQL dump. ``events``: the largest number of events to visit, 0 for all. Returns the
    exit status.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty.")
    with tempfile.TemporaryDirectory(prefix="crawford-pages-") as scratch:
        file = Path(scratch) / "pages.sqlite3"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(lzma.decompress(database.read_bytes()).decode())
        os.chdir(code)
        sys.path[:] = [str(code), *(path for path in sys.path if path not in CHECKOUT_PATHS)]
        started_at = time.perf_counter()
        counts = visit_everything(file, folder, events)
        for kind, count in sorted(counts.items()):
            print(f"{count:7} {kind}")
        print(f"{sum(counts.values()):7} responses in {time.perf_counter() - started_at:.0f} s")
    return 0


def recorded_responses(folder: Path) -> dict[str, Path]:
    """Return the recorded response files of ``folder``, as a dictionary keyed by request.

    A key consists of visitor and address, and for a form the data sent, without random parts.
    """
    path_by_key = {}
    for path in folder.rglob("*.txt"):
        key = str(path.relative_to(folder))
        if "/post/" in key:
            request_lines = without_what_may_differ(path.read_bytes()).partition(b"\n\n")[0].splitlines()
            request_text = b" ".join(line for line in request_lines if line.startswith((b"POST ", b"after ")))
            key = f"{key.rpartition('--')[0]} {request_text.decode()}"
        path_by_key[key] = path
    return path_by_key


def without_what_may_differ(body: bytes) -> bytes:
    for pattern, replacement in LEFT_OUT:
        body = pattern.sub(replacement, body)
    # The name of a form's response is made of the data sent, including random parts.
    return re.sub(rb"\A(\S+)--[0-9a-f]{12}\n", rb"\1\n", body)


def compare(folder: Path, other: Path, *, common: bool) -> int:
    """Print every response that is in one folder only or differs, with the first lines of the difference.

    ``common``: ignore responses in one folder only. Returns the exit status.
    """
    first_paths, second_paths = recorded_responses(folder), recorded_responses(other)
    common_keys = sorted(first_paths.keys() & second_paths.keys())
    differences = []
    if not common:
        differences += [
            f"only in {folder}: {name}" for name in sorted(first_paths.keys() - second_paths.keys())
        ]
        differences += [
            f"only in {other}: {name}" for name in sorted(second_paths.keys() - first_paths.keys())
        ]
    for name in common_keys:
        before, after = (
            without_what_may_differ(paths[name].read_bytes()) for paths in (first_paths, second_paths)
        )
        if before != after:
            lines = difflib.unified_diff(
                before.decode(errors="replace").splitlines(),
                after.decode(errors="replace").splitlines(),
                lineterm="",
                n=0,
            )
            changes = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
            differences.append("\n    ".join([f"differs: {name}", *changes[:MAX_SHOWN_LINES]]))
    print(*differences, sep="\n")
    print(f"{len(common_keys)} responses compared, {len(differences)} differ or are missing")
    return 1 if differences else 0


def main() -> int:
    options = arguments()
    if options.does == "compare":
        return compare(options.folder, options.other, common=options.common)
    return record(
        options.folder.resolve(), options.code.resolve(), options.database.resolve(), options.events
    )


if __name__ == "__main__":
    sys.exit(main())
