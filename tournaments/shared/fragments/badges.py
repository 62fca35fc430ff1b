"""Template tags for badges and icons of a status, cached for long lists."""

from functools import lru_cache

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournaments.shared.words.statuses import STATUS_STYLES, badge_label

register = Library()


@register.filter
def badge(status: str) -> dict[str, object] | None:
    """Return tone, icon and label of the badge of a match or event status; None for any other value."""
    if (style := STATUS_STYLES.get(status)) is None:
        return None
    label = badge_label(status)
    return {"tone": style.tone, "icon": style.icon, "is_struck": style.is_struck, "words": label}


@register.filter
def drawn_badge(status: str) -> SafeString:
    """Return the badge of a match status as HTML, rendered once per language: for lists of hundreds."""
    return _render_cached("shared/_status.html", get_language() or "", status, "")


@register.simple_tag
def drawn_icon(name: str, label: str) -> SafeString:
    """Return an icon with a text alternative as HTML, rendered once per label and language."""
    return _render_cached("_icon.html", get_language() or "", name, label)


@lru_cache(maxsize=256)
def _render_cached(template: str, _language: str, value: str, label: str) -> SafeString:
    return render_to_string(template, {"status": value, "name": value, "label": label})
