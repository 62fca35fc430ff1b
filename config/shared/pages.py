"""Which addresses are pages for everybody, on what each depends, and which words of its query it reads.

Every public address stands here, shared or with the reason why not; `tests/web/shared/test_table.py` sees to it. A page is asked anew when
one of its keys has another version; so to forget one shows a page up to a minute late, and to name one too many costs a look.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from django.urls import Resolver404, resolve

from config.shared.versions import ANALYSES, CLUBS, EVENTS, NAMES, PLAYERS, RATINGS, Key


class Shared(NamedTuple):
    """``of``: the kind of the key that the address names, and its name there; ``keys``: whatever else stands on the page. A file is
    fetched by programs, too, so nobody is led from its address to one with a language.
    """

    keys: tuple[Key, ...] = ()
    of: tuple[str, str] | None = None
    query: str = ""
    is_file: bool = False


class Page(NamedTuple):
    """What an address asks for."""

    name: str
    keys: tuple[Key, ...]
    query: frozenset[str]
    is_file: bool


class Kind(Enum):
    """What the language of an address is to the page behind it."""

    READ = "a page for everybody: without a language its reader is led to theirs"
    OPEN = "for everybody, with a language or without"
    OWN = "somebody's own, or a program's: without a language"
    NOTHING = "no address of this site"


_EVENT: Final = ("event", "event")
_LIST: Final = ("list", "list_id")
_MATCH: Final = ("match", "match")
_CLUB: Final = ("of_club", "club")
_NAMES: Final = (NAMES,)
_PEOPLE: Final = (NAMES, PLAYERS)
# What `base.html` reads of every address: a screen of the hall (of a record: the side from which it is looked at).
_ALWAYS: Final = {"view"}
# The key of a screen that shows the names of the hall: such a page is nobody else's.
BY_KEY: Final = "hall"

SHARED: Final[Mapping[str, Shared]] = {
    "public:home": Shared((NAMES, EVENTS, CLUBS, RATINGS)),
    "public:events": Shared((NAMES, EVENTS, CLUBS), query="q status club page"),
    "public:clubs": Shared((NAMES, CLUBS), query="q page"),
    "public:players": Shared((NAMES, CLUBS, PLAYERS), query="q page"),
    "public:ratings": Shared((NAMES, CLUBS, RATINGS), query="page"),
    "public:club": Shared((NAMES, RATINGS), _CLUB),
    "public:club-analyses": Shared((NAMES, ANALYSES), ("analyses_of_club", "club"), "year series"),
    "public:series": Shared(_NAMES, ("of_series", "series")),
    "public:club-players": Shared(_NAMES, _CLUB, "q page"),
    # The overview leads to the list of points that its places count for.
    "public:event": Shared((NAMES, RATINGS), _EVENT, "division"),
    "public:bracket": Shared(_NAMES, _EVENT, "stage round"),
    "public:hall": Shared(_NAMES, ("hall", "event"), "show turn division seconds"),
    "public:entries": Shared(_NAMES, _EVENT, "division page q letter"),
    "public:way": Shared(_NAMES, _EVENT),
    "public:draws": Shared(_NAMES, _EVENT, "division"),
    "public:draws-json": Shared(_NAMES, _EVENT, is_file=True),
    "public:analyses": Shared((NAMES, ANALYSES), _EVENT),
    "public:editions": Shared(_NAMES, _EVENT, "division"),
    "public:tables-csv": Shared(_NAMES, _EVENT, is_file=True),
    "public:trail-head": Shared((), _EVENT),
    "public:points-csv": Shared(_NAMES, _EVENT, is_file=True),
    "public:prizes-csv": Shared(_NAMES, _EVENT, is_file=True),
    "public:seasons": Shared(_NAMES, ("seasons", "event")),
    "public:match": Shared((NAMES, RATINGS), _MATCH),
    "public:player": Shared((NAMES, EVENTS, RATINGS, ANALYSES), ("player", "player"), "page"),
    "public:privacy": Shared(),
    "public:imprint": Shared(),
    "public:counting": Shared(),
    "public:measuring": Shared(),
    "public:rules-help": Shared(),
    "public:rules": Shared(_NAMES, _EVENT, "division"),
    "public:verify": Shared(),
    "public:start": Shared(),
    "public:handed-over": Shared(),
    "public:verify-script": Shared(is_file=True),
    "rating:list": Shared(_PEOPLE, _LIST, "q club since experience order ranked page"),
    "rating:official": Shared(_PEOPLE, _LIST, "q page"),
    "rating:official-dates": Shared(_PEOPLE, _LIST, "page"),
    "rating:official-issue": Shared(_PEOPLE, _LIST, "q page"),
    "rating:why": Shared(_PEOPLE, _LIST),
    "rating:player": Shared(_PEOPLE, _LIST),
    "rating:opponents": Shared(_PEOPLE, _LIST, "b second"),
    "rating:versus": Shared(_PEOPLE, _LIST),
    "records:match": Shared(_NAMES, _MATCH, "game turn home numbering play try"),
    "records:record": Shared(_NAMES, _MATCH, "game turn home numbering play try"),
    "records:copy": Shared(_NAMES, _MATCH, "game turn home numbering"),
}

_TYPED: Final = "everybody asks for something else"
_FILE: Final = "a file, fetched now and then"
_OWN: Final = "behind a sign-in or a personal link"
UNSHARED: Final[Mapping[str, str]] = {
    "public:search": _TYPED,
    "public:enter": "it only leads to the registration form, which holds a token",
    "public:quiz": "read for some days after an event",
    "public:quiz-position": "how often each answer was given is no version",
    "public:quiz-card": "a picture, made once: chats and feeds fetch it now and then",
    "public:manifest": "asked for by who installs the site",
    "public:worker": "asked for by browsers that have it",
    "public:favicon": _FILE,
    "public:search-json": _TYPED,
    "rating:what-if": _TYPED,
    "rating:find-players": _TYPED,
    "public:series-calendar": _FILE,
    "rating:csv": _FILE,
    "rating:official-csv": _FILE,
    "rating:official-signed": _FILE,
    "signing-keys": _FILE,
    "site-keys": _FILE,
    "signed": "read now and then, and its keys are no version",
    "rating:json": _FILE,
    "rating:history-csv": _FILE,
    "rating:chart": "its address holds the version: whoever has it keeps it for a day",
    "records:original": _FILE,
    "records:copy-file": _FILE,
    "records:export": _FILE,
    "records:analysed": _FILE,
    "games:check": "its form holds a token",
    "games:positions": _TYPED,
    "games:held": "a file of one visitor",
    "games:position": "its address is the picture: whoever has it keeps it for a year",
    "games:xgid": "its address is the picture: whoever has it keeps it for a year",
    "security-txt": "asked for once in a blue moon",
    "api-docs": "for programmers; its body is drawn once in a process",
    "problems": "for programmers",
    "schema": "for programs; written once for each format in a process",
    "report-page": "its form holds a token",
}
# Of these, pages that people read, not files nor what a script asks.
READ: Final = {
    "signed",
    "public:search",
    "public:quiz",
    "public:quiz-position",
    "rating:what-if",
    "games:check",
    "games:positions",
}
# Of these, what no page in a language leads to but under the one address that it has.
OWN: Final = {
    "public:worker",
    "public:favicon",
    "security-txt",
    "signing-keys",
    "site-keys",
    "api-docs",
    "problems",
    "schema",
}
# Whole folders of addresses that are nobody's but their owners', or answer programs.
UNSHARED_SPACES: Final[Mapping[str, str]] = {
    "director": _OWN,
    "rating_director": _OWN,
    "people": _OWN,
    "operators": _OWN,
    "bundles": _OWN,
    "player": _OWN,
    "admin": _OWN,
    "api": "programs have limits and roles; their answers carry ETags",
    "rating_api": "programs have limits and roles; their answers carry ETags",
    "api-records": "it judges what is sent",
}
_LONGEST: Final = 200
_NEVER: Final = (
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
    """The page for everybody at this path, or None."""
    return None if path.startswith(_NEVER) or len(path) > _LONGEST else _page_at(path)


@lru_cache(maxsize=8192)
def _page_at(path: str) -> Page | None:
    try:
        found = resolve(path)
    except Resolver404:
        return None
    shared = SHARED.get(found.view_name)
    if shared is None:
        return None
    own = (Key(shared.of[0], str(found.kwargs[shared.of[1]])),) if shared.of else ()
    return Page(
        found.view_name, (*own, *shared.keys), frozenset(shared.query.split()) | _ALWAYS, shared.is_file
    )


def kind_of(path: str) -> Kind:
    """What is behind a path without a language."""
    if path.startswith(_NEVER):
        return Kind.OWN
    return Kind.NOTHING if len(path) > _LONGEST else _kind_of(path)


@lru_cache(maxsize=8192)
def _kind_of(path: str) -> Kind:
    try:
        name = resolve(path).view_name
    except Resolver404:
        return Kind.NOTHING
    if name in READ or (name in SHARED and not SHARED[name].is_file):
        return Kind.READ
    return Kind.OPEN if name in SHARED or (name in UNSHARED and name not in OWN) else Kind.OWN
