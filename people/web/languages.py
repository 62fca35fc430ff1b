"""The same page in other languages, for templates: `{% in_languages as pages %}`, and an address without a language: `{{ url|bare }}`."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.utils.translation import get_language, get_language_info

from people.addresses import with_language, without_language

register = template.Library()


@dataclass(frozen=True)
class PageLanguage:
    """The page in one language; ``url`` keeps the words of its query, ``address`` is whole and without them."""

    code: str
    name: str
    url: str
    address: str
    is_this: bool


@register.simple_tag(takes_context=True)
def in_languages(context: dict[str, Any]) -> list[PageLanguage]:
    """The page that is being drawn in each language of the site, in their order."""
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
    """The whole address of this page without a language: everybody is led from it to their own."""
    return f"{settings.SITE_URL}{without_language(context['request'].path)}"


@register.simple_tag
def language_cookie() -> str:
    """Where a browser keeps which language its reader has chosen."""
    return settings.LANGUAGE_COOKIE_NAME


@register.filter
def bare(path: str) -> str:
    """``path``, which may have a query, without a language."""
    return without_language(path)
