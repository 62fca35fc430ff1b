"""Template tag with the notice of a restriction for its owners: `{% shut_notice "event" event %}`."""

from typing import Any

from django import template
from django.conf import settings

from people.selectors import active_moderation

register = template.Library()


@register.inclusion_tag("people/_shut.html")
def shut_notice(kind: str, row: Any) -> dict[str, Any]:
    """Return the context of the notice: the restriction of ``row`` or None, and the operator's contact.

    Queries only for a restricted object.
    """
    shut = active_moderation(kind, row.pk) if getattr(row, "shut", "") else None
    return {"shut": shut, "contact": settings.OPERATOR_CONTACT}
