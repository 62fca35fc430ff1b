"""One door per state change: services write, lifecycle decides, everybody else asks."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.architecture.source import APPS, ROOT, dotted, modules, modules_named, nodes, place, tree

# Wherever they stand, in an app or in a room of it: folders or modules of these names.
READING = ("web", "api", "selectors", "templatetags", "admin", "urls", "shared")
READERS = modules_named(*READING)
SERVICES = modules_named("services")
WRITES = {"bulk_create", "bulk_update", "get_or_create", "update_or_create", "select_for_update"}


def is_next_status(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "next_status"


def status_assignments(path):
    """Every `x.status = …`, also within a tuple; `self.status` inside an error class is a field of its own."""
    for node in nodes(tree(path), ast.Assign, ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        flat = [
            inner
            for target in targets
            for inner in (target.elts if isinstance(target, ast.Tuple) else [target])
        ]
        for target in flat:
            if isinstance(target, ast.Attribute) and target.attr == "status":
                yield node, target


def by_the_table(path, value: ast.expr) -> bool:
    """Statuses of tournaments are assigned in the store alone; everywhere by the table."""
    floor = "store" if "tournaments" in path.parts else "services"
    return floor in path.parts and is_next_status(value)


def test_status_when_assigned_then_by_the_store_and_by_the_table() -> None:
    faults, seen = [], 0
    for path in modules("people", "games", "rating", "tournaments", "config"):
        if "engine" in path.parts:
            continue
        for node, target in status_assignments(path):
            seen += 1
            if not by_the_table(path, node.value):
                faults.append(f"{place(path, node)}: {ast.unparse(target)} is set past the lifecycle table")
    assert faults == []
    assert seen > 3


OF_THE_STORE = {"Match", "MatchSlot", "Report", "StageEntry", "PairRequest", "RoundPlan"}
OF_A_STAGE = {"stage_entries", "pair_requests", "round_plans"}
WRITING = {
    "bulk_create",
    "bulk_update",
    "create",
    "update",
    "delete",
    "save",
    "get_or_create",
    "update_or_create",
}


def stored_past_the_store(tree_: ast.AST):
    """Calls that write what the store writes: by its manager, from the stage, or of a row that is called after it."""
    for node in nodes(tree_, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
            names = {inner.id for inner in ast.walk(node.func.value) if isinstance(inner, ast.Name)}
            asked = {inner.attr for inner in ast.walk(node.func.value) if isinstance(inner, ast.Attribute)}
            if (
                names & OF_THE_STORE
                or asked & OF_A_STAGE
                or (names & {"match", "slot", "report"} and node.func.attr in {"save", "delete"})
            ):
                yield node


def test_matches_and_what_is_arranged_when_written_then_by_the_store() -> None:
    """Demo and simulations included: they go through the services like everybody."""
    outside = [path for path in modules("tournaments") if not {"store", "migrations"} & set(path.parts)]
    assert [place(path, node) for path in outside for node in stored_past_the_store(tree(path))] == []
    inside = [node for path in modules("tournaments/store") for node in stored_past_the_store(tree(path))]
    assert len(inside) > 10


@pytest.mark.parametrize(
    "written",
    [
        "match.save()",
        "Match.objects.filter(pk=1).update(table=2)",
        "Report.objects.create(match=m)",
        "stage.stage_entries.filter(entry=e).update(is_struck=True)",
    ],
)
def test_write_past_the_store_when_planted_then_found(written) -> None:
    assert list(stored_past_the_store(ast.parse(written)))


def test_status_when_updated_in_bulk_then_refused() -> None:
    faults = [
        place(path, node)
        for path in modules("tournaments")
        for node in nodes(tree(path), ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr == "update"
        and any(keyword.arg == "status" for keyword in node.keywords)
    ]
    assert faults == []


def written_by_a_reader(path: Path) -> Iterator[str]:
    for node in nodes(tree(path), ast.Call, ast.Attribute):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in WRITES:
                yield f"{place(path, node)}: .{name}()"
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="objects"), attr="create" | "update" | "delete")
            ):
                yield f"{place(path, node)}: {ast.unparse(node.func)}()"
            case ast.Call(func=ast.Attribute(attr="save", value=ast.Name(id=name))) if "form" not in name:
                yield f"{place(path, node)}: {name}.save()"
            case ast.Attribute(value=ast.Name(id="transaction"), attr="atomic"):
                yield f"{place(path, node)}: a transaction of its own"


def test_reader_never_writes() -> None:
    assert len(READERS) > 300
    assert [fault for path in READERS for fault in written_by_a_reader(path)] == []


def test_doors_when_looked_at_then_all_begin_anew_after_a_deadlock() -> None:
    """`people.transactions.durable` alone opens a durable transaction."""
    found = [path for path in SERVICES if "durable=True" in path.read_text()]
    assert found == []


def durable_services():
    """Functions that are one durable transaction: the doors."""
    for path in SERVICES:
        for node in tree(path).body:
            if (
                isinstance(node, ast.FunctionDef)
                and not node.name.startswith("_")
                and any(ast.unparse(d) == "durable" for d in node.decorator_list)
            ):
                yield path, node


def test_service_takes_keywords_alone_and_says_what_it_returns() -> None:
    faults, seen = [], 0
    for path, node in durable_services():
        seen += 1
        if node.args.args or node.args.posonlyargs:
            faults.append(f"{place(path, node)}: {node.name} takes arguments by position")
        if node.returns is None or any(argument.annotation is None for argument in node.args.kwonlyargs):
            faults.append(f"{place(path, node)}: {node.name} is not fully typed")
    assert faults == []
    assert seen > 10


def test_audience_of_an_answer_when_set_then_by_pages_and_api_alone() -> None:
    """A service reads names as they are for as long as it runs (`durable`), a selector for whoever asks it."""
    below = modules_named("services", "selectors", "store", "models", "tasks")
    faults = [
        place(path, node)
        for path in below
        for node in nodes(tree(path), ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == "read_for"
    ]
    assert faults == []
    assert len(below) > 200


@pytest.mark.parametrize("path", [path for app in APPS for path in modules(f"{app}/tasks.py")], ids=dotted)
def test_task_takes_ids_and_words_alone(path) -> None:
    module = import_module(dotted(path))
    tasks = [value for value in vars(module).values() if hasattr(value, "delay") and hasattr(value, "run")]
    assert tasks
    for task in tasks:
        for parameter in inspect.signature(task.run).parameters.values():
            assert parameter.annotation in {int, str, "int", "str"}, f"{task.name}: {parameter}"


def test_every_module_of_the_product_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in modules("config", *APPS, "tools")
        if path.name != "apps.py" and path.read_text().strip() and ast.get_docstring(tree(path)) is None
    ]
    assert silent == []
