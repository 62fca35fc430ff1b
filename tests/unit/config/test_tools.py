"""The tools that install, start and check: what they promise about ports, processes and pinned lists."""

import gettext
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tools import alone, beat_is_alive, catalogues, check, run, run_tests

ROOT = Path(__file__).resolve().parents[3]

SUPERVISED = """
import sys
sys.path.insert(0, {root!r})
from tools.supervise import Program, Supervisor
programs = [Program(name, [sys.executable, "-u", "-c", code], vital) for name, code, vital in {programs!r}]
sys.exit(Supervisor(programs, {{}}).run(lambda: {up}))
"""
STAYS = "import os, time\nprint('pid', os.getpid())\ntime.sleep(600)"
FALLS = "import os, sys, time\nprint('pid', os.getpid())\ntime.sleep({})\nsys.exit(3)"
GRANDCHILD = "import subprocess, sys\nc = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\nprint('pid', c.pid)\nc.wait()"


def supervise(*programs: tuple[str, str, bool], up: bool = True) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-u", "-c", SUPERVISED.format(root=str(ROOT), programs=programs, up=up)],
        stdout=subprocess.PIPE,
        text=True,
    )


def next_pid(process: "subprocess.Popen[str]") -> int:
    for line in process.stdout:
        found = re.search(r"pid (\d+)", line)
        if found:
            return int(found[1])
    raise AssertionError("no process was started")


def is_gone(pid: int, within: float = 60.0) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_supervisor_when_asked_to_end_then_all_end_and_code_is_clean(number: signal.Signals) -> None:
    with supervise(("one", STAYS, True), ("two", GRANDCHILD, False)) as process:
        pids = [next_pid(process), next_pid(process)]
        process.send_signal(number)

        assert process.wait(60) == 0
    assert all(is_gone(pid) for pid in pids)


def test_supervisor_when_killed_then_its_children_end_too() -> None:
    with supervise(("one", STAYS, True)) as process:
        pid = next_pid(process)
        process.kill()
        process.wait(60)

        assert is_gone(pid)


def test_supervisor_when_a_program_falls_then_starts_it_again() -> None:
    with supervise(("one", STAYS, True), ("two", FALLS.format(0.1), False)) as process:
        pids = {next_pid(process), next_pid(process), next_pid(process)}
        process.terminate()

        assert process.wait(60) == 0
    assert len(pids) == 3


def test_supervisor_when_a_vital_program_never_comes_up_then_gives_up() -> None:
    with supervise(("web", FALLS.format(0), True), ("two", STAYS, False), up=False) as process:
        said = process.stdout.read()

        assert process.wait(60) == 1
    assert "web did not start" in said


@pytest.mark.parametrize("database", ["", "sqlite:///{folder}/other/club.sqlite3"])
def test_server_when_there_is_one_on_the_same_files_then_refused_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    """A folder of its own does not help where the database is the same."""
    monkeypatch.setenv("DATABASE_URL", database.format(folder=tmp_path))
    monkeypatch.setenv("CRAWFORD_VAR", str(tmp_path / "one"))
    with ExitStack() as first, ExitStack() as second:
        alone.lock_paths(first, "http://localhost:8000")
        if database:
            monkeypatch.setenv("CRAWFORD_VAR", str(tmp_path / "two"))
        with pytest.raises(
            SystemExit, match=r"another instance already uses .*process \d+, http://localhost:8000"
        ):
            alone.lock_paths(second, "http://localhost:8001")
    with ExitStack() as third:
        alone.lock_paths(third, "http://localhost:8001")


def test_port_when_asked_for_is_taken_then_named_and_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))

        with pytest.raises(
            SystemExit, match=f"Port {port} on 127.0.0.1 is in use. Try another one: PORT={port + 1}"
        ):
            run.choose_port("127.0.0.1")


@pytest.mark.parametrize("word", ["", "http", "0", "70000", "-1"])
def test_port_when_no_port_at_all_then_said_so(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("PORT", word)

    with pytest.raises(SystemExit, match="must be a number"):
        run.choose_port("127.0.0.1")


def test_port_when_usual_one_is_taken_then_next_free_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PORT", raising=False)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(run, "USUAL_PORT", other.getsockname()[1])

        chosen = run.choose_port("127.0.0.1")

    assert run.USUAL_PORT < chosen < run.USUAL_PORT + run.PORTS_TRIED
    assert f"Port {run.USUAL_PORT} is used by another program; using {chosen}." in capsys.readouterr().out


def test_address_when_host_is_of_the_network_then_phones_are_let_in() -> None:
    found = run.environment("192.0.2.20", 8000, {})

    assert found["SITE_URL"] == "http://192.0.2.20:8000"
    assert "192.0.2.20" in found["ALLOWED_HOSTS"].split(",")


def test_address_when_host_is_everywhere_then_asks_which() -> None:
    with pytest.raises(SystemExit, match="Set SITE_URL"):
        run.environment("0.0.0.0", 8000, {})


def test_address_when_the_file_says_it_then_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SITE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS"):
        monkeypatch.delenv(name, raising=False)
    usual = run.environment("127.0.0.1", 8000, alone.variables(tmp_path))
    (tmp_path / ".env").write_text("SITE_URL=https://club.example.org/\nALLOWED_HOSTS=\n")
    made = run.environment("127.0.0.1", 8000, alone.variables(tmp_path))

    assert usual["SITE_URL"] == usual["CSRF_TRUSTED_ORIGINS"] == "http://localhost:8000"
    assert made["SITE_URL"] == "https://club.example.org/"
    assert made["CSRF_TRUSTED_ORIGINS"] == "https://club.example.org"  # an origin ends without a stroke
    assert made["ALLOWED_HOSTS"] == usual["ALLOWED_HOSTS"] + ",club.example.org"
    (tmp_path / ".env").write_text("ALLOWED_HOSTS=hall.example.org\n")
    assert alone.variables(tmp_path)["ALLOWED_HOSTS"] == "hall.example.org"


def test_lanes_when_postgres_is_there_then_one_process_each() -> None:
    for full, more in ((False, []), (True, [run_tests.IN_FULL])):
        expected = [*run_tests.LANES, *more, "-k", "draw"]
        assert run_tests.arguments(["-k", "draw"], postgres=True, full=full) == expected
        assert run_tests.arguments([], postgres=False, full=full) == run_tests.SHARED
        assert run_tests.arguments(["-n0"], postgres=True, full=full) == ["-n0"]


def pins(name: str) -> set[str]:
    return set(
        re.findall(r"^([a-z0-9._-]+==\S+)", (ROOT / "requirements" / f"{name}.txt").read_text(), re.MULTILINE)
    )


def test_requirements_when_developer_then_the_same_versions_as_the_site() -> None:
    assert len(pins("base")) > 20
    assert pins("base") < pins("dev")


def test_requirements_when_given_an_address_or_option_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "requirements"
    folder.mkdir()
    good = "django==5.2.1 \\\n    --hash=sha256:" + "a" * 64 + "\n    # via -r base.in\n"
    (folder / "base.txt").write_text(good)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert check.requirements() == []

    bad = [
        "--index-url https://example.org/simple",
        "-e .",
        "django>=5",
        "django @ https://example.org/django.whl",
    ]
    (folder / "base.txt").write_text(good + "\n".join(bad) + "\n")
    assert len(check.requirements()) == len(bad)


def test_requirements_when_a_package_of_node_has_an_address_or_no_hash_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"version": "1.0.0", "integrity": "sha512-a"}
    lock = {"": {"name": "ours"}, "good": good, "bare": {}, "led": {**good, "resolved": "https://a.example"}}
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "package-lock.json").write_text(json.dumps({"packages": lock}))
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert [fault.split(": ")[1] for fault in check.requirements()] == ["bare", "led"]


def test_catalogue_when_compiled_then_gettext_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "fi" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n"\n\n'
    (folder / "django.po").write_text(f'{head}msgid "Draw"\nmsgstr "Kaavio"\n', encoding="utf-8")

    assert catalogues.compile_all(tmp_path) == []
    assert gettext.translation("django", str(tmp_path), ["fi"]).gettext("Draw") == "Kaavio"


def test_catalogue_when_a_placeholder_is_lost_then_refused(tmp_path: Path) -> None:
    folder = tmp_path / "fi" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        '#, python-format\nmsgid "Round %(n)s"\nmsgstr "Kierros %(x)s"\n'
    )

    faults = catalogues.compile_all(tmp_path)

    assert len(faults) == 1
    assert faults[0].startswith("fi/LC_MESSAGES/django.po:5: ")
    assert not (folder / "django.mo").exists()


def test_catalogue_when_collected_then_code_and_templates_are_in_it(tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "people" / "words.py").write_text(
        'name = gettext("Home club")\nngettext("%(n)d game", "%(n)d games", n)\n'
    )
    (tmp_path / "templates" / "page.html").write_text(
        '{% load i18n %}\n  <p title="{% translate "Match" %}">it\'s\n'
        "{% blocktranslate %}Round {{ n }}{% endblocktranslate %}</p>\n"
    )
    folder = tmp_path / "locale" / "fi" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text('msgid "Match"\nmsgstr "Ottelu"\n')

    found = {message.id for message in catalogues.collect(tmp_path, tmp_path / "locale") if message.id}

    assert found == {"Home club", ("%(n)d game", "%(n)d games"), "Match", "Round %(n)s"}
    text = (folder / "django.po").read_text()
    assert 'msgstr "Ottelu"' in text
    assert "Home club" in text


def test_beat_when_its_schedule_grows_old_then_not_alive(tmp_path: Path) -> None:
    assert beat_is_alive.schedule_age(tmp_path) == float("inf")

    schedule = tmp_path / "beat-schedule.db"
    schedule.touch()
    assert beat_is_alive.schedule_age(tmp_path) < beat_is_alive.MAX_AGE_SECONDS

    old = time.time() - beat_is_alive.MAX_AGE_SECONDS - 5
    os.utime(schedule, (old, old))
    assert beat_is_alive.schedule_age(tmp_path) > beat_is_alive.MAX_AGE_SECONDS


def test_environment_when_pip_has_an_index_of_its_own_then_uv_takes_the_same() -> None:
    from tools.environment import uv_index_variables

    listed = """\
:env:.default-timeout='180'
:env:.index-url='https://near.example/simple'
global.cert='/etc/ssl/ours.crt'
global.extra-index-url='https://a.example/simple\\nhttps://b.example/simple'
global.find-links='/wheels /more'
global.index-url='https://far.example/simple'
install.cert='/etc/ssl/others.crt'
"""
    assert uv_index_variables(listed) == {
        "UV_DEFAULT_INDEX": "https://near.example/simple",
        "UV_INDEX": "https://a.example/simple https://b.example/simple",
        "UV_FIND_LINKS": "/wheels,/more",
        "SSL_CERT_FILE": "/etc/ssl/others.crt",
    }
    assert uv_index_variables("") == {}
