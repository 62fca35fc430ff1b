"""Find worn phrases and retired terms in texts that people read: `python tools/wording.py`.

Reads the German catalogue, which contains every text of the interface in English and German; and from the source, the texts that are only
in English: management commands, the help and output of `tools/` and `benchmarks/`, and descriptions of the API. The terms are listed in
docs/glossary.md. `make check` runs it. Exit status 1 if anything is found.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"
# Where texts are in English only, by the path of the file. Docstrings that are shown: of programs the module's, of the API those of classes
# and of the methods named like a request. What the description takes from elsewhere is read by tests/api/test_description.py.
COMMANDS = re.compile(r"(^|/)management/commands/|^tournaments/(backups|bundles|checks)/(?!simulation/)")
PROGRAMS = re.compile(r"^(tools|benchmarks)/[^/]+\.py$")
API = re.compile(r"(^|/)api(/|\.py$)|^config/(settings|safety|environment)\.py$")
LINES = ("Makefile", ".ci/run", ".ci/long")
REQUESTS = {"get", "post", "put", "patch", "delete"}

# Phrases that read as if translated word for word. `is no longer` is fine, and so are standings.
WORN = (
    "whoever",
    "somebody",
    "nobody",
    "anybody",
    "there is no",
    r"is no(?! longer)",
    "no such",
    r"(?:take|takes|taken|took) (?:back|away|in)",
    "once more",
    r"falls? away",
    "anew",
    "stands?",
    r"comes? (?:of|out)",
    "by lot",
    "by itself",
    r"(?:is|are) told",
    "was said",
    "to be there",
    r"calls? off|called off",
    "holds us up",
    "does not take place",
)
# Retired terms, each with the one that is used.
RETIRED = {
    r"walk-overs?": "walkover",
    r"knock-outs?": "knockout",
    "telephone": "phone",
    "matrix": "players (table)",
    "hall board": "display",
    r"hold-ups?": "delays",
    r"(?<!-)trails?(?!-)": "audit log",
    "desk line": "command bar",
    r"turn(?:ed)? away": "decline",
    r"buy(?:ing)?[ -]backs?|bought back": "re-entry",
    "second factor": "two-step sign-in",
    "programming interface": "API",
    r"throw (?:it )?away": "discard",
    r"promis(?:e|es|ed)": "commitment",
    "soundness": "integrity check",
    "meet late": "kept apart in early rounds",
}
GERMAN = {
    r"Matchs": "Matches",
    r"Ihnen": "dir",
    r"Rebuys?": "Wiedereinstieg",
}
# Exceptions, each with its reason.
EXCEPTIONS: dict[str, str] = {
    "PostgreSQL cannot run as root, and neither a user postgres nor nobody exists.": "the name of an account of Unix",
}

_ENGLISH = re.compile(rf"\b(?:{'|'.join((*WORN, *RETIRED))})\b", re.IGNORECASE)
_GERMAN = re.compile(rf"\b(?:{'|'.join(GERMAN)})\b")
_CODE = re.compile(r"(`+)[^`]*\1|^ {4}.*$", re.MULTILINE)  # and lines of usage


def texts() -> Iterator[tuple[str, str, str]]:
    """Yield each text of the interface: first place where it is used, English and German.

    Plurals separately.
    """
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="de", domain="django")
    for message in catalogue:
        if not message.id:
            continue
        place = message.locations[0][0] if message.locations else ""
        english, german = (
            [str(part) for part in value] if isinstance(value, list | tuple) else [str(value)]
            for value in (message.id, message.string)
        )
        for number, text in enumerate(english):
            yield place, text, german[min(number, len(german) - 1)]


def english_only() -> Iterator[tuple[str, str]]:
    """Yield every text that is not in a catalogue, with its place."""
    result = subprocess.run(
        ("git", "ls-files", "-z", "*.py"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    for path in filter(None, result.stdout.split("\0")):
        if any(kind.search(path) for kind in (COMMANDS, PROGRAMS, API)) and not path.startswith("tests/"):
            for line, text in texts_of(path, (ROOT / path).read_text()):
                yield f"{path}:{line}", text
    for path in LINES:
        for line, text in enumerate((ROOT / path).read_text().splitlines(), 1):
            if not text.startswith("#"):
                yield f"{path}:{line}", text


def texts_of(path: str, source: str) -> Iterator[tuple[int, str]]:
    r"""The texts that a module shows: strings of several words, values in them as `{}`, and docstrings where these are shown.

    >>> list(texts_of("tools/one.py", '"Do it."\ndef f(x):\n    "Not shown."\n    print(f"No such {x} here")'))
    [(1, 'Do it.'), (4, 'No such {} here')]
    """
    tree = ast.parse(source)
    skipped = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            skipped.update(part for part in node.values if isinstance(part, ast.Constant))
    if path == "tools/wording.py":  # its patterns
        skipped.update(ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            docstring = ast.get_docstring(node, clean=not isinstance(node, ast.Module))
            if docstring and _is_shown(path, node):
                yield node.body[0].lineno, docstring
        elif node in skipped:
            continue
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


def _is_shown(path: str, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> bool:
    if isinstance(node, ast.Module):
        return PROGRAMS.search(path) is not None
    if API.search(path) is None:
        return False
    return isinstance(node, ast.ClassDef) or node.name in REQUESTS


def worn_phrases(text: str) -> list[str]:
    """Worn phrases and retired terms in an English text, but for what is marked as code.

    >>> worn_phrases("Nobody knows `promise`.")
    ['Nobody']
    """
    return [hit[0] for hit in _ENGLISH.finditer(_CODE.sub("", text))]


def faults() -> list[str]:
    """Return a message for each worn phrase or retired term, and for exceptions that are no longer needed."""
    messages, used_exceptions = [], set()
    for place, text in english_only():
        for phrase in worn_phrases(text):
            if text in EXCEPTIONS:
                used_exceptions.add(text)
            else:
                messages.append(f"{place}: “{phrase}” in “{' '.join(text.split())[:100]}”")
    for place, english, german in texts():
        for text, pattern in ((english, _ENGLISH), (german, _GERMAN)):
            for hit in pattern.finditer(text):
                if english in EXCEPTIONS:
                    used_exceptions.add(english)
                else:
                    messages.append(f"{place}: “{hit[0]}” in “{text[:100]}”")
    return messages + [
        f"tools/wording.py: no text needs the exception “{exception}”"
        for exception in EXCEPTIONS
        if exception not in used_exceptions
    ]


def main() -> int:
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    messages = faults()
    print(*messages, sep="\n", end="\n" if messages else "")
    print(f"{len(messages)} to be written better")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
