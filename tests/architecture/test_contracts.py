"""The import contracts of `pyproject.toml` refuse what they are there to refuse."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
# For each contract, in their order, a file and an import that does not belong there.
PLANTED = (
    ("people/text.py", "tournaments.models.event"),
    ("games/rules/sides.py", "django"),
    ("games/rules/numbering.py", "games.records.model"),
    ("tournaments/selectors/repairs/late.py", "tournaments.repairs.services.late_entry"),
    ("tournaments/hall/services/calling.py", "tournaments.hall.web.board"),
    ("tournaments/checks/soundness.py", "tournaments.checks.simulation"),
    ("tournaments/engine/lots/committed.py", "tournaments.engine.trail.kinds"),
    ("rating/selectors/points.py", "rating.services.lists"),
    ("games/services/held.py", "games.web.forms"),
    ("people/tasks.py", "people.web.forms"),
    ("tournaments/hall/web/board.py", "tournaments.store.tables"),
    ("tournaments/engine/pairing/history.py", "tournaments.engine.stages.swiss"),
)
# Each in a package whose contract gives a floor to all that is in it.
HOMELESS = (
    "games.annex",
    "people.annex",
    "rating.annex",
    "tournaments.annex",
    "tournaments.checks.annex",
    "tournaments.engine.annex",
    "tournaments.hall.annex",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> str:
    """What is said about a copy of the product with all of them in it, and with folders that stand on no floor."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in SETTINGS["root_packages"]:
        for path in (ROOT / package).rglob("*.py"):
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for name, module in PLANTED:
        with (copy / name).open("a") as file:
            file.write(f"\nimport {module}\n")
    for name in HOMELESS:
        place = copy / name.replace(".", "/")
        place.mkdir()
        (place / "__init__.py").touch()
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    return " ".join(done.stdout.split())


def test_contracts_when_each_has_its_wrong_import_then_each_is_broken(report) -> None:
    assert len(PLANTED) == len(SETTINGS["contracts"])
    assert f"Contracts: 0 kept, {len(PLANTED)} broken" in report


@pytest.mark.parametrize(("name", "module"), PLANTED[:-1])
def test_contract_when_a_floor_imports_one_above_then_names_the_import(report, name, module) -> None:
    importer = name.removesuffix(".py").replace("/", ".")
    assert re.search(rf"{re.escape(importer)} -> {re.escape(module)} \(l\.\d+\)", report)


def test_contract_when_two_rooms_go_round_in_a_circle_then_says_which(report) -> None:
    assert "No cycles are allowed in tournaments.engine" in report


@pytest.mark.parametrize("name", HOMELESS)
def test_contract_when_a_folder_has_no_floor_then_is_noticed(report, name) -> None:
    assert name in report


def test_contract_when_it_shows_floors_inside_something_then_all_that_is_there_has_one() -> None:
    floors = [one for one in SETTINGS["contracts"] if one["type"] == "layers" and "containers" in one]
    assert [one["name"] for one in floors if not one.get("exhaustive")] == []
    inside = {container for one in floors for container in one["containers"]}
    (rooms,) = (one["layers"] for one in floors if one["containers"] == ["tournaments"])
    upper = {room for floor in rooms[: rooms.index("shared")] for room in floor.split(" | ")}
    folders = {room for room in upper - {"management"} if (ROOT / "tournaments" / room).is_dir()}
    assert {f"tournaments.{room}" for room in folders} - inside == set()
