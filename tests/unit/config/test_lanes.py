"""Who runs what in a run on two databases: each lane its own, what is common once, files whole, nobody idle."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.lanes import SAME_STATEMENTS, Lanes, turn
from tests.support.statements import shape
from tools.statements import chosen

SHARED = [
    f"tests/{place}/test_{n}.py::test_{k}"
    for place in ("web", "unit", "e2e")
    for n in range(3)
    for k in range(2)
]
BOTH = [f"tests/services/test_{n}.py::test_{k}" for n in range(2) for k in range(2)]


class Lane:
    """A process that runs one test after the other, and begins one only when it knows what comes after it."""

    def __init__(self, database: str) -> None:
        self.gateway = SimpleNamespace(spec=f"popen//env:CRAWFORD_TEST_DATABASE={database}")
        self.names = [*(f"{name}[{database}]" for name in BOTH), *SHARED]
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


def run(*speeds: int) -> tuple[Lane, Lane]:
    """Both lanes to their ends; in each turn a lane runs so many tests."""
    session = SimpleNamespace(testscollected=0)
    lanes = Lanes(2, session)
    both = Lane("postgres"), Lane("sqlite")
    for lane in both:
        lanes.add_node(lane)
        lanes.add_node_collection(lane, lane.names)
    assert lanes.collection_is_completed
    lanes.schedule()
    assert session.testscollected == 2 * len(BOTH) + len(SHARED)
    while sum(lane.run_one(lanes) for lane, speed in zip(both, speeds, strict=True) for _ in range(speed)):
        pass
    assert lanes.tests_finished
    assert not lanes.has_pending
    assert all(lane.shutting_down for lane in both)
    return both


@pytest.mark.parametrize("speeds", [(1, 1), (1, 9), (9, 1), (1, 30), (2, 3)])
def test_tests_when_two_lanes_run_them_then_own_ones_in_both_and_common_ones_once(speeds) -> None:
    postgres, sqlite = run(*speeds)
    for lane, database in ((postgres, "postgres"), (sqlite, "sqlite")):
        assert sorted(name for name in lane.ran if name not in SHARED) == [
            f"{name}[{database}]" for name in BOTH
        ]
    assert sorted(name for name in postgres.ran + sqlite.ran if name in SHARED) == sorted(SHARED)


def test_files_when_shared_out_then_each_stays_whole_and_journeys_begin_beside_postgres() -> None:
    postgres, sqlite = run(1, 1)
    files = [{name.partition("::")[0] for name in lane.ran if name in SHARED} for lane in (postgres, sqlite)]
    assert not files[0] & files[1]
    assert "tests/e2e/test_2.py" in files[0]
    assert "tests/web/test_0.py" in files[1]


def test_lane_when_the_other_is_slow_then_takes_what_is_left() -> None:
    postgres, sqlite = run(1, 9)
    assert len(sqlite.ran) > 2 * len(postgres.ran)


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
