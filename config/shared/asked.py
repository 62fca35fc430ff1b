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

from config.shared.memory import Address
from config.shared.pages import BY_KEY, Page, page_at
from people.addresses import split

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_FIELDS: Final = 40
_LONGEST_QUERY: Final = 300
_LONGEST_HEADER: Final = 500


def asked_for(environ: "WSGIEnvironment") -> tuple[Page, Address] | None:
    """The page and its address, or None for whatever the application must answer itself: other addresses, hosts that are not ours, HTTP where
    HTTPS is spoken, and visitors for whom a message waits.
    """
    if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or environ.get("SCRIPT_NAME"):
        return None
    language, path = split(environ.get("PATH_INFO", ""))
    page = page_at(path)
    # A page without a language has nobody's: its reader is led to one. A file has one address, and is read by programs.
    if page is None or not (language or page.is_file or looks_again(environ)):
        return None
    host = _host(environ)
    if not host or not _is_secure(environ):
        return None
    cookies = environ.get("HTTP_COOKIE", "")
    if "messages=" in cookies:
        return None
    query = environ.get("QUERY_STRING", "")
    wanted = _query(query, page.query) if query else ""
    if wanted is None:
        return None
    language = language or language_of(environ)
    whole = environ["PATH_INFO"] if page.is_file else f"/{language}{path}"
    return page, Address(whole, wanted, language, host, settings.RELEASE)


def looks_again(environ: "WSGIEnvironment") -> bool:
    """Whether a page that is open asks for itself (`static/js/live.js`). It may be from before addresses carried a language, and is led
    nowhere: it would take that for a broken line.
    """
    return bool(environ.get("HTTP_X_REQUESTED_WITH") == "live")


def is_ours(environ: "WSGIEnvironment") -> bool:
    """Whether it came to a host of this site, and by HTTPS where that is spoken."""
    return bool(_host(environ)) and _is_secure(environ)


def language_of(environ: "WSGIEnvironment") -> str:
    """Which language a visitor reads whose address names none."""
    return _language(chosen(environ), environ.get("HTTP_ACCEPT_LANGUAGE", "")[:_LONGEST_HEADER])


def chosen(environ: "WSGIEnvironment") -> str:
    """What the visitor's browser keeps as their language; empty if nothing."""
    return _cookie(environ.get("HTTP_COOKIE", ""), settings.LANGUAGE_COOKIE_NAME)


def _host(environ: "WSGIEnvironment") -> str:
    return _drawn_for(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS), settings.SITE_URL)


@lru_cache(maxsize=256)
def _drawn_for(host: str, allowed: tuple[str, ...], site_url: str) -> str:
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
def _query(query: str, read: frozenset[str]) -> str | None:
    """The words that the page reads, in one order; None where it is not for everybody."""
    try:
        fields = parse_qsl(query, keep_blank_values=True, max_num_fields=_FIELDS)
    except ValueError:
        return None
    if any(name == BY_KEY and value for name, value in fields):
        return None
    kept = urlencode(sorted((field for field in fields if field[0] in read), key=lambda field: field[0]))
    return kept if len(kept) <= _LONGEST_QUERY else None


def _cookie(cookies: str, name: str) -> str:
    for part in cookies.split(";") if name in cookies else ():
        key, _, value = part.strip().partition("=")
        if key == name:
            return value[:_LONGEST_HEADER]
    return ""


@lru_cache(maxsize=512)
def _language(chosen: str, accepted: str) -> str:
    """As `LocaleMiddleware` finds it: what was chosen, else the first that the browser likes and the site has."""
    for code in (chosen, *(code for code, _weight in parse_accept_lang_header(accepted))):
        if code == "*":
            break
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
