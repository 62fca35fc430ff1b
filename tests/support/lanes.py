"""One run, two databases: a process ("lane") beside SQLite and one beside PostgreSQL, and which of them runs a test. Two more,
on an SQLite of their own, take what mostly waits (`PATIENT`) while the two others work; one of these helps with pages after it.

A test that asks one database (markers `sqlite`, `postgres`) runs there. One that uses a database runs in both, under two names:
`…[sqlite]` and `…[postgres]`; but cases that differ by chance or size alone are dealt out (marker `by_turns`), and a test of a
service, selector or of privacy whose statements others execute as well (`statements.txt`, written by `tools/statements.py`) runs beside SQLite.
What writes no query (`ONCE`) runs once, beside SQLite, where a page costs a quarter less, its server included; what needs no database once, in the lane that
is free: the one beside PostgreSQL takes it from the back of the waiting files. With `CRAWFORD_TEST_FULL=1` (`.ci/long`) all that uses a database runs in both.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent.parent
# Pages and API write no query of their own: they say the same on every database (`tests/architecture/test_queries`).
ONCE = {"api", "web", "permissions", "e2e"}
# Real browsers on a real server: in full on one database too, for these take minutes.
ALWAYS_ONCE = {"e2e"}
# Browsers, races and killed processes: they wait for others, and the processor is free meanwhile.
PATIENT = ("concurrency", "e2e")
SAME_STATEMENTS = frozenset((TESTS / "support" / "statements.txt").read_text().split())
ON_POSTGRES, PATIENTLY = "CRAWFORD_TEST_DATABASE=postgres", "CRAWFORD_TEST_LANES=patient"
SESSION = pytest.StashKey[pytest.Session]()
# Databases of earlier releases are brought to today once for all of a folder, the source is read and records are checked once.
TOGETHER = ("tests/architecture/", "tests/golden/records/", "tests/upgrades/")
PLACES = {"permissions": 0, "web": 1, "api": 2}


def on_postgres() -> bool:
    return os.environ.get("CRAWFORD_TEST_DATABASE") == "postgres"


def in_lanes() -> bool:
    return "CRAWFORD_TEST_LANES" in os.environ


def waits() -> bool:
    """This lane takes what waits and nothing else; a `patient-first` one helps with the rest."""
    return os.environ.get("CRAWFORD_TEST_LANES") == "patient"


def in_full() -> bool:
    return os.environ.get("CRAWFORD_TEST_FULL") == "1"


def the_few_or(everything: Sequence[Any], few: Sequence[Any]) -> Sequence[Any]:
    """Cases of a test: in `.ci/long` everything, else the few that say the most; the others are seen in another form as well."""
    return everything if in_full() else few


# One database is enough in every run, for the other one is met by others who do the same; both in `.ci/long`.
ON_ONE = [] if in_full() else [pytest.mark.sqlite]
THE_OTHER_ONE = [] if in_full() else [pytest.mark.postgres]


def on_one(test: Any) -> Any:
    """The same for one test of a file."""
    for mark in ON_ONE:
        test = mark(test)
    return test


# A long journey whose parts others go as well: in `.ci/long` alone.
ONLY_IN_FULL = pytest.mark.skipif(not in_full(), reason="a long journey whose parts others go: .ci/long")


def folder_of(test: pytest.Item) -> str:
    """The folder of ``tests`` where it lies, which says of what kind it is."""
    return test.path.relative_to(TESTS).parts[0]


def runs_once(test: pytest.Metafunc) -> bool:
    pages = folder_of(test.definition) in (ALWAYS_ONCE if in_full() else ONCE)
    return pages or not uses_database(test)


def uses_database(test: pytest.Metafunc) -> bool:
    fixtures = {"db", "transactional_db", "live_server", "django_db_serialized_rollback", "django_db_setup"}
    marked = test.definition.get_closest_marker("django_db") is not None
    return marked or not fixtures.isdisjoint(test.fixturenames)


@pytest.fixture(autouse=True)
def _database() -> None:
    """What a test that runs in both lanes is called after."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if in_lanes() and not runs_once(metafunc):
        metafunc.parametrize("_database", ["postgres" if on_postgres() else "sqlite"], indirect=True)


def belongs_here(item: pytest.Item) -> bool:
    folder = folder_of(item)
    if waits() and folder not in PATIENT:
        return False
    if item.get_closest_marker("sqlite"):
        return not on_postgres()
    if item.get_closest_marker("postgres"):
        return on_postgres()
    if in_full():
        return True
    if folder in ONCE:
        return not on_postgres()
    if (turn := turn_of(item)) is not None:
        return turn == on_postgres()
    return not on_postgres() or item.nodeid.partition("[")[0].removeprefix("tests/") not in SAME_STATEMENTS


def turn_of(item: pytest.Item) -> int | None:
    """Whose turn a case is, where cases are dealt out: 0 beside SQLite, 1 beside PostgreSQL.

    `by_turns(kinds)` says after how many cases the kinds begin anew: then the other database begins, so that each has all of them.
    """
    marker = item.get_closest_marker("by_turns")
    parametrized = next(item.iter_markers("parametrize"), None)
    if marker is None or parametrized is None:
        return None
    names = parametrized.args[0]
    # pytest numbers the cases of a test from first to last, whichever of its parameters is asked.
    number = item.callspec.indices[names.split(",")[0].strip() if isinstance(names, str) else names[0]]
    return turn(number, *marker.args)


def turn(number: int, kinds: int | None = None) -> int:
    """An even series would give each kind to the same database again and again: every other one begins with the other."""
    return (number + (number // kinds if kinds and kinds % 2 == 0 else 0)) % 2


def pytest_configure(config: pytest.Config) -> None:
    """Each lane begins to read at another end: what one has compiled (every `assert` is taken apart, for seconds) the other finds."""
    if in_lanes() and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        folders = sorted(f"tests/{one.name}" for one in TESTS.iterdir() if any(one.rglob("test_*.py")))
        if waits():
            folders = [f"tests/{name}" for name in PATIENT]
        config.args = folders[::-1] if on_postgres() else folders


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not in_lanes():
        return
    kept = [item for item in items if belongs_here(item)]
    config.hook.pytest_deselected(items=[item for item in items if not belongs_here(item)])
    items[:] = kept


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[SESSION] = session


def pytest_xdist_make_scheduler(config: pytest.Config) -> "Lanes | None":
    if config.getvalue("dist") != "each":
        return None
    return Lanes(len(config.getvalue("tx")), config.stash[SESSION])


@dataclass(frozen=True)
class File:
    """A file's tests that the same lanes can run; it stays whole, for its fixtures are made once."""

    names: list[str]
    lanes: frozenset[Any]

    @property
    def folder(self) -> str:
        return self.names[0].split("/")[1]

    @property
    def on_either(self) -> bool:
        """Lanes of both databases can run it."""
        return len({runs_as(lane, ON_POSTGRES) for lane in self.lanes}) > 1

    def place(self, node: Any) -> tuple[bool, bool]:
        """When ``node`` takes it: first what only its database can run, of that first what the lane is for."""
        others = (self.folder in PATIENT) != runs_as(node, PATIENTLY)
        return self.on_either or (others and any(runs_as(lane, PATIENTLY) for lane in self.lanes)), others


def _together(name: str) -> str:
    """What is handed out whole: a file, or a folder whose dearest fixture is made once for all its files."""
    file = name.partition("::")[0]
    return next((folder for folder in TOGETHER if file.startswith(folder)), file)


def by_file(numbers: dict[Any, dict[str, int]]) -> list[File]:
    files: dict[tuple[str, frozenset[Any]], list[str]] = {}
    for name in dict.fromkeys(name for names in numbers.values() for name in names):
        lanes = frozenset(node for node, names in numbers.items() if name in names)
        files.setdefault((_together(name), lanes), []).append(name)
    return sorted(
        (File(names, lanes) for (_, lanes), names in files.items()),
        key=lambda file: (PLACES.get(file.folder, 3), file.names[0].partition("::")[0]),
    )


def runs_as(node: Any, word: str) -> bool:
    return word in str(node.gateway.spec)


class Lanes:
    """What pytest-xdist asks a scheduler for."""

    def __init__(self, count: int, session: pytest.Session) -> None:
        self.count = count
        self.session = session
        self.numbers: dict[Any, dict[str, int]] = {}
        self.pending: dict[Any, list[int]] = {}
        self.waiting: list[File] = []
        self.started = False

    @property
    def nodes(self) -> list[Any]:
        return list(self.pending)

    @property
    def collection_is_completed(self) -> bool:
        return len(self.numbers) == self.count

    @property
    def has_pending(self) -> bool:
        return any(self.pending.values())

    @property
    def tests_finished(self) -> bool:
        return self.started and not self.waiting and all(len(left) < 2 for left in self.pending.values())

    def add_node(self, node: Any) -> None:
        self.pending[node] = []

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        self.numbers[node] = {name: number for number, name in enumerate(collection)}

    def schedule(self) -> None:
        self.waiting = by_file(self.numbers)
        self.session.testscollected = sum(len(file.names) for file in self.waiting)
        self.started = True
        for node in self.nodes:
            self._feed(node)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        self.pending[node].remove(item_index)
        self._feed(node)

    def _feed(self, node: Any) -> None:
        """A process begins a test when it knows the next one, or that there is none."""
        while len(self.pending[node]) < 2 and not node.shutting_down:
            file = self._take(node)
            if file is None:
                node.shutdown()
                return
            numbers = [self.numbers[node][name] for name in file.names]
            self.pending[node] += numbers
            node.send_runtest_some(numbers)

    def _take(self, node: Any) -> File | None:
        """What only lanes on this database can run, then what this lane is for, then what is left; beside PostgreSQL from the back, so that they meet last."""
        possible = [file for file in self.waiting if node in file.lanes]
        if not possible:
            return None
        if runs_as(node, ON_POSTGRES):
            possible.reverse()
        file = min(possible, key=lambda file: file.place(node))
        self.waiting.remove(file)
        return file

    def remove_node(self, node: Any) -> str | None:
        left = self.pending.pop(node)
        return list(self.numbers[node])[left[0]] if left else None

    def mark_test_pending(self, item: str) -> None:
        raise NotImplementedError

    def remove_pending_tests_from_node(self, node: Any, indices: Sequence[int]) -> None:
        raise NotImplementedError
