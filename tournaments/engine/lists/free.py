"""Read a line, or a cell with a name, without columns: ``1. Müller, Hans (GER) 1623 – paid``.

Recognized parts are removed from the edges inwards; the first remaining text is the name, the rest the note.
"""

import re
from dataclasses import replace
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.beside import strip_asides, strip_label, strip_nicknames, strip_subject
from tournaments.engine.lists.personal import can_be_given_name, format_name, surname_confidence
from tournaments.engine.lists.values import ListStyle, PersonDraft
from tournaments.engine.lists.words import (
    ASIDE_WORDS,
    COUNTRY_GIVEN_NAMES,
    COUNTRY_SURNAMES,
    ENTRY_STATUS_WORDS,
    LOOSE_DIVISIONS,
    PARTICLES,
    PAYMENT_METHODS,
    SUFFIXES,
    TITLES,
    Role,
)

# "12.", "3)", "(4)", "#5", "6 -", "7:", "[12]" in front; also a lone small number before blanks.
NUMBERING: Final = re.compile(
    r"^\s*(?:[#№]\s*\d{1,4}\s*[.):\]–—-]*\s*|[(\[]?\d{1,3}\s*[.):\]](?![.\d])\s*|\d{1,3}\s*[–—-]\s+|\d{1,3}\s+(?!\d))"
)
BULLET: Final = re.compile(r"^\s*(?:(?:[-–—*•·‣▪◦○●►>→▶☐□■✦★☆]|\+(?!\d))+\s*|\[[ xX]?\]\s*|@(?=\w))")
_HEADER: Final = re.compile(r"^\s*(?:from|to|cc|bcc|von|an|fra|til|de|para|da|od|do)\s*:\s*", re.IGNORECASE)
_SEPARATOR: Final = re.compile(
    r"\s+[-–—]+\s+|\s*[–—]+\s*|\s*[;|·•→\t]\s*|\s{2,}|\s*(?:(?<!\d)/+|/+(?!\d))\s*|\s+\+\s*(?!\d)|:\s+|\s*,(?!\d)\s*|,\s+|\s+-+$"
)
_BRACKET: Final = re.compile(r"[(\[{<]([^()\[\]{}<>]*)[)\]}>]")
_PAYMENT_METHOD: Final = re.compile(
    r"(?:via|per|by|with|through|mit|med|par|con|con|com|med|über|uber|in|im|à|at|am|on|den|le|el|il|il|i|til)\b",
    re.IGNORECASE,
)
_BRACKET_SEPARATOR: Final = re.compile(r"\s*(?:[;|]|(?<!\d)[,/]|[,/](?!\d))\s*|\s+[-–—]\s+")
_RATING_MARK: Final = re.compile(
    r"\b(rating|elo|dwz|rtg|fibs|ranking|puan|nwz)\s*[:=]\s*(?=\d)", re.IGNORECASE
)
_CLUB_ENDS: Final = ("クラブ", "클럽", "俱乐部", "倶楽部")
_MAX_LENGTH: Final = 1000


def parse_free_text(text: str, manner: ListStyle, draft: PersonDraft | None = None) -> PersonDraft:
    """Parse one person from ``text``; ``draft`` may hold the details from other cells of a table."""
    draft = draft if draft is not None else PersonDraft()
    text = strip_subject(marks.normalize_text(text[:_MAX_LENGTH]), draft)
    text = marks.strip_email(text, draft)
    text = _strip_lead(strip_label(marks.strip_signs(_HEADER.sub("", text), draft), draft), draft)
    text = marks.strip_phone(text, draft)
    text = strip_nicknames(_RATING_MARK.sub(r"\1 ", strip_asides(text, draft)), draft)
    text = _strip_brackets(text, draft, manner)
    pieces, commas = _split_pieces(text, manner)
    had_club = draft.texts.get(Role.CLUB)
    spoken: list[tuple[str, bool]] = []  # possible names, and whether a comma preceded each
    for piece, comma in zip(pieces, commas, strict=True):
        if marks.take_piece(piece, draft, manner):
            continue
        rest = _strip_edges(piece, draft, manner, first=not spoken)
        if spoken and rest and marks.take_piece(rest, draft, manner):
            continue
        if rest:
            spoken.append((rest, comma))
    if not spoken and had_club != draft.texts.get(Role.CLUB):  # "Rose Club" alone is a person
        spoken = [(_strip_edges(draft.texts.pop(Role.CLUB), draft, manner, first=True), False)]
    name, others, ordered = _extract_name(spoken, manner)
    for other in others:
        if not marks.take_piece(other, draft, manner):
            draft.note(other)
    writing = replace(
        manner.writing,
        surname_first=manner.writing.surname_first and not ordered,
        turkish=manner.writing.turkish and draft.country in {"", "TR", "CY", "AZ"},
    )
    shaped, titles = format_name(name, writing)
    for title in reversed(titles):
        draft.notes.insert(0, title)
    draft.name = shaped if any(c.isalpha() for c in shaped) else ""
    return draft


def has_list_marker(text: str) -> bool:
    """Return whether a line begins with a number or bullet, as in lists."""
    draft = PersonDraft()
    plain = marks.strip_signs(marks.normalize_text(text[:_MAX_LENGTH]), draft)
    return bool(NUMBERING.match(plain) or BULLET.match(plain))


def _strip_lead(text: str, draft: PersonDraft) -> str:
    for _ in range(4):
        bullet = BULLET.match(text)
        if bullet and bullet.group().strip().lower() == "[x]":
            draft.paid = True if draft.paid is None else draft.paid
        after = BULLET.sub("", text)
        numbered = NUMBERING.sub("", after)
        if not any(c.isalpha() for c in numbered) and any(c.isalpha() for c in after):
            numbered = after
        if numbered == text:
            break
        text = numbered
    return text.strip()


def _strip_brackets(text: str, draft: PersonDraft, manner: ListStyle) -> str:
    for _ in range(4):
        found = _BRACKET.search(text)
        if not found:
            break
        before = text[: found.start()].strip(" ,;-–—")
        inside = found.group(1)
        text = (
            f"{text[: found.start()]} \t {text[found.end() :]}"
            if before
            else f"{inside} \t {text[found.end() :]}"
        )
        if not before:
            if not any(c.isalpha() for c in text.replace(inside, "", 1)):
                continue
            text = text[len(inside) :]
        for piece in _BRACKET_SEPARATOR.split(inside):
            if marks.take_piece(piece, draft, manner):
                continue
            aside = PersonDraft()
            rest = _strip_edges(piece, aside, manner, first=False)
            _merge_aside(aside, draft)
            draft.note(rest)
    return re.sub(r"[()\[\]{}<>]", " ", text)


def _merge_aside(aside: PersonDraft, draft: PersonDraft) -> None:
    if aside.country:
        draft.set_country(aside.country, aside.country)
    if aside.rating is not None:
        draft.rated(aside.rating, f"{aside.rating:g}")
    if aside.paid is not None:
        draft.paid = aside.paid
    for role, stated in aside.texts.items():
        draft.say(role, stated)
    for note in aside.notes:
        draft.note(note)


def _split_pieces(text: str, manner: ListStyle) -> tuple[list[str], list[bool]]:
    """Return the pieces between separators, and for each whether only a comma preceded it."""
    pieces: list[str] = []
    commas: list[bool] = []
    at, comma = 0, False
    for found in _SEPARATOR.finditer(text):
        pieces.append(text[at : found.start()])
        commas.append(comma)
        comma = found.group().strip() == ","
        at = found.end()
    pieces.append(text[at:])
    commas.append(comma)
    kept = [
        (piece.strip(), comma)
        for piece, comma in zip(pieces, commas, strict=True)
        if piece.strip(" .,;:-–—*_~")
    ]
    cut = [
        (part, comma and not at)
        for piece, comma in kept
        for at, part in enumerate(_split_after_name(piece, manner))
    ]
    return [piece for piece, _ in cut], [comma for _, comma in cut]


def _split_after_name(piece: str, manner: ListStyle) -> list[str]:
    """Split after a country code or rating behind two or more name words: ``Ann Abell FIN 1588 Turku``."""
    words = piece.split()
    for at in range(2, len(words) - 1):
        word = words[at].strip(".,;:")
        mixed = any(one[0].isupper() and one != one.upper() for one in words[:at])
        code = len(word) == 3 and word.isupper() and mixed and words[at + 1] != words[at + 1].upper()
        if code and marks.parse_country(word, manner, alone=False) and not words[at - 1][0].isdigit():
            return [" ".join(words[: at + 1]), *_split_after_name(" ".join(words[at + 1 :]), manner)]
        rating = (
            word[0].isdigit()
            and not re.fullmatch(r"[\d.]{1,2}", words[at - 1])
            and marks.parse_rating(word) is not None
        )
        if rating and all(one[0].isalpha() for one in words[:2]):
            return [" ".join(words[: at + 1]), *_split_after_name(" ".join(words[at + 1 :]), manner)]
    return [piece]


def _strip_edges(piece: str, draft: PersonDraft, manner: ListStyle, *, first: bool) -> str:
    """Return ``piece`` without recognized parts at its edges; ``first``: the name is still to come."""
    words = piece.split()
    took = False
    for _ in range(12):
        before = len(words)
        words = _strip_end(words, draft, manner, first=first, took=took)
        words = _strip_start(words, draft, manner)
        if len(words) == before:
            break
        took = True
    kept = []
    for word in words:  # words with digits are no names
        handle = sum(c.isalpha() for c in word) > 2 and not any(
            c.isalpha() for one in words if one != word for c in one
        )
        if any(c.isdigit() for c in word) and first and not handle:
            value = marks.parse_rating(word)
            if value is not None:
                draft.rated(value, word)
            else:
                draft.note(word)
        else:
            kept.append(word)
    if first:
        at = _sentence_start(kept)
        draft.note(" ".join(kept[at:]))
        kept = kept[:at]
    return " ".join(kept)


def _is_lowercase_word(word: str) -> bool:
    """Return whether the word is lowercase and no particle or suffix of names."""
    return (
        word[:1].isalpha()
        and word == word.lower() != word.upper()
        and word.strip(".") not in PARTICLES | SUFFIXES
    )


def _sentence_start(words: list[str]) -> int:
    """Return where lowercase words begin after two name words: ``Marit Hansen is going``."""
    small = next((at for at, word in enumerate(words) if _is_lowercase_word(word)), len(words))
    return small if sum(word[:1].isupper() for word in words[:small]) > 1 else len(words)


def _strip_end(
    words: list[str], draft: PersonDraft, manner: ListStyle, *, first: bool, took: bool
) -> list[str]:
    if len(words) < 2:
        return words
    last = words[-1].strip(".,;:!*~")
    if len(words) > 1 + first and (
        fold_text(last) in ENTRY_STATUS_WORDS or (fold_text(last) in ASIDE_WORDS and last != last.title())
    ):
        draft.note(words[-1])
        return words[:-1]
    for size in range(min(6, len(words) - 1), 0, -1):
        tail = " ".join(words[-size:])
        stated = marks.parse_paid(tail)
        if stated is None or not _is_name_end(words[:-size], words[-size], first=first):
            continue
        if _is_payment_method(stated[1]):
            draft.paid = stated[0]
            draft.note(stated[1])
            return words[:-size]
    if not last:
        return words[:-1]
    if len(words) > 2 and re.fullmatch(r"\d", words[-2]) and re.fullmatch(r"\d{3}", last):  # "1 612"
        draft.rated(float(words[-2] + last), f"{words[-2]} {last}")
        return words[:-2]
    value = marks.parse_rating(last)
    if value is not None:
        draft.rated(value, last)
        rest = words[:-1]
        return (
            rest[:-1]
            if len(rest) > 1 and fold_text(rest[-1]) in {"elo", "dwz", "rating", "rtg", "fibs", "nwz", "r"}
            else rest
        )
    for size in (4, 3, 2, 1):
        if len(words) - size < 2:
            continue
        tail = " ".join(words[-size:])
        country = marks.parse_country(tail, manner, alone=False)
        if country and _is_country_at_end(words, size, manner):
            draft.set_country(country, tail)
            return words[:-size]
    if not first and len(words) == 2 and len(last) == 3 and last.isupper() and words[0] != words[0].upper():
        country = marks.parse_country(last, manner, alone=False)  # "Amundsen, Roald NOR"
        if country and fold_text(last) not in SUFFIXES:
            draft.set_country(country, last)
            return words[:-1]
    if last in {"x", "✓", "√"}:
        draft.paid = True
        return words[:-1]
    if fold_text(last) in {"unrated", "unr", "unranked"}:
        return words[:-1]
    if first and len(words) > 2 and fold_text(last) in LOOSE_DIVISIONS:
        draft.say(Role.DIVISION, last)
        return words[:-1]
    if marks.AMOUNT.match(last) or re.fullmatch(r"\+\d{1,2}", last) or (last.isdigit() and first):
        draft.note(words[-1])
        return words[:-1]
    if len(words) > 1 and not last.isascii() and last.endswith(_CLUB_ENDS):
        draft.say(Role.CLUB, last)
        return words[:-1]
    lone = len(last) == 1 and last.isalpha() and "." not in words[-1]
    if (
        lone
        and len(words) > 2
        and (took or draft.country)
        and marks.parse_country(words[-2], manner, alone=False)
    ):
        draft.note(last)
        return words[:-1]
    return words


def _is_payment_method(besides: str) -> bool:
    """Return whether the text is a payment method or sum: ``50 EUR by bank transfer``, ``via Zelle``."""
    words = besides.split()
    while words and marks.is_money(words[0]):
        words = words[1:]
    return (
        not words
        or bool(_PAYMENT_METHOD.match(" ".join(words)))
        or fold_text(" ".join(words)) in PAYMENT_METHODS
    )


def _is_name_end(name: list[str], word: str, *, first: bool) -> bool:
    """Return whether ``word`` may be a payment status and not a surname, as in Johnny Cash."""
    shouted = word == word.upper() and " ".join(name) != " ".join(name).upper()
    return word == word.lower() or shouted or len(name) > 1 or not first


def _is_country_at_end(words: list[str], size: int, manner: ListStyle) -> bool:
    """Return whether the last words are a country, not a part of the name: ``Jean LE PEN``, ``Henry VI``."""
    tail, rest = words[-size:], words[:-size]
    if size > 1:
        return True
    word = tail[0].strip(".,")
    if (
        fold_text(word) in COUNTRY_SURNAMES
        or fold_text(word) in SUFFIXES
        or (fold_text(word) in TITLES and word != "ENG")
    ):
        return False
    named = bool(manner.countries.named(word)) and not (word.isupper() and len(word) <= 3)
    if named:
        return True
    if (
        (rest[-1].lower() in PARTICLES and not rest[-1].istitle())
        or set(word) <= set("IVX")
        or fold_text(word) in {"phd", "md", "la", "le", "de"}
    ):
        return False
    capitals = [one for one in rest if len(one) > 1 and one.isupper() and "." not in one]
    return len(word) == 3 or not capitals


def _strip_start(words: list[str], draft: PersonDraft, manner: ListStyle) -> list[str]:
    if len(words) < 2:
        return words
    start = words[0].strip(".,;:!*~")
    if not start:
        return words[1:]
    marked = words[0][-1] in "!:" or start == start.lower() or (start.isupper() and not words[1].isupper())
    if len(words) > 2 and marked and fold_text(start) in ASIDE_WORDS | ENTRY_STATUS_WORDS:
        draft.note(words[0])
        return words[1:]
    for size in (3, 2, 1):
        stated = marks.parse_paid(" ".join(words[:size])) if len(words) > size else None
        if stated is not None and not stated[1] and (len(words) > size + 1 or words[0] != words[0].title()):
            draft.paid = stated[0]
            return words[size:]
    value = marks.parse_rating(start)
    if value is not None:
        draft.rated(value, start)
        return words[1:]
    if (
        fold_text(start) in {"elo", "dwz", "rating", "rtg", "fibs"}
        and marks.parse_rating(" ".join(words[:2])) is not None
    ):
        draft.rated(marks.parse_rating(" ".join(words[:2])) or 0.0, " ".join(words[:2]))
        return words[2:]
    for size in (4, 3, 2, 1):
        if len(words) - size < 2:
            continue
        head = " ".join(words[:size])
        country = marks.parse_country(head, manner, alone=False)
        code = size == 1 and start.isupper() and len(start) <= 3
        if (
            not country
            or fold_text(head) in COUNTRY_GIVEN_NAMES
            or (code and (len(start) < 3 or _starts_with_surname(words)))
        ):
            continue
        draft.set_country(country, head)
        return words[size:]
    return words


def _starts_with_surname(words: list[str]) -> bool:
    """Return whether leading capitals are a surname, not a code: ``VAN DER BERG Jan``."""
    return words[0].lower() in PARTICLES and words[1].isupper()


def _extract_name(spoken: list[tuple[str, bool]], manner: ListStyle) -> tuple[str, list[str], bool]:
    """Return the name among the pieces, the others, and whether a comma separated surname and first name."""
    if not spoken:
        return "", [], False
    texts = [text for text, _ in spoken]
    if (
        any(map(_is_lowercase_word, texts[0].split()[1:])) and texts[0][:1].isupper()
    ):  # "Yes please – Tage Danielsson"
        named = next((at for at, text in enumerate(texts) if len(text.split()) > 1 and text.istitle()), 0)
        spoken = [spoken[named], *spoken[:named], *spoken[named + 1 :]] if named else spoken
        texts = [text for text, _ in spoken]
    first, rest = texts[0], texts[1:]
    if marks.is_club(first) and any(not marks.is_club(text) for text in rest):
        at = next(index for index, text in enumerate(rest) if not marks.is_club(text))
        first, rest = rest[at], [first, *rest[:at], *rest[at + 1 :]]
        spoken = [(first, False), *((text, False) for text in rest)]
    if rest and spoken[1][1] and _is_family_first(first, rest[0], manner):
        given = rest[0].split()
        if len(given) > 1 and fold_text(given[-1]) in SUFFIXES:  # "Smith, John Jr."
            return f"{' '.join(given[:-1])} {first} {given[-1]}", rest[1:], True
        suffix = (
            first.split()[-1] if len(first.split()) > 1 and fold_text(first.split()[-1]) in SUFFIXES else ""
        )
        family = first.removesuffix(suffix).strip() if suffix else first
        return f"{rest[0]} {family} {suffix}".strip(), rest[1:], True
    if rest and spoken[1][1] and fold_text(rest[0]) in SUFFIXES:  # "Smith, Jr."
        return f"{first} {rest[0]}", rest[1:], False
    if len(first.split()) == 1 and len(first) > 1:
        for index, text in enumerate(rest):
            if len(text.split()) == 1 and text[:1].isupper() and not marks.is_club(text):
                return f"{first} {text}", [*rest[:index], *rest[index + 1 :]], False
    return first, rest, False


def _is_family_first(first: str, second: str, manner: ListStyle) -> bool:
    if marks.is_club(second) or not can_be_given_name(second):
        return False
    sure = surname_confidence(first)
    return sure == 2 or (sure == 1 and manner.surname_before_comma)
