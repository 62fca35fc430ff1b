"""Whether the translations of every language are compiled: without them pages show English sentences in another language's page."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from django.conf import settings

SOURCE: Final = "en"  # the language that texts are written in
HINT: Final = "Run .venv/bin/python tools/catalogues.py compile"


def uncompiled(languages: Iterable[str], folder: Path) -> list[str]:
    """Languages without a compiled catalogue in ``folder``."""
    return [code for code in languages if code != SOURCE and not _catalogue(folder, code).exists()]


def outdated(languages: Iterable[str], folder: Path) -> list[str]:
    """Languages whose compiled catalogue is older than its texts."""
    found = []
    for code in languages:
        compiled = _catalogue(folder, code)
        texts = compiled.with_suffix(".po")
        if compiled.exists() and texts.exists() and compiled.stat().st_mtime < texts.stat().st_mtime:
            found.append(code)
    return found


def _catalogue(folder: Path, code: str) -> Path:
    return folder / code / "LC_MESSAGES" / "django.mo"


def of_this_site() -> tuple[list[str], list[str]]:
    """Languages of the settings that are not compiled, and those that are outdated."""
    codes, folder = [code for code, _name in settings.LANGUAGES], Path(settings.LOCALE_PATHS[0])
    return uncompiled(codes, folder), outdated(codes, folder)
