"""An event that was played once, to be stamped into a database as often as one likes: with other ids, people, names and days.

What must differ is found by what it looks like (`patterns` sees to that) and replaced wherever it stands, also in JSON: ids, public
ids, names, days, moments. What was hashed is hashed anew: lists that a lot fell on, and the chain of the trail. So a stamped event is
as its services would have left it, and `check_events` finds nothing.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from patterns import FIRST_ID, IDS_EACH, NAME, PLACE, kept_tables

from people.ids import ALPHABET
from tournaments.engine.lots.committed import canonical_json
from tournaments.engine.trail import chain

WORDS = re.compile(r"(Qz\w+ Zq\w+|\d{4}-\d\d-\d\d|[0-9A-Za-z]+)")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(r"1[5-9]\d{14}")
TRAIL, LOTS = "people.auditentry", "tournaments.lot"
MICROSECONDS_A_DAY = 24 * 3600 * 10**6
THREE = [a + b + c for a in ALPHABET for b in ALPHABET for c in ALPHABET]


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when an event is stamped. ``players``: (id, name) of each who takes part; ``days``: how far it moves."""

    club: int
    director: int
    players: Sequence[tuple[int, str]]
    name: str
    place: str
    days: int
    seed: int


def a_public_id(rng: random.Random) -> str:
    bits = rng.getrandbits(60)
    return THREE[bits & 32767] + THREE[bits >> 15 & 32767] + THREE[bits >> 30 & 32767] + THREE[bits >> 45]


def text_of(value: object) -> str:
    """A value in COPY's text form."""
    if value is None:
        return r"\N"
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


class Stencil:
    """One pattern. ``counts``: how many ids it needs of each table; ``results``: how many of the ledger's facts it brings."""

    def __init__(self, parts: Mapping[str, Any], state: str) -> None:
        rows = parts["patterns"][state]
        self.people = int(parts["entries"])
        self._club, self._director, self._event = parts["club"], parts["director"], parts["event"]
        self._players = {
            number: index for index, (_name, number) in enumerate(sorted(parts["players"].items()))
        }
        self._labels = kept_tables()
        self._tokens: dict[str, int] = {}
        self._make: list[tuple[str, Any]] = []
        self._texts: list[str] = []
        self._known_publics = {
            row[table["columns"].index("public_id")]
            for table in rows.values()
            if "public_id" in table["columns"]
            for row in table["rows"]
        }
        self.event_public = next(
            row[table["columns"].index("public_id")]
            for label, table in rows.items()
            if label == "tournaments.event"
            for row in table["rows"]
        )
        self._lists: dict[str, list[int]] = {}
        self._links: dict[str, int] = {}
        self.results = len(rows["rating.fact"]["rows"])
        self._lowest = {
            label: min((row[0] for row in table["rows"]), default=0) for label, table in rows.items()
        }
        self.counts = {
            label: max((row[0] for row in table["rows"]), default=-1) - self._lowest[label] + 1
            for label, table in rows.items()
        }
        self._read_lots(rows[LOTS])
        self._read_trail(rows[TRAIL])
        self.columns = {label: table["columns"] for label, table in rows.items() if table["rows"]}
        self._bodies = {
            label: self._pieces("\n".join("\t".join(map(text_of, row)) for row in table["rows"]) + "\n")
            for label, table in rows.items()
            if table["rows"]
        }

    # --- reading ---

    def _pieces(self, text: str) -> list[int]:
        """The text as numbers: of literals (below zero, from the end) and of tokens."""
        pieces: list[int] = []
        literal = ""
        for index, part in enumerate(WORDS.split(text)):
            token = self._token(part) if index % 2 else None
            if token is None:
                literal += part
                continue
            if literal:
                pieces.append(self._literal(literal))
                literal = ""
            pieces.append(token)
        if literal:
            pieces.append(self._literal(literal))
        return pieces

    def _literal(self, text: str) -> int:
        self._texts.append(text)
        return -len(self._texts)

    def _token(self, word: str) -> int | None:
        if word in self._tokens:
            return self._tokens[word]
        meaning = self._meaning(word)
        if meaning is None:
            return None
        return self._new(word, *meaning)

    def _new(self, word: str, kind: str, value: object) -> int:
        self._tokens[word] = len(self._make)
        self._make.append((kind, value))
        return self._tokens[word]

    def _meaning(self, word: str) -> tuple[str, Any] | None:
        if word.startswith("Qz"):
            if word in (NAME, PLACE):
                return "name" if word == NAME else "place", None
            return "player name", int(word[2:6])
        if word in self._known_publics:
            return "public", None
        if word.isdigit() and len(word) == 10:
            return self._id(int(word))
        if DAY.fullmatch(word):
            return "day", date.fromisoformat(word)
        if MOMENT.fullmatch(word):
            return "moment", int(word)
        return None

    def _id(self, number: int) -> tuple[str, Any] | None:
        index = (number - FIRST_ID) // IDS_EACH
        if not 0 <= index < len(self._labels):
            return None  # a number like any other
        if number == self._club:
            return "club", None
        if number == self._director:
            return "director", None
        if number in self._players:
            return "player", self._players[number]
        label = self._labels[index]
        return ("id", (label, number - self._lowest[label])) if label in self._lowest else None

    def _read_lots(self, lots: Mapping[str, Any]) -> None:
        listed_index, hash_index = lots["columns"].index("listed"), lots["columns"].index("list_hash")
        for row in lots["rows"]:
            pieces = self._pieces(canonical_json(json.loads(row[listed_index])))
            self._new(row[hash_index], "hash", ("", pieces))

    def _read_trail(self, trail: Mapping[str, Any]) -> None:
        """Every link of the chain as a token that is worked out in order: what a row says with the words in it digested."""
        audit_rows = [dict(zip(trail["columns"], row, strict=True)) for row in trail["rows"]]
        self._first_link = self._new(json.loads(audit_rows[0]["seal"])["before"], "first link", None)
        for row in audit_rows:
            seal = json.loads(row["seal"])
            timestamp = f"{row['at'].replace(' ', 'T')}+00:00"
            actor = self._digest(seal["salt"], chain.ACTOR, str(row["actor_id"]))
            self._new(seal["actor"], "hash", actor)
            tree = {
                "at": timestamp,
                "action": row["action"],
                "subject": [row["subject_type"], row["subject_id"]],
                chain.ACTOR: seal["actor"],
                chain.LABEL: self._word(seal["salt"], chain.LABEL, row["actor_label"]),
                chain.DATA: self._tree(seal["salt"], json.loads(row["data"]), chain.DATA),
            }
            text_pieces = self._pieces(f"|{json.dumps(tree, sort_keys=True, separators=(',', ':'))}")
            previous_token = self._tokens[seal["before"]]
            self._new(row["link"], "link", (previous_token, text_pieces))

    def _tree(self, salt: str, value: Any, path: str) -> Any:
        if isinstance(value, str):
            return self._word(salt, path, value)
        if isinstance(value, Mapping):
            return {key: self._tree(salt, part, f"{path}/{key}") for key, part in value.items()}
        if isinstance(value, list):
            return [self._tree(salt, part, f"{path}/{index}") for index, part in enumerate(value)]
        return value

    def _digest(self, salt: str, path: str, text: str) -> tuple[str, list[int]]:
        """What is hashed of a word: its own salt, and its text in pieces."""
        return f"{sha256(f'{salt}|{path}'.encode()).hexdigest()}|", self._pieces(text)

    def _word(self, salt: str, path: str, text: str) -> str:
        """The digest of a word; of one that differs from event to event it is a token itself."""
        prefix, pieces = self._digest(salt, path, text)
        digest = sha256(f"{prefix}{text}".encode()).hexdigest()
        if any(piece >= 0 for piece in pieces) and digest not in self._tokens:
            self._new(digest, "hash", (prefix, pieces))
        return digest

    # --- stamping ---

    def stamp(self, place: Place, bases: Mapping[str, int]) -> Iterable[tuple[str, str]]:
        """The rows of every table in COPY's text form, with ids from ``bases`` on."""
        rng = random.Random(place.seed)
        shift = timedelta(days=place.days)
        makers: dict[str, Callable[[Any], str]] = {
            "id": lambda value: str(bases[value[0]] + value[1]),
            "club": lambda _what: str(place.club),
            "director": lambda _what: str(place.director),
            "player": lambda value: str(place.players[value][0]),
            "player name": lambda value: place.players[value][1],
            "name": lambda _what: place.name,
            "place": lambda _what: place.place,
            "public": lambda _what: a_public_id(rng),
            "day": lambda value: str(value + shift),
            "moment": lambda value: str(value + place.days * MICROSECONDS_A_DAY),
        }
        # Tokens, then the literals, which count from the end.
        values = [makers[kind](value) if kind in makers else "" for kind, value in self._make] + self._texts[
            ::-1
        ]
        value_at = values.__getitem__
        for token, (kind, value) in enumerate(self._make):
            if kind == "hash":
                prefix, pieces = value
                values[token] = sha256((prefix + "".join(map(value_at, pieces))).encode()).hexdigest()
            elif kind == "first link":
                values[token] = chain.initial_hash(values[self._tokens[self.event_public]])
            elif kind == "link":
                previous_token, pieces = value
                text = f"{chain.CHAIN_VERSION}|{values[previous_token]}{''.join(map(value_at, pieces))}"
                values[token] = sha256(text.encode()).hexdigest()
        for label, pieces in self._bodies.items():
            yield label, "".join(map(value_at, pieces))
