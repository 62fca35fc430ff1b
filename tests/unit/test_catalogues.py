"""Every catalogue says everything: no text of the code without its translation, no placeholder or tag lost on the way."""

import ast
import re
import shutil
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from tools import catalogues

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACES = re.compile(r"%\(\w+\)[sd]|%%|</?\w+[^>]*>")


def read(file: Path, language: str) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, locale=language, domain="django")


def po_of(language: str) -> Path:
    return catalogues.LOCALE / language / "LC_MESSAGES" / "django.po"


def texts(message: Message, of: str) -> tuple[str, ...]:
    """The forms of a message's id or string: one, or as many as the language has numbers."""
    found = getattr(message, of)
    return found if isinstance(found, tuple | list) else (found,)


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> dict[str, Catalog]:
    """The catalogues as collecting now would leave them; the repository's own stay as they are."""
    locale = tmp_path_factory.mktemp("collected") / "locale"
    shutil.copytree(catalogues.LOCALE, locale, ignore=shutil.ignore_patterns("*.mo"))
    catalogues.collect(locale=locale)
    return {code: read(locale / code / "LC_MESSAGES" / "django.po", code) for code in LANGUAGES}


@pytest.fixture(params=LANGUAGES)
def language(request) -> str:
    return request.param


def test_every_language_offered_has_a_catalogue(language):
    assert po_of(language).is_file()


def test_every_text_of_the_code_is_translated(language, collected):
    missing = [
        " / ".join(texts(message, "id"))
        for message in collected[language]
        if message.id and (message.fuzzy or not all(texts(message, "string")))
    ]
    assert missing == [], "run `make texts` and translate"


def test_no_translation_is_kept_that_nothing_asks_for(language, collected):
    wanted = {(message.context, texts(message, "id")) for message in collected[language]}
    idle = [
        message.id
        for message in read(po_of(language), language)
        if (message.context, texts(message, "id")) not in wanted
    ]
    assert idle == [], "run `make texts`"
    assert "#~ " not in po_of(language).read_text(encoding="utf-8")


def test_every_translation_keeps_placeholders_and_tags(language):
    wrong = []
    for message in read(po_of(language), language):
        if not message.id:
            continue
        *_, asked = texts(message, "id")
        wanted = set(PLACES.findall(asked))
        *_, last = texts(message, "string")
        found = [set(PLACES.findall(form)) for form in texts(message, "string")]
        # The form for one may leave the number out; none may bring in something that is not there.
        if set(PLACES.findall(last)) != wanted or any(form - wanted for form in found):
            wrong.append(f"{asked} → {last}")
    assert wrong == []


def test_every_translation_keeps_the_blanks_at_its_ends(language):
    """Where a text is put beside another one, its blanks hold them apart."""

    def edges(text: str) -> tuple[bool, bool]:
        return text[:1].isspace(), text[-1:].isspace()

    wrong = [
        f"{asked} → {said}"
        for message in read(po_of(language), language)
        if message.id
        for asked, said in zip(texts(message, "id"), texts(message, "string"), strict=True)
        if edges(asked) != edges(said)
    ]
    assert wrong == []


def test_catalogue_compiles_without_fault(language, tmp_path):
    folder = tmp_path / language / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(po_of(language), folder)
    assert catalogues.compile_all(tmp_path) == []
    assert (folder / "django.mo").stat().st_size > 10_000


def test_catalogue_names_no_person_no_machine_and_no_day_of_its_making(language):
    text = po_of(language).read_text(encoding="utf-8")
    head = text[: text.index("\n\n", 1)]
    assert "@" not in head
    assert re.findall(r"\d{4}-\d\d-\d\d", head) == ["2026-01-01"], "collecting twice changes nothing"
    assert not re.search(r"^#: /|/home/|/tmp/", text, re.MULTILINE)


# A whole statement that imports from there; of a thousand files nothing else is worth parsing.
IMPORT = re.compile(r"^[ \t]*(from django\.utils\.translation import (?:\([^)]*\)|.*))", re.MULTILINE)


def test_gettext_is_called_by_no_name_that_the_collector_does_not_know():
    unknown, seen = [], 0
    for folder in catalogues.FOLDERS:
        for file in sorted((catalogues.BASE_DIR / folder).rglob("*.py")):
            for statement in IMPORT.findall(file.read_text(encoding="utf-8")):
                seen += 1
                for node in ast.parse(statement).body:
                    assert isinstance(node, ast.ImportFrom), file
                    unknown += [
                        f"{file.name}: {alias.asname or alias.name}"
                        for alias in node.names
                        if "gettext" in alias.name and (alias.asname or alias.name) not in catalogues.KEYWORDS
                    ]
    assert unknown == []
    assert seen > 100


KEYS = {"Alt", "Backspace", "Control", "Delete", "End", "Enter", "Escape", "Home", "Shift", "Tab"}


def test_scripts_bring_no_words_of_their_own():
    """Templates hand them translated words in data attributes; an English one may only stand in where none came."""
    own = [
        f"{file.name}: {words}"
        for file in sorted((catalogues.BASE_DIR / "static" / "js").glob("*.js"))
        for fallback, words in re.findall(
            r"""(\?\? )?["'`]([A-Z][a-z]+(?: [A-Za-z]+)*[.!?…]?)["'`]""", file.read_text(encoding="utf-8")
        )
        if not fallback and words not in KEYS
    ]
    assert own == []
