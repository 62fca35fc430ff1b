"""What ships to run the site, asked by those who will read it: the schema of compose files, systemd, Prometheus. None of them runs here."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.support.lanes import in_full

ROOT = Path(__file__).resolve().parents[3]
COMPOSE = ROOT / "docker-compose.yml"
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
ALARMS = ROOT / "deploy" / "alarms.yml"
SET = {
    "SECRET_KEY": "a",
    "SITE_URL": "https://club.example.org",
    "POSTGRES_PASSWORD": "b",
    "REDIS_PASSWORD": "c",
}


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """In the long run it has to be there."""
    missing = shutil.which(program) is None and not in_full()
    return pytest.mark.skipif(missing, reason=f"needs {program}: apt install {package}")


def asked(*words: str | Path, **more: str) -> "subprocess.CompletedProcess[str]":
    command = list(map(str, words))
    return subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, check=False)


def interpolated(text: str, given: dict[str, str]) -> str:
    """As Compose puts variables in; raises KeyError for one that is required and not there."""

    def put(found: "re.Match[str]") -> str:
        if found[0] == "$$":
            return "$"
        name, kind, rest = found[1], found[2], found[3]
        return given.get(name) or (rest if kind == ":-" else given[name])

    return re.sub(r"\$\$|\$\{(\w+)(?:(:[-?])([^}]*))?\}", put, text)


def composed(given: dict[str, str]) -> dict[str, Any]:
    lines = [line for line in COMPOSE.read_text().splitlines() if not line.lstrip().startswith("#")]
    content: dict[str, Any] = yaml.safe_load(interpolated("\n".join(lines), given))
    return content


def test_compose_file_when_its_variables_are_set_then_as_the_specification_has_it() -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose-spec.json").read_text())
    content = composed(SET)
    assert [(list(one.path), one.message) for one in Draft7Validator(schema).iter_errors(content)] == []
    content["services"]["web"]["mem_limits"] = "1g"
    assert list(Draft7Validator(schema).iter_errors(content))  # a word that is none is found


@pytest.mark.parametrize("name", SET)
def test_compose_file_when_a_variable_is_missing_then_nothing_starts(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        composed({key: value for key, value in SET.items() if key != name})


def test_compose_file_when_it_names_something_then_that_is_there() -> None:
    content = composed(SET)
    services, volumes = content["services"], set(content["volumes"])
    used = set()
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services), name
        used |= {one.partition(":")[0] for one in service.get("volumes", ())}
    assert {one for one in used if not one.startswith(".")} == volumes
    assert all((ROOT / one).exists() for one in used if one.startswith("./deploy"))


def size_of(text: str) -> int:
    units = {"m": 1 << 20, "g": 1 << 30}
    return int(text[:-1]) * units[text[-1].lower()]


def test_every_service_has_a_limit_of_memory_and_units_of_systemd_the_same() -> None:
    services = composed(SET)["services"]
    limits = {name: size_of(service["mem_limit"]) for name, service in services.items()}
    for path in UNITS:
        (limit,) = re.findall(r"^MemoryMax=(\w+)$", path.read_text(), re.MULTILINE)
        assert size_of(limit) == limits[path.stem.removeprefix("crawford-")], path.name
    redis = services["redis"]["command"]
    assert size_of(redis[redis.index("--maxmemory") + 1].removesuffix("b")) < limits["redis"]
    # Children that are replaced when they have grown fit in, with the one that watches them.
    worker = services["worker"]["command"]
    children = int(worker[worker.index("--concurrency") + 1])
    grown = int(services["worker"]["environment"]["WORKER_MEMORY_MB"]) << 20
    assert children * grown + (150 << 20) <= limits["worker"]
    assert (
        size_of(composed({**SET, "POSTGRES_MEMORY": "12g"})["services"]["postgres"]["mem_limit"]) == 12 << 30
    )


@needs("systemd-analyze", "systemd")
def test_units_when_read_by_systemd_then_nothing_is_odd(tmp_path: Path) -> None:
    """The programs are where this checkout has them."""
    for path in UNITS:
        text = path.read_text().replace("/srv/crawford/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / path.name).write_text(text)
    heard = asked("systemd-analyze", "verify", "--man=no", *sorted(tmp_path.iterdir()))
    assert (heard.returncode, heard.stdout + heard.stderr) == (0, "")
    odd = tmp_path / "crawford-odd.service"
    odd.write_text((tmp_path / "crawford-beat.service").read_text().replace("MemoryMax=", "MemoryMost="))
    assert "MemoryMost" in asked("systemd-analyze", "verify", "--man=no", odd).stderr


@needs("promtool", "prometheus")
def test_alarms_when_tried_by_prometheus_then_each_speaks_when_it_has_to() -> None:
    for words in (("check", "rules", ALARMS), ("test", "rules", ALARMS.with_name("alarms_test.yml"))):
        heard = asked("promtool", *words)
        assert heard.returncode == 0, heard.stdout + heard.stderr
