"""Who runs what in a run on two databases: each lane its own, what is common once, files whole, nobody idle."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.lanes import PATIENT, SAME_STATEMENTS, Lanes, by_file, turn
from tests.support.statements import shape
from tools.statements import chosen

ONCE = [
    f"tests/{place}/test_{n}.py::test_{k}"
    for place in ("web", "unit", "e2e")
    for n in range(3)
    for k in range(2)
]
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

    def __init__(self, database: str, *, patient: bool = False) -> None:
        kind = "patient" if patient else "busy"
        self.gateway = SimpleNamespace(
            spec=f"popen//env:CRAWFORD_TEST_LANES={kind}//env:CRAWFORD_TEST_DATABASE={database}"
        )
        own = [f"{name}[{database}]" for name in BOTH]
        self.names = [name for name in own + ONCE if waits(name) or not patient]
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


def run(*speeds: int) -> tuple[Lane, Lane, Lane]:
    """All lanes to their ends; in each turn a lane runs so many tests."""
    session = SimpleNamespace(testscollected=0)
    lanes = Lanes(3, session)
    all_three = Lane("postgres"), Lane("sqlite"), Lane("sqlite", patient=True)
    for lane in all_three:
        lanes.add_node(lane)
        lanes.add_node_collection(lane, lane.names)
    assert lanes.collection_is_completed
    lanes.schedule()
    assert session.testscollected == 2 * len(BOTH) + len(ONCE)
    while sum(
        lane.run_one(lanes) for lane, speed in zip(all_three, speeds, strict=True) for _ in range(speed)
    ):
        pass
    assert lanes.tests_finished
    assert not lanes.has_pending
    assert all(lane.shutting_down for lane in all_three)
    return all_three


@pytest.mark.parametrize("speeds", [(1, 1, 1), (1, 9, 2), (9, 1, 2), (1, 30, 1), (2, 3, 30)])
def test_tests_when_lanes_run_them_then_own_ones_on_both_databases_and_common_ones_once(speeds) -> None:
    postgres, sqlite, patient = run(*speeds)
    assert sorted(postgres.ran + sqlite.ran + patient.ran) == sorted(
        [*ONCE, *(f"{name}[{database}]" for name in BOTH for database in ("postgres", "sqlite"))]
    )
    assert {f"{name}[postgres]" for name in BOTH} <= set(postgres.ran)
    assert all(waits(name) for name in patient.ran)


def test_files_when_shared_out_then_each_stays_whole_and_what_waits_has_a_lane() -> None:
    postgres, sqlite, patient = run(1, 1, 1)
    files = [
        {name.partition("[")[0].partition("::")[0] for name in lane.ran if "[postgres]" not in name}
        for lane in (postgres, sqlite, patient)
    ]
    assert sum(map(len, files)) == len(set.union(*files))
    assert "tests/web/test_0.py" in files[1]
    assert {"tests/concurrency/test_0.py", "tests/concurrency/test_1.py", "tests/e2e/test_0.py"} <= files[2]


@pytest.mark.parametrize("speeds", [(1, 9, 1), (9, 9, 1)])
def test_lane_when_another_is_slow_then_takes_what_is_left(speeds) -> None:
    postgres, sqlite, patient = run(*speeds)
    assert len(sqlite.ran) > len(patient.ran)
    assert any(name.startswith("tests/e2e") for name in postgres.ran + sqlite.ran)


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
    assert chosen(shapes, seconds) == {"wide", "only"}


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
