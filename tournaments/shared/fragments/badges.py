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
    """Return the template context of a badge for a match or event status; None for any other value.

    Keys: ``tone``, ``icon``, ``is_struck`` (crossed out) and ``words`` (the label).
    """
    if (style := STATUS_STYLES.get(status)) is None:
        return None
    label = badge_label(status)
    return {"tone": style.tone, "icon": style.icon, "is_struck": style.is_struck, "words": label}


@register.filter
def drawn_badge(status: str) -> SafeString:
    """Return the badge of a match status as HTML, cached for each language, for pages with many badges."""
    return _render_cached("shared/_status.html", get_language() or "", status, "")


@register.simple_tag
def drawn_icon(name: str, label: str) -> SafeString:
    """Return the icon ``name`` as HTML with the text alternative ``label``, cached for each language."""
    return _render_cached("_icon.html", get_language() or "", name, label)


@lru_cache(maxsize=256)
def _render_cached(template: str, _language: str, value: str, label: str) -> SafeString:
    return render_to_string(template, {"status": value, "name": value, "label": label})
