"""What the documents tell people to type, set or open is there: words of make, commands with their options, settings, addresses."""

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver

from tests.architecture.source import APPS, ROOT

DOCS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
DOCS += sorted((ROOT / "docs").glob("*.md"))
TEXT = {path.name: path.read_text() for path in DOCS}
SPAN = re.compile(r"`([^`\n]+)`")
# Answered in front of Django.
WATCH = {"healthz", "readyz", "livez", "metrics"}
# Places of the machine, and what another program is told.
ELSEWHERE = ("/usr/", "/tmp/", "/srv/", "/etc/", "/var/", "/backups", "/dev/")


def spans(text: str) -> Iterator[str]:
    """What stands in backticks, and whole lines of code."""
    yield from SPAN.findall(text)
    yield from re.findall(r"^    (\S.*)$", text, re.MULTILINE)


def test_words_of_make_when_a_document_names_them_then_are_there_and_each_is_named() -> None:
    there = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        word
        for text in TEXT.values()
        for span in spans(text)
        for word in re.findall(r"(?:^|[ ;&])make ([a-z0-9]+)", span.partition("apt install")[0])
    }
    assert named - there == set()
    assert there - named - {"help"} == set()


def test_first_change_when_a_newcomer_looks_for_it_then_its_name_stands_in_the_module_that_is_named() -> None:
    steps = TEXT["CONTRIBUTING.md"].partition("## Where things go")[0]
    named = re.findall(r"`([A-Z]+_[A-Z_]+)`", steps)
    source = "\n".join((ROOT / module).read_text() for module in re.findall(r"`(\S+\.py)`", steps))
    assert named
    assert [name for name in named if not re.search(rf"^{name}\b", source, re.MULTILINE)] == []


def has_module(dotted: str) -> bool:
    """Whether a module of this name is there, and in it the names that follow."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        stem = ROOT.joinpath(*parts[:count])
        for file in (stem.with_suffix(".py"), stem / "__init__.py"):
            if file.exists():
                text = file.read_text()
                return all(re.search(rf"\b{name}\b", text) for name in parts[count:])
    return False


def test_modules_when_the_comment_of_a_template_names_them_then_are_there() -> None:
    named = {
        f"{path.relative_to(ROOT)}: {dotted}": dotted
        for path in (ROOT / "templates").rglob("*.html")
        for comment in re.findall(r"{% comment %}(.*?){% endcomment %}", path.read_text(), re.DOTALL)
        for dotted in re.findall(rf"\b((?:{'|'.join(APPS)})(?:\.[a-z_]\w*)+)", comment)
        if not dotted.endswith((".css", ".js"))
    }
    assert len(named) > 10
    assert [where for where, dotted in named.items() if not has_module(dotted)] == []
    assert not has_module("tournaments.web.records.listing")


def test_commands_when_a_document_names_them_then_are_there_with_their_options() -> None:
    known, gone, found = get_commands(), [], 0
    for name, text in TEXT.items():
        for span in spans(text):
            for command, rest in re.findall(r"manage\.py ([a-z_]+)([^|;&]*)", span):
                found += 1
                if command not in known:
                    gone.append(f"{name}: {command}")
                    continue
                options = options_of(str(known[command]), command)
                gone += [
                    f"{name}: {command} {option}"
                    for option in re.findall(r"(?<!\S)\[?(--[a-z-]+)", rest.split(" #")[0])
                    if option not in options
                ]
    assert gone == []
    assert found > 40
    own = {path.stem for app in APPS for path in (ROOT / app / "management/commands").glob("[a-z]*.py")}
    everything = "\n".join(
        [*TEXT.values(), *(path.read_text() for path in (ROOT / "docs/decisions").glob("*.md"))]
    )
    assert {command for command in own if command not in everything} == set()


def options_of(app: str, command: str) -> set[str]:
    loaded = load_command_class(app, command)
    parser: ArgumentParser = loaded.create_parser("manage.py", command)
    return {option for action in parser._actions for option in action.option_strings}


def test_settings_when_read_from_the_environment_then_stand_in_the_table_and_nothing_else_does() -> None:
    text = TEXT["running.md"].split("\n## Settings\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[A-Z][^|]*) \|", text, re.MULTILINE)
    table = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    code = "\n".join(path.read_text() for path in sorted((ROOT / "config").rglob("*.py")))
    read = set(
        re.findall(r'\b(?:env_text|env_list|env_number|parse_number|env\.[a-z_]+)\(\s*"([A-Z][A-Z_]+)"', code)
    )
    first = next(iter(settings.QUOTAS))
    assert f"QUOTA_{first.upper()}" in table
    assert {f"QUOTA_{name.upper()}" for name in settings.QUOTAS} <= set(
        re.findall(r"`(QUOTA_[A-Z]+)`", TEXT["running.md"])
    )
    assert read - table == set()
    # Read where it is used, by programs that the site starts.
    assert table - read - {f"QUOTA_{first.upper()}"} == {"GNUBG"}


def test_names_in_capitals_when_a_document_tells_them_then_something_reads_them() -> None:
    named = {
        (name, word)
        for name, text in TEXT.items()
        for span in SPAN.findall(text)
        for word in re.findall(r"^([A-Z][A-Z_]*_[A-Z_]*[A-Z])(?:=.*)?$", span)
    }
    files = [*ROOT.glob("*.y*ml"), *(ROOT / "deploy").glob("*.*"), *(ROOT / "tools").glob("*.py")]
    files += [path for top in (*APPS, "config", "tests") for path in (ROOT / top).rglob("*.py")]
    words = set[str]().union(
        *(
            re.findall(r"[A-Z][A-Z_]*_[A-Z_]*[A-Z]", path.read_text())
            for path in files
            if path != Path(__file__)
        )
    )
    words |= {f"QUOTA_{name.upper()}" for name in settings.QUOTAS}
    assert {f"{name}: {word}" for name, word in named if word not in words} == set()
    assert len(named) > 30


def patterns(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for found in resolver.url_patterns:
        path = f"{before}{found.pattern}"
        if isinstance(found, URLResolver):
            yield from patterns(found, path)
        elif isinstance(found, URLPattern):
            yield path


def segments(address: str) -> list[str]:
    """An address as its parts, with “*” for what differs."""
    parts = [part for part in address.partition("?")[0].strip("/").split("/") if part]
    return ["*" if re.search(r"[<{…(\\]|^[A-Z]+$|^\^", part) else part for part in parts]


def fits(wanted: list[str], there: list[str], *, folder: bool) -> bool:
    """Whether the parts are those of an address, or (``folder``) its first ones."""
    if len(wanted) > len(there) or (len(wanted) < len(there) and not folder):
        return False
    return all("*" in (a, b) or a == b for a, b in zip(wanted, there, strict=False))


@pytest.fixture(scope="module")
def addresses() -> list[list[str]]:
    return [segments(path) for path in patterns(get_resolver())]


def is_there(address: str, addresses: list[list[str]]) -> bool:
    wanted = segments(address)
    if not wanted or wanted[0] in WATCH:
        return True
    if wanted[0] in dict(settings.LANGUAGES):
        wanted = wanted[1:]
    ways = [wanted, ["api", "v1", *wanted]]
    folder = address.endswith(("/", "…")) or "/" not in address.strip("/")
    return any(fits(way, one, folder=folder) for way in ways for one in addresses)


def test_addresses_when_a_document_names_them_then_something_answers(addresses: list[list[str]]) -> None:
    named = {
        (name, span.removeprefix("GET ").removeprefix("POST "))
        for name, text in TEXT.items()
        for span in SPAN.findall(text)
        if re.match(r"(GET |POST )?/[^/ ]", span)
        and " " not in span.removeprefix("GET ").removeprefix("POST ")
    }
    debugging = {"/styleguide/"}
    named = {
        (name, path)
        for name, path in named
        if not path.startswith(ELSEWHERE) and "*" not in path and path not in debugging
    }
    assert {f"{name}: {path}" for name, path in named if not is_there(path, addresses)} == set()
    assert len(named) > 30
    assert not is_there("/nowhere/", addresses)


def test_addresses_of_the_api_when_its_page_names_a_part_of_one_then_that_is_there(
    addresses: list[list[str]],
) -> None:
    own = [one[2:] for one in addresses if one[:2] == ["api", "v1"]]
    named = {span for span in SPAN.findall(TEXT["api.md"]) if re.fullmatch(r"[a-z{…][\w{}…/-]*/…?", span)}

    def anywhere(part: str) -> bool:
        wanted = segments(part.lstrip("…"))
        return any(
            fits(wanted, one[start : start + len(wanted)], folder=False)
            for one in own
            for start in range(len(one))
        )

    assert {part for part in named if not anywhere(part)} == set()
    assert len(named) > 15
