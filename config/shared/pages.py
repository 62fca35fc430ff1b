"""Table of shared pages: the versions on which each depends, and the query fields that it reads.

Every public URL is listed here, as shared or with the reason why not (`tests/web/shared/test_table.py`). A
page is rendered again when one of its version keys has another version; because of a missing key a page is
shown up to a minute late, and a superfluous key costs a query.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from django.urls import Resolver404, resolve

from config.shared.versions import ANALYSES, CLUBS, EVENTS, NAMES, PLAYERS, RATINGS, VersionKey


class SharedPage(NamedTuple):
    """The entry of a shared page in the table.

    ``of``: kind of the version key that the URL names, and the name of its parameter in the URL. ``keys``:
    all other version keys. ``query``: names of query fields. ``is_file``: also fetched by programs, so its
    URL is not redirected to a URL with a language.
    """

    keys: tuple[VersionKey, ...] = ()
    of: tuple[str, str] | None = None
    query: str = ""
    is_file: bool = False


class Page(NamedTuple):
    """The shared page at a URL, with its version keys and the query fields that it reads."""

    name: str
    keys: tuple[VersionKey, ...]
    query: frozenset[str]
    is_file: bool


class AddressKind(Enum):
    """Whether a URL has a language prefix, and who uses it."""

    LOCALIZED = "a page for everybody: without a language its reader is led to theirs"
    OPEN = "for everybody, with a language or without"
    PRIVATE = "somebody's own, or a program's: without a language"
    UNKNOWN = "no address of this site"


_EVENT_KEY: Final = ("event", "event")
_LIST_KEY: Final = ("list", "list_id")
_MATCH_KEY: Final = ("match", "match")
_CLUB_KEY: Final = ("of_club", "club")
_NAME_KEYS: Final = (NAMES,)
_PEOPLE_KEYS: Final = (NAMES, PLAYERS)
# Read by `base.html` for every URL: display mode (for a record: the side from which it is viewed).
_COMMON_FIELDS: Final = {"view"}
# Value for a display with full names; such a page is not shared.
HALL_VIEW: Final = "hall"

SHARED_PAGES: Final[Mapping[str, SharedPage]] = {
    "public:home": SharedPage((NAMES, EVENTS, CLUBS, RATINGS)),
    "public:events": SharedPage((NAMES, EVENTS, CLUBS), query="q status club page"),
    "public:clubs": SharedPage((NAMES, CLUBS), query="q page"),
    "public:players": SharedPage((NAMES, CLUBS, PLAYERS), query="q page"),
    "public:ratings": SharedPage((NAMES, CLUBS, RATINGS), query="page"),
    "public:club": SharedPage((NAMES, RATINGS), _CLUB_KEY),
    "public:club-analyses": SharedPage((NAMES, ANALYSES), ("analyses_of_club", "club"), "year series"),
    "public:series": SharedPage(_NAME_KEYS, ("of_series", "series")),
    "public:club-players": SharedPage(_NAME_KEYS, _CLUB_KEY, "q page"),
    # The overview links to the list of points that its places count for.
    "public:event": SharedPage((NAMES, RATINGS), _EVENT_KEY, "division"),
    "public:bracket": SharedPage(_NAME_KEYS, _EVENT_KEY, "stage round"),
    "public:hall": SharedPage(_NAME_KEYS, ("hall", "event"), "show turn division seconds"),
    "public:entries": SharedPage(_NAME_KEYS, _EVENT_KEY, "division page q letter"),
    "public:way": SharedPage(_NAME_KEYS, _EVENT_KEY),
    "public:draws": SharedPage(_NAME_KEYS, _EVENT_KEY, "division"),
    "public:draws-json": SharedPage(_NAME_KEYS, _EVENT_KEY, is_file=True),
    "public:analyses": SharedPage((NAMES, ANALYSES), _EVENT_KEY),
    "public:editions": SharedPage(_NAME_KEYS, _EVENT_KEY, "division"),
    "public:tables-csv": SharedPage(_NAME_KEYS, _EVENT_KEY, is_file=True),
    "public:trail-head": SharedPage((), _EVENT_KEY),
    "public:points-csv": SharedPage(_NAME_KEYS, _EVENT_KEY, is_file=True),
    "public:prizes-csv": SharedPage(_NAME_KEYS, _EVENT_KEY, is_file=True),
    "public:seasons": SharedPage(_NAME_KEYS, ("seasons", "event")),
    "public:match": SharedPage((NAMES, RATINGS), _MATCH_KEY),
    "public:player": SharedPage((NAMES, EVENTS, RATINGS, ANALYSES), ("player", "player"), "page"),
    "public:privacy": SharedPage(),
    "public:imprint": SharedPage(),
    "public:counting": SharedPage(),
    "public:measuring": SharedPage(),
    "public:rules-help": SharedPage(),
    "public:rules": SharedPage(_NAME_KEYS, _EVENT_KEY, "division"),
    "public:verify": SharedPage(),
    "public:start": SharedPage(),
    "public:handed-over": SharedPage(),
    "public:verify-script": SharedPage(is_file=True),
    "rating:list": SharedPage(_PEOPLE_KEYS, _LIST_KEY, "q club since experience order ranked page"),
    "rating:official": SharedPage(_PEOPLE_KEYS, _LIST_KEY, "q page"),
    "rating:official-dates": SharedPage(_PEOPLE_KEYS, _LIST_KEY, "page"),
    "rating:official-issue": SharedPage(_PEOPLE_KEYS, _LIST_KEY, "q page"),
    "rating:why": SharedPage(_PEOPLE_KEYS, _LIST_KEY),
    "rating:player": SharedPage(_PEOPLE_KEYS, _LIST_KEY),
    "rating:opponents": SharedPage(_PEOPLE_KEYS, _LIST_KEY, "b second"),
    "rating:versus": SharedPage(_PEOPLE_KEYS, _LIST_KEY),
    "records:match": SharedPage(_NAME_KEYS, _MATCH_KEY, "game turn home numbering play try"),
    "records:record": SharedPage(_NAME_KEYS, _MATCH_KEY, "game turn home numbering play try"),
    "records:copy": SharedPage(_NAME_KEYS, _MATCH_KEY, "game turn home numbering"),
}

_TYPED_REASON: Final = "everybody asks for something else"
_FILE_REASON: Final = "a file, fetched now and then"
_OWN_REASON: Final = "behind a sign-in or a personal link"
UNSHARED_PAGES: Final[Mapping[str, str]] = {
    "public:search": _TYPED_REASON,
    "public:enter": "it only leads to the registration form, which holds a token",
    "public:quiz": "read for some days after an event",
    "public:quiz-position": "how often each answer was given is no version",
    "public:quiz-card": "a picture, made once: chats and feeds fetch it now and then",
    "public:manifest": "asked for by who installs the site",
    "public:worker": "asked for by browsers that have it",
    "public:favicon": _FILE_REASON,
    "public:search-json": _TYPED_REASON,
    "rating:what-if": _TYPED_REASON,
    "rating:find-players": _TYPED_REASON,
    "public:series-calendar": _FILE_REASON,
    "rating:csv": _FILE_REASON,
    "rating:official-csv": _FILE_REASON,
    "rating:official-signed": _FILE_REASON,
    "signing-keys": _FILE_REASON,
    "site-keys": _FILE_REASON,
    "signed": "read now and then, and its keys are no version",
    "rating:json": _FILE_REASON,
    "rating:history-csv": _FILE_REASON,
    "rating:chart": "its address holds the version: whoever has it keeps it for a day",
    "records:original": _FILE_REASON,
    "records:copy-file": _FILE_REASON,
    "records:export": _FILE_REASON,
    "records:analysed": _FILE_REASON,
    "games:check": "its form holds a token",
    "games:positions": _TYPED_REASON,
    "games:held": "a file of one visitor",
    "games:position": "its address is the picture: whoever has it keeps it for a year",
    "games:xgid": "its address is the picture: whoever has it keeps it for a year",
    "security-txt": "asked for once in a blue moon",
    "api-docs": "for programmers; its body is drawn once in a process",
    "problems": "for programmers",
    "schema": "for programs; written once for each format in a process",
    "report-page": "its form holds a token",
}
# Of these, pages for people, not files or requests of scripts.
LOCALIZED_URL_NAMES: Final = {
    "signed",
    "public:search",
    "public:quiz",
    "public:quiz-position",
    "rating:what-if",
    "games:check",
    "games:positions",
}
# Of these, resources with a single URL, without language.
UNLOCALIZED_URL_NAMES: Final = {
    "public:worker",
    "public:favicon",
    "security-txt",
    "signing-keys",
    "site-keys",
    "api-docs",
    "problems",
    "schema",
}
# Namespaces of personal pages and of programs.
UNSHARED_NAMESPACES: Final[Mapping[str, str]] = {
    "director": _OWN_REASON,
    "rating_director": _OWN_REASON,
    "people": _OWN_REASON,
    "operators": _OWN_REASON,
    "bundles": _OWN_REASON,
    "player": _OWN_REASON,
    "admin": _OWN_REASON,
    "api": "programs have limits and roles; their answers carry ETags",
    "rating_api": "programs have limits and roles; their answers carry ETags",
    "api-records": "it judges what is sent",
}
_MAX_PATH_LENGTH: Final = 200
_PRIVATE_PREFIXES: Final = (
    "/static/",
    "/api/",
    "/direct/",
    "/account/",
    "/admin/",
    "/my/",
    "/calendar/",
    "/i18n/",
    "/join/",
    "/registered/",
    "/claim/",
    "/invitation/",
)


def page_at(path: str) -> Page | None:
    """Return the shared page at this path (without language), or None."""
    return None if path.startswith(_PRIVATE_PREFIXES) or len(path) > _MAX_PATH_LENGTH else _page_at(path)


@lru_cache(maxsize=8192)
def _page_at(path: str) -> Page | None:
    try:
        match = resolve(path)
    except Resolver404:
        return None
    shared = SHARED_PAGES.get(match.view_name)
    if shared is None:
        return None
    own_keys = (VersionKey(shared.of[0], str(match.kwargs[shared.of[1]])),) if shared.of else ()
    return Page(
        match.view_name,
        (*own_keys, *shared.keys),
        frozenset(shared.query.split()) | _COMMON_FIELDS,
        shared.is_file,
    )


def address_kind(path: str) -> AddressKind:
    """Return what kind of URL this path (without language) is."""
    if path.startswith(_PRIVATE_PREFIXES):
        return AddressKind.PRIVATE
    return AddressKind.UNKNOWN if len(path) > _MAX_PATH_LENGTH else _address_kind(path)


@lru_cache(maxsize=8192)
def _address_kind(path: str) -> AddressKind:
    try:
        name = resolve(path).view_name
    except Resolver404:
        return AddressKind.UNKNOWN
    if name in LOCALIZED_URL_NAMES or (name in SHARED_PAGES and not SHARED_PAGES[name].is_file):
        return AddressKind.LOCALIZED
    return (
        AddressKind.OPEN
        if name in SHARED_PAGES or (name in UNSHARED_PAGES and name not in UNLOCALIZED_URL_NAMES)
        else AddressKind.PRIVATE
    )
