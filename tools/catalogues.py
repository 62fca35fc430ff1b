"""Collect and compile translations with Babel, without the gettext tools.

python tools/catalogues.py compile   compile changed .po files to .mo; reject a catalogue with errors
python tools/catalogues.py collect   collect new texts from code and templates into locale/*/LC_MESSAGES/django.po
"""

import io
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

BASE_DIR = Path(__file__).resolve().parent.parent
LOCALE = BASE_DIR / "locale"
FOLDERS = ("config", "games", "people", "rating", "tournaments", "templates")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
CALLED = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\s*\(".encode())


def extract_program(
    fileobj: IO[bytes],
    keywords: Mapping[str, Any],
    comment_tags: Collection[str],
    options: Any,
) -> Iterator[Any]:
    """Yield the texts that Babel finds in a Python file; skips files without a gettext call, to save time."""
    source = fileobj.read()
    if CALLED.search(source):
        yield from extract_python(io.BytesIO(source), keywords, comment_tags, options)


def extract_template(
    fileobj: IO[bytes],
    keywords: Mapping[str, Any],
    comment_tags: Collection[str],
    options: Any,
) -> Iterator[Any]:
    """Yield the texts of a template: Django converts them to gettext calls, and Babel reads those."""
    from django.utils.translation.template import templatize

    # Parentheses around it all, because the output of templatize is not indented like a program.
    source = io.BytesIO(f"({templatize(fileobj.read().decode())})".encode())
    yield from extract_python(source, keywords, comment_tags, options)


def compile_all(locale: Path = LOCALE, *, force: bool = False) -> list[str]:
    """Write every `.mo` file that is older than its `.po` file; return the errors, each with file and line.

    ``force``: write all. A catalogue with errors is not written.
    """
    faults: list[str] = []
    for po in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if not force and mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
            continue
        with po.open("rb") as file:
            catalog = read_po(file, locale=po.parent.parent.name, domain=po.stem)
        catalog_faults = [
            f"{po.relative_to(locale)}:{message.lineno}: {error}"
            for message, errors in catalog.check()
            for error in errors
        ]
        faults += catalog_faults
        if not catalog_faults:
            with mo.open("wb") as file:
                write_mo(file, catalog)
    return faults


def collect(base: Path = BASE_DIR, locale: Path = LOCALE) -> Catalog:
    """Collect all texts of the product and update every catalogue with them; return them as a catalogue."""
    template = Catalog(project="Crawford", charset="utf-8")
    # A fixed date: collecting twice changes nothing.
    template.creation_date = datetime(2026, 1, 1, tzinfo=UTC)
    methods: list[tuple[str, Any]] = [
        ("**.py", extract_program),
        ("**.html", extract_template),
        ("**.txt", extract_template),
    ]
    for folder in FOLDERS:
        messages = extract_from_dir(
            str(base / folder), methods, keywords=KEYWORDS, comment_tags=("Translators:",)
        )
        for name, line, message, comments, context in messages:
            template.add(message, None, [(f"{folder}/{name}", line)], auto_comments=comments, context=context)
    for po in sorted(locale.glob("*/LC_MESSAGES/django.po")):
        with po.open("rb") as file:
            catalog = read_po(file, locale=po.parent.parent.name, domain=po.stem)
        catalog.update(template, no_fuzzy_matching=True)
        with po.open("wb") as file:
            # Files without line numbers, so that a moved line does not change the catalogues.
            write_po(file, catalog, width=110, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return template


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        faults = compile_all()
        print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
        return 1 if faults else 0
    if arguments == ["collect"]:
        print(f"{len(collect())} texts")
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main(sys.argv[1:]))
