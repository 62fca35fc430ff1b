"""Template tags for addresses with a language prefix: `{% in_languages as pages %}`, `{{ url|bare }}`."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.utils.translation import get_language, get_language_info

from people.addresses import with_language, without_language

register = template.Library()


@dataclass(frozen=True)
class PageLanguage:
    """The address of a page in one language. ``url`` keeps the query; ``address`` is absolute, without query.

    ``is_current``: the language in which the page is shown.
    """

    code: str
    name: str
    url: str
    address: str
    is_current: bool


@register.simple_tag(takes_context=True)
def in_languages(context: dict[str, Any]) -> list[PageLanguage]:
    """Return the present page in each language of the site, in the order of the settings."""
    request = context["request"]
    return [
        PageLanguage(
            code,
            str(get_language_info(code)["name_local"]).capitalize(),
            with_language(code, request.get_full_path()),
            f"{settings.SITE_URL}{with_language(code, request.path)}",
            code == get_language(),
        )
        for code, _name in settings.LANGUAGES
    ]


@register.simple_tag(takes_context=True)
def in_any_language(context: dict[str, Any]) -> str:
    """Return the absolute address of this page without a language; it redirects to the reader's language."""
    return f"{settings.SITE_URL}{without_language(context['request'].path)}"


@register.simple_tag
def language_cookie() -> str:
    """Return the name of the cookie that stores the chosen language."""
    return settings.LANGUAGE_COOKIE_NAME


@register.filter
def bare(path: str) -> str:
    """Return ``path``, which may have a query, without its language prefix."""
    return without_language(path)
