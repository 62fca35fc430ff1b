"""The glossary: the places it names are there, and words of a dialect that had to be learned are no names again."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import ROOT, nodes, tree

HOMES = ("config", "faults", "names", "people", "games", "rating", "tournaments", "tools", "benchmarks")
BANNED = {
    "told",
    "retold",
    "said",
    "deed",
    "deeds",
    "storm",
    "storms",
    "shelf",
    "shelves",
    "wish",
    "wishes",
    "meanwhile",
}
# Kept in the database: a column of the ratings, a field of the trail.
STORED = {"shelf", "wish"}
NAMING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.Name, ast.alias)


def names_of(source: ast.AST) -> Iterator[str]:
    """Whatever a module gives a name to: modules it imports, classes, functions, arguments, variables, fields."""
    for node in nodes(source, *NAMING):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.rpartition(".")[2]


def words_in(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)}


def house_words() -> dict[str, str]:
    """The words of the house and where they live."""
    rows = re.findall(
        r"^\| ([^|]+) \| [^|]+ \| `([^`|]+)` \|$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE
    )
    return dict(rows)


def test_glossary_when_a_word_names_its_place_then_it_is_there():
    homes = house_words()
    assert len(homes) > 25
    assert {word: home for word, home in homes.items() if not (ROOT / home).exists()} == {}


def test_names_when_looked_at_then_none_is_of_the_old_dialect():
    paths = [
        path for home in HOMES for path in (ROOT / home).rglob("*.py") if path.parent.name != "migrations"
    ]
    suspect = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(BANNED)})(?![a-z])")
    found = set()
    for path in paths:
        names = {path.stem}
        if suspect.search(path.read_text()):  # most files are not worth parsing
            names |= set(names_of(tree(path)))
        found |= {f"{path.relative_to(ROOT)}: {name}" for name in names - STORED if words_in(name) & BANNED}
    templates = {path for path in (ROOT / "templates").rglob("*.html") if words_in(path.stem) & BANNED}
    assert (found, templates) == (set(), set())


def test_words_when_a_name_is_taken_apart_then_found_in_either_case():
    assert words_in("_SaidClaim") == {"said", "claim"}
    assert words_in("OWN_SHELF_ABOVE") == {"own", "shelf", "above"}
    assert "told" not in words_in("foretold_at")
