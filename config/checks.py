"""What `manage.py check --deploy` says of the translations."""

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as Warned

from config.catalogues import HINT, of_this_site


@register(Tags.translation, deploy=True)
def catalogues_are_compiled(**_: Any) -> list[CheckMessage]:
    """``manage.py check --deploy``."""
    missing, old = of_this_site()
    found: list[CheckMessage] = []
    if missing:
        found.append(
            Error(f"The translations are not compiled: {', '.join(missing)}.", hint=HINT, id="crawford.E001")
        )
    if old:
        found.append(
            Warned(
                f"The compiled translations are outdated: {', '.join(old)}.", hint=HINT, id="crawford.W002"
            )
        )
    return found
