"""The recipe for one server without containers, line by line: what docs/running.md says is what works.

A sandbox cannot install packages or run systemd. So `apt`, `useradd`, `systemctl` and the commands of PostgreSQL are only noted, `make setup` gets the
environment of this checkout, `git clone` its files, and /srv and /etc lie in a folder of the test. Everything else runs as written.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.lanes import ONLY_IN_FULL

ROOT = Path(__file__).resolve().parents[3]
STUBS = {
    **dict.fromkeys(
        ("apt", "useradd", "systemctl", "createuser", "createdb"), 'echo "$(basename "$0") $*" >>"$NOTES"'
    ),
    "sudo": 'shift 2; exec "$@"',
    "make": 'ln -sfn "$ROOT/.venv" .venv',
    "git": """if [ "$1" = clone ]; then mkdir -p "$3" && cd "$ROOT" && "$GIT" ls-files -coz --exclude-standard | xargs -0 cp --parents -t "$3"; fi""",
    # Who owns a file is root's to say.
    "install": """args=(); while [ $# -gt 0 ]; do case "$1" in -o|-g) shift ;; *) args+=("$1") ;; esac; shift; done; exec /usr/bin/install "${args[@]}\"""",
}
FILLED_IN = """
CRAWFORD_ENV=production
SECRET_KEY=k3Vq-a-long-key-made-by-chance-0123456789-abcdefghijklmnop
SITE_URL=https://club.example.org
DATABASE_URL=sqlite:///var/club.sqlite3
CELERY_BROKER_URL=filesystem://
ACCOUNTS=invited
OPERATOR_NAME=Club
OPERATOR_ADDRESS=Street 1
OPERATOR_CONTACT=club@example.org
"""


def recipe(indent: str) -> list[str]:
    """The commands of the section, without comments."""
    section = (
        (ROOT / "docs" / "running.md")
        .read_text()
        .split("### One server without containers\n")[1]
        .split("\n### ")[0]
    )
    return [
        re.sub(r"\s{2,}#.*", "", line).strip()
        for line in section.splitlines()
        if re.match(rf"{indent}\S", line)
    ]


def test_scripts_that_the_docs_give_to_the_systems_python_then_need_no_package() -> None:
    texts = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    scripts = {name for text in texts for name in re.findall(r"python3 (tools/\w+\.py)", text.read_text())}
    for script in sorted(scripts):
        imports = [
            node
            for node in ast.walk(ast.parse((ROOT / script).read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        names = {
            name.partition(".")[0]
            for node in imports
            if node.col_offset == 0
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
        }
        assert names <= {*sys.stdlib_module_names, "tools", "tournaments"}, script


def test_recipe_when_a_line_fails_then_no_other_one_is_left_out_silently() -> None:
    lines = [*recipe(" {4}"), *recipe(" {6}")]
    assert len(lines) > 15
    assert not [line for line in lines if "&&" in line or "python3 tools" in line]


@ONLY_IN_FULL
@pytest.mark.slow
def test_recipe_when_followed_line_by_line_then_the_site_is_complete_and_german_is_german(
    tmp_path: Path,
) -> None:
    programs, home, etc, notes = (tmp_path / name for name in ("bin", "srv", "etc", "notes"))
    programs.mkdir()
    for folder in ("systemd/system", "caddy"):
        (etc / folder).mkdir(parents=True)
    for name, script in STUBS.items():
        (programs / name).write_text(f"#!/bin/bash\n{script}\n")
        (programs / name).chmod(0o755)
    env = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "ROOT": str(ROOT),
        "NOTES": str(notes),
        "GIT": "/usr/bin/git",
        "DJANGO_SUPERUSER_PASSWORD": "a-word-by-chance",
    }

    def run(line: str, folder: Path, *, code: int = 0) -> str:
        done = subprocess.run(
            ["/bin/bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    folder = tmp_path
    for written in recipe(" {4}"):
        line = written.replace("/srv/crawford", str(home)).replace("/etc/", f"{etc}/").replace("…", str(ROOT))
        if line.startswith("cd "):
            folder = Path(line.removeprefix("cd "))
            continue
        if line.endswith("createsuperuser"):
            run(
                ".venv/bin/python manage.py migrate --no-input", folder
            )  # `crawford-web` does so when it starts
            line += " --no-input --email ada@example.org"
        run(line, folder)
        if line.startswith("ln -s") and line.endswith(".env"):
            (etc / "crawford.env").write_text(FILLED_IN)
    assert "systemctl enable --now crawford-web" in notes.read_text()
    assert (home / "var").is_dir()
    assert (home / "staticfiles").is_dir()
    assert len(list((etc / "systemd" / "system").iterdir())) == 5
    german = "from django.utils.translation import gettext, override\nwith override('de'): print(gettext('Another person'))"
    assert "Eine andere Person" in run(f'.venv/bin/python manage.py shell --command "{german}"', home)
    for line in recipe(" {6}"):
        run(line, home)
    (home / "locale" / "de" / "LC_MESSAGES" / "django.mo").unlink()
    assert "The translations are not compiled: de." in run(
        ".venv/bin/python manage.py check --deploy", home, code=1
    )
