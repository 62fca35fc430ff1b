"""Deployment check of the imprint."""

from typing import Any

from django.core.checks import CheckMessage, Tags, register
from django.core.checks import Warning as Warned

from people.operator import site_operator


@register(Tags.security, deploy=True)
def check_imprint(**_: Any) -> list[CheckMessage]:
    """Warn if the operator of the site is not named (``manage.py check --deploy``)."""
    missing = site_operator().missing
    if not missing:
        return []
    return [
        Warned(
            f"The privacy page and the imprint do not say who runs this site: {', '.join(missing)} not set.",
            hint="docs/running.md, “Privacy page and imprint”.",
            id="crawford.W001",
        )
    ]
