"""Values of list reading: a person, a draft of a person, columns, and the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from names.countries import Countries
from tournaments.engine.lists.personal import PLAIN_STYLE, NameStyle
from tournaments.engine.lists.words import ColumnRole

MAX_NAME_LENGTH: Final = 120
MAX_CELL_LENGTH: Final = 160
MAX_NOTE_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a list.

    ``line``: line or row in the list, from 1; ``place``: position in a team, from 1; ``country``: ISO 3166
    alpha-2; ``paid``: None if not stated; ``note``: all other text. ``replies``: answers to consents
    (`engine.consents`), keyed by consent. ``numbers``: pairs of federation and membership number;
    ``outside``: pairs of federation and rating; ``until``: pairs of federation and the last day on which the
    number is valid; ``own``: pairs of custom field id and value.
    """

    line: int
    raw: str
    name: str
    country: str = ""
    rating: float | None = None
    club: str = ""
    division: str = ""
    email: str = ""
    phone: str = ""
    paid: bool | None = None
    note: str = ""
    place: int = 1
    replies: Mapping[str, str] = field(default_factory=dict)
    minor: bool = False
    numbers: tuple[tuple[str, str], ...] = ()
    outside: tuple[tuple[str, float], ...] = ()
    until: tuple[tuple[str, date], ...] = ()
    own: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ListStyle:
    """What is known of the whole list.

    ``countries``: the known countries; ``name_style``: how names are written; ``states``: two capitals may be
    a US state.
    """

    countries: Countries
    name_style: NameStyle = PLAIN_STYLE
    states: bool = False
    surname_before_comma: bool = False  # "García Lorenzo, Federico": all words before a comma are surnames


@dataclass(slots=True)
class PersonDraft:
    """A person while the list is being read, with the fields of `ListedPerson`; ``texts``: text by role.

    Text that repeats a detail differently or is not recognized becomes a note.
    """

    name: str = ""
    country: str = ""
    rating: float | None = None
    texts: dict[ColumnRole, str] = field(default_factory=dict)
    paid: bool | None = None
    notes: list[str] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)
    minor: bool = False
    numbers: list[tuple[str, str]] = field(default_factory=list)
    outside: list[tuple[str, float]] = field(default_factory=list)
    until: dict[str, date] = field(default_factory=dict)
    own: dict[int, str] = field(default_factory=dict)

    def store_text(self, role: ColumnRole, text: str) -> None:
        """Store ``text`` under ``role``, or as a note if the role already has another text."""
        text = " ".join(text.split()).strip(" ,;|")
        if not text:
            return
        if role is ColumnRole.DIVISION and text.isupper() and len(text) > 3:
            text = text.title()
        if role is ColumnRole.NOTE or (role in self.texts and self.texts[role] != text):
            self.note(text)
        else:
            self.texts[role] = text[:MAX_CELL_LENGTH]

    def note(self, text: str) -> None:
        text = " ".join(text.split()).strip(" ,;|–—")
        if any(c.isalnum() for c in text) and text not in self.notes:
            self.notes.append(text)

    def set_country(self, code: str, text: str) -> None:
        if self.country and self.country != code:
            self.note(text)
        else:
            self.country = code

    def rated(self, value: float, text: str) -> None:
        if self.rating is not None and self.rating != value:
            self.note(text)
        else:
            self.rating = value

    def listed(self, line: int, raw: str, place: int = 1) -> ListedPerson:
        name = self.name
        notes = list(self.notes)
        if len(name) > MAX_NAME_LENGTH:
            notes.insert(0, name[MAX_NAME_LENGTH:])
            name = name[:MAX_NAME_LENGTH].rstrip()
        return ListedPerson(
            line=line,
            raw=raw.strip()[:300],
            name=name,
            country=self.country,
            rating=self.rating,
            club=self.texts.get(ColumnRole.CLUB, ""),
            division=self.texts.get(ColumnRole.DIVISION, ""),
            email=self.texts.get(ColumnRole.EMAIL, ""),
            phone=self.texts.get(ColumnRole.PHONE, ""),
            paid=self.paid,
            note=", ".join(notes)[:MAX_NOTE_LENGTH],
            place=place,
            replies=dict(self.replies),
            minor=self.minor,
            numbers=tuple(self.numbers),
            outside=tuple(self.outside),
            until=tuple(self.until.items()),
            own=tuple(self.own.items()),
        )


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a table: its index from 0, its header, what it holds (role), and its first cells."""

    index: int
    head: str
    role: ColumnRole
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedList:
    """A parsed list.

    ``people``: its people; ``columns``: its columns, empty if it is not a table; ``other_lines``: pairs of
    line number and text for the lines that are not people.
    """

    people: tuple[ListedPerson, ...] = ()
    columns: tuple[ListColumn, ...] = ()
    other_lines: tuple[tuple[int, str], ...] = ()


RolesByColumn = Mapping[int, ColumnRole]
