"""The lists of `tests/data/entry_lists`: read what is expected there, and count how much of it a reader got right."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from names.likeness import KnownPerson, NameDirectory
from people.countries import countries
from tournaments.engine.lists.reader import parse_list

DATA = Path(__file__).resolve().parents[1] / "data" / "entry_lists"
FIELDS = ("name", "country", "rating", "club", "division", "email", "phone", "paid", "numbers", "note")

Row = Mapping[str, str]  # what a reader says of one person; its line under "line"
Reader = Callable[[str, int], Sequence[Row]]


@dataclass
class Person:
    line: int
    said: dict[str, str]
    match: str = ""
    ask: tuple[str, ...] = ()


@dataclass
class SmallList:
    title: str
    size: int = 1
    known: list[dict[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def lists_of(name: str) -> list[SmallList]:
    """The lists of one file."""
    found: list[SmallList] = []
    for row in (DATA / name).read_text(encoding="utf-8").split("\n"):
        if row.startswith("@list "):
            found.append(SmallList(row.removeprefix("@list ")))
        elif not found:
            continue
        elif row.startswith("@size "):
            found[-1].size = int(row.removeprefix("@size "))
        elif row.startswith("@known "):
            cells = [cell.strip() for cell in row.removeprefix("@known ").split("|")]
            found[-1].known.append(dict(zip(("name", "country", "rating", "club"), cells, strict=True)))
        elif row.startswith("= "):
            found[-1].people.append(_person(len(found[-1].lines), row.removeprefix("= ")))
        else:
            found[-1].lines.append(row.replace("⇥", "\t"))
    return found


def _person(line: int, row: str) -> Person:
    name, *cells = row.split(" | ")
    said = {"name": name, **dict(cell.split("=", 1) for cell in cells)}
    asked = said.pop("ask", "")
    person = Person(line, said, said.pop("match", ""), tuple(filter(None, asked.split(", "))))
    assert set(said) <= set(FIELDS), row
    return person


def wrong_in(lists: Sequence[SmallList], read: Reader) -> list[str]:
    """A sentence for each person who was not read as expected, and for each who is not there at all."""
    wrong: list[str] = []
    for one in lists:
        got: dict[int, list[Row]] = {}
        for person in read(one.text, one.size):
            got.setdefault(int(person["line"]), []).append(person)
        for person in one.people:
            there = got.get(person.line, [])
            found = there.pop(0) if there else {}
            differs = [key for key in FIELDS if _plain(key, found) != _plain(key, person.said)]
            if differs:
                said = {key: (person.said.get(key, ""), found.get(key, "")) for key in differs}
                wrong.append(f"{one.title}, {one.lines[person.line - 1]!r}: {said}")
        wrong += [f"{one.title}: nobody stands here: {extra}" for rest in got.values() for extra in rest]
    return wrong


def _plain(key: str, said: Row) -> object:
    value = said.get(key, "") or ""
    if key == "note":
        folded = "".join(c for c in unicodedata.normalize("NFKD", value) if not unicodedata.combining(c))
        return sorted(re.findall(r"\w+", folded.casefold()))
    if key == "phone":
        return re.sub(r"[^\d+]", "", value)
    if key == "rating":
        return float(value) if value else None
    return value


def as_read(text: str, size: int = 1) -> list[Row]:
    """The reader's people in the words of the files."""
    paid = {True: "yes", False: "no", None: ""}
    return [
        {
            "line": str(one.line),
            "rating": "" if one.rating is None else str(one.rating),
            "paid": paid[one.paid],
            "numbers": ", ".join(" ".join(number) for number in one.numbers),
            **{key: getattr(one, key) for key in FIELDS if key not in {"rating", "paid", "numbers"}},
        }
        for one in parse_list(text, countries(), size=size).people
    ]


def wrong_matches(lists: Sequence[SmallList]) -> tuple[list[str], list[str]]:
    """Who was taken for somebody else, and who was asked about, or was not, against what is expected."""
    merged: list[str] = []
    asked: list[str] = []
    for one in lists:
        known = [
            KnownPerson(
                key, row["name"], row["country"], float(row["rating"]) if row["rating"] else None, row["club"]
            )
            for key, row in enumerate(one.known)
        ]
        directory = NameDirectory(known)
        for person in one.people:
            said = person.said
            rating = float(said["rating"]) if said.get("rating") else None
            found = directory.find(said["name"], said.get("country", ""), rating, said.get("club", ""))
            certain = found.certain_person.name if found.certain_person else ""
            if certain and certain != person.match:
                merged.append(f"{said['name']} taken for {certain}")
            candidates = set() if certain else {candidate.name for candidate in found.candidates}
            if (
                certain != person.match
                or not set(person.ask) <= candidates
                or bool(person.ask) != bool(candidates)
            ):
                asked.append(
                    f"{said['name']}: {certain or candidates}, expected {person.match or person.ask}"
                )
    return merged, asked


WHOLE = DATA / "as_read.jsonl"
FILES = ("frozen.txt", "later.txt", "again.txt", "fresh1.txt", "fresh2.txt", "fresh3.txt", "fresh4.txt")


def read_whole() -> Iterator[str]:
    """A line for each list: all that the reader says of it, what is as usual left out. `python -m tests.support.entry_lists` writes them anew."""
    for name in FILES:
        for one in lists_of(name):
            said = _plainly(parse_list(one.text, countries(), size=one.size))
            yield json.dumps({"list": f"{name}: {one.title}", **said}, ensure_ascii=False, sort_keys=True)


def _plainly(value: object) -> Any:
    if is_dataclass(value):
        usual = {
            one.name: one.default_factory() if one.default_factory is not MISSING else one.default
            for one in fields(value)
        }
        said = {name: getattr(value, name) for name in usual}
        return {name: _plainly(one) for name, one in said.items() if one != usual[name]}
    if isinstance(value, Mapping):
        return {str(key): _plainly(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plainly(one) for one in value]
    return value


if __name__ == "__main__":
    WHOLE.write_text("".join(f"{line}\n" for line in read_whole()), encoding="utf-8")
