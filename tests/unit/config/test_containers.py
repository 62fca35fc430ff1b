"""The compose file and the image, read by a parser: no engine is needed to see that they fit together."""

import configparser
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.queues import QUEUES

ROOT = Path(__file__).resolve().parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "web2", "worker", "heavy", "analysis", "beat")
LASTING = ("postgres", "redis", "proxy", "web", "web2", "worker", "heavy", "analysis", "beat")
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
CADDYFILE = (ROOT / "deploy" / "Caddyfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()


def instructions(word: str) -> list[str]:
    return re.findall(rf"^{word} (.*)$", DOCKERFILE, re.MULTILINE)


def test_services_are_the_ones_that_an_installation_needs() -> None:
    assert set(SERVICES) == {"postgres", "redis", "proxy", *OURS}


@pytest.mark.parametrize("name", LASTING)
def test_service_says_whether_it_is_well(name: str) -> None:
    check = SERVICES[name]["healthcheck"]

    assert check["test"][0] == "CMD"
    assert {"interval", "timeout", "retries"} <= set(check)


@pytest.mark.parametrize("name", ["web", "web2", "worker", "heavy", "analysis", "beat"])
def test_service_waits_for_tables_and_servers(name: str) -> None:
    wanted = {key: value["condition"] for key, value in SERVICES[name]["depends_on"].items()}

    assert wanted == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


def test_migration_runs_once_after_the_database() -> None:
    step = SERVICES["migrate"]

    command = "python manage.py migrate --no-input && python manage.py reapply_erasures"
    assert step["command"] == ["sh", "-c", command]
    assert step["restart"] == "no"
    assert step["depends_on"] == {"postgres": {"condition": "service_healthy"}}


@pytest.mark.parametrize("name", OURS)
def test_our_service_runs_in_production_without_privileges(name: str) -> None:
    service = SERVICES[name]

    assert service["environment"]["CRAWFORD_ENV"] == "production"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service


@pytest.mark.parametrize("name", OURS)
def test_erasures_when_noted_then_outside_of_the_database_and_writable(name: str) -> None:
    service = SERVICES[name]
    place = service["environment"]["ERASURES_FILE"]

    assert service["volumes"][0] == "erasures:" + place.rpartition("/")[0]
    assert "erasures" in COMPOSE["volumes"]
    assert f"files:{service['environment']['FILES_FOLDER']}" in service["volumes"]
    assert "files" in COMPOSE["volumes"]
    assert place.rpartition("/")[0] in " ".join(instructions("RUN"))


@pytest.mark.parametrize("name", OURS)
def test_our_service_gets_its_secrets_from_outside(name: str) -> None:
    environment = SERVICES[name]["environment"]

    assert environment["SECRET_KEY"].startswith("${SECRET_KEY:?")
    assert environment["SITE_URL"].startswith("${SITE_URL:?")
    assert "${POSTGRES_PASSWORD:?" in environment["DATABASE_URL"]
    assert all("${REDIS_PASSWORD:?" in environment[name] for name in ("CELERY_BROKER_URL", "CACHE_URL"))


# A container has its own folder, files and programs; who builds one with another database or another patience writes that beside it.
OF_THE_CONTAINER = {
    "CRAWFORD_VAR",
    "CRAWFORD_STATIC_ROOT",
    "GNUBG",
    "DEBUG",
    "CRAWFORD_PATIENCE",
    "DATABASE_POOLED",
}


def test_settings_when_written_beside_compose_then_every_container_has_them() -> None:
    text = (ROOT / "docs" / "running.md").read_text()
    rows = re.findall(
        r"^\| (`[A-Z][^|]*) \|", text.split("\n## Settings\n")[1].split("\n## ")[0], re.MULTILINE
    )
    wanted = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    wanted |= set(re.findall(r"\| `(QUOTA_[A-Z]+)` \|", text))
    assert len(wanted) > 40
    for name in OURS:
        assert wanted - set(SERVICES[name]["environment"]) == OF_THE_CONTAINER, name
    given = SERVICES["web"]["environment"]
    assert {one for one, value in given.items() if "${" in value and f"${{{one}:" not in value} == {
        "DATABASE_URL",
        "CELERY_BROKER_URL",
        "CACHE_URL",
    }


@pytest.mark.parametrize("name", re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "docker-compose.yml").read_text()))
def test_variable_when_required_then_named_in_the_example(name: str) -> None:
    assert re.search(rf"^{name}=", EXAMPLE, re.MULTILINE)


def test_example_holds_no_secret_of_its_own() -> None:
    assert re.search(r"^SECRET_KEY=$", EXAMPLE, re.MULTILINE)
    assert re.search(r"^POSTGRES_PASSWORD=$", EXAMPLE, re.MULTILINE)
    assert re.search(r"^REDIS_PASSWORD=$", EXAMPLE, re.MULTILINE)


def test_servers_are_new_enough() -> None:
    postgres = int(re.search(r"postgres:(\d+)", SERVICES["postgres"]["image"])[1])
    assert postgres >= 15
    assert SERVICES["redis"]["image"].startswith("redis:")
    # The proxy's doors are open to everybody, the site's own to this computer alone.
    assert all(not SERVICES[name].get("ports") for name in SERVICES if name not in {"web", "proxy"})
    assert SERVICES["web"]["ports"] == ["127.0.0.1:${PORT:-8000}:8000"]
    assert SERVICES["proxy"]["ports"] == ["80:80", "443:443"]


def test_proxy_asks_both_web_processes_and_is_left_out_without_its_profile() -> None:
    proxy = SERVICES["proxy"]
    assert proxy["profiles"] == ["proxy"]
    assert "COMPOSE_PROFILES=proxy" in EXAMPLE
    assert proxy["environment"]["UPSTREAMS"] == "${UPSTREAMS:-web:8000 web2:8000}"
    assert SERVICES["web2"]["command"] == SERVICES["web"]["command"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    needed = set(re.findall(r"\{\$([A-Z_]+)", CADDYFILE))
    assert needed == {"SITE_URL", "TLS", "UPSTREAMS", "BUFFERS"} == set(proxy["environment"])


def test_all_processes_count_in_one_place() -> None:
    for name in OURS:
        assert f"metrics:{SERVICES[name]['environment']['METRICS_FOLDER']}" in SERVICES[name]["volumes"]
    assert SERVICES["web"]["environment"]["METRICS_FOLDER"] in " ".join(instructions("RUN"))


def test_rolling_update_replaces_every_web_process() -> None:
    script = (ROOT / "deploy" / "rolling_update.sh").read_text()
    webs = [name for name in SERVICES if name.startswith("web")]
    assert f"for service in {' '.join(webs)}; do" in script
    assert "running_events" in script
    assert "var/draining" in script


@pytest.mark.skipif(shutil.which("caddy") is None, reason="needs Caddy: apt install caddy")
def test_caddyfile_when_read_by_caddy_then_valid(tmp_path: Path) -> None:
    more = {"SITE_URL": "https://club.example.org", "HOME": str(tmp_path)}
    command = ["caddy", "adapt", "--validate", "--config", str(ROOT / "deploy" / "Caddyfile")]
    told = subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


UNITS = {
    path.stem.removeprefix("crawford-"): path.read_text()
    for path in (ROOT / "deploy" / "systemd").glob("*.service")
}


@pytest.mark.parametrize("name", ["web", "worker", "heavy", "analysis", "beat"])
def test_unit_of_systemd_runs_what_compose_runs(name: str) -> None:
    unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(UNITS[name])
    start = re.findall(r"^ExecStart=/srv/crawford/\.venv/bin/(.*)$", UNITS[name], re.MULTILINE)
    changed = {"0.0.0.0": "127.0.0.1", "/tmp/beat.pid": "/run/crawford-beat/beat.pid"}
    wanted = [changed.get(word, word).replace("%", "%%") for word in SERVICES[name]["command"]]
    assert start == [" ".join(wanted)]
    assert unit["Service"]["User"] == "crawford"
    assert unit["Service"]["Restart"] == "always"
    assert "MemoryMax" in unit["Service"]
    assert unit["Service"]["EnvironmentFile"] == "/etc/crawford.env"


def test_analyses_when_beside_everything_else_then_last_at_the_processors() -> None:
    """`nice` counts within a container or a unit alone, which have equal shares unless they say otherwise."""
    assert SERVICES["analysis"]["cpu_shares"] == 2
    assert {"Nice=19", "CPUWeight=1"} <= set(UNITS["analysis"].splitlines())
    others = [name for name in LASTING if name != "analysis"]
    assert not any("cpu_shares" in SERVICES[name] for name in others)
    assert not any("CPUWeight" in UNITS[name] for name in UNITS if name != "analysis")


def test_units_of_systemd_are_all_there_and_reload_loses_nothing() -> None:
    assert set(UNITS) == {"web", "worker", "heavy", "analysis", "beat"}
    assert "ExecReload=/bin/kill -HUP $MAINPID" in UNITS["web"]
    assert "--respawn-interval 10" in UNITS["web"]


def test_image_is_unprivileged_and_checks_hashes() -> None:
    assert instructions("USER") == ["crawford"]
    assert "--require-hashes" in DOCKERFILE
    assert "collectstatic" in DOCKERFILE
    assert all("SECRET" not in line for line in instructions("ENV"))
    assert "/opt/crawford/bin:$PATH" in instructions("ENV")[0]


def test_image_runs_what_compose_runs() -> None:
    (command,) = instructions("CMD")

    assert yaml.safe_load(command) == SERVICES["web"]["command"]


def test_image_holds_what_the_commands_name() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    named = [word for name in OURS for word in SERVICES[name]["command"]]
    named += [word for name in OURS for word in SERVICES[name].get("healthcheck", {}).get("test", [])]
    files = [word for word in named if word.endswith(".py")]
    files += [word for line in instructions("RUN") for word in shlex.split(line) if word.endswith(".py")]

    assert {"manage.py", "tools/beat_is_alive.py", "tools/catalogues.py"} <= set(files)
    for file in files:
        assert (ROOT / file).is_file()
        assert file.split("/")[0] not in ignored


def test_image_leaves_out_what_is_private_or_heavy() -> None:
    assert {".git", ".env", ".venv", "var", "tests"} <= set((ROOT / ".dockerignore").read_text().split())


def test_worker_and_beat_are_told_apart() -> None:
    worker, beat = SERVICES["worker"]["command"], SERVICES["beat"]["command"]

    assert worker[:4] == beat[:4] == ["celery", "--app", "config", "--quiet"]
    assert "worker" in worker
    assert "--beat" not in worker
    assert beat[4] == "beat"


def test_workers_serve_every_queue_and_none_twice() -> None:
    served = [
        queue
        for name in ("worker", "heavy", "analysis")
        for queue in SERVICES[name]["command"][SERVICES[name]["command"].index("--queues") + 1].split(",")
    ]

    assert sorted(served) == sorted(QUEUES)
