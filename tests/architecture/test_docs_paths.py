"""What the documents name as a place in the code is there."""

import re
from collections.abc import Iterator

import pytest

from tests.architecture.source import APPS, ROOT, floors_of

DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED = re.compile(r"`([a-z_][\w./]*/[\w./]*)`")
# A place is named from the root, or from inside the one app that has such a folder.
TOPS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"var"}
ROOMS = {path.name: (ROOT / app) for app in APPS for path in (ROOT / app).iterdir() if path.is_dir()}


def places(text: str) -> Iterator[str]:
    for place in NAMED.findall(text):
        top = place.split("/")[0]
        if top in TOPS or top in ROOMS:
            yield place


def exists(place: str) -> bool:
    """As a file or a folder; without ``.py``, and perhaps with the name of something in the module."""
    apps = [ROOT, *(ROOT / app for app in APPS)]
    names = (place, f"{place}.py", f"{place.rsplit('.', 1)[0]}.py")
    return any((app / name).exists() for app in apps for name in names)


def test_places_when_a_document_names_them_then_are_there() -> None:
    gone = [
        f"{path.name}: {place}" for path in DOCS for place in places(path.read_text()) if not exists(place)
    ]
    assert gone == []


def test_architecture_when_it_shows_rooms_and_floors_then_as_the_contracts_hold_them() -> None:
    text = " ".join((ROOT / "docs/architecture.md").read_text().split())
    rooms = floors_of("tournaments")
    assert " → ".join(rooms) in text
    assert " → ".join(floors_of("tournaments.engine")) in text
    upper = rooms[: rooms.index("shared")]
    named = {room for floor in upper for room in floor.split(" | ")} - {"management", "apps", "admin"}
    assert {room for room in named if not re.search(rf"\| [^|]*`{room}`[^|]* \|", text)} == set()


@pytest.mark.parametrize("app", ["rating", "games", "people"])
def test_architecture_when_it_shows_the_main_floors_of_an_app_then_in_the_order_of_the_contract(app) -> None:
    (shown,) = re.findall(
        rf"^    {app} +(\S+ → .+)$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE
    )
    order = [floor.split(" | ") for floor in floors_of(app)]
    found = [
        [i for i, floor in enumerate(order) if set(one.split(" | ")) <= set(floor)]
        for one in shown.split(" → ")
    ]
    assert [len(places) for places in found] == [1] * len(found)
    assert found == sorted(found)
    assert len(found) > 5


def test_templates_when_a_docstring_names_them_then_are_there() -> None:
    names = re.compile(r"`([a-z_]+/\w+\.html)`")
    named = {
        name: path.relative_to(ROOT).as_posix()
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for name in names.findall(path.read_text())
    }
    assert len(named) > 5
    assert {name: place for name, place in named.items() if not (ROOT / "templates" / name).is_file()} == {}


def test_places_when_looked_for_then_enough_are_found() -> None:
    assert sum(1 for path in DOCS for _ in places(path.read_text())) > 100
    assert not exists("tournaments/engine/nowhere")
