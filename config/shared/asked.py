"""Find the shared page that a request asks for: path, query fields that the page reads, and language.

Everything else in the request is ignored, so that no visitor can have a page rendered that differs for the
next visitor.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from config.shared.memory import PageAddress
from config.shared.pages import HALL_VIEW, Page, page_at
from people.addresses import split_language

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_MAX_FIELDS: Final = 40
_MAX_QUERY_LENGTH: Final = 300
_MAX_HEADER_LENGTH: Final = 500


def requested_page(environ: "WSGIEnvironment") -> tuple[Page, PageAddress] | None:
    """Return the shared page and its address, or None if the application has to answer the request.

    That is the case for other URLs, foreign hosts, HTTP instead of HTTPS, and visitors with a pending
    message.
    """
    if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or environ.get("SCRIPT_NAME"):
        return None
    language, path = split_language(environ.get("PATH_INFO", ""))
    page = page_at(path)
    # A page without a language redirects its reader to one. A file has one address, and programs read it.
    if page is None or not (language or page.is_file or is_live_refresh(environ)):
        return None
    host = _host(environ)
    if not host or not _is_secure(environ):
        return None
    cookies = environ.get("HTTP_COOKIE", "")
    if "messages=" in cookies:
        return None
    query = environ.get("QUERY_STRING", "")
    normalized_query = _normalized_query(query, page.query) if query else ""
    if normalized_query is None:
        return None
    language = language or preferred_language(environ)
    full_path = environ["PATH_INFO"] if page.is_file else f"/{language}{path}"
    return page, PageAddress(full_path, normalized_query, language, host, settings.RELEASE)


def is_live_refresh(environ: "WSGIEnvironment") -> bool:
    """Return whether the request comes from an open page that reloads itself (`static/js/live.js`).

    Such a request is never redirected, because the script would take that for a failed connection.
    """
    return bool(environ.get("HTTP_X_REQUESTED_WITH") == "live")


def is_served_here(environ: "WSGIEnvironment") -> bool:
    """Return whether the request uses a host of this site, and HTTPS where required."""
    return bool(_host(environ)) and _is_secure(environ)


def preferred_language(environ: "WSGIEnvironment") -> str:
    """Return the code of the visitor's language, for a URL without language."""
    return _negotiated_language(
        chosen_language(environ), environ.get("HTTP_ACCEPT_LANGUAGE", "")[:_MAX_HEADER_LENGTH]
    )


def chosen_language(environ: "WSGIEnvironment") -> str:
    """Return the language that the visitor chose, from the cookie, or ""."""
    return _cookie_value(environ.get("HTTP_COOKIE", ""), settings.LANGUAGE_COOKIE_NAME)


def _host(environ: "WSGIEnvironment") -> str:
    return _canonical_host(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS), settings.SITE_URL)


@lru_cache(maxsize=256)
def _canonical_host(host: str, allowed: tuple[str, ...], site_url: str) -> str:
    """Return the host for whose page the request asks: that of the site if allowed; "" for a foreign host."""
    if not host or not validate_host(split_domain_port(host)[0], allowed):
        return ""
    site = urlsplit(site_url).netloc
    return site if site and validate_host(split_domain_port(site)[0], allowed) else host


def _is_secure(environ: "WSGIEnvironment") -> bool:
    if not settings.SECURE_SSL_REDIRECT:
        return True
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        return bool(environ.get(name, "").partition(",")[0].strip() == value)
    return bool(environ["wsgi.url_scheme"] == "https")


@lru_cache(maxsize=2048)
def _normalized_query(query: str, read_fields: frozenset[str]) -> str | None:
    """Return the query fields that the page reads, in a fixed order; None if that page cannot be shared."""
    try:
        fields = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        return None
    if any(name == HALL_VIEW and value for name, value in fields):
        return None
    normalized = urlencode(
        sorted((field for field in fields if field[0] in read_fields), key=lambda field: field[0])
    )
    return normalized if len(normalized) <= _MAX_QUERY_LENGTH else None


def _cookie_value(cookies: str, name: str) -> str:
    for part in cookies.split(";") if name in cookies else ():
        key, _, value = part.strip().partition("=")
        if key == name:
            return value[:_MAX_HEADER_LENGTH]
    return ""


@lru_cache(maxsize=512)
def _negotiated_language(chosen: str, accept_header: str) -> str:
    """Return the chosen language or the first accepted one that the site has, like `LocaleMiddleware`."""
    for code in (chosen, *(code for code, _weight in parse_accept_lang_header(accept_header))):
        if code == "*":
            break
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
