"""Lines of a list that are not one person: division headings, teams, several people, greetings, totals."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.beside import SUBJECT_PREFIX
from tournaments.engine.lists.free import BULLET, NUMBERING, parse_free_text
from tournaments.engine.lists.personal import PLAIN_STYLE, format_name
from tournaments.engine.lists.values import ListStyle, PersonDraft
from tournaments.engine.lists.words import (
    GREETINGS,
    HEADER_WORDS,
    PARTICLES,
    SIGN_OFFS,
    TITLE_WORDS,
    TOTAL_WORDS,
    WAITING_LIST_WORDS,
    ColumnRole,
    is_division,
)

_DECORATION: Final = " \t-–—=#*_~:.!<>[]()|+•►▶"
_BRACKETS_TO_BLANKS: Final = dict.fromkeys(map(ord, "[]()"))
_BRACKETED: Final = re.compile(r"\s*[(\[]\s*\d+[^()\[\]]*[)\]]\s*$")
_COUNT: Final = re.compile(
    r"\s*[(\[]?\s*\d{1,4}(?:\s*[/x]\s*\d{1,4})?\s*(?:players?|spieler|teams?|pl|entries|deltagere|personen)?\s*[)\]]?\s*$",
    re.IGNORECASE,
)
_TEAM_SEPARATOR: Final = re.compile(
    r"\s*[&+/\t;|]\s*|\s+(?:and|und|u\.|et|y|og|och|ja|e|ve|i|a|en|with|mit|και|и)\s+"
)
_PLAYER_SEPARATOR: Final = re.compile(r"\s+[&+/]\s+|\s+(?:and|und|et|og|och|ve)\s+")
_ENUMERATION: Final = re.compile(
    r"[(\[][^()\[\]]*[)\]]|(\s*[,;]\s*(?:(?:and|und|et|og|och|ve|y|e)\s+)?|\s(?:and|und|et|og|och|ve|&)\s+)"
)
_BEHIND_NAME: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_LABELLED: Final = re.compile(r"\*\S+\*\s+\w")
# "Kaj & Britt Lundgren (SWE)": one surname for both.
_CAPITAL: Final = r"[^\W\d_a-z][\w'’-]+"
_COUPLE: Final = re.compile(
    rf"^\s*(?:\d{{1,3}}[.)]\s*|[-•*]\s+)?({_CAPITAL})\s+(&|\+|and|und|og|och|et|y|e|en|i|ve|ja)\s+({_CAPITAL})\s+((?:(?:van|von|de|der|den|del|di|da)\s+)*{_CAPITAL})(\s*(?:[,;(–—-].*)?)$"
)
_TEAM_QUOTED: Final = re.compile(r"^[\"“„«]([^\"”“»]+)[\"”“»]\s*[-–—:]\s*(?=\w)")
_RECIPIENT: Final = re.compile(r"(?:\"[^\"]*\"|[^,;<>\"]*)\s*<[^<>]*@[^<>]*>|[^,;<>\"]*@[^,;<>\"]*")
_DAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mandag|tirsdag|onsdag|torsdag|fredag|lordag|sondag|lundi|mardi|mercredi|jeudi|vendredi|"
    r"samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|poniedzialek|wtorek|sroda|czwartek|piatek|sobota|niedziela|pazartesi|carsamba|persembe|cumartesi\b"
)
_MONTH: Final = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\s*(?:of |de )?(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|januari|"
    r"desember|marts|maj|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre)\b"
)


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """What a heading in a list says about all people below it: their division, or a note about them."""

    division: str = ""
    note: str = ""


def parse_section_heading(line: str) -> SectionHeading | None:
    """Return what a heading such as ``OPEN DIVISION`` or ``Waiting list:`` says; None for another line."""
    draft = PersonDraft()
    bare = marks.strip_signs(line, draft).strip(_DECORATION.translate(_BRACKETS_TO_BLANKS))
    bare = _BRACKETED.sub("", bare)
    bare = (_COUNT.sub("", bare) if not is_division(bare) else bare).strip(_DECORATION)
    if not bare or len(bare) > 60:
        return None
    title = bare if bare != bare.upper() or len(bare) < 3 else bare.title()
    if fold_text(bare) in WAITING_LIST_WORDS:
        return SectionHeading(note=title)
    return SectionHeading(division=title) if is_division(bare) else None


def split_people(line: str, style: ListStyle) -> list[str]:
    """Return the parts of a line of a list that hold one person each; most lines have one part."""
    if len(marks.email_addresses(line)) > 1:
        parts = [part.strip(" ,;") for part in _RECIPIENT.findall(line) if marks.email_addresses(part)]
        if len(parts) == len(marks.email_addresses(line)):
            return parts
    if people := _split_enumeration(line, style):
        return people
    parts = [part for part in _PLAYER_SEPARATOR.split(line) if part.strip()]
    if couple_match := _COUPLE.match(line):
        return [
            f"{couple_match.group(1)} {couple_match.group(4)}{couple_match.group(5)}",
            f"{couple_match.group(3)} {couple_match.group(4)}{couple_match.group(5)}",
        ]
    if len(parts) > 1:
        names = [parse_free_text(part, style).name for part in parts]
        has_capitals = line != line.lower()  # "… for Open + side pool" is not two people
        if has_capitals and not all(_is_capitalised(part) for part in parts):
            return [line]
        if all(len(name.split()) > 1 and name.split()[-1].lower() not in PARTICLES for name in names):
            return parts
    return [line]


def _is_capitalised(text: str) -> bool:
    words = [word for word in text.split() if word[0].isalpha() and word.lower() not in PARTICLES]
    return sum(word[0] != word[0].lower() or word[0].lower() == word[0].upper() for word in words) > 1


def _split_enumeration(line: str, style: ListStyle) -> list[str]:
    """Return the people in an enumeration of full names, each as a text; empty if the line is none.

    A label in front is added to each: ``Confirmed: Ann Ace (FIN), Bob Berg (DEN)``.
    """
    if NUMBERING.match(line) or BULLET.match(line):
        return []
    label, colon, rest = line.rpartition(": ")
    if not colon or any(c.isdigit() or c in ",;" for c in label):
        label, rest = "", line
    edges = [match.span(1) for match in _ENUMERATION.finditer(rest) if match.group(1)]  # outside of brackets
    parts = [
        rest[start:end].strip()
        for start, end in zip(
            [0, *(end for _, end in edges)], [*(start for start, _ in edges), None], strict=True
        )
    ]
    parts = [part for part in parts if part.strip(" .")]
    is_certain = bool(label) or all(_BEHIND_NAME.search(part) for part in parts)
    if len(parts) < (2 if is_certain else 3) or not all(_is_full_name(part, style) for part in parts):
        return []
    return [f"{part} – {label}" if label else part for part in parts]


def _is_full_name(text: str, style: ListStyle) -> bool:
    bare = _BEHIND_NAME.sub("", text).strip(" .")
    words = [word for word in bare.split() if word.lower() not in PARTICLES]
    draft = parse_free_text(bare, style)
    return (
        1 < len(words) < 5
        and all(word[0].isupper() for word in words)
        and not any(c.isdigit() for c in bare)
        and len(draft.name.split()) == len(bare.split())
        and not draft.country
        and not marks.is_club(bare)
        and not is_division(bare)
    )


def parse_members(
    text: str, style: ListStyle, size: int, details: PersonDraft | None = None
) -> list[PersonDraft]:
    """Return the players of a team in ``text``; ``size``: how many players a team has.

    Fewer are returned if the text names fewer; further ones become a note of the first player. ``details``:
    what other cells of the row say about the team.
    """
    text = NUMBERING.sub("", BULLET.sub("", marks.normalize_text(text))).strip()
    text, tick_details = _strip_tick(text)
    quoted_match = _TEAM_QUOTED.match(text)
    team, colon, rest = (
        (quoted_match.group(1), ":", f" {text[quoted_match.end() :]}")
        if quoted_match
        else text.partition(":")
    )
    title = ""
    if colon and rest[:1].isspace() and team[:1].isalpha() and len(team) < 60:
        title, text = team.strip(), rest
    text, countries = _strip_countries(text, style, size)
    text, shared_details = _strip_shared(text, style)
    parts = [part for part in _TEAM_SEPARATOR.split(text) if part.strip()]
    if len(parts) < size:
        dashed_parts = [part for part in re.split(r"\s+[-–—]\s+", text) if part.strip()]
        parts = dashed_parts if len(dashed_parts) == size else parts
    if len(parts) == 1:  # "Ann Ace, Bob Berg": with commas only, names are not surname first
        parts = [part for part in text.split(",") if part.strip()]
    elif len(parts) == size - 1 and "," in parts[0]:  # "Ann, Bob & Cleo"
        parts = [*parts[0].split(","), *parts[1:]]
    drafts = [parse_free_text(part, style) for part in parts[: max(size, 1)]]
    drafts = [draft for draft in drafts if draft.name]
    for draft, country in zip(drafts, countries, strict=False):
        draft.country = draft.country or country
    for draft in drafts:
        _apply_shared(shared_details, draft)
        _apply_shared(tick_details, draft)
        draft.note(title)
    if drafts and details is not None:
        _apply_shared(details, drafts[0])
        for draft in drafts[1:]:
            draft.paid = details.paid if draft.paid is None else draft.paid
    for part in parts[size:]:
        if drafts:
            drafts[0].note(part)
    return drafts


def _strip_tick(text: str) -> tuple[str, PersonDraft]:
    """Return the text without a tick or cross around a whole team, and a draft with the payment status."""
    shared = PersonDraft()
    marks.strip_signs(text, shared)
    bare = re.sub(r"^[^\w\"'(“„«]+|[^\w\"').”“»]+$", "", text) if shared.paid is not None else text
    inner = PersonDraft()
    marks.strip_signs(bare, inner)
    return (bare, PersonDraft(paid=shared.paid)) if inner.paid is None else (text, PersonDraft())


def _strip_countries(text: str, style: ListStyle, size: int) -> tuple[str, list[str]]:
    """Return the text without countries after a team (``… (WAL/ENG)``), and the country codes in order."""
    match = re.search(r"\s*[(\[]([^()\[\]]*)[)\]]", text)
    if match is None or (
        text[match.end() :].strip(" .") and not text[match.end() :].lstrip().startswith(("-", "–", ",", ";"))
    ):
        return text, []
    codes = [marks.parse_country(part, style) for part in re.split(r"\s*[/,&+]\s*", match.group(1))]
    if len(codes) != size or not all(codes):
        return text, []
    return text[: match.start()] + text[match.end() :], codes


def _strip_shared(text: str, style: ListStyle) -> tuple[str, PersonDraft]:
    """Return the text without details after a whole team (``… - paid``), and a draft with the details."""
    shared = PersonDraft()
    while True:
        match = re.search(r"(?:\s+[-–—]\s+|\s*[,;]\s*)([^-–—,;]+)$", text)
        if match is None or not marks.take_piece(match.group(1), shared, style):
            return text, shared
        text = text[: match.start()]


def _apply_shared(shared: PersonDraft, draft: PersonDraft) -> None:
    draft.paid = shared.paid if draft.paid is None else draft.paid
    draft.rating = shared.rating if draft.rating is None else draft.rating
    draft.country = draft.country or shared.country
    for role, text in shared.texts.items():
        draft.texts.setdefault(role, text)
    for note in shared.notes:
        draft.note(note)


def is_total(drafts: Sequence[PersonDraft]) -> bool:
    """Return whether these drafts of a row are not people but a total: ``Total``, ``Summa 3``."""
    return all(
        fold_text(draft.name) in TOTAL_WORDS and not draft.texts and not draft.country for draft in drafts
    )


def _starts_with_name(name: str, line: str) -> bool:
    """Return whether a line begins with this full name and is not a title.

    A day of the week in such a line says when the person arrives.
    """
    name_words = [word for word in name.split() if word.lower() not in PARTICLES]
    folded_words = fold_text(name).split()
    return (
        1 < len(name_words) < 5
        and line != line.upper()
        and all(
            (word[0] != word[0].lower() and word[1:] != word[1:].upper()) or "." in word
            for word in name_words
        )
        and not any(word in TITLE_WORDS or is_division(word) or word in HEADER_WORDS for word in folded_words)
        and not (
            folded_words[0] in GREETINGS or _DAY.search(fold_text(name)) or _MONTH.search(fold_text(name))
        )
    )


def is_not_a_person(
    line: str, drafts: list[PersonDraft], *, lacks_marker: bool, is_first: bool = False
) -> bool:
    """Return whether a line that was read as names is a greeting, a title or a total instead.

    ``drafts``: the people read from the line; ``lacks_marker``: most lines of the list have numbers or
    bullets, but not this one; ``is_first``: the line is the first, as a title is.
    """
    plain = line.strip()
    folded = fold_text(plain)
    words = folded.split()
    if SUBJECT_PREFIX.match(plain) and any(len(draft.name.split()) > 1 for draft in drafts):
        return False
    if any(ColumnRole.EMAIL in draft.texts or ColumnRole.PHONE in draft.texts for draft in drafts):
        return False
    is_numbered = bool(NUMBERING.match(plain) or BULLET.match(plain))
    has_details = any(draft.rating is not None or draft.country or draft.paid is not None for draft in drafts)
    header_flags = [word in HEADER_WORDS for word in words]  # "Flag Name Rating Status"
    if (
        not is_numbered
        and sum(header_flags) >= max(2, len(header_flags) - 1)
        and (all(header_flags) or len(header_flags) > 3)
    ):
        return True
    has_full_name = _starts_with_name(drafts[0].name, plain)
    is_named = has_full_name and not is_first
    if (
        plain.endswith(":")
        or (
            not is_numbered
            and ((plain.endswith("?") and not is_named) or ("://" in plain and not has_full_name))
        )
        or (
            plain.startswith("*")
            and plain.count("*") > 1
            and not plain.startswith("* ")
            and not (has_details and _LABELLED.match(plain))
        )
    ):
        return True
    if folded in GREETINGS or " ".join(word for word in words if not word.isdigit()) in GREETINGS:
        return True
    if not is_numbered and words and words[0] in SIGN_OFFS and len(words) < 4:  # "Vh Bo"
        return True
    if (
        not has_details
        and words
        and words[0] in GREETINGS
        and (plain.endswith(("!", ",", ".")) or len(words) > 4)
    ):
        return True
    if any(" ".join(words[:size]) in GREETINGS for size in (2, 3, 4)) and not is_numbered:
        return True
    if not is_numbered and not is_named:
        if "=" in plain or _DAY.search(folded) or _MONTH.search(folded):
            return True
        if not has_details and (plain.endswith("!") or any(word in TITLE_WORDS for word in words)):
            return True
    name_words = [word for word in drafts[0].name.split() if word.lower() not in PARTICLES]
    lowercase_count = sum(word == word.lower() and word != word.upper() for word in name_words)
    if len(name_words) > 5 or (lowercase_count * 2 > len(name_words) and len(name_words) > 2):
        return True
    return (
        lacks_marker
        and not has_details
        and (len(name_words) < 2 or lowercase_count > 0 or format_name(plain, PLAIN_STYLE)[0] == "")
    )
