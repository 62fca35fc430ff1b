"""The glossary: the places it names are there, and words of a dialect that had to be learned are no names again."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT, nodes, tree

HOMES = ("config", "faults", "names", "people", "games", "rating", "tournaments", "tools", "benchmarks")
BANNED = {
    "told",
    "retold",
    "untold",
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
# Kept in the database: a column of the ratings, fields of the trail.
STORED = {"shelf", "wish"}
STORED_KEYS = STORED | {"told"}
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


def keys_of(source: ast.AST) -> Iterator[str]:
    """What a module calls a part of something: keys of dictionaries, written or read."""
    for node in nodes(source, ast.Dict, ast.Subscript, ast.Call):
        if isinstance(node, ast.Dict):
            found: list[ast.expr | None] = list(node.keys)
        elif isinstance(node, ast.Subscript):
            found = [node.slice]
        else:
            found = node.args[:1] if isinstance(node.func, ast.Attribute) and node.func.attr == "get" else []
        for one in found:
            # With a dot it is a code, which programs know and which stays.
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isidentifier():
                yield one.value


def names_in_script(source: str) -> set[str]:
    """Constants, variables, functions and their arguments, parts of objects; what an element is found by."""
    code = re.sub(r"(?m)(^|\s)//.*$", "", source)
    named = re.findall(r"\b(?:const|let|function|class)\s+(\w+)", code)
    for arguments in re.findall(r"\(([\w, ]*)\) =>", code):
        named += re.findall(r"\w+", arguments)
    for way in (
        r"\b(\w+) =>",
        r"\bdataset\.(\w+)",
        r"\"\.([a-z][\w-]+)\"",
        r"\[(data-[\w-]+)",
        r"[{,]\s*(\w+):",
    ):
        named += re.findall(way, code)
    return set(named)


def names_in_markup(source: str) -> set[str]:
    """Classes, data, names of fields, and what a template calls the things of a loop."""
    named = re.findall(r'\b(?:class|name|data-key|id)="([^"{]*)', source)
    named += re.findall(r"\s(data-[\w-]+)", source)
    named += re.findall(r"{% for ([\w, ]+) in ", source)
    named += re.findall(r"\bas (\w+) %}", source)
    return {word for some in named for word in re.findall(r"[\w-]+", some)}


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
            names |= set(names_of(tree(path))) - STORED
            names |= set(keys_of(tree(path))) - STORED_KEYS
        found |= {f"{path.relative_to(ROOT)}: {name}" for name in names if words_in(name) & BANNED}
    assert found == set()


@pytest.mark.parametrize(
    ("folder", "ending", "named"),
    [
        ("templates", "html", names_in_markup),
        ("static/css", "css", lambda text: set(re.findall(r"(?:\.|\[)([a-z][\w-]*)", text))),
        ("static/js", "js", names_in_script),
    ],
)
def test_pages_when_looked_at_then_no_name_is_of_the_old_dialect(folder, ending, named):
    paths = list((ROOT / folder).rglob(f"*.{ending}"))
    assert len(paths) > 15
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for name in {path.stem, *named(path.read_text())}
        if words_in(name) & BANNED
    }
    assert found == set()


def test_helpers_of_tests_when_looked_at_then_none_is_of_the_old_dialect():
    """Modules and what they define: a test may say in its own name, and in its lines, what is told."""
    found = set()
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text()
        names = {path.stem, *re.findall(r"(?m)^\s*(?:def|class) (?!test_)(\w+)", text)}
        names |= set(re.findall(r"(?m)^(\w+)(?:: [^=]+)? = ", text)) | set(re.findall(r"\bas (\w+)$", text))
        found |= {f"{path.relative_to(ROOT)}: {name}" for name in names if words_in(name) & BANNED}
    assert found == set()


def test_words_when_a_name_is_taken_apart_then_found_in_either_case():
    assert words_in("_SaidClaim") == {"said", "claim"}
    assert words_in("OWN_SHELF_ABOVE") == {"own", "shelf", "above"}
    assert "told" not in words_in("foretold_at")


def test_names_when_taken_from_any_source_then_all_are_found():
    source = ast.parse('{"told": 1, "match.changed_meanwhile": 2}\nfacts["said"]\nsent.get("deed", "")')
    assert set(keys_of(source)) == {"told", "said", "deed"}
    script = 'const told = (said, x) => 1; // let deed\nfor (const y of ys) y.dataset.wish = f(".desk-told", "[data-storm]", (shelf) => 1);'
    assert names_in_script(script) >= {"told", "said", "wish", "desk-told", "data-storm", "shelf"}
    assert "deed" not in names_in_script(script)
    page = '<p class="a desk-told" data-said name="deed">{% for number, wish in rows %}{% translate "x" as storm %}'
    assert names_in_markup(page) >= {"desk-told", "data-said", "deed", "wish", "storm"}
