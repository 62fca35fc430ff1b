"""Read a pasted list of names, as people keep them: numbered, with bullets, from a spreadsheet, surname first.

Text in, lines out: nothing here looks at the database. One line of text is one name, or the names of a team, or a fault;
blank lines are none.
"""

import re
from dataclasses import dataclass

from names.folding import search_key

LONGEST_NAME = 120
LONGEST_TEXT = 200_000
MOST_LINES = 2000

# "12.", "3)", "(4)", "#5", "6 -", "7:" before a name; a lone number before a tab or blanks too.
_NUMBER = re.compile(r"^\s*(?:[#№]?\s*\(?\d{1,4}\s*[.):\]–—-]+\s*|[#№]\s*\d{1,4}\s+|\d{1,4}\s+)")
_BULLET = re.compile(r"^\s*(?:[-–—*+•·‣▪◦○●>→]+|\[[ xX]?\])\s*")
_BRACKETS = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]\s*$")
_SHORT = re.compile(r"^(?:[A-Z]{2,3}|[\d.,%+-]+)$")
# Between the players of a team: "Ann & Bob", "Ann / Bob", "Ann + Bob", "Ann and Bob", "Ann – Bob", or cells of a table.
_BETWEEN = re.compile(r"\s*[&+/\t;|]\s*|\s+(?:and|und|et|y|og|och|ja|e)\s+|\s+[-–—]\s+")
_JUNK = "\u200b\u200c\u200d\u2060\ufeff\xad"


@dataclass(frozen=True, slots=True)
class PastedLine:
    """``number`` is the line's number in the text; ``name`` is empty where nothing could be read.

    Of a team each member is a line of its own, with the same number and its ``place`` from 1.
    """

    number: int
    raw: str
    name: str
    place: int = 1

    @property
    def key(self) -> str:
        """The folded name, by which players are found."""
        return search_key(self.name)


def read_list(text: str, size: int = 1) -> list[PastedLine]:
    """All lines of ``text`` that are not blank; of teams of ``size`` a line for each member.

    A team with too few or too many names cannot be read.
    """
    found: list[PastedLine] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.translate(dict.fromkeys(map(ord, _JUNK))).replace("\0", "").replace("\xa0", " ")
        if not line.strip():
            continue
        shown = raw.strip()[:200]
        if size == 1:
            found.append(PastedLine(number, shown, _name_in(line)))
            continue
        names = _team_in(line, size)
        found += [PastedLine(number, shown, name, place) for place, name in enumerate(names, start=1)]
    return found


def _team_in(line: str, size: int) -> list[str]:
    """The names of a team, or one empty name."""
    line = _BULLET.sub("", _NUMBER.sub("", line, count=1), count=1)
    parts = [part for part in _BETWEEN.split(line) if part.strip()]
    if len(parts) == 1 and size > 1:  # "Ann Ace, Bob Berg": with commas alone nobody is written surname first
        parts = [part for part in line.split(",") if part.strip()]
    elif len(parts) == size - 1 and "," in parts[0]:  # "Ann, Bob & Cleo"
        parts = [*parts[0].split(","), *parts[1:]]
    names = [_name_in(part) for part in parts]
    return names if len(names) == size and all(names) else [""]


def _name_in(line: str) -> str:
    """The name that ``line`` holds, or nothing."""
    cells = [cell.strip() for cell in re.split(r"\t|;|\|", line)]
    names = [name for name in map(_clean, cells) if search_key(name)]
    # Short capitals and numbers are countries and ratings, unless the line has nothing else: then they are a name.
    names.sort(key=lambda name: bool(_SHORT.match(name)))
    if not names:
        return ""
    name = names[0]
    return name if len(name) <= LONGEST_NAME and any(c.isalpha() for c in name) else ""


def _clean(cell: str) -> str:
    """A cell without numbering, bullets, brackets behind it, and with the first name first."""
    before = None
    while before != cell:
        before = cell
        cell = _BULLET.sub("", _NUMBER.sub("", cell, count=1), count=1)
        cell = _BRACKETS.sub("", cell)
    parts = [part.strip() for part in cell.split(",")]
    words = [part for part in parts if part and not _SHORT.match(part)] or parts[:1]
    if len(words) == 2 and len(parts) >= 2 and parts[0] == words[0]:
        cell = f"{words[1]} {words[0]}"
    elif words:
        cell = words[0]
    return " ".join(cell.strip(' ,;:"“”„').lstrip(".").split())
