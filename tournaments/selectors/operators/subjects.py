"""What operators act on: accounts, clubs, rating lists, events, players and texts.

They are found by words, by id or by the address of a page.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.db.models import Model, Q
from django.urls import Resolver404, resolve

from faults import Missing
from names.folding import search_key
from people.ids import parse_row_id
from people.models import Club, Player, Restriction, User
from people.rows import one_or_none
from people.selectors import active_moderation
from rating.models import RatingList
from tournaments.engine.notices import Announcement
from tournaments.models import Event, Match, MoneySession, Notice

MAX_RESULTS: Final = 10  # found of each kind
TEXT_KINDS: Final = ("announcement", "description", "about", "note")
RESTRICTABLE_KINDS: Final = ("club", "list", "event", "player")


@dataclass(frozen=True, slots=True)
class Subject:
    """An account, club, rating list, event, player or text that an operator can act on.

    ``key``: its id in addresses; ``pk``: id of its row; ``state``: empty, hidden, removed or suspended;
    ``about``: what tells it apart from others of its name; ``text``: the content of a text.
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


def get_subject(kind: str, key: str) -> Subject:
    """Return the subject of this kind with this key; raise ``Missing`` if there is none."""
    reader = _READERS.get(kind)
    subject = reader(key[:16]) if reader is not None and "\0" not in key else None
    if subject is None:
        raise Missing("operator.unknown")
    return subject


def find_subject_by_pk(kind: str, pk: int) -> Subject | None:
    """Return the subject of this kind by the id of its row, or None if it was deleted."""
    key = keys_by_pk(kind, [pk]).get(pk)
    try:
        return None if key is None else get_subject(kind, key)
    except Missing:
        return None


def keys_by_pk(kind: str, pks: Iterable[int]) -> dict[int, str]:
    """Return the keys of subjects of one kind, as a dictionary keyed by the id of the row."""
    if kind == "account":
        return {pk: str(pk) for pk in pks}
    rows = _MODELS[kind].objects.filter(pk__in=list(pks))
    return dict(rows.values_list("pk", "public_id"))


def subjects_on_page(page: str) -> list[Subject]:
    """Return the subjects that the page at this address shows, the most specific first.

    Empty for an address that is not of this site.
    """
    try:
        kwargs = resolve(urlsplit(page).path).kwargs
    except (Resolver404, ValueError):
        return []
    subjects = []
    if "match" in kwargs:
        match = one_or_none(
            Match.objects.filter(public_id=kwargs["match"]).select_related("stage__division__event")
        )
        if match is not None:
            kwargs = {"event": match.stage.division.event.public_id}
    kind_by_argument = {"list_id": "list", "player": "player", "event": "event", "club": "club"}
    for name, kind in kind_by_argument.items():
        reader = _READERS[kind]
        subject = reader(str(kwargs[name])[:16]) if name in kwargs else None
        if subject is not None:
            subjects.append(subject)
    if subjects and subjects[0].kind == "event":
        subjects += text_subjects(subjects[0])
    return subjects


def text_subjects(subject: Subject) -> list[Subject]:
    """Return the texts of an event or club that are or were public."""
    if subject.kind == "club":
        return _without_none([_READERS["about"](subject.key)])
    if subject.kind != "event":
        return []
    notices = Notice.objects.filter(event=subject.pk, kind=Announcement.kind).order_by("-pk")[:MAX_RESULTS]
    sessions = MoneySession.objects.filter(stage__division__event=subject.pk).exclude(note="").order_by("-pk")
    return _without_none(
        [
            _READERS["description"](subject.key),
            *(_announcement_subject(row) for row in notices.select_related("event__club")),
            *(
                _note_subject(row)
                for row in sessions.select_related("stage__division__event__club")[:MAX_RESULTS]
            ),
        ]
    )


def search_subjects(text: str) -> dict[str, list[Subject]]:
    """Return the subjects that match the words, keyed by kind.

    If ``text`` is the address of a page, the key is “page”, with the subjects of that page. Empty for an
    empty text.
    """
    text = text.strip().replace("\0", "")
    if not text:
        return {}
    if text.startswith(("/", "http://", "https://")):
        return {"page": subjects_on_page(text)}
    subjects_by_kind = {kind: _without_none(search(text)) for kind, search in _SEARCHES.items()}
    return {kind: rows for kind, rows in subjects_by_kind.items() if rows}


def _without_none(subjects: Iterable[Subject | None]) -> list[Subject]:
    return [subject for subject in subjects if subject is not None]


def _account_subject(user: User | None) -> Subject | None:
    if user is None or user.is_guest:
        return None
    state = "" if user.is_active else "suspended"
    return Subject("account", str(user.pk), user.pk, str(user), user.email, state=state, row=user)


def _club_subject(club: Club | None) -> Subject | None:
    if club is None:
        return None
    description = ", ".join(filter(None, [club.city, club.country]))
    return Subject(
        "club", club.public_id, club.pk, club.name, description, state=club.shut, club=club, row=club
    )


def _list_subject(rating_list: RatingList | None) -> Subject | None:
    if rating_list is None:
        return None
    return Subject(
        "list",
        rating_list.public_id,
        rating_list.pk,
        rating_list.name,
        rating_list.club.name,
        state=rating_list.shut,
        club=rating_list.club,
        row=rating_list,
    )


def _event_subject(event: Event | None) -> Subject | None:
    if event is None:
        return None
    description = f"{event.club.name} · {event.starts_on:%Y-%m-%d}"
    return Subject(
        "event",
        event.public_id,
        event.pk,
        event.name,
        description,
        state=event.shut,
        club=event.club,
        event=event,
        row=event,
    )


def _player_subject(player: Player | None) -> Subject | None:
    if player is None:
        return None
    home = player.home_club
    description = " · ".join(filter(None, [home.name if home is not None else "", player.country]))
    return Subject(
        "player",
        player.public_id,
        player.pk,
        player.name,
        description,
        state=player.shut,
        club=home,
        row=player,
    )


def _text_subject(
    kind: str, key: str, row: Any, event: Event | None, club: Club, text: str
) -> Subject | None:
    """Return the text as a subject, or None if there is no text and no operator has removed one."""
    moderation = active_moderation(kind, row.pk)
    if not text and moderation is None:
        return None
    name = event.name if event is not None else club.name
    state = (
        Restriction.HIDDEN.value if moderation is not None and (not text or kind == "announcement") else ""
    )
    return Subject(kind, key, row.pk, name, club.name, text, state, club=club, event=event, row=row)


def _announcement_subject(row: Notice | None) -> Subject | None:
    news = row.news if row is not None else None
    if row is None or not isinstance(news, Announcement):
        return None
    return _text_subject("announcement", row.public_id, row, row.event, row.event.club, news.text)


def _note_subject(row: MoneySession | None) -> Subject | None:
    event = row.stage.division.event if row is not None else None
    if row is None or event is None:
        return None
    return _text_subject("note", row.public_id, row, event, event.club, row.note)


def _description_subject(event: Event | None) -> Subject | None:
    if event is None:
        return None
    return _text_subject("description", event.public_id, event, event, event.club, event.description)


def _about_subject(club: Club | None) -> Subject | None:
    return None if club is None else _text_subject("about", club.public_id, club, None, club, club.about)


_EVENT_ROWS = Event.objects.select_related("club")
_LIST_ROWS = RatingList.objects.select_related("club")
_PLAYER_ROWS = Player.objects.select_related("home_club").filter(merged_into=None)
_NOTICE_ROWS = Notice.objects.select_related("event__club")
_SESSION_ROWS = MoneySession.objects.select_related("stage__division__event__club")
_READERS: Final[Mapping[str, Callable[[str], Subject | None]]] = {
    "account": lambda key: _account_subject(one_or_none(User.objects.filter(pk=parse_row_id(key)))),
    "club": lambda key: _club_subject(one_or_none(Club.objects.filter(public_id=key))),
    "list": lambda key: _list_subject(one_or_none(_LIST_ROWS.filter(public_id=key))),
    "event": lambda key: _event_subject(one_or_none(_EVENT_ROWS.filter(public_id=key))),
    "player": lambda key: _player_subject(one_or_none(_PLAYER_ROWS.filter(public_id=key))),
    "announcement": lambda key: _announcement_subject(one_or_none(_NOTICE_ROWS.filter(public_id=key))),
    "description": lambda key: _description_subject(one_or_none(_EVENT_ROWS.filter(public_id=key))),
    "about": lambda key: _about_subject(one_or_none(Club.objects.filter(public_id=key))),
    "note": lambda key: _note_subject(one_or_none(_SESSION_ROWS.filter(public_id=key))),
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


def _search_players(text: str) -> list[Subject | None]:
    rows = _PLAYER_ROWS.all()
    for word in search_key(text).split() or ["\ue001"]:
        rows = rows.filter(search_name__contains=word)
    return [
        _player_subject(player)
        for player in (rows | _PLAYER_ROWS.filter(public_id=text)).order_by("name", "pk")[:MAX_RESULTS]
    ]


def _search_texts(text: str) -> list[Subject | None]:
    notices = _NOTICE_ROWS.filter(kind=Announcement.kind, facts__text__icontains=text).order_by("-pk")
    return [
        *(_announcement_subject(row) for row in notices[:MAX_RESULTS]),
        *(
            _description_subject(row)
            for row in _EVENT_ROWS.filter(description__icontains=text).order_by("-pk")[:MAX_RESULTS]
        ),
        *(
            _about_subject(row)
            for row in Club.objects.filter(about__icontains=text).order_by("-pk")[:MAX_RESULTS]
        ),
        *(
            _note_subject(row)
            for row in _SESSION_ROWS.filter(note__icontains=text).order_by("-pk")[:MAX_RESULTS]
        ),
    ]


def _name_or_id_q(text: str) -> Q:
    return Q(name__icontains=text) | Q(public_id=text)


_SEARCHES: Final[Mapping[str, Callable[[str], list[Subject | None]]]] = {
    "account": lambda text: [
        _account_subject(row)
        for row in User.objects.filter(Q(email__icontains=text) | Q(name__icontains=text)).order_by("email")[
            :MAX_RESULTS
        ]
    ],
    "club": lambda text: [
        _club_subject(row) for row in Club.objects.filter(_name_or_id_q(text)).order_by("name")[:MAX_RESULTS]
    ],
    "list": lambda text: [
        _list_subject(row) for row in _LIST_ROWS.filter(_name_or_id_q(text)).order_by("name")[:MAX_RESULTS]
    ],
    "event": lambda text: [
        _event_subject(row) for row in _EVENT_ROWS.filter(_name_or_id_q(text)).order_by("-pk")[:MAX_RESULTS]
    ],
    "player": _search_players,
    "text": _search_texts,
}
