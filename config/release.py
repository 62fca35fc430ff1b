"""The release: the version, and a hash of all files that decide how pages look and what values mean.

The release is part of every ETag and cache key (`people.caching`), so that after an update no browser and no
cache serves what other code made. The hash is computed from the files at the start of a process. The same
files give the same release in every process and on every computer, whatever their times, with or without git
and compiled files; of translations the sources are hashed.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

VERSION = "0.3.0"
CODE_FOLDERS = ("config", "faults", "names", "people", "games", "rating", "tournaments")
# Folders with the endings that count: templates, static files and translations.
CONTENT_FOLDERS = (
    *((folder, ".py") for folder in CODE_FOLDERS),
    ("templates", ""),
    ("static", ""),
    ("locale", ".po"),
)
REQUIREMENTS_FILE = "requirements/base.txt"


def release_name(root: Path, name: str = VERSION) -> str:
    """Return the release of the code below ``root``: ``name`` and the hash, as in ``0.3.0+3f9a01c27d5e``."""
    return f"{name}+{fingerprint(root)}"


def fingerprint(root: Path) -> str:
    """Return the hash of the code below ``root``: 12 hexadecimal digits; 25 ms for 1,800 files of 8 MB."""
    digest = hashlib.sha256()
    for name in hashed_files(root):
        with open(os.path.join(root, name), "rb", buffering=0) as file:
            content = file.read()
        digest.update(f"{name.replace(os.sep, '/')}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def hashed_files(root: Path) -> Iterator[str]:
    """Yield the names of the files to be hashed, relative to ``root``, in a fixed order.

    Without hidden and compiled files. Strings, because paths would take twice the time at every start.
    """
    prefix_length = len(os.path.join(root, ""))
    for folder, ending in CONTENT_FOLDERS:
        paths = [
            os.path.join(parent, name)[prefix_length:]
            for parent, _folders, names in os.walk(os.path.join(root, folder))
            for name in names
            if name.endswith(ending) and not name.startswith(".") and not name.endswith(".pyc")
        ]
        yield from sorted(paths, key=lambda name: name.split(os.sep))
    if (root / REQUIREMENTS_FILE).is_file():
        yield REQUIREMENTS_FILE
