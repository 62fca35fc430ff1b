"""One way to the cache, and one place where an ETag is made: both hold the release."""

import ast
from pathlib import Path

from django.conf import settings

from tests.architecture.source import APPS, ROOT, modules, nodes, place, tree

CACHES = "django.core.cache"
IMPORTS = (ast.Import, ast.ImportFrom)
# A picture whose ETag is a hash of its own bytes, or of the drawing that it is made from.
OWN_ETAGS = {"games/web/pages.py", "tournaments/matches/web/quiz_card.py"}


def imported(node: ast.AST) -> set[str]:
    match node:
        case ast.Import(names=names):
            return {name.name for name in names}
        case ast.ImportFrom(module=str(module), names=names):
            return {module, *(f"{module}.{name.name}" for name in names)}
    return set()


def test_cache_when_used_then_through_the_helper_that_puts_the_release_into_every_key() -> None:
    users = {
        str(path.relative_to(ROOT))
        for path in modules("config", *APPS, "tools")
        for node in nodes(tree(path), *IMPORTS)
        if any(name == CACHES or name.startswith(f"{CACHES}.") for name in imported(node))
    }
    # What the cache is made of, and what only empties it. Markers say that a message waits, and messages outlive a release.
    others = {"config/caches.py", "people/services/hints.py", "tools/page_visits.py"}
    assert users == {"people/caching.py", *others}


def test_values_that_only_their_own_code_could_read_are_written_by_nobody() -> None:
    kinds = {"pickle", "shelve", "marshal", "dill", "cloudpickle"}
    writers = [
        place(path, node)
        for path in modules("config", *APPS, "tools")
        for node in nodes(tree(path), *IMPORTS)
        if imported(node) & kinds
    ]
    assert writers == []


def test_templates_keep_nothing_by_themselves() -> None:
    loaders = [path for path in (ROOT / "templates").rglob("*.html") if "{% cache " in path.read_text()]
    assert loaders == []


def test_pages_kept_whole_by_a_decorator_or_a_middleware_are_none() -> None:
    deciders = [
        place(path, node)
        for path in modules("config", *APPS)
        for node in nodes(tree(path), *IMPORTS)
        if "cache_page" in {name.rpartition(".")[2] for name in imported(node)}
    ]
    assert deciders == []
    assert not [name for name in settings.MIDDLEWARE if name.startswith("django.middleware.cache")]


def test_etag_when_set_then_made_of_the_release() -> None:
    setters = {
        path
        for path in modules("config", *APPS)
        for node in nodes(tree(path), ast.Subscript)
        if isinstance(node.ctx, ast.Store)
        and isinstance(node.slice, ast.Constant)
        and str(node.slice.value).lower() == "etag"
    }
    others = {name for path in setters if "page_etag" not in names_in(path) and (name := shown(path))}
    assert others == OWN_ETAGS
    assert len(setters) > len(OWN_ETAGS)
    assert "settings.RELEASE" in ast.unparse(tree(ROOT / "people/web/versioned.py"))


def names_in(path: Path) -> set[str]:
    found = {node.id for node in nodes(tree(path), ast.Name)}
    return found | {node.name for node in tree(path).body if isinstance(node, ast.FunctionDef)}


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))
