"""Clients that others' tools make from the description: they compile strictly, and report the results of an event.

Each is made, checked and run as somebody would who knows the description alone; `make clients` brings the tools.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import an_event
from tests.support.records import a_record
from tests.support.tournaments import signed_in
from tools.clients import FOLDER, NODE, PYTHON
from tournaments.selectors.access.links import entry_token

HERE = Path(__file__).resolve().parent
PACKAGES = FOLDER / "node_modules"
TOKEN = "a" * 32
pytestmark = pytest.mark.clients


def run(*words, cwd):
    """Its output; what went wrong fails the test."""
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    """With the packages of Node, and the programs that use the clients."""
    (tmp_path / "node_modules").symlink_to(PACKAGES)
    for name in ("lint.mjs", "night.py", "night.ts", "package.json", "tsconfig.json"):
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


@pytest.fixture
def tournament(live_server, settings):
    settings.SITE_URL = live_server.url
    return an_event(4, lengths=[5]).publish()


@pytest.fixture
def task(folder, live_server, tournament):
    """What the programs are told, in ``task.json``, and what they are to come back with."""
    entries = [tournament.entry_at(match, side) for match in tournament.playable() for side in ("a", "b")]
    told = {
        "site": live_server.url,
        "event": tournament.event.public_id,
        "links": {entry.public_id: entry_token(entry) for entry in entries},
        "session": signed_in(tournament.director).cookies["sessionid"].value,
        "token": TOKEN,
        "record": a_record("Ann", "Bob", 3, "lrll").decode(),
    }
    (folder / "task.json").write_text(json.dumps(told))
    # Side a wins every match: the first of the first match, then the final.
    return {
        "called": 2,
        "refused": ["report.unknown"],
        "decided": ["confirmed"] * 3,
        "verdict": "accept",
        "winners": [entries[0].public_id],
    }


def test_description_keeps_the_recommended_rules(description, folder):
    assert run(NODE, "lint.mjs", description.file, cwd=folder).splitlines() == []


@pytest.mark.django_db(transaction=True)
def test_python_client_is_strictly_typed_and_reports_an_event(description, folder, task):
    generator = PYTHON.with_name("openapi-python-client")
    (folder / "generator.yml").write_text("package_name_override: crawford_client\npost_hooks: []\n")
    target = folder / "crawford_client"
    words = ("generate", "--path", description.file, "--config", "generator.yml", "--meta", "none")
    run(generator, *words, "--output-path", target, "--fail-on-warning", cwd=folder)

    (folder / "mypy.ini").write_text("[mypy]\nstrict = True\n")
    mypy = (sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--python-executable", PYTHON)
    run(*mypy, "--cache-dir", FOLDER / "mypy", "night.py", "crawford_client", cwd=folder)

    assert json.loads(run(PYTHON, "night.py", cwd=folder)) == task


@pytest.mark.django_db(transaction=True)
def test_typescript_client_is_strictly_typed_and_reports_an_event(description, folder, task):
    generator = PACKAGES / "openapi-typescript" / "bin" / "cli.js"
    # What may be left out of a body stays optional, whatever the usual value is.
    run(
        NODE,
        generator,
        description.file,
        "-o",
        "crawford.d.ts",
        "--default-non-nullable",
        "false",
        cwd=folder,
    )

    run(NODE, PACKAGES / "typescript" / "bin" / "tsc", "--project", "tsconfig.json", cwd=folder)

    assert json.loads(run(NODE, "night.ts", cwd=folder)) == task
