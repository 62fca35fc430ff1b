"""Pages and API write no query of their own: they ask selectors, and services write.

What a selector hands over may be a set of rows that is not fetched yet: a page cuts its own part out of it (`Paginator`,
a slice), and nothing else.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.apps import apps

from tests.architecture.source import APPS, ROOT, dotted, modules, modules_named, nodes, place, tree

# Wherever they stand, in an app or in a room of it: folders or modules of these names.
PAGES = modules_named("web", "api", "templatetags", "urls", "shared")
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))

MANAGERS = {"objects", "_default_manager", "_base_manager"}
SHORTCUTS = {"get_object_or_404", "get_list_or_404", "aget_object_or_404", "aget_list_or_404", "one_or_none"}
READS = {
    "aggregate",
    "alias",
    "all",
    "annotate",
    "dates",
    "datetimes",
    "defer",
    "distinct",
    "earliest",
    "exclude",
    "exists",
    "explain",
    "extra",
    "filter",
    "first",
    "in_bulk",
    "iterator",
    "last",
    "latest",
    "only",
    "order_by",
    "prefetch_related",
    "raw",
    "refresh_from_db",
    "select_related",
    "values_list",
}
WRITES = {
    "bulk_create",
    "bulk_update",
    "create",
    "delete",
    "get_or_create",
    "save",
    "select_for_update",
    "update_or_create",
}
RAW = {"cursor", "execute", "executemany", "callproc"}
# Types of what a selector hands over; everything else of `django.db` makes a query or a transaction.
TYPES = {"Model", "QuerySet"}


def is_query(call: ast.Call) -> bool:
    """A call that only rows of the database answer. Names that dicts and lists know as well tell by their arguments."""
    match call:
        case ast.Call(func=ast.Attribute(attr=name)) if name in READS | WRITES | RAW:
            return True
        case ast.Call(func=ast.Attribute(attr="count"), args=[], keywords=[]):
            return True  # a list counts something
        case (
            ast.Call(func=ast.Attribute(attr="values"), args=[_, *_])
            | ast.Call(func=ast.Attribute(attr="values"), keywords=[_, *_])
        ):
            return True  # a dict gives all of them
        case ast.Call(func=ast.Attribute(attr="get" | "update"), args=[], keywords=[_, *_]):
            return True  # a dict is asked by position
    return False


def queries(root: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Where ``root`` asks the database by itself, and by what."""
    for node in nodes(root, ast.Attribute, ast.Name, ast.ImportFrom, ast.Import, ast.Call):
        match node:
            case ast.Attribute(attr=name) if name in MANAGERS:
                yield node, f".{name}"
            case ast.Name(id=name) if name in SHORTCUTS:
                yield node, name
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[:2] == ["django", "db"]:
                yield from ((node, f"from {module} import {n.name}") for n in names if n.name not in TYPES)
            case ast.Import(names=names):
                yield from ((node, n.name) for n in names if n.name.split(".")[:2] == ["django", "db"])
            case ast.Call() if is_query(node):
                yield node, f".{node.func.attr}()" if isinstance(node.func, ast.Attribute) else ""


def test_pages_when_looked_for_then_found_in_every_app_and_room():
    """Every module that answers a request by a view or an address of its own is among them."""
    answering = [
        path
        for path in modules(*APPS)
        if re.search(
            r"^from (django.shortcuts|rest_framework.views) import|^urlpatterns\b",
            path.read_text(),
            re.MULTILINE,
        )
    ]
    assert len(answering) > 50
    assert [dotted(path) for path in answering if path not in PAGES] == []


def test_page_never_writes_a_query() -> None:
    assert [f"{place(path, node)}: {what}" for path in PAGES for node, what in queries(tree(path))] == []


@pytest.mark.parametrize(
    "planted",
    [
        "Club.objects.get(pk=1)",
        "rows = Club._default_manager",
        "get_object_or_404(Club, pk=1)",
        "from django.db import connection",
        "from django.db.models import Count, QuerySet",
        "import django.db.models",
        "event.divisions.all()",
        "event.divisions.filter(position=1)",
        "event.divisions.count()",
        "event.divisions.values('pk')",
        "event.divisions.get(position=1)",
        "event.divisions.update(name='')",
        "entry.players.order_by('pk')",
        "event.refresh_from_db()",
        "event.save()",
        "event.delete()",
        "event.divisions.create(position=1)",
    ],
)
def test_query_when_planted_then_found(planted: str) -> None:
    assert list(queries(ast.parse(planted)))


@pytest.mark.parametrize(
    "harmless",
    [
        "from django.db.models import Model, QuerySet",
        "request.GET.get('page')",
        "names.values()",
        "names.update(other)",
        "names.count('a')",
        "Paginator(trail_of(event), 50).get_page(1)",
        "all(names)",
    ],
)
def test_query_when_nothing_asks_the_database_then_none_found(harmless: str) -> None:
    assert list(queries(ast.parse(harmless))) == []


@cache
def related_names() -> set[str]:
    """What rows call the rows that point at them."""
    relations = [
        field for model in apps.get_models() for field in model._meta.get_fields() if field.is_relation
    ]
    many = [field for field in relations if field.one_to_many or field.many_to_many]
    return {
        field.get_accessor_name() or "" if field.auto_created and not field.concrete else field.name
        for field in many
    } - {""}


def asked_by(source: str) -> list[str]:
    """Related rows that a template fetches by itself."""
    tags = "".join(re.findall(r"\{[{%].*?[}%]\}", source, re.DOTALL))
    names = "|".join(sorted(related_names()))
    return re.findall(rf"\.(?:{names})\.(?:all|count|exists|first|last)\b|\w_set\b|\.objects\b", tags)


def test_template_never_asks_for_related_rows() -> None:
    assert len(TEMPLATES) > 300
    asked = {path: asked_by(path.read_text()) for path in TEMPLATES}
    assert {str(path.relative_to(ROOT)): names for path, names in asked.items() if names} == {}


def test_template_when_it_asks_for_related_rows_then_noticed() -> None:
    assert asked_by("{% for one in event.divisions.all %}{% endfor %} {{ club.players.count }}") == [
        ".divisions.all",
        ".players.count",
    ]
    assert asked_by("{{ page.paginator.count }} {% if column.count %}{% endif %}") == []
