"""Deployment check of the translations (`manage.py check --deploy`)."""

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as Warned

from config.catalogues import COMPILE_HINT, check_site_catalogues


@register(Tags.translation, deploy=True)
def check_catalogues(**_: Any) -> list[CheckMessage]:
    """Report languages whose translations are missing or outdated."""
    missing, outdated = check_site_catalogues()
    messages: list[CheckMessage] = []
    if missing:
        messages.append(
            Error(
                f"The translations are not compiled: {', '.join(missing)}.",
                hint=COMPILE_HINT,
                id="crawford.E001",
            )
        )
    if outdated:
        messages.append(
            Warned(
                f"The compiled translations are outdated: {', '.join(outdated)}.",
                hint=COMPILE_HINT,
                id="crawford.W002",
            )
        )
    return messages
