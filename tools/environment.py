"""Create `.venv` and install a pinned list with hashes into it: `python3 tools/environment.py base|dev`.

Needs only Python and its standard library. A stamp with the hash of the list makes the next call instant; after an interruption the
stamp is missing, so the installation is repeated.
"""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
# Wheels only: nothing is compiled, so no compiler and no system library is needed.
INSTALL_OPTIONS = ("--require-hashes", "--only-binary", ":all:", "-r")
FROM_INDEX = ("--index-strategy", "unsafe-best-match")  # hashes guarantee the content
FOR_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "no-index": "UV_NO_INDEX",
    "cert": "SSL_CERT_FILE",
}


def fingerprint(name: str) -> str:
    """Return a hash of the list and the version of Python: another minor version needs other wheels."""
    content = (ROOT / "requirements" / f"{name}.txt").read_bytes()
    return f"{hashlib.sha256(content).hexdigest()} python{sys.version_info[0]}.{sys.version_info[1]}"


def stamp(name: str) -> Path:
    return VENV / f"crawford-{name}.stamp"


def is_current(name: str) -> bool:
    return stamp(name).exists() and stamp(name).read_text() == fingerprint(name) and works()


def works() -> bool:
    """Return whether the Python of the environment starts.

    It does not after its system Python was removed or the folder was moved.
    """
    try:
        return subprocess.run([PYTHON, "-c", ""], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def create() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    print("Creating .venv", flush=True)
    result = subprocess.run([sys.executable, "-m", "venv", VENV], check=False, capture_output=True, text=True)
    if result.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            f"Python could not create .venv. On Debian: apt install python3-venv\n{result.stdout}{result.stderr}"
        )


def pip(*arguments: str, **run_options: Any) -> "subprocess.CompletedProcess[str]":
    command = [str(PYTHON), "-m", "pip", *arguments, "--disable-pip-version-check", "--no-input"]
    return subprocess.run(command, check=False, text=True, **run_options)


def install(name: str) -> None:
    print(f"Installing requirements/{name}.txt (pinned, hashes checked)", flush=True)
    for other in VENV.glob("crawford-*.stamp"):
        other.unlink()
    requirements_file = ROOT / "requirements" / f"{name}.txt"
    # Only the developers' list contains uv: others install one list once and need no second installer.
    if (
        not install_with_uv(requirements_file)
        and pip("install", "-qq", *INSTALL_OPTIONS, str(requirements_file)).returncode != 0
    ):
        sys.exit("The libraries could not be installed (see above). Is the package index reachable?")
    stamp(name).write_text(fingerprint(name))


def install_with_uv(requirements_file: Path) -> bool:
    """Install the list with uv, which takes a fifth of pip's time; return whether that was possible."""
    uv_lines = re.search(r"^uv==.*\n(?:    .*\n)+", requirements_file.read_text(), re.MULTILINE)
    if uv_lines is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        uv_list = Path(folder) / "uv.txt"
        uv_list.write_text(uv_lines[0])
        if pip("install", "-qq", *INSTALL_OPTIONS, str(uv_list), capture_output=True).returncode != 0:
            return False
    result = run_uv(
        "pip", "install", "--python", str(PYTHON), *FROM_INDEX, *INSTALL_OPTIONS, str(requirements_file)
    )
    if result.returncode != 0:
        print(f"Installing with uv failed, so pip is used:\n{result.stderr}", flush=True)
    return result.returncode == 0


def run_uv(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run uv with pip's index settings.

    Installed libraries are not compiled; Python does that on first import.
    """
    command = [str(VENV / "bin" / "uv"), *arguments, "--quiet", "--no-config"]
    pip_config = pip("config", "list", capture_output=True).stdout or ""
    env = {**os.environ, **uv_index_variables(pip_config)}
    return subprocess.run(command, check=False, capture_output=True, env=env, text=True)


def uv_index_variables(pip_config: str) -> dict[str, str]:
    """Return the environment variables that make uv use the same index as pip.

    ``pip_config``: output of ``pip config list``.
    """
    variables = {}
    # Later ones override earlier ones: global, for a command, from the environment.
    for line in sorted(
        pip_config.splitlines(), key=lambda line: (line.startswith(":env:"), not line.startswith("global."))
    ):
        key, _, value = line.partition("=")
        name = FOR_UV.get(key.rpartition(".")[2])
        if name is not None:
            values = str(ast.literal_eval(value)).split()
            variables[name] = (" " if name != "UV_FIND_LINKS" else ",").join(values)
    return variables


def main(name: str) -> None:
    if sys.version_info < OLDEST:
        sys.exit(f"Crawford needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}.")
    # The developers' list includes the site's list.
    if is_current(name) or (name == "base" and is_current("dev")):
        return
    if not works():
        create()
    install(name)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    main(sys.argv[1])
