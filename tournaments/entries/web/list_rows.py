"""Rows of an imported list of entries while a director reviews it: values, corrections, matching players."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _

from faults import Invalid
from names.folding import fold_text, search_key
from names.likeness import KnownPerson, NameDirectory, NameMatch
from names.public_page import PublicPage
from people.countries import countries
from people.ids import parse_row_id
from people.messages import describe
from people.models import Player
from people.selectors import players_by_key, players_in_federation
from people.services.players import clean_name
from rating.selectors import club_lists, is_weighted, ratings_for
from tournaments.engine.columns import CustomField, clean_custom_value
from tournaments.engine.consents import Consent
from tournaments.engine.lists.asked import parse_last_day
from tournaments.engine.lists.values import ListedPerson
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX
from tournaments.engine.new_entry import EntryDetails, NewEntry
from tournaments.entries.services.details import clean_details
from tournaments.models import Division, Event
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.entries import entered_player_ids

NEW_PLAYER: Final = "new"
VALID_UNTIL_RE: Final = re.compile(r"\s*\(\D*([\d./ -]+)\)\s*$")  # “(until 2026-12-31)”, in any language
MAX_TYPED_LENGTH: Final = 600


class RowResolution(StrEnum):
    """What a row of the list stands for.

    ``ASK``: the director must choose a player; ``MISSING``: without a name; ``KNOWN``, ``NEW``: a player to
    enter; ``TWICE``: the same as an earlier row; ``ENTERED``: already in the division; ``OUT``: left out by
    the director.
    """

    ASK = "ask"
    MISSING = "missing"
    KNOWN = "known"
    NEW = "new"
    TWICE = "twice"
    ENTERED = "entered"
    OUT = "out"


ENTERING_MEANINGS: Final = frozenset({RowResolution.KNOWN, RowResolution.NEW})


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a row: its name, label (``words``), value, and error message if the value is not valid."""

    name: str
    words: str
    value: str
    fault: str = ""


@dataclass(slots=True)
class ListRow:
    """One person of the imported list, with the director's corrections.

    ``values``: text of each field, keyed by its name; ``player_choice``: chosen player, a public id or
    `NEW_PLAYER`; ``out``: left out by the director; ``candidates``: known players whom the name may mean;
    ``faults``: error message of each field; ``number``: index in the list, from 0; ``division``: id.
    """

    number: int
    person: ListedPerson
    values: dict[str, str]
    division: int
    player_choice: str = ""
    out: bool = False
    meaning: RowResolution = RowResolution.NEW
    candidates: list[Player] = field(default_factory=list)
    player: Player | None = None
    earlier_line: int = 0  # line of the same person further up
    faults: dict[str, str] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)  # displayed fields beside the name
    asked: tuple[CustomField, ...] = ()  # custom fields of the event
    alone: bool = False  # not entered because another member of the team is not

    @property
    def rating(self) -> float | None:
        """The rating in the field; None if the field is empty or not a number."""
        try:
            return float(self.values["rating"].replace(",", ".")) if self.values["rating"] else None
        except ValueError:
            return None

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Pairs of federation and number from a text such as “USBGF 1870, WBF 12”.

        The number is empty if a part of the text is a single word.
        """
        return tuple(
            _split_pair(VALID_UNTIL_RE.sub("", part))
            for part in self.values["numbers"].split(",")
            if part.strip()
        )

    @property
    def until(self) -> tuple[tuple[str, date], ...]:
        """Pairs of federation and last valid day from a text such as “USBGF 1870 (until 2026-12-31)”.

        Invalid dates are left out; `_check_fields` reports them.
        """
        pairs = []
        for part in self.values["numbers"].split(","):
            day = parse_last_day(match[1]) if (match := VALID_UNTIL_RE.search(part)) else None
            if day is not None:
                pairs.append((_split_pair(VALID_UNTIL_RE.sub("", part))[0], day))
        return tuple(pairs)

    @property
    def own(self) -> tuple[tuple[int, str], ...]:
        """Pairs of the id of a custom field of the event and its value."""
        return tuple(
            (custom_field.pk, self.values[f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}"])
            for custom_field in self.asked
        )

    @property
    def outside(self) -> tuple[tuple[str, float], ...]:
        """Pairs of source and rating from a text such as “WBF 1650.5”.

        Invalid numbers are left out; `_check_fields` reports them.
        """
        pairs = []
        for source, value in (
            _split_pair(part) for part in self.values["outside"].split(";") if part.strip()
        ):
            try:
                pairs.append((source, float(value.replace(",", "."))))
            except ValueError:
                continue
        return tuple(pairs)

    @property
    def minor(self) -> bool:
        return self.values["minor"] == "yes"

    @property
    def details(self) -> EntryDetails:
        paid = {"yes": True, "no": False}.get(self.values["paid"])
        names = ("email", "phone", "club", "note", *(kind.value for kind in Consent))
        texts = {name: self.values[name] for name in names}
        return EntryDetails(rating=self.rating, paid=paid, hall=None, **texts)

    def entry(self, *, listed: bool) -> NewEntry:
        """Return the entry to create for this person alone; the caller adds partners.

        An imported player gets no home club, and a public page only with consent (``listed``).
        """
        if self.player is not None:
            return NewEntry(
                player_id=self.player.pk,
                details=self.details,
                minor=self.minor,
                numbers=self.numbers,
                outside=self.outside,
                until=self.until,
                own=tuple((pk, value) for pk, value in self.own if value),
            )
        return NewEntry(
            name=self.values["name"],
            country=self.values["country"],
            public_page=PublicPage.NOW if listed else PublicPage.NONE,
            home=False,
            minor=self.minor,
            details=self.details,
            numbers=self.numbers,
            outside=self.outside,
            until=self.until,
            own=tuple((pk, value) for pk, value in self.own if value),
        )


def _split_pair(part: str) -> tuple[str, str]:
    body, _blank, rest = part.strip().partition(" ")
    return body, rest.strip()


def build_rows(
    people: Sequence[ListedPerson],
    typed: Mapping[str, str] | None,
    event: Event,
    division: Division,
    divisions: Sequence[Division],
) -> list[ListRow]:
    """Return a row for each person of the list, with values, matching players and meaning.

    ``typed``: posted values of the table, None when it is shown first; ``division``: for persons whose
    division the list does not name. The number of queries does not depend on the length of the list.
    """
    division_ids = {
        fold_text(event_division.name): event_division.pk
        for event_division in divisions
        if event_division.name
    }
    custom_fields = tuple(custom_field.settings for custom_field in event_custom_fields(event))
    rows = [
        _row(number, person, typed, division, division_ids, custom_fields)
        for number, person in enumerate(people)
    ]
    for row in rows:
        _check_fields(row)
    _match_players(rows, event)
    _set_meanings(rows, {event_division.pk for event_division in divisions} | {division.pk})
    return rows


def _row(
    number: int,
    person: ListedPerson,
    typed: Mapping[str, str] | None,
    division: Division,
    division_ids: Mapping[str, int],
    custom_fields: tuple[CustomField, ...],
) -> ListRow:
    stated_id = division_ids.get(fold_text(person.division), 0) if person.division else 0
    unknown_division = person.division if not stated_id and person.division else ""
    read_values = {
        "name": person.name,
        "country": person.country,
        "rating": "" if person.rating is None else f"{person.rating:g}",
        "club": person.club,
        "email": person.email,
        "phone": person.phone,
        "paid": {True: "yes", False: "no", None: ""}[person.paid],
        "note": ", ".join(part for part in (unknown_division, person.note) if part),
        "minor": "yes" if person.minor else "",
        "numbers": ", ".join(
            _number_text(person, federation, number) for federation, number in person.numbers
        ),
        **{
            f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}": dict(person.own).get(custom_field.pk, "")
            for custom_field in custom_fields
        },
        "outside": "; ".join(f"{source} {value:g}" for source, value in person.outside),
        **{kind.value: person.replies.get(kind, "") for kind in Consent},
    }
    if typed is None:
        return ListRow(number, person, read_values, stated_id or division.pk, asked=custom_fields)
    values = {
        name: " ".join(typed.get(f"{name}-{number}", read_values[name]).replace("\0", "").split())[
            :MAX_TYPED_LENGTH
        ]
        for name in read_values
    }
    chosen_id = parse_row_id(typed.get(f"division-{number}", ""))
    division_id = chosen_id if chosen_id in division_ids.values() else stated_id or division.pk
    return ListRow(
        number,
        person,
        values,
        division_id,
        player_choice=typed.get(f"who-{number}", ""),
        out=bool(typed.get(f"out-{number}")),
        asked=custom_fields,
    )


def _number_text(person: ListedPerson, federation: str, number: str) -> str:
    day = dict(person.until).get(federation)
    until = " " + _("(until %(day)s)") % {"day": day.isoformat()} if day is not None else ""
    return f"{federation} {number}{until}"


def _check_fields(row: ListRow) -> None:
    """Validate the fields of a row, and store normalised values and error messages in the row."""
    country = row.values["country"]
    if country:
        code = countries().code_from_cell(country)
        if code:
            row.values["country"] = code
        else:
            row.faults["country"] = _("Enter a valid country.")
    if row.values["rating"] and row.rating is None:
        row.faults["rating"] = _("Enter a rating between 0 and 9999.")
    if any(not number for _federation, number in row.numbers):
        row.faults["numbers"] = _("Enter a federation and a number. Separate several with commas.")
    dated_count = sum(bool(VALID_UNTIL_RE.search(part)) for part in row.values["numbers"].split(","))
    if len(row.until) < dated_count:
        row.faults["numbers"] = _(
            "Enter the last valid day of a number as a date, for example USBGF 1870 (until 2026-12-31)."
        )
    for custom_field in row.asked:
        field = f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}"
        try:
            row.values[field] = clean_custom_value(custom_field, row.values[field], field)
        except Invalid as error:
            row.faults[field] = str(describe(error.faults[0]))
    if len(row.outside) < sum(bool(part.strip()) for part in row.values["outside"].split(";")):
        row.faults["outside"] = _("Enter a source and a number.")
    if row.values["paid"] not in {"yes", "no"}:
        row.values["paid"] = ""
    for check in (lambda: clean_name(row.values["name"]), lambda: clean_details(row.details)):
        try:
            check()
        except Invalid as error:
            row.faults.update({fault.field or "name": str(describe(fault)) for fault in error.faults})


def _match_players(rows: Sequence[ListRow], event: Event) -> None:
    """Store in each row the known players whom the name may mean, and the player if this is certain."""
    checked_rows = [row for row in rows if not row.out and "name" not in row.faults]
    federation_players = players_in_federation(event.club) if checked_rows else []
    namesakes = players_by_key(club=event.club, keys=[search_key(row.values["name"]) for row in checked_rows])
    players = {
        player.pk: player
        for player in (
            *federation_players,
            *(namesake for same_name in namesakes.values() for namesake in same_name),
        )
    }
    name_matches = _likely_players(checked_rows, players, {})
    candidate_ids = {candidate.key for name_match in name_matches for candidate in name_match.candidates}
    rating_list = next(
        (club_list for club_list in club_lists(event.club_id) if not is_weighted(club_list)), None
    )
    ratings = ratings_for(candidate_ids, rating_list.pk) if rating_list is not None and candidate_ids else {}
    if ratings:
        name_matches = _likely_players(checked_rows, {pk: players[pk] for pk in candidate_ids}, ratings)
    for row, name_match in zip(checked_rows, name_matches, strict=True):
        row.candidates = [players[candidate.key] for candidate in name_match.candidates]
        row.player = players[name_match.certain_person.key] if name_match.certain_person is not None else None


def _likely_players(
    rows: Sequence[ListRow], players: Mapping[int, Player], ratings: Mapping[int, float]
) -> list[NameMatch]:
    directory = NameDirectory(
        KnownPerson(
            pk,
            player.name,
            player.country,
            ratings.get(pk),
            player.home_club.name if player.home_club is not None else "",
        )
        for pk, player in players.items()
    )
    return [
        directory.find(row.values["name"], row.values["country"], row.rating, row.values["club"])
        for row in rows
    ]


def _set_meanings(rows: Sequence[ListRow], divisions: set[int]) -> None:
    """Store in each row what it stands for, from the matching players and the director's choices."""
    entered_ids = {pk: entered_player_ids([pk]) for pk in divisions}
    lines: dict[tuple[int, object], int] = {}
    for row in rows:
        if row.out:
            row.meaning = RowResolution.OUT
            continue
        if "name" in row.faults:
            row.meaning = RowResolution.MISSING
            continue
        chosen_player = next(
            (candidate for candidate in row.candidates if candidate.public_id == row.player_choice), None
        )
        if row.player_choice == NEW_PLAYER:
            row.player = None
        elif chosen_player is not None:
            row.player = chosen_player
        elif row.player is None and row.candidates:
            free = [
                candidate for candidate in row.candidates if candidate.pk not in entered_ids[row.division]
            ]
            typed_key = search_key(row.values["name"])
            row.meaning = RowResolution.ASK
            if not free and all(candidate.search_name == typed_key for candidate in row.candidates):
                row.meaning = RowResolution.ENTERED
            continue
        identity: object = row.player.pk if row.player is not None else search_key(row.values["name"])
        if row.player is not None and row.player.pk in entered_ids[row.division]:
            row.meaning = RowResolution.ENTERED
        elif (row.division, identity) in lines:
            row.meaning, row.earlier_line = RowResolution.TWICE, lines[row.division, identity]
        else:
            row.meaning = RowResolution.KNOWN if row.player is not None else RowResolution.NEW
            lines[row.division, identity] = row.person.line


def entries_from_rows(rows: Sequence[ListRow], size: int, *, listed: bool) -> dict[int, list[NewEntry]]:
    """Return the entries to create, keyed by division id.

    A team is entered with all its members or not at all.

    ``size``: players in a team; ``listed``: new players get a public page. Marks rows whose team is
    incomplete.
    """
    teams: dict[int, list[ListRow]] = {}
    for row in rows:
        teams.setdefault(row.person.line if size > 1 else row.number, []).append(row)
    entries: dict[int, list[NewEntry]] = {}
    for team in teams.values():
        entering_rows = [row for row in team if row.meaning in ENTERING_MEANINGS]
        for row in team:
            row.alone = len(entering_rows) != size and row.meaning in ENTERING_MEANINGS
        if len(entering_rows) == size:
            first, *partners = (row.entry(listed=listed) for row in entering_rows)
            new_entry = replace(first, partners=tuple(partners))
            entries.setdefault(entering_rows[0].division, []).append(new_entry)
    return entries
