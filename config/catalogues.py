"""Checks that the translations of every language are compiled; without that, pages show English text."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from django.conf import settings

SOURCE_LANGUAGE: Final = "en"  # of the source texts
COMPILE_HINT: Final = "Run .venv/bin/python tools/catalogues.py compile"


def uncompiled_languages(languages: Iterable[str], folder: Path) -> list[str]:
    """Return the codes of languages without a compiled catalogue in ``folder``."""
    return [
        code for code in languages if code != SOURCE_LANGUAGE and not _catalogue_path(folder, code).exists()
    ]


def outdated_languages(languages: Iterable[str], folder: Path) -> list[str]:
    """Return the codes of languages whose compiled catalogue is older than its source."""
    outdated = []
    for code in languages:
        compiled_path = _catalogue_path(folder, code)
        source_path = compiled_path.with_suffix(".po")
        if (
            compiled_path.exists()
            and source_path.exists()
            and compiled_path.stat().st_mtime < source_path.stat().st_mtime
        ):
            outdated.append(code)
    return outdated


def _catalogue_path(folder: Path, code: str) -> Path:
    return folder / code / "LC_MESSAGES" / "django.mo"


def check_site_catalogues() -> tuple[list[str], list[str]]:
    """Return the codes of the site's languages that are not compiled, and of those that are outdated."""
    codes, folder = [code for code, _name in settings.LANGUAGES], Path(settings.LOCALE_PATHS[0])
    return uncompiled_languages(codes, folder), outdated_languages(codes, folder)
