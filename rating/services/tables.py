"""Read CSV tables of opening ratings; ``result_tables`` reads those of old results.

Reads and checks, writes nothing. Every error of every line is reported at once, with its line; valid rows are
kept for the summary. Names are looked up among the club's own players; a player of another club only matches
if the importing person confirms it (``same``: public ids). A public id may replace a name.
"""

import codecs
import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, tzinfo
from typing import Final, Generic, TypeVar

from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from faults import Fault, Unreadable
from names.folding import search_key
from people.models import Club, Player, PlayerClub
from people.selectors import players_by_key, players_for_club
from rating.formulas.base import MAX_EXPERIENCE
from rating.formulas.glicko2 import MAX_DEVIATION
from rating.models import Fact
from rating.store.reading import merged_players

MAX_ROWS = 100_000
MAX_LISTED_FAULTS: Final = 1_000  # faults, and notes, that are listed; the rest is counted
PROGRESS_LINES: Final = 1_000  # lines between two reports of progress
MAX_QUOTED_CHARS: Final = 40  # of an invalid cell
MAX_NAME_LENGTH: Final = 120  # of a player
QUERY_BATCH: Final = 400  # ids in one query

ProgressCallback = Callable[[str, int, int], None]  # current step, amount done, total


def ignore_progress(_phase: str, _done: int, _total: int) -> None:
    """Do nothing with the progress that is reported."""


class LimitedFaults(list[Fault]):
    """The first ``MAX_LISTED_FAULTS`` errors; ``more`` counts the others. So memory use is limited."""

    more = 0

    def add(self, faults: Iterable[Fault]) -> None:
        """Add ``faults`` as long as there is room, and count the others."""
        for fault in faults:
            if len(self) < MAX_LISTED_FAULTS:
                self.append(fault)
            else:
                self.more += 1


_DOTTED_DATE = re.compile(r"^([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})\b")
OPENING_COLUMNS = ("player", "rating")


@dataclass(frozen=True, slots=True)
class TablePerson:
    """A player in a table: a known one with ``player_id``, or an unknown name. ``word``: as in the file.

    ``is_named_by_id``: True if the file names the player by an id that is known here. ``ref`` distinguishes
    unknown players: two ids are two people, also with the same name.
    """

    name: str
    player_id: int | None = None
    word: str = field(default="", compare=False)
    is_named_by_id: bool = field(default=False, compare=False)
    ref: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name that may mean several players, or a player of another club: the importing person chooses.

    ``own``: True if the candidates are players of the club or have results there.
    """

    name: str
    candidates: tuple[tuple[str, str], ...]  # public id, home club
    own: bool = False


@dataclass(frozen=True, slots=True)
class OpeningRow:
    line: int
    person: TablePerson
    rating: float
    experience: int
    deviation: float | None = None  # Glicko-2
    at: datetime | None = None  # of a ledger's own file, with its own time; in others all hold as of one day
    origin: str = ""  # its key in the exported ledger


Row = TypeVar("Row")


@dataclass(slots=True)
class Table(Generic[Row]):
    """The content of a file. ``unknown``: unknown names, keyed by their reference (``Person.ref``)."""

    rows: list[Row] = field(default_factory=list)
    faults: LimitedFaults = field(default_factory=LimitedFaults)
    unknown: dict[str, str] = field(default_factory=dict)
    notes: LimitedFaults = field(default_factory=LimitedFaults)
    matches: tuple[AmbiguousName, ...] = ()

    def set_people(self, people: "PeopleLookup") -> None:
        """Take over unknown and ambiguous names from the lookup of all names."""
        self.unknown, self.matches = people.unknown, tuple(people.matches.values())


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, with its cells keyed by column name; ``faults`` collects the errors in it."""

    number: int
    cells: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def fault(self, code: str, column: str, **params: object) -> None:
        """Add an error in ``column`` to the line."""
        self.faults.append(Fault(code, column, {"line": self.number, "column": column, **params}))


def decode_table(content: bytes) -> str:
    """Return the text of an uploaded file, in UTF-8, UTF-16 or a Western European encoding.

    Spreadsheets call UTF-16 "Unicode text". Raises ``Unreadable`` for other files.
    """
    has_utf16_mark = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if has_utf16_mark else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Unreadable("rating.csv.unreadable", field="file")


def column_names(text: str) -> list[str]:
    """Return the column names in the first line of a table, in lower case and with ``_`` for spaces."""
    head: list[str] = next((cells for _line, cells in _iter_rows(text)), [])
    return [name.casefold().replace(" ", "_") for name in head]


def _iter_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of lines that are not empty. Raises ``Unreadable`` if the text is no CSV.

    The delimiter is the most frequent one in the first line.
    """
    text = text.lstrip("\ufeff")
    head = text.lstrip(" \r\n").partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        for number, row in enumerate(csv.reader(_iter_lines(text), delimiter=delimiter), 1):
            cells = [_strip_apostrophe(cell.strip()) for cell in row]
            if any(cells):
                yield number, cells
    except csv.Error:
        raise Unreadable("rating.csv.unreadable", field="file") from None


def _iter_lines(text: str) -> Iterator[str]:
    """Yield the lines of ``text`` with their ends, one at a time: a list would be four times as large."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _strip_apostrophe(cell: str) -> str:
    """Return the cell without the apostrophe that Crawford's exports put before formulas."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in {"=", "+", "-", "@"} else cell


class Lines:
    """All lines below the column names, read anew in each iteration, one at a time.

    Raises ``Unreadable`` if the table is empty, too large, or lacks a ``required`` column.
    """

    def __init__(self, text: str, required: Sequence[str]) -> None:
        self._text = text
        self._count = -1
        for _row in _iter_rows(text):
            self._count += 1
            if self._count > MAX_ROWS:
                raise Unreadable(faults=[Fault("rating.csv.large", "file", {"limit": MAX_ROWS})])
        if self._count < 1:
            raise Unreadable("rating.csv.empty", field="file")
        self._columns = column_names(text)
        missing = [name for name in required if name not in self._columns]
        if missing:
            raise Unreadable(faults=[Fault("rating.csv.columns", "file", {"columns": ", ".join(missing)})])

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Line]:
        rows = _iter_rows(self._text)
        next(rows)
        for number, cells in rows:
            line = Line(number, dict(zip(self._columns, cells, strict=False)))
            if any(cells[len(self._columns) :]):
                line.fault("rating.csv.cells", "file")
            yield line


def read_lines(text: str, required: Sequence[str]) -> Lines:
    """Return the lines of a table. Raises ``Unreadable`` if it lacks a ``required`` column."""
    return Lines(text, required)


def report_while_reading(lines: Iterable[Line], total: int, on_progress: ProgressCallback) -> Iterator[Line]:
    """Yield the lines, and call ``on_progress`` now and then; ``total``: the number of lines."""
    for number, line in enumerate(lines):
        if number % PROGRESS_LINES == 0:
            on_progress("reading", number, total)
        yield line


class PeopleLookup:
    """Looks up all names of a file at once. ``unknown`` collects names not found, ``matches`` ambiguous ones.

    An exported table has ids beside names (``winner_id``): they take precedence where they are known here,
    and distinguish two people of one name. The id of a merged player means the remaining one.
    """

    def __init__(
        self, club: Club, lines: Iterable[Line], columns: Sequence[str], same: Collection[str] = ()
    ) -> None:
        found_words: set[str] = set()
        ids: set[str] = set()
        for line in lines:
            found_words.update(line[column] for column in columns)
            ids.update(line[f"{column}_id"] for column in columns)
        words = sorted(found_words)
        lookup_terms = sorted((ids - {""}).union(words))
        self._by_id = {
            player.public_id: player
            for start in range(0, len(lookup_terms), QUERY_BATCH)
            for player in players_for_club(club).filter(
                public_id__in=lookup_terms[start : start + QUERY_BATCH]
            )
        }
        keys = {word: search_key(word) for word in words}
        players_by_search_key = players_by_key(club=club, keys=[key for key in keys.values() if key])
        self._by_name: dict[str, list[Player]] = {
            word: players_by_search_key.get(key, []) for word, key in keys.items()
        }
        self._own, self._played = self._club_player_ids(
            club, {player.pk for players in players_by_search_key.values() for player in players}
        )
        self._confirmed = frozenset(same)
        self.matches: dict[str, AmbiguousName] = {}
        matched_words = {word for word, players in self._by_name.items() if players}
        self._add_merged(club, sorted(set(lookup_terms) - self._by_id.keys() - matched_words))
        self._ids: dict[str, str] = {}  # names by id in the file
        self._same: dict[object, TablePerson] = {}  # one shared object for each player
        self.unknown: dict[str, str] = {}

    @staticmethod
    def _club_player_ids(club: Club, ids: Iterable[int]) -> tuple[set[int], set[int]]:
        """Return the ids of those who are players of the club, and of others with results in its ledger."""
        own_ids: set[int] = set()
        played_ids: set[int] = set()
        remaining = sorted(ids)
        clubs = Club.objects.filter(Q(pk=club.pk) | Q(parent=club)).values(
            "pk"
        )  # of a federation also its members
        for start in range(0, len(remaining), QUERY_BATCH):
            links = PlayerClub.objects.filter(
                club__in=clubs, player__in=remaining[start : start + QUERY_BATCH]
            )
            own_ids.update(links.values_list("player_id", flat=True))
        remaining = sorted(set(remaining) - own_ids)
        for start in range(0, len(remaining), QUERY_BATCH):
            batch = remaining[start : start + QUERY_BATCH]
            for side in ("winner_id", "loser_id"):
                rows = Fact.objects.filter(**{f"{side}__in": batch}, club=club).order_by()
                played_ids.update(rows.values_list(side, flat=True).distinct())
        return own_ids, played_ids

    def _players_named(self, word: str, key: str) -> list[Player]:
        """Return the players with a name: the confirmed one, else the club's own, else others known here.

        These have results in the club's ledger, so a table imported before means the same people. An
        ambiguous name is added to ``matches``.
        """
        players = self._by_name[word]
        confirmed = [player for player in players if player.public_id in self._confirmed]
        if len(confirmed) == 1:
            return confirmed
        preferred = [player for player in players if player.pk in self._own] or [
            player for player in players if player.pk in self._played
        ]
        if len(preferred) != 1 and players:
            candidates = tuple(
                (player.public_id, player.home_club.name if player.home_club else "")
                for player in preferred or players
            )
            self.matches.setdefault(
                key, AmbiguousName(" ".join(word.split())[:MAX_NAME_LENGTH], candidates, own=bool(preferred))
            )
        return preferred

    def _add_merged(self, club: Club, ids: Sequence[str]) -> None:
        survivor_ids: dict[str, int] = {}
        merges = merged_players() if ids else {}
        for start in range(0, len(ids), QUERY_BATCH):
            batch = ids[start : start + QUERY_BATCH]
            merged = Player.objects.filter(public_id__in=batch, merged_into__isnull=False)
            survivor_ids.update(
                {public_id: merges[pk] for pk, public_id in merged.values_list("pk", "public_id")}
            )
        survivors = players_for_club(club).in_bulk(set(survivor_ids.values()))
        self._by_id.update(
            {public_id: survivors[pk] for public_id, pk in survivor_ids.items() if pk in survivors}
        )

    def find(self, line: Line, column: str) -> TablePerson | None:
        """Return the player in a column; None, with an error on the line, if it is empty or ambiguous."""
        person = self._find_person(line, column)
        return (
            None
            if person is None
            else self._same.setdefault((person, person.word, person.is_named_by_id), person)
        )

    def _find_person(self, line: Line, column: str) -> TablePerson | None:
        word, given_id = line[column], line[f"{column}_id"]
        player = self._by_id.get(given_id) or self._by_id.get(word)
        if player is not None:
            return TablePerson(player.name, player.pk, word, is_named_by_id=True)
        key = search_key(word)
        if not key:
            line.fault("rating.csv.empty_cell", column)
            return None
        players = self._players_named(word, key)
        is_namesake = bool(given_id) and self._ids.setdefault(key, given_id) != given_id
        if len(players) > 1 or (players and is_namesake):
            line.fault("rating.csv.player_ambiguous", column, value=word[:MAX_NAME_LENGTH])
            return None
        if players:
            return TablePerson(players[0].name, players[0].pk, word)
        ref = f"{key}#{given_id}" if is_namesake else key
        return TablePerson(
            self.unknown.setdefault(ref, " ".join(word.split())[:MAX_NAME_LENGTH]), None, word, ref=ref
        )


def parse_number(line: Line, column: str, *, low: float, high: float, default: float | None = None) -> float:
    """Parse a number from ``low`` to ``high``; an invalid one is added to the line's errors.

    An empty cell gives the ``default``, and is an error without one.
    """
    text = line[column]
    if not text and default is not None:
        return default
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        line.fault("rating.csv.number", column, value=text[:MAX_QUOTED_CHARS])
    return value


def parse_whole_number(line: Line, column: str, *, low: int, high: int, default: int | None = None) -> int:
    """Parse an integer like ``parse_number``; returns ``low`` for a number out of the range."""
    value = parse_number(line, column, low=low, high=high, default=default)
    if not low <= value <= high:
        return low
    if value != int(value):
        line.fault("rating.csv.number", column, value=line[column][:MAX_QUOTED_CHARS])
    return int(value)


def parse_time(line: Line, column: str, zone: tzinfo | None = None) -> datetime:
    """Parse a time, in ``zone`` if it states none (default: the active zone). Errors are added to the line.

    A date, also as 14.3.2026, means its noon in UTC, which is the same date nearly everywhere.
    """
    text = _DOTTED_DATE.sub(lambda match: f"{match[3]}-{int(match[2]):02}-{int(match[1]):02}", line[column])
    try:
        day = parse_date(text)
        parsed = parse_datetime(text) if day is None else None
    except ValueError:
        parsed = day = None
    if day is not None:
        parsed = datetime.combine(day, time(12), tzinfo=UTC)
    if parsed is None or not 1900 <= parsed.year <= timezone.now().year + 1:
        line.fault("rating.csv.date", column, value=line[column][:MAX_QUOTED_CHARS])
        return timezone.now()
    return timezone.make_aware(parsed, zone) if timezone.is_naive(parsed) else parsed


def read_openings(
    club: Club, text: str, on_progress: ProgressCallback = ignore_progress, same: Collection[str] = ()
) -> Table[OpeningRow]:
    """Read a table of opening ratings. ``same``: public ids of players confirmed for their names.

    Columns: player, rating; optional experience and, for Glicko-2, deviation.
    """
    lines = read_lines(text, OPENING_COLUMNS)
    people = PeopleLookup(club, lines, ["player"], same)
    table: Table[OpeningRow] = Table()
    line_by_player: dict[object, int] = {}
    for line in report_while_reading(lines, len(lines), on_progress):
        person = people.find(line, "player")
        rating = parse_number(line, "rating", low=0.0, high=10_000.0)
        experience = parse_whole_number(line, "experience", low=0, high=MAX_EXPERIENCE, default=0)
        deviation = None
        if line["deviation"]:
            deviation = parse_number(line, "deviation", low=1.0, high=MAX_DEVIATION)
        if person is not None:
            person_key = person.player_id or person.ref
            if person_key in line_by_player:
                line.fault("rating.csv.twice", "player", other=line_by_player[person_key])
            line_by_player.setdefault(person_key, line.number)
        if line.faults or person is None:
            table.faults.add(line.faults)
        else:
            table.rows.append(OpeningRow(line.number, person, rating, experience, deviation))
    table.set_people(people)
    return table
