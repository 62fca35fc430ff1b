"""What the trail tells are typed values: every kind is written by a service, has words, and nobody reads its JSON by hand."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from people.web.trail import known_actions
from tests.architecture.source import ROOT, modules, nodes, place, tree
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.kinds import ACTION_KINDS
from tournaments.models.trail import serialize_action
from tournaments.site.web.trail_words import ACTION_MESSAGES

WRITERS = {"services", "store"}
CODEC = "tournaments.models.trail"
ROW = "AuditEntry"


def names_in(source: ast.Module) -> set[str]:
    return {node.id for node in nodes(source, ast.Name)}


def knows_rows(source: ast.Module) -> bool:
    """Whether a module has to do with rows of the trail."""
    named = {
        name
        for node in nodes(source, ast.ImportFrom)
        for name in (node.module or "", *(one.name for one in node.names))
    }
    return bool(named & {ROW, "people.web.trail", CODEC})


def read_by_hand(source: ast.Module) -> Iterator[ast.AST]:
    """``data["name"]``, ``facts.get("name")`` and ``row.data["name"]``."""
    for node in nodes(source, ast.Subscript, ast.Call):
        asked: ast.expr | None = None
        of: ast.expr | None = None
        if isinstance(node, ast.Subscript):
            of, asked = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            of, asked = node.func.value, next(iter(node.args), None)
        is_text = isinstance(asked, ast.Constant) and isinstance(asked.value, str)
        named = of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""
        if is_text and named in {"data", "facts"}:
            yield node


def test_kinds_when_there_are_some_then_each_is_written_by_a_service() -> None:
    said = set().union(
        *(names_in(tree(path)) for path in modules("tournaments") if WRITERS & set(path.parts))
    )
    assert {action.__name__ for action in ACTION_KINDS.values()} - said == set()


def test_kinds_when_there_are_some_then_each_has_words_and_nothing_else_has() -> None:
    assert set(ACTION_MESSAGES) == set(ACTION_KINDS.values())
    assert ACTION_KINDS.keys() <= known_actions()


def test_actions_when_a_service_writes_them_then_by_their_kind() -> None:
    by_hand = [
        place(path, node)
        for path in modules("tournaments")
        for node in nodes(tree(path), ast.keyword)
        if node.arg == "action"
        and isinstance(node.value, ast.Constant | ast.JoinedStr)
        and "." in ast.unparse(node.value)
    ]
    assert by_hand == []


def test_rows_when_read_then_as_typed_values() -> None:
    readers = [path for path in modules("tournaments") if knows_rows(tree(path))]
    faults = [
        place(path, node)
        for path in readers
        if not path.match("tournaments/models/trail.py")
        for node in read_by_hand(tree(path))
    ]
    assert faults == []
    assert len(readers) > 8


@pytest.mark.parametrize("planted", ['row.data["undo"]', 'facts.get("kind")', 'merge.data.get("user")'])
def test_reading_by_hand_when_planted_then_found(planted: str) -> None:
    assert len(list(read_by_hand(ast.parse(planted)))) == 1


def test_action_when_its_kind_is_not_registered_then_refused_loudly() -> None:
    class Exploded(AuditAction):
        kind = "event.explode"

    with pytest.raises(LookupError, match="Exploded"):
        serialize_action(Exploded())


def test_site_when_started_then_every_kind_of_action_has_its_sentence() -> None:
    """In a process of its own: here some test has imported everything already."""
    asked = (
        "import django; django.setup();"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "from people.web.trail import known_actions;"
        "from tournaments.engine.trail.kinds import ACTION_KINDS;"
        "print(sorted(set(ACTION_KINDS) - known_actions()))"
    )
    surroundings = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "CRAWFORD_TEST_DATABASE": "sqlite",
    }
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
