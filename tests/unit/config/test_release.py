"""Which code this is: the same files give the same release, any change of what pages and values depend on another one."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

from config.celery import app
from config.release import CODE_FOLDERS, VERSION, fingerprint, release_name

ROOT = Path(__file__).resolve().parents[3]
TREE = {
    "tournaments/web/pages.py": "x = 1\n",
    "rating/formulas/elo.py": "y = 1\n",
    "templates/public/event.html": "<p>\n",
    "static/js/live.js": "1;\n",
    "static/img/logo.svg": "<svg/>\n",
    "locale/de/LC_MESSAGES/django.po": 'msgid ""\n',
    "requirements/base.txt": "django==5\n",
    "tests/test_pages.py": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "one"
    for name, content in TREE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_fingerprint_when_copied_with_other_times_and_compiled_files_then_the_same(
    tree: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(tree, tmp_path / "other")
    for path in other.rglob("*.py"):
        os.utime(path, (1, 1))
    (other / "tournaments/web/__pycache__").mkdir()
    (other / "tournaments/web/__pycache__/pages.cpython-311.pyc").write_bytes(b"compiled")
    (other / "locale/de/LC_MESSAGES/django.mo").write_bytes(b"compiled")
    (other / "static/.DS_Store").write_bytes(b"hidden")
    (other / "tests/test_pages.py").write_text("changed")
    (other / "var").mkdir()
    assert fingerprint(other) == fingerprint(tree)


@pytest.mark.parametrize("name", [name for name in TREE if not name.startswith("tests/")])
def test_fingerprint_when_a_file_changes_or_moves_then_another(tree: Path, name: str) -> None:
    before = fingerprint(tree)
    (tree / name).write_text("changed")
    changed = fingerprint(tree)
    (tree / name).write_text(TREE[name])
    assert fingerprint(tree) == before
    (tree / name).rename((tree / name).with_name(f"other-{Path(name).name}"))
    assert len({before, changed, fingerprint(tree)}) == 3


def test_fingerprint_when_a_line_goes_from_one_file_to_the_next_then_another(tree: Path) -> None:
    first, second = tree / "rating/a.py", tree / "rating/b.py"
    first.write_text("x\ny\n"), second.write_text("z\n")
    before = fingerprint(tree)
    first.write_text("x\n"), second.write_text("y\nz\n")
    assert fingerprint(tree) != before


def test_release_names_the_version_and_the_code() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    assert f"crawford:${{RELEASE:-{VERSION}}}" in (ROOT / "docker-compose.yml").read_text()
    assert re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0] == VERSION
    assert release_name(ROOT) == f"{VERSION}+{fingerprint(ROOT)}"
    assert re.fullmatch(r".+\+[0-9a-f]{12}", settings.RELEASE)


def test_release_when_an_installation_names_it_then_the_code_still_counts() -> None:
    named = subprocess.run(
        [sys.executable, "-c", "from config import settings; print(settings.RELEASE)"],
        cwd=ROOT,
        env={**os.environ, "RELEASE": "2030-01", "PYTHONHASHSEED": "7"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert named.stdout.strip() == f"2030-01+{fingerprint(ROOT)}"


def test_messages_between_processes_are_json_that_every_release_reads() -> None:
    assert (app.conf.task_serializer, app.conf.result_serializer) == ("json", "json")
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_ignore_result
    assert settings.SESSION_SERIALIZER == "django.contrib.sessions.serializers.JSONSerializer"


def test_release_when_a_package_is_part_of_the_product_then_its_code_counts():
    packages = {folder.parent.name for folder in ROOT.glob("*/__init__.py")}
    assert packages - {"tests", "tools", "benchmarks"} == set(CODE_FOLDERS)
