"""One run, two databases: a process ("lane") beside SQLite and one beside PostgreSQL, and which of them runs a test.

A test that asks one database (markers `sqlite`, `postgres`) runs there. One that uses a database runs in both, under two names:
`…[sqlite]` and `…[postgres]`; but cases that differ by chance or size alone are dealt out (marker `by_turns`), and a test of a
service or selector whose statements others execute as well (`statements.txt`, written by `tools/statements.py`) runs beside SQLite.
What needs no database, and what writes no query (`ONCE`), runs once, in the lane that is free: the first takes from the front of
the waiting files, the second from the back, until they meet. With `CRAWFORD_TEST_FULL=1` (`.ci/long`) all that uses a database
runs in both.
"""

import itertools
import os
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent.parent
# Pages and API write no query of their own: they say the same on every database (`tests/architecture/test_queries`).
ONCE = {"api", "web", "permissions", "e2e"}
# Real browsers on a real server: in full on one database too, for these take minutes.
ALWAYS_ONCE = {"e2e"}
SAME_STATEMENTS = frozenset((TESTS / "support" / "statements.txt").read_text().split())
SESSION = pytest.StashKey[pytest.Session]()
WAITING = {"permissions": 0, "web": 1, "api": 2, "e2e": 4}


def on_postgres() -> bool:
    return os.environ.get("CRAWFORD_TEST_DATABASE") == "postgres"


def in_lanes() -> bool:
    return os.environ.get("CRAWFORD_TEST_LANES") == "1"


def in_full() -> bool:
    return os.environ.get("CRAWFORD_TEST_FULL") == "1"


def runs_once(test: pytest.Metafunc) -> bool:
    pages = test.definition.path.relative_to(TESTS).parts[0] in (ALWAYS_ONCE if in_full() else ONCE)
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
    if item.get_closest_marker("sqlite"):
        return not on_postgres()
    if item.get_closest_marker("postgres"):
        return on_postgres()
    if in_full():
        return True
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


def by_file(names: Iterable[str]) -> list[list[str]]:
    files: dict[str, list[str]] = {}
    for name in names:
        files.setdefault(name.partition("::")[0], []).append(name)
    return list(files.values())


def place(names: list[str]) -> int:
    """Where a file waits: large ones on the outside, small ones where the lanes meet."""
    return WAITING.get(names[0].split("/")[1], 3)


def beside_postgres(node: Any) -> bool:
    return "CRAWFORD_TEST_DATABASE=postgres" in str(node.gateway.spec)


class Lanes:
    """What pytest-xdist asks a scheduler for. Files stay whole: their fixtures are made once."""

    def __init__(self, count: int, session: pytest.Session) -> None:
        self.count = count
        self.session = session
        self.numbers: dict[Any, dict[str, int]] = {}
        self.pending: dict[Any, list[int]] = {}
        self.own: dict[Any, deque[list[str]]] = {}
        self.shared: deque[list[str]] = deque()
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
        return self.started and not self._waiting() and all(len(left) < 2 for left in self.pending.values())

    def _waiting(self) -> list[list[str]]:
        return [*self.shared, *itertools.chain(*self.own.values())]

    def add_node(self, node: Any) -> None:
        self.pending[node] = []

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        self.numbers[node] = {name: number for number, name in enumerate(collection)}

    def schedule(self) -> None:
        everywhere = set.intersection(*map(set, self.numbers.values()))
        for node, names in self.numbers.items():
            self.own[node] = deque(by_file(name for name in names if name not in everywhere))
        names = next(iter(self.numbers.values()))
        self.shared = deque(sorted(by_file(name for name in names if name in everywhere), key=place))
        self.session.testscollected = sum(map(len, self._waiting()))
        self.started = True
        for node in self.nodes:
            self._feed(node)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        self.pending[node].remove(item_index)
        self._feed(node)

    def _feed(self, node: Any) -> None:
        """A process begins a test when it knows the next one, or that there is none."""
        while len(self.pending[node]) < 2 and not node.shutting_down:
            if self.own[node]:
                names = self.own[node].popleft()
            elif self.shared:
                names = self.shared.pop() if beside_postgres(node) else self.shared.popleft()
            else:
                node.shutdown()
                return
            numbers = [self.numbers[node][name] for name in names]
            self.pending[node] += numbers
            node.send_runtest_some(numbers)

    def remove_node(self, node: Any) -> str | None:
        left = self.pending.pop(node)
        return list(self.numbers[node])[left[0]] if left else None

    def mark_test_pending(self, item: str) -> None:
        raise NotImplementedError

    def remove_pending_tests_from_node(self, node: Any, indices: Sequence[int]) -> None:
        raise NotImplementedError
