"""The rules live where no framework, clock or dice can reach them."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import PURE_ROOMS, ROOT, dotted, modules, nodes, place, tree

BLOCKED = (
    "allauth",
    "celery",
    "django",
    "environ",
    "kombu",
    "psycopg",
    "redis",
    "rest_framework",
    "secrets",
    "sqlite3",
)
# Values of a pure function come from its arguments: these ask the world instead.
WORLD = {"now", "today", "utcnow", "urandom", "getenv", "uuid4", "uuid1", "perf_counter", "monotonic"}
SEEDED = {"Random"}

# Each module or room on its own would hide nothing more and take far longer: a blocked import fails whoever asks for it.
IMPORT_ALL = """
import importlib, importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ImportError(f"{name} is not for pure rooms")

BLOCKED = set(sys.argv[1].split(","))
for name in BLOCKED & set(sys.modules):
    del sys.modules[name]
sys.meta_path.insert(0, Refuse())
for name in sys.argv[2].split(","):
    importlib.import_module(name)
print(len([name for name in sys.modules if name.partition(".")[0] in BLOCKED]))
"""


def import_all(names: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, ",".join(BLOCKED), ",".join(names)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_pure_rooms_when_frameworks_are_blocked_then_import() -> None:
    assert all(modules(room) for room in PURE_ROOMS)

    done = import_all([dotted(path) for path in modules(*PURE_ROOMS)])

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "0"


def test_block_when_a_room_is_not_pure_then_is_noticed() -> None:
    done = import_all(["people.models"])

    assert done.returncode != 0
    assert "is not for pure rooms" in done.stderr


def asked_of_the_world(path: Path) -> Iterator[str]:
    for node in nodes(tree(path), ast.Call):
        match node.func:
            case ast.Attribute(value=ast.Name(id="random"), attr=name) if name not in SEEDED:
                yield f"{place(path, node)}: random.{name} is seeded by nobody"
            case ast.Attribute(value=ast.Name(id="random"), attr="Random") if not node.args:
                yield f"{place(path, node)}: Random() without a seed"
            case ast.Attribute(attr=name) if name in WORLD:
                yield f"{place(path, node)}: .{name}()"
            case ast.Name(id=("open" | "print" | "input") as name):
                yield f"{place(path, node)}: {name}()"


def test_pure_module_asks_neither_clock_nor_chance_nor_disk() -> None:
    paths = list(modules(*PURE_ROOMS))
    assert len(paths) > 100
    assert [fault for path in paths for fault in asked_of_the_world(path)] == []
