"""The operator of the site, and their texts for the privacy page and imprint: read from the environment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

MAX_TEXT_BYTES: Final = 100_000  # of one text


@dataclass(frozen=True, slots=True)
class Operator:
    """Name, address lines and contact of the site's operator.

    Empty where the environment does not set them.
    """

    name: str
    address: tuple[str, ...]
    contact: str

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the environment variables that are not set."""
        values_by_variable = {
            "OPERATOR_NAME": self.name,
            "OPERATOR_ADDRESS": self.address,
            "OPERATOR_CONTACT": self.contact,
        }
        return tuple(name for name, value in values_by_variable.items() if not value)


def site_operator() -> Operator:
    """Return the operator of this installation."""
    lines = settings.OPERATOR_ADDRESS.replace("\\n", "\n").replace("|", "\n").splitlines()
    return Operator(
        settings.OPERATOR_NAME,
        tuple(line.strip() for line in lines if line.strip()),
        settings.OPERATOR_CONTACT if settings.OPERATOR_CONTACT != settings.SITE_URL else "",
    )


def operator_paragraphs(page: str, language: str) -> list[str]:
    """Return the paragraphs that the operator has written for ``page`` (``privacy`` or ``imprint``).

    Read from ``<page>.<language>.txt`` in the folder ``OPERATOR_TEXTS``, else from ``<page>.txt``. Blank
    lines separate paragraphs.
    """
    if not settings.OPERATOR_TEXTS:
        return []
    for name in (f"{page}.{language}.txt", f"{page}.txt"):
        path = Path(settings.OPERATOR_TEXTS, name)
        try:
            content = path.read_bytes()[:MAX_TEXT_BYTES].decode("utf-8-sig", "replace")
        except OSError:
            continue
        return [
            paragraph.strip()
            for paragraph in content.replace("\r\n", "\n").split("\n\n")
            if paragraph.strip()
        ]
    return []
