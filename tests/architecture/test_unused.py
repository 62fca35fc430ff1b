"""What nobody in the product uses is not there: tests alone keep nothing alive.

A name counts as used where product code says it outside of its own definition (as a name, an attribute, a keyword, or as the whole of
a text, such as the address of a task or a setting) or where a template does. Something dead that bears a common name is not found; what
is found is dead, or called by a framework and listed here.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.architecture.source import ROOT, modules, nodes, tree
from tools.check import PRODUCT

CALLED_BY_FRAMEWORKS = {
    "Command", "Consumer", "DatabaseWrapper", "get_new_connection", "on_unknown_task", "has_key", "touch", "delete_many", "send_messages", "is_due", "LinkScheme", "as_sql", "cached_col", "compress_brotli", "connection_class", "_get_socket", "create_compressor", "post_process", "deconstruct", "from_db", "from_db_value", "get_col", "pre_save", "Meta", "_get", "_put", "add_arguments", "authenticate", "authenticate_header",
    "create_superuser", "get_by_natural_key", "get_cache_key", "get_full_name", "get_security_definition",
    "get_short_name", "handle_data", "handle_endtag", "handle_starttag", "has_add_permission", "has_change_permission", "has_delete_permission", "has_permission",
    "is_open_for_signup", "post", "_delete_login_attempts_cached_email", "_get_session_auth_hash", "authentication_failed",
    "full_clean", "get_public_key_credential_rp_entity", "get_reauthentication_methods", "post_login", "pre_authenticate", "try_save", "process_request", "process_response", "process_view", "should_redirect_with_slash", "pytest_runtest_logreport", "pytest_runtest_protocol", "pytest_sessionfinish", "queue_bind",
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
NAMES_ITSELF = {"app_name", "default_app_config", "handler400", "handler403", "handler404", "handler500"}
KEPT = {
    "UNSHARED_SPACES": "why whole folders of addresses hold no page for everybody: a test sees that each address is in one of the tables",
    "MatchId": "a text of the field, read and written beside the position ID",
    "legal_plays": "what a roll allows: the measure for `check_play` and the benchmarks",
    "known_actions": "tests ask it whether every action of the trail has words",
}
# Read by a framework as a whole; texts for the collector.
WHOLE_FILES = (
    "config/settings.py",
    "config/formats/",
    "people/borrowed_texts.py",
)
ADDRESS = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*")
TAG = re.compile(r"{[{%](.*?)[%}]}", re.DOTALL)


def test_names_when_defined_then_used_by_the_product() -> None:
    known, said = uses(), words_of_templates() | CALLED_BY_FRAMEWORKS | NAMES_ITSELF | KEPT.keys()
    found = list(definitions())
    unused = [
        f"{path}:{first}: {name}"
        for path, first, last, name in found
        if name not in said
        and not name.startswith(CLEANS_A_FIELD)
        and all(place == path and first <= line <= last for place, line in known[name])
    ]
    assert unused == []
    assert len(found) > 2000


def test_exceptions_when_listed_then_still_needed() -> None:
    names = {name for _path, _first, _last, name in definitions()}
    assert not (CALLED_BY_FRAMEWORKS | KEPT.keys()) - names


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
            asked = {ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in decorators}
            framework = asked & REGISTERS or name.startswith("__")
            is_app = isinstance(node, ast.ClassDef) and any("AppConfig" in ast.unparse(b) for b in node.bases)
            return [] if framework or is_app else [name]
        case ast.Assign(targets=targets) if constants:
            return [one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("__")]
        case ast.AnnAssign(target=ast.Name(id=name)) if constants:
            return [name]
    return []


def uses() -> dict[str, list[tuple[str, int]]]:
    """Where each name is said by product code."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for path in modules(*PRODUCT):
        shown = str(path.relative_to(ROOT))
        for node in nodes(tree(path), ast.Name, ast.Attribute, ast.keyword, ast.ImportFrom, ast.Constant):
            for name in said_by(node):
                found[name].append((shown, node.lineno))
    return found


def said_by(node: ast.AST) -> list[str]:
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
