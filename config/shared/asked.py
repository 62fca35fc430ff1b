"""What a request for a page for everybody asks for: path, the words of its query that are read, language. Whatever else it says is left
aside, so that nobody can have a page drawn that is another one for the next visitor.
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
    """The page and its address, or None for whatever the application must answer itself: other addresses, hosts that are not ours, HTTP where
    HTTPS is spoken, and visitors for whom a message waits.
    """
    if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or environ.get("SCRIPT_NAME"):
        return None
    language, path = split_language(environ.get("PATH_INFO", ""))
    page = page_at(path)
    # A page without a language has nobody's: its reader is led to one. A file has one address, and is read by programs.
    if page is None or not (language or page.is_file or is_live_refresh(environ)):
        return None
    host = _host(environ)
    if not host or not _is_secure(environ):
        return None
    cookies = environ.get("HTTP_COOKIE", "")
    if "messages=" in cookies:
        return None
    query = environ.get("QUERY_STRING", "")
    wanted = _normalized_query(query, page.query) if query else ""
    if wanted is None:
        return None
    language = language or preferred_language(environ)
    whole = environ["PATH_INFO"] if page.is_file else f"/{language}{path}"
    return page, PageAddress(whole, wanted, language, host, settings.RELEASE)


def is_live_refresh(environ: "WSGIEnvironment") -> bool:
    """Whether a page that is open asks for itself (`static/js/live.js`). It may be from before addresses carried a language, and is led
    nowhere: it would take that for a broken line.
    """
    return bool(environ.get("HTTP_X_REQUESTED_WITH") == "live")


def is_served_here(environ: "WSGIEnvironment") -> bool:
    """Whether it came to a host of this site, and by HTTPS where that is spoken."""
    return bool(_host(environ)) and _is_secure(environ)


def preferred_language(environ: "WSGIEnvironment") -> str:
    """Which language a visitor reads whose address names none."""
    return _negotiated_language(
        chosen_language(environ), environ.get("HTTP_ACCEPT_LANGUAGE", "")[:_MAX_HEADER_LENGTH]
    )


def chosen_language(environ: "WSGIEnvironment") -> str:
    """What the visitor's browser keeps as their language; empty if nothing."""
    return _cookie_value(environ.get("HTTP_COOKIE", ""), settings.LANGUAGE_COOKIE_NAME)


def _host(environ: "WSGIEnvironment") -> str:
    return _canonical_host(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS), settings.SITE_URL)


@lru_cache(maxsize=256)
def _canonical_host(host: str, allowed: tuple[str, ...], site_url: str) -> str:
    """The host under which the page is drawn: that of the site where it may be asked by it; empty for a host that is not ours."""
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
def _normalized_query(query: str, read: frozenset[str]) -> str | None:
    """The words that the page reads, in one order; None where it is not for everybody."""
    try:
        fields = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        return None
    if any(name == HALL_VIEW and value for name, value in fields):
        return None
    kept = urlencode(sorted((field for field in fields if field[0] in read), key=lambda field: field[0]))
    return kept if len(kept) <= _MAX_QUERY_LENGTH else None


def _cookie_value(cookies: str, name: str) -> str:
    for part in cookies.split(";") if name in cookies else ():
        key, _, value = part.strip().partition("=")
        if key == name:
            return value[:_MAX_HEADER_LENGTH]
    return ""


@lru_cache(maxsize=512)
def _negotiated_language(chosen: str, accepted: str) -> str:
    """As `LocaleMiddleware` finds it: what was chosen, else the first that the browser likes and the site has."""
    for code in (chosen, *(code for code, _weight in parse_accept_lang_header(accepted))):
        if code == "*":
            break
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
