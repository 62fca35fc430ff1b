"""`make lock`: compile `requirements/*.in` to `requirements/*.txt`, with every library pinned by its hashes.

The lists contain no index address and no options, so they can be installed from any index. Existing pins are kept; `ARGS=--upgrade` selects
the newest versions. The development list uses the same versions as the site's list. npm packages (`package.json` in `tests/api/clients`
and `benchmarks/node`, exact versions) are locked as well if `make clients` has installed Node.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import clients  # noqa: E402


def compile_list(name: str, *extra_options: str) -> None:
    command = [
        "-m",
        "uv",
        "pip",
        "compile",
        "--quiet",
        "--generate-hashes",
        "--universal",
        "--python-version",
        "3.11",
    ]
    command += ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    command += [f"requirements/{name}.in", "--output-file", f"requirements/{name}.txt", *extra_options]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def lock_node(folder: Path) -> None:
    """Lock npm packages by hashes, without addresses, not even those of funding pages."""
    arguments = ["install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--ignore-scripts"]
    clients.npm(*arguments, folder=folder)
    path = folder / "package-lock.json"
    lock = json.loads(path.read_text())
    for package in lock["packages"].values():
        package.pop("funding", None)
    path.write_text(json.dumps(lock, indent=2) + "\n")


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    compile_list("base", *sys.argv[1:])
    compile_list("clients", *sys.argv[1:])
    compile_list("firefox", *sys.argv[1:])
    compile_list("analysis", "--constraint", "requirements/base.txt", *sys.argv[1:])
    compile_list("dev", "--constraint", "requirements/base.txt", *sys.argv[1:])
    if clients.NODE.exists():
        lock_node(clients.LISTS)
        lock_node(ROOT / "benchmarks" / "node")
