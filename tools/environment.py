"""Create `.venv` and fill it from a pinned, hash-checked list: `python3 tools/environment.py base|dev`.

Runs on a bare Python with the standard library alone. A stamp with the list's hash makes the next call instant; an
interrupted one leaves no stamp and is done again.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)


def fingerprint(name: str) -> str:
    """Which list this is, and for which Python: another minor version needs other wheels."""
    content = (ROOT / "requirements" / f"{name}.txt").read_bytes()
    return f"{hashlib.sha256(content).hexdigest()} python{sys.version_info[0]}.{sys.version_info[1]}"


def stamp(name: str) -> Path:
    return VENV / f"crawford-{name}.stamp"


def is_current(name: str) -> bool:
    return stamp(name).exists() and stamp(name).read_text() == fingerprint(name) and works()


def works() -> bool:
    """An environment whose Python went away (a system upgrade, a moved folder) is no environment."""
    try:
        return subprocess.run([PYTHON, "-c", ""], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def create() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    print("Creating .venv", flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", VENV], check=False, capture_output=True, text=True)
    if made.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            f"Python could not create .venv. On Debian: apt install python3-venv\n{made.stdout}{made.stderr}"
        )


def install(name: str) -> None:
    print(f"Installing requirements/{name}.txt (pinned, hashes checked)", flush=True)
    for other in VENV.glob("crawford-*.stamp"):
        other.unlink()
    # Wheels only: nothing is compiled, so no compiler and no system library is needed.
    command = [
        str(PYTHON),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    command += [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "-r",
        str(ROOT / "requirements" / f"{name}.txt"),
    ]
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        sys.exit("The libraries could not be installed (see above). Is the package index reachable?")
    stamp(name).write_text(fingerprint(name))


def main(name: str) -> None:
    if sys.version_info < OLDEST:
        sys.exit(f"Crawford needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}.")
    # The developer's list holds everything that the site's own list holds.
    if is_current(name) or (name == "base" and is_current("dev")):
        return
    if not works():
        create()
    install(name)


if __name__ == "__main__":
    main(sys.argv[1])
