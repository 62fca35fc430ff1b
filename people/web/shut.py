"""The words that those whose it is read where an operator hid something: `{% shut_notice "event" event %}`."""

from typing import Any

from django import template
from django.conf import settings

from people.selectors import active_moderation

register = template.Library()


@register.inclusion_tag("people/_shut.html")
def shut_notice(kind: str, row: Any) -> dict[str, Any]:
    """Asks the database for what is shut alone."""
    shut = active_moderation(kind, row.pk) if getattr(row, "shut", "") else None
    return {"shut": shut, "contact": settings.OPERATOR_CONTACT}
