"""What nobody in the product uses is not there: tests alone keep nothing alive.

A name counts as used where product code says it outside of its own definition (as a name, an attribute, a keyword, or as the whole of
a text, such as the address of a task or a setting) or where a template does. Something dead that bears a common name is not found; what
is found is dead, or called by a framework and listed here.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT, modules, nodes, tree
from tools.check import PRODUCT

CALLED_BY_FRAMEWORKS = {
    "DatabaseWrapper", "get_new_connection", "on_unknown_task", "_put", "is_due", "_held_connection", "has_key", "delete_many", "send_messages", "LinkScheme", "as_sql", "cached_col", "compress_brotli", "connection_class", "_get_socket", "create_compressor", "post_process", "deconstruct", "from_db", "from_db_value", "get_col", "pre_save", "_get", "add_arguments", "authenticate", "authenticate_header",
    "create_superuser", "get_by_natural_key", "get_cache_key", "get_full_name", "get_security_definition",
    "get_short_name", "handle_data", "handle_endtag", "handle_starttag", "has_add_permission", "has_change_permission", "has_delete_permission", "has_permission",
    "is_open_for_signup", "save_user", "_delete_login_attempts_cached_email", "_get_session_auth_hash",
    "full_clean", "get_public_key_credential_rp_entity", "post_login", "pre_authenticate", "try_save", "process_request", "process_response", "process_view", "should_redirect_with_slash", "pytest_runtest_logreport", "pytest_runtest_protocol", "pytest_sessionfinish", "queue_bind",
    "to_internal_value", "urlpatterns", "process_log_record", "_set_autocommit",
}  # fmt: skip
CLEANS_A_FIELD = "clean_"  # a form calls it for the field of that name
REGISTERS = {
    "admin.register",
    "receiver",
    "setup_logging.connect",
    "worker_ready.connect",
    "worker_init.connect",
    "before_task_publish.connect",
}
NAMES_ITSELF = {"app_name", "handler400", "handler403", "handler404", "handler500"}
KEPT = {
    "UNSHARED_NAMESPACES": "why whole folders of addresses hold no page for everybody: a test sees that each address is in one of the tables",
    "NOT_EXPORTED": "why tables stay out of bundles: a test sees that each table is in one of the lists",
    "known_actions": "tests ask it whether every action of the trail has words",
}
EXCEPTED = CALLED_BY_FRAMEWORKS | NAMES_ITSELF | KEPT.keys()
# Read by a framework as a whole; texts for the collector.
WHOLE_FILES = (
    "config/settings.py",
    "config/formats/",
    "people/borrowed_texts.py",
)
ADDRESS = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*")
TAG = re.compile(r"{[{%](.*?)[%}]}", re.DOTALL)


def test_names_when_defined_then_used_by_the_product(unused) -> None:
    assert [f"{place}: {name}" for place, name in unused if name not in EXCEPTED] == []
    assert len(list(definitions())) > 2000


def test_exceptions_when_listed_then_needed(unused) -> None:
    assert EXCEPTED - {name for _place, name in unused} == set()


def test_decorators_when_excepted_then_something_is_registered_by_them() -> None:
    parts = (node for path in modules(*PRODUCT) for node in nodes(tree(path), ast.FunctionDef, ast.ClassDef))
    assert REGISTERS - {name for part in parts for name in decorators_of(part.decorator_list)} == set()


@pytest.fixture(scope="module")
def unused() -> list[tuple[str, str]]:
    """What no product code says: file and line, and name."""
    known, templates = uses(), words_of_templates()
    return [
        (f"{path}:{first}", name)
        for path, first, last, name in definitions()
        if name not in templates
        and not name.startswith(CLEANS_A_FIELD)
        and all(place == path and first <= line <= last for place, line in known[name])
    ]


def definitions() -> Iterator[tuple[str, int, int, str]]:
    """Functions, classes and constants of modules, methods of classes: file, first and last line, name."""
    for path in modules(*PRODUCT):
        shown = str(path.relative_to(ROOT))
        if shown.startswith(WHOLE_FILES):
            continue
        for node in tree(path).body:
            parts = [node, *(node.body if isinstance(node, ast.ClassDef) else [])]
            for part in parts:
                for name in names_of(part, constants=part is node):
                    yield shown, part.lineno, part.end_lineno or part.lineno, name


def names_of(node: ast.stmt, *, constants: bool) -> list[str]:
    match node:
        case (
            ast.FunctionDef(name=name, decorator_list=decorators)
            | ast.ClassDef(name=name, decorator_list=decorators)
        ):
            framework = decorators_of(decorators) & REGISTERS or name.startswith("__")
            is_app = isinstance(node, ast.ClassDef) and any("AppConfig" in ast.unparse(b) for b in node.bases)
            return [] if framework or is_app else [name]
        case ast.Assign(targets=targets) if constants:
            return [one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("__")]
        case ast.AnnAssign(target=ast.Name(id=name)) if constants:
            return [name]
    return []


def decorators_of(decorators: list[ast.expr]) -> set[str]:
    return {ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in decorators}


def uses() -> dict[str, list[tuple[str, int]]]:
    """Where each name is said by product code."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for path in modules(*PRODUCT):
        shown = str(path.relative_to(ROOT))
        for node in nodes(tree(path), ast.Name, ast.Attribute, ast.keyword, ast.ImportFrom, ast.Constant):
            for name in names_by(node):
                found[name].append((shown, node.lineno))
    return found


def names_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
        case ast.ImportFrom(names=names):
            return [one.name for one in names if one.asname not in {None, one.name}]
        case ast.Constant(value=str(text)) if ADDRESS.fullmatch(text):
            return re.split("[.:]", text)
    return []


def words_of_templates() -> set[str]:
    return {
        word
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
        for tag in TAG.findall(path.read_text())
        for word in re.findall(r"\w+", tag)
    }
