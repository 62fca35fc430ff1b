"""Who runs what in a run on two databases: each lane its own, what is common once, files whole, nobody idle."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.lanes import PATIENT, SAME_STATEMENTS, TESTS, Lanes, belongs_here, by_file, turn
from tests.support.statements import shape
from tools.statements import choose_tests

PAGES = [
    f"tests/{place}/test_{n}.py::test_{k}" for place in ("web", "e2e") for n in range(3) for k in range(2)
]
ONCE = [*PAGES, *(f"tests/unit/test_{n}.py::test_{k}" for n in range(3) for k in range(2))]
BOTH = [
    f"tests/{place}/test_{n}.py::test_{k}"
    for place in ("concurrency", "services")
    for n in range(2)
    for k in range(2)
]


def waits(name: str) -> bool:
    return name.split("/")[1] in PATIENT


class Lane:
    """A process that runs one test after the other, and begins one only when it knows what comes after it."""

    def __init__(self, database: str, kind: str) -> None:
        self.gateway = SimpleNamespace(
            spec=f"popen//env:CRAWFORD_TEST_LANES={kind}//env:CRAWFORD_TEST_DATABASE={database}"
        )
        own = [f"{name}[{database}]" for name in BOTH]
        once = [name for name in ONCE if database == "sqlite" or name not in PAGES]
        self.names = [name for name in own + once if waits(name) or kind != "patient"]
        self.queue: list[int] = []
        self.ran: list[str] = []
        self.shutting_down = False

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.queue += numbers

    def shutdown(self) -> None:
        self.shutting_down = True

    def run_one(self, lanes: Lanes) -> bool:
        if not self.queue or (len(self.queue) == 1 and not self.shutting_down):
            return False
        number = self.queue.pop(0)
        self.ran.append(self.names[number])
        lanes.mark_test_complete(self, number)
        return True


def run(*speeds: int) -> list[Lane]:
    """The lanes beside PostgreSQL and SQLite, the one that helps, and the one that only waits, to their ends; in each turn a lane runs so many tests."""
    session = SimpleNamespace(testscollected=0)
    lanes = Lanes(4, session)
    kinds = (("postgres", "busy"), ("sqlite", "busy"), ("sqlite", "patient-first"), ("sqlite", "patient"))
    all_four = [Lane(*kind) for kind in kinds]
    for lane in all_four:
        lanes.add_node(lane)
        lanes.add_node_collection(lane, lane.names)
    assert lanes.collection_is_completed
    lanes.schedule()
    assert session.testscollected == 2 * len(BOTH) + len(ONCE)
    while sum(
        lane.run_one(lanes) for lane, speed in zip(all_four, speeds, strict=True) for _ in range(speed)
    ):
        pass
    assert lanes.tests_finished
    assert not lanes.has_pending
    assert all(lane.shutting_down for lane in all_four)
    return all_four


@pytest.mark.parametrize("speeds", [(1, 1, 1, 1), (1, 9, 2, 1), (9, 1, 2, 2), (1, 30, 1, 1), (2, 3, 30, 9)])
def test_tests_when_lanes_run_them_then_own_ones_on_both_databases_and_common_ones_once(speeds) -> None:
    everything = run(*speeds)
    postgres, *_beside_sqlite, patient = everything
    assert sorted(name for lane in everything for name in lane.ran) == sorted(
        [*ONCE, *(f"{name}[{database}]" for name in BOTH for database in ("postgres", "sqlite"))]
    )
    assert {f"{name}[postgres]" for name in BOTH} <= set(postgres.ran)
    assert all(waits(name) for name in patient.ran)


def test_files_when_shared_out_then_each_stays_whole_and_what_waits_has_lanes() -> None:
    files = [
        {name.partition("[")[0].partition("::")[0] for name in lane.ran if "[postgres]" not in name}
        for lane in run(1, 1, 1, 1)
    ]
    assert sum(map(len, files)) == len(set.union(*files))
    assert "tests/web/test_0.py" in files[1]
    assert {"tests/concurrency/test_0.py", "tests/concurrency/test_1.py", "tests/e2e/test_0.py"} <= files[
        2
    ] | files[3]


@pytest.mark.parametrize("speeds", [(1, 9, 1, 1), (9, 9, 1, 1)])
def test_lane_when_those_that_wait_are_slow_then_takes_what_is_left(speeds) -> None:
    _, sqlite, *waiting = run(*speeds)
    assert all(len(sqlite.ran) > len(lane.ran) for lane in waiting)
    assert any(name.startswith("tests/e2e") for name in sqlite.ran)


def test_lane_when_nothing_waits_any_more_then_helps_with_pages() -> None:
    _, _, helps, patient = run(1, 1, 9, 1)
    assert any(name.startswith("tests/web") for name in helps.ran)
    assert not any(name.startswith("tests/web") for name in patient.ran)


@pytest.mark.parametrize("environment", ["busy", "patient-first"])
def test_pages_when_there_are_two_databases_then_beside_sqlite_and_in_full_on_both(monkeypatch, environment):
    page = SimpleNamespace(path=TESTS / "web" / "test_x.py", get_closest_marker=lambda name: None)
    monkeypatch.setenv("CRAWFORD_TEST_LANES", environment)
    where = {}
    for full in ("0", "1"):
        monkeypatch.setenv("CRAWFORD_TEST_FULL", full)
        for database in ("sqlite", "postgres"):
            monkeypatch.setenv("CRAWFORD_TEST_DATABASE", database)
            where[database, full] = belongs_here(page)
    assert where == {
        ("sqlite", "0"): True,
        ("postgres", "0"): False,
        ("sqlite", "1"): True,
        ("postgres", "1"): True,
    }


def test_files_of_earlier_releases_when_shared_out_then_together_release_by_release():
    names = [
        f"tests/upgrades/test_{file}.py::test_{n}[{release}]"
        for release in "ab"
        for file in "xy"
        for n in (1, 2)
    ]
    numbers = {"lane": {name: place for place, name in enumerate([*names, "tests/web/test_x.py::test_1"])}}
    assert [file.names for file in by_file(numbers)] == [["tests/web/test_x.py::test_1"], names]


def test_tests_when_chosen_for_a_database_then_every_statement_is_executed_by_the_cheapest():
    shapes = {"wide": {"a", "b", "c"}, "dear": {"a", "b"}, "cheap": {"b"}, "only": {"d"}}
    seconds = {"wide": 1.0, "dear": 30.0, "cheap": 0.5, "only": 20.0}
    assert choose_tests(shapes, seconds) == {"wide", "only"}


def test_statement_when_it_has_other_values_or_more_of_them_then_the_same_shape():
    assert shape("SELECT a FROM t WHERE b IN (%s, %s) LIMIT 21") == shape(
        "SELECT a FROM t WHERE b IN (%s) LIMIT 5"
    )
    assert shape("INSERT INTO t (a) VALUES (%s), (%s)") == shape("INSERT INTO t (a) VALUES (%s)")
    assert shape("SELECT a FROM t WHERE b IN (%s)") != shape("SELECT a FROM t WHERE b = %s")


def test_tests_that_are_listed_as_spared_are_there():
    """A list that names what is gone spares less than it says: `python tools/statements.py` writes it anew."""
    root = Path(__file__).resolve().parents[2]
    gone = [
        name
        for name in SAME_STATEMENTS
        for file, _, test in [name.partition("::")]
        if not (root / file).exists() or f"def {test.rpartition('::')[2]}(" not in (root / file).read_text()
    ]
    assert len(gone) < len(SAME_STATEMENTS) / 10, gone


@pytest.mark.parametrize("kinds", [3, 4])
def test_cases_when_dealt_out_then_each_database_has_every_kind(kinds):
    """As `by_turns` deals them: by their number, and beginning with the other database for each new series of kinds."""
    dealt = {(turn(number, kinds), number % kinds) for number in range(2 * kinds)}
    assert dealt == {(lane, kind) for lane in (0, 1) for kind in range(kinds)}
