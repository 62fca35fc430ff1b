"""`make check`: run all static checks of the code and name those that fail.

Arguments select checks by name: `python tools/check.py lint types`; `quick` selects the fast ones.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

BIN = Path(sys.executable).parent
PRODUCT = ("config", "faults", "names", "people", "games", "rating", "tournaments", "tools")
# "Not much over 400 lines" means this.
MAX_LINES = 440
# Files that may be longer, each with its reason.
LONG_FILES: dict[str, str] = {
    "tools/verify_draw.py": "one file that anyone can read and run without this program",
}
NOTES = ("TODO", "FIXME", "XXX")

# Settings of a real installation, for `check --deploy`.
AS_IN_PRODUCTION = {
    "CRAWFORD_ENV": "production",
    "OPERATOR_NAME": "Harbour Club",
    "OPERATOR_ADDRESS": "Pier 4, Helsinki",
    "OPERATOR_CONTACT": "office@example.org",
    "SECRET_KEY": "checked-by-make-check-alone-0123456789-abcdefghijklmnopqrstuvwxyz",
    "SITE_URL": "https://club.example.org",
    "DATABASE_URL": "postgres://crawford@db.invalid:5432/crawford",
    "CELERY_BROKER_URL": "redis://redis.invalid:6379/0",
    "EMAIL_URL": "smtp+tls://mail.invalid:587",
    "HSTS_SUBDOMAINS": "true",
}


def run(*command: str, **environment: str) -> list[str]:
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=False, capture_output=True, text=True
    )
    return [] if result.returncode == 0 else [*result.stdout.splitlines(), *result.stderr.splitlines()]


def tool(name: str, *arguments: str) -> list[str]:
    return run(str(BIN / name), *arguments)


def manage(*words: str, **environment: str) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="crawford-check-") as folder:
        defaults = {
            "CRAWFORD_ENV": "development",
            "DATABASE_URL": f"sqlite:///{folder}/check.sqlite3",
            "CRAWFORD_VAR": folder,
        }
        return run(sys.executable, "-W", "error", "manage.py", *words, **{**defaults, **environment})


def product_files() -> Iterator[Path]:
    for folder in PRODUCT:
        yield from sorted((ROOT / folder).rglob("*.py"))


def requirements() -> list[str]:
    """Return errors in the requirements: lines without version or hash, and addresses or options of an index.

    Any index may then serve the packages.
    """
    faults = []
    pin_pattern = re.compile(r"^[a-z0-9][a-z0-9._-]*==[^\s;]+( ; [^\\]+)? \\$")
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            match = pin_pattern.match(line) or re.match(r"^    (--hash=sha256:[0-9a-f]{64}( \\)?|#.*)$", line)
            if not match or "://" in line:
                faults.append(f"{path.relative_to(ROOT)}:{number}: not a pin, a hash or a comment: {line}")
    for path in (ROOT / "tests").rglob("package-lock.json"):
        packages = json.loads(path.read_text())["packages"]
        faults += [
            f"{path.relative_to(ROOT)}: {name}: contains an address, or has no hash"
            for name, lock in packages.items()
            if name and ("integrity" not in lock or "resolved" in lock)
        ]
    return faults


def lengths() -> list[str]:
    """Return the files that are too long and should be split. Tests and migrations may be longer."""
    faults = []
    for path in product_files():
        name, lines = str(path.relative_to(ROOT)), len(path.read_text().splitlines())
        if lines > MAX_LINES and "/migrations/" not in name and name not in LONG_FILES:
            faults.append(f"{name}: {lines} lines; more than {MAX_LINES} require a reason in tools/check.py")
    return faults


def leftovers() -> list[str]:
    """Return unfinished functions and notes such as TODO: unfinished work belongs in an issue."""
    faults = []
    for path in product_files():
        source = path.read_text()
        for number, line in enumerate(source.splitlines(), 1):
            if re.search(rf"#.*\b({'|'.join(NOTES)})\b", line):
                faults.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
        if "NotImplementedError" not in source:
            continue  # parse only files that may contain something: 400 files take seconds
        faults += [
            f"{path.relative_to(ROOT)}:{node.lineno}: unfinished function"
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node)
        ]
    return faults


def imports() -> list[str]:
    """Return the broken import contracts of pyproject.toml, without the rest of the long report."""
    report = tool("lint-imports", "--no-logo")
    return report[report.index("Broken contracts") :] if "Broken contracts" in report else report


def templates() -> list[str]:
    return tool("djlint", "templates", "--lint", "--quiet") if (ROOT / "templates").is_dir() else []


def catalogues() -> list[str]:
    from tools.catalogues import compile_all

    return compile_all()


def wording() -> list[str]:
    from tools.wording import faults

    return faults()


def links() -> list[str]:
    """Return the links in documents that lead to files that do not exist."""
    faults = []
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                file, _, _ = target.partition("#")
                if (
                    file
                    and "://" not in file
                    and not file.startswith("mailto:")
                    and not (path.parent / file).exists()
                ):
                    faults.append(f"{path.relative_to(ROOT)}:{number}: {target} not found")
    return faults


def decisions() -> list[str]:
    """Return the decision records that are missing from the list of decisions."""
    folder = ROOT / "docs" / "decisions"
    list_text = (folder / "README.md").read_text()
    return [
        f"docs/decisions/README.md: {path.name} is missing"
        for path in sorted(folder.glob("[0-9]*.md"))
        if f"({path.name})" not in list_text
    ]


CHECKS: dict[str, Callable[[], list[str]]] = {
    "format": lambda: tool("ruff", "format", "--check", "--output-format=concise", "."),
    "lint": lambda: tool("ruff", "check", "--output-format=concise", "."),
    "types": lambda: tool("mypy", *PRODUCT),
    "imports": imports,
    "migrations": lambda: manage("makemigrations", "--check", "--dry-run"),
    "catalogues": catalogues,  # before the settings, because production does not start without catalogues
    "settings": lambda: manage("check", "--deploy", "--fail-level", "WARNING", **AS_IN_PRODUCTION),
    "templates": templates,
    "wording": wording,
    "requirements": requirements,
    "lengths": lengths,
    "leftovers": leftovers,
    "links": links,
    "decisions": decisions,
}


QUICK = ("format", "lint", "imports", "requirements", "lengths", "leftovers", "links", "decisions")


def main(names: list[str]) -> int:
    names = [expanded for name in names for expanded in (QUICK if name == "quick" else (name,))]
    unknown = set(names) - set(CHECKS)
    if unknown:
        sys.exit(f"Unknown check: {', '.join(sorted(unknown))}. Available: {', '.join(CHECKS)}")
    failed = []
    for name in names or CHECKS:
        started_at = time.monotonic()
        faults = CHECKS[name]()
        print(f"{'FAILED' if faults else 'ok':<7}{name} ({time.monotonic() - started_at:.1f} s)", flush=True)
        if faults:
            failed.append(name)
            print(*(f"       {fault}" for fault in faults), sep="\n", flush=True)
    if failed:
        print(f"make check failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main(sys.argv[1:]))
