"""What an operator can act on: an account, club, list, event, player or text, found by words, by its id or by the address of a page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.db.models import Model, Q
from django.urls import Resolver404, resolve

from faults import Missing
from names.folding import search_key
from people.ids import row_number
from people.models import Club, Player, Shut, User
from people.rows import one_or_none
from people.selectors import in_force
from rating.models import RatingList
from tournaments.engine.notices import Announcement
from tournaments.models import Event, Match, MoneySession, Notice

SHOWN: Final = 10  # found of each kind
TEXTS: Final = ("announcement", "description", "about", "note")
SHUTTABLE: Final = ("club", "list", "event", "player")


@dataclass(frozen=True, slots=True)
class Subject:
    """``key`` names it in addresses, ``pk`` is its row's. ``state``: empty, hidden, removed, or suspended. ``about``: what tells it from
    others of its name; ``text``: the words themselves, of a text.
    """

    kind: str
    key: str
    pk: int
    name: str
    about: str = ""
    text: str = ""
    state: str = ""
    club: Club | None = None
    event: Event | None = None
    row: Model | None = None


def subject(kind: str, key: str) -> Subject:
    """The one of this kind with this key; ``Missing`` if there is none."""
    reader = _READERS.get(kind)
    found = reader(key[:16]) if reader is not None and "\0" not in key else None
    if found is None:
        raise Missing("operator.unknown")
    return found


def subject_of_row(kind: str, pk: int) -> Subject | None:
    """The same by its row, None where it is gone by now."""
    key = keys_of(kind, [pk]).get(pk)
    try:
        return None if key is None else subject(kind, key)
    except Missing:
        return None


def keys_of(kind: str, pks: Iterable[int]) -> dict[int, str]:
    """The keys of several rows."""
    if kind == "account":
        return {pk: str(pk) for pk in pks}
    rows = _MODELS[kind].objects.filter(pk__in=list(pks))
    return dict(rows.values_list("pk", "public_id"))


def behind(page: str) -> list[Subject]:
    """What stands behind an address of a page of this site, the nearest first."""
    try:
        kwargs = resolve(urlsplit(page).path).kwargs
    except (Resolver404, ValueError):
        return []
    found = []
    if "match" in kwargs:
        match = one_or_none(
            Match.objects.filter(public_id=kwargs["match"]).select_related("stage__division__event")
        )
        if match is not None:
            kwargs = {"event": match.stage.division.event.public_id}
    names = {"list_id": "list", "player": "player", "event": "event", "club": "club"}
    for name, kind in names.items():
        reader = _READERS[kind]
        one = reader(str(kwargs[name])[:16]) if name in kwargs else None
        if one is not None:
            found.append(one)
    if found and found[0].kind == "event":
        found += texts_of(found[0])
    return found


def texts_of(about: Subject) -> list[Subject]:
    """The texts of an event or club that anybody could have read."""
    if about.kind == "club":
        return _there([_READERS["about"](about.key)])
    if about.kind != "event":
        return []
    notices = Notice.objects.filter(event=about.pk, kind=Announcement.kind).order_by("-pk")[:SHOWN]
    sessions = MoneySession.objects.filter(stage__division__event=about.pk).exclude(note="").order_by("-pk")
    return _there(
        [
            _READERS["description"](about.key),
            *(_announcement(one) for one in notices.select_related("event__club")),
            *(_note(one) for one in sessions.select_related("stage__division__event__club")[:SHOWN]),
        ]
    )


def search(text: str) -> dict[str, list[Subject]]:
    """Everything that has the words, by kind; an address of a page gives what stands behind it."""
    text = text.strip().replace("\0", "")
    if not text:
        return {}
    if text.startswith(("/", "http://", "https://")):
        return {"page": behind(text)}
    found = {kind: _there(look(text)) for kind, look in _SEARCHES.items()}
    return {kind: rows for kind, rows in found.items() if rows}


def _there(found: Iterable[Subject | None]) -> list[Subject]:
    return [one for one in found if one is not None]


def _account(user: User | None) -> Subject | None:
    if user is None or user.is_guest:
        return None
    state = "" if user.is_active else "suspended"
    return Subject("account", str(user.pk), user.pk, str(user), user.email, state=state, row=user)


def _club(club: Club | None) -> Subject | None:
    if club is None:
        return None
    about = ", ".join(filter(None, [club.city, club.country]))
    return Subject("club", club.public_id, club.pk, club.name, about, state=club.shut, club=club, row=club)


def _list(found: RatingList | None) -> Subject | None:
    if found is None:
        return None
    return Subject(
        "list",
        found.public_id,
        found.pk,
        found.name,
        found.club.name,
        state=found.shut,
        club=found.club,
        row=found,
    )


def _event(event: Event | None) -> Subject | None:
    if event is None:
        return None
    about = f"{event.club.name} · {event.starts_on:%Y-%m-%d}"
    return Subject(
        "event",
        event.public_id,
        event.pk,
        event.name,
        about,
        state=event.shut,
        club=event.club,
        event=event,
        row=event,
    )


def _player(player: Player | None) -> Subject | None:
    if player is None:
        return None
    home = player.home_club
    about = " · ".join(filter(None, [home.name if home is not None else "", player.country]))
    return Subject(
        "player",
        player.public_id,
        player.pk,
        player.name,
        about,
        state=player.shut,
        club=home,
        row=player,
    )


def _text(kind: str, key: str, row: Any, event: Event | None, club: Club, text: str) -> Subject | None:
    """None of what never had words."""
    found = in_force(kind, row.pk)
    if not text and found is None:
        return None
    name = event.name if event is not None else club.name
    state = Shut.HIDDEN.value if found is not None and (not text or kind == "announcement") else ""
    return Subject(kind, key, row.pk, name, club.name, text, state, club=club, event=event, row=row)


def _announcement(row: Notice | None) -> Subject | None:
    news = row.news if row is not None else None
    if row is None or not isinstance(news, Announcement):
        return None
    return _text("announcement", row.public_id, row, row.event, row.event.club, news.text)


def _note(row: MoneySession | None) -> Subject | None:
    event = row.stage.division.event if row is not None else None
    if row is None or event is None:
        return None
    return _text("note", row.public_id, row, event, event.club, row.note)


def _description(event: Event | None) -> Subject | None:
    if event is None:
        return None
    return _text("description", event.public_id, event, event, event.club, event.description)


def _about(club: Club | None) -> Subject | None:
    return None if club is None else _text("about", club.public_id, club, None, club, club.about)


_EVENTS = Event.objects.select_related("club")
_LISTS = RatingList.objects.select_related("club")
_PLAYERS = Player.objects.select_related("home_club").filter(merged_into=None)
_NOTICES = Notice.objects.select_related("event__club")
_SESSIONS = MoneySession.objects.select_related("stage__division__event__club")
_READERS: Final[Mapping[str, Callable[[str], Subject | None]]] = {
    "account": lambda key: _account(one_or_none(User.objects.filter(pk=row_number(key)))),
    "club": lambda key: _club(one_or_none(Club.objects.filter(public_id=key))),
    "list": lambda key: _list(one_or_none(_LISTS.filter(public_id=key))),
    "event": lambda key: _event(one_or_none(_EVENTS.filter(public_id=key))),
    "player": lambda key: _player(one_or_none(_PLAYERS.filter(public_id=key))),
    "announcement": lambda key: _announcement(one_or_none(_NOTICES.filter(public_id=key))),
    "description": lambda key: _description(one_or_none(_EVENTS.filter(public_id=key))),
    "about": lambda key: _about(one_or_none(Club.objects.filter(public_id=key))),
    "note": lambda key: _note(one_or_none(_SESSIONS.filter(public_id=key))),
}
_MODELS: Final[Mapping[str, type[Any]]] = {
    "club": Club,
    "list": RatingList,
    "event": Event,
    "player": Player,
    "announcement": Notice,
    "description": Event,
    "about": Club,
    "note": MoneySession,
}


def _players(text: str) -> list[Subject | None]:
    rows = _PLAYERS.all()
    for word in search_key(text).split() or ["\ue001"]:
        rows = rows.filter(search_name__contains=word)
    return [_player(one) for one in (rows | _PLAYERS.filter(public_id=text)).order_by("name", "pk")[:SHOWN]]


def _texts(text: str) -> list[Subject | None]:
    notices = _NOTICES.filter(kind=Announcement.kind, facts__text__icontains=text).order_by("-pk")
    return [
        *(_announcement(one) for one in notices[:SHOWN]),
        *(_description(one) for one in _EVENTS.filter(description__icontains=text).order_by("-pk")[:SHOWN]),
        *(_about(one) for one in Club.objects.filter(about__icontains=text).order_by("-pk")[:SHOWN]),
        *(_note(one) for one in _SESSIONS.filter(note__icontains=text).order_by("-pk")[:SHOWN]),
    ]


def _named(text: str) -> Q:
    return Q(name__icontains=text) | Q(public_id=text)


_SEARCHES: Final[Mapping[str, Callable[[str], list[Subject | None]]]] = {
    "account": lambda text: [
        _account(one)
        for one in User.objects.filter(Q(email__icontains=text) | Q(name__icontains=text)).order_by("email")[
            :SHOWN
        ]
    ],
    "club": lambda text: [_club(one) for one in Club.objects.filter(_named(text)).order_by("name")[:SHOWN]],
    "list": lambda text: [_list(one) for one in _LISTS.filter(_named(text)).order_by("name")[:SHOWN]],
    "event": lambda text: [_event(one) for one in _EVENTS.filter(_named(text)).order_by("-pk")[:SHOWN]],
    "player": _players,
    "text": _texts,
}
