"""Read tables that people keep elsewhere: CSV of opening ratings and of old results. Reads and judges, writes nothing.

Every fault of every line is reported at once, with its line; what is right is kept for the summary. Names are looked up
among the players that the club's directors may see; a public id may stand in place of a name.
"""

import codecs
import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import Generic, TypeVar

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from people.errors import Fault, Unreadable
from people.models import Club, Player, search_key
from people.selectors import players_by_key, players_for_club
from rating.formulas.glicko2 import WIDEST
from rating.formulas.rateable import LONGEST, ResultKind, is_rateable

MOST_ROWS = 20_000
_DOTTED = re.compile(r"^([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})\b")
OPENING_COLUMNS = ("player", "rating")
RESULT_COLUMNS = ("date", "winner", "loser", "length")


@dataclass(frozen=True, slots=True)
class Person:
    """A player by id, or a name that is not known yet."""

    name: str
    player_id: int | None = None


@dataclass(frozen=True, slots=True)
class OpeningRow:
    line: int
    person: Person
    rating: float
    experience: int
    deviation: float | None = None  # Glicko-2


@dataclass(frozen=True, slots=True)
class ResultRow:
    line: int
    winner: Person
    loser: Person
    length: int
    winner_score: int
    loser_score: int
    kind: ResultKind
    played_at: datetime
    event: str


Row = TypeVar("Row")


@dataclass(slots=True)
class Table(Generic[Row]):
    """What a file holds: good rows, faults, and names that nobody of the club has."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file with its cells by column."""

    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


def decode(content: bytes) -> str:
    """Text of an uploaded file: UTF-8, what a spreadsheet calls Unicode text (UTF-16), or what one of Western Europe writes."""
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Unreadable("rating.csv.unreadable", field="file")


def _lines(text: str, wanted: Sequence[str]) -> list[_Line]:
    head = text.lstrip("\ufeff \r\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    try:
        rows = [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(
                csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter), 1
            )
            if any(cell.strip() for cell in row)
        ]
    except csv.Error:
        raise Unreadable("rating.csv.unreadable", field="file") from None
    if len(rows) < 2:
        raise Unreadable("rating.csv.empty", field="file")
    if len(rows) > MOST_ROWS + 1:
        raise Unreadable(faults=[Fault("rating.csv.large", "file", {"limit": MOST_ROWS})])
    columns = [name.casefold().replace(" ", "_") for name in rows[0][1]]
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise Unreadable(faults=[Fault("rating.csv.columns", "file", {"columns": ", ".join(missing)})])
    return [_Line(number, dict(zip(columns, cells, strict=False))) for number, cells in rows[1:]]


class _People:
    """Looks all names of a file up at once."""

    def __init__(self, club: Club, words: Sequence[str]) -> None:
        words = sorted(set(words))
        self.by_id = {
            player.public_id: player
            for start in range(0, len(words), 400)
            for player in players_for_club(club).filter(public_id__in=words[start : start + 400])
        }
        keys = {word: search_key(word) for word in words}
        found = players_by_key(club=club, keys=[key for key in keys.values() if key])
        self.by_name: dict[str, list[Player]] = {word: found.get(key, []) for word, key in keys.items()}

    def find(self, line: _Line, column: str, faults: list[Fault], unknown: dict[str, str]) -> Person | None:
        word = line[column]
        if not search_key(word):
            faults.append(Fault("rating.csv.player_missing", column, {"line": line.number, "column": column}))
            return None
        player = self.by_id.get(word)
        if player is None:
            named = self.by_name[word]
            if len(named) > 1:
                faults.append(
                    Fault("rating.csv.player_ambiguous", column, {"line": line.number, "value": word})
                )
                return None
            if not named:
                unknown.setdefault(search_key(word), " ".join(word.split())[:120])
                return Person(unknown[search_key(word)])
            player = named[0]
        return Person(player.name, player.pk)


def _number(
    line: _Line, column: str, faults: list[Fault], *, low: float, high: float, default: float | None = None
) -> float:
    text = line[column]
    if not text and default is not None:
        return default
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        faults.append(
            Fault("rating.csv.number", column, {"line": line.number, "value": text[:40], "column": column})
        )
    return value


def _whole(
    line: _Line, column: str, faults: list[Fault], *, low: int, high: int, default: int | None = None
) -> int:
    before = len(faults)
    value = _number(line, column, faults, low=low, high=high, default=default)
    if len(faults) == before and value != int(value):
        faults.append(
            Fault(
                "rating.csv.number",
                column,
                {"line": line.number, "value": line[column][:40], "column": column},
            )
        )
    return int(value) if len(faults) == before else low


def _time(line: _Line, faults: list[Fault]) -> datetime:
    """A day, also as 14.3.2026, means its noon, UTC, so that it is the same day nearly everywhere."""
    text = _DOTTED.sub(lambda said: f"{said[3]}-{int(said[2]):02}-{int(said[1]):02}", line["date"])
    try:
        at = parse_datetime(text) if len(text) > 10 else None
        day = parse_date(text) if at is None else None
    except ValueError:
        at = day = None
    if at is None and day is not None:
        at = datetime.combine(day, time(12), tzinfo=UTC)
    if at is None or not 1900 <= at.year <= timezone.now().year + 1:
        faults.append(Fault("rating.csv.date", "date", {"line": line.number, "value": line["date"][:40]}))
        return timezone.now()
    return timezone.make_aware(at) if timezone.is_naive(at) else at


def read_openings(club: Club, text: str) -> Table[OpeningRow]:
    """Columns: player, rating; optional experience and, for Glicko-2, deviation."""
    lines = _lines(text, OPENING_COLUMNS)
    people = _People(club, [line["player"] for line in lines])
    table: Table[OpeningRow] = Table()
    unknown: dict[str, str] = {}
    seen: dict[object, int] = {}
    for line in lines:
        faults: list[Fault] = []
        person = people.find(line, "player", faults, unknown)
        rating = _number(line, "rating", faults, low=0.0, high=10_000.0)
        experience = _whole(line, "experience", faults, low=0, high=1_000_000, default=0)
        deviation = None
        if line["deviation"]:
            deviation = _number(line, "deviation", faults, low=1.0, high=WIDEST)
        if person is not None:
            who = person.player_id or search_key(person.name)
            if who in seen:
                faults.append(Fault("rating.csv.twice", "player", {"line": line.number, "other": seen[who]}))
            seen.setdefault(who, line.number)
        if faults or person is None:
            table.faults += faults
        else:
            table.rows.append(OpeningRow(line.number, person, rating, experience, deviation))
    table.unknown = list(unknown.values())
    return table


def read_results(club: Club, text: str) -> Table[ResultRow]:
    """Columns: date, winner, loser, length; optional winner_score, loser_score, kind, event."""
    lines = _lines(text, RESULT_COLUMNS)
    people = _People(club, [line[column] for line in lines for column in ("winner", "loser")])
    table: Table[ResultRow] = Table()
    unknown: dict[str, str] = {}
    for line in lines:
        faults: list[Fault] = []
        winner = people.find(line, "winner", faults, unknown)
        loser = people.find(line, "loser", faults, unknown)
        played_at = _time(line, faults)
        length = _whole(line, "length", faults, low=1, high=LONGEST)
        winner_score = _whole(line, "winner_score", faults, low=0, high=999, default=length)
        loser_score = _whole(line, "loser_score", faults, low=0, high=999, default=0)
        kind = _kind(line, faults)
        if not faults and (loser_score >= length or (kind is ResultKind.PLAYED and winner_score < length)):
            faults.append(
                Fault(
                    "rating.csv.score",
                    "winner_score",
                    {"line": line.number, "value": f"{winner_score}-{loser_score}", "length": length},
                )
            )
        if winner is not None and winner == loser:
            faults.append(Fault("rating.csv.same_player", "loser", {"line": line.number}))
        if faults or winner is None or loser is None:
            table.faults += faults
            continue
        table.rows.append(
            ResultRow(
                line.number,
                winner,
                loser,
                length,
                winner_score,
                loser_score,
                kind,
                played_at,
                line["event"][:160],
            )
        )
    table.unknown = list(unknown.values())
    return table


def _kind(line: _Line, faults: list[Fault]) -> ResultKind:
    text = line["kind"].casefold().replace(" ", "_") or ResultKind.PLAYED
    try:
        kind = ResultKind(text)
    except ValueError:
        kind = ResultKind.BYE
    if not is_rateable(kind):  # F12
        faults.append(Fault("rating.csv.kind", "kind", {"line": line.number, "value": line["kind"][:40]}))
    return kind
