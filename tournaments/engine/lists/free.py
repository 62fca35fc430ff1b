"""Reading of a person from a text without columns: ``1. Müller, Hans (GER) 1623 – paid``.

Recognized parts are removed from the edges inwards; the first remaining text is the name, the rest the note.
"""

import re
from dataclasses import replace
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.beside import strip_asides, strip_label, strip_nicknames, strip_subject
from tournaments.engine.lists.free_names import extract_name, is_lowercase_word
from tournaments.engine.lists.personal import format_name
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
    ColumnRole,
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


def parse_free_text(text: str, style: ListStyle, draft: PersonDraft | None = None) -> PersonDraft:
    """Return the person in ``text``, with details added to ``draft`` (which may have some already)."""
    draft = draft if draft is not None else PersonDraft()
    text = strip_subject(marks.normalize_text(text[:_MAX_LENGTH]), draft)
    text = marks.strip_email(text, draft)
    text = _strip_lead(strip_label(marks.strip_signs(_HEADER.sub("", text), draft), draft), draft)
    text = marks.strip_phone(text, draft)
    text = strip_nicknames(_RATING_MARK.sub(r"\1 ", strip_asides(text, draft)), draft)
    text = _strip_brackets(text, draft, style)
    pieces, commas = _split_pieces(text, style)
    had_club = draft.texts.get(ColumnRole.CLUB)
    candidates: list[tuple[str, bool]] = []  # possible names, and whether a comma preceded each
    for piece, comma in zip(pieces, commas, strict=True):
        if marks.take_piece(piece, draft, style):
            continue
        rest = _strip_edges(piece, draft, style, before_name=not candidates)
        if candidates and rest and marks.take_piece(rest, draft, style):
            continue
        if rest:
            candidates.append((rest, comma))
    if not candidates and had_club != draft.texts.get(ColumnRole.CLUB):  # "Rose Club" alone is a person
        candidates = [(_strip_edges(draft.texts.pop(ColumnRole.CLUB), draft, style, before_name=True), False)]
    name, other_pieces, is_inverted = extract_name(candidates, style)
    for other_piece in other_pieces:
        if not marks.take_piece(other_piece, draft, style):
            draft.note(other_piece)
    name_style = replace(
        style.name_style,
        surname_first=style.name_style.surname_first and not is_inverted,
        turkish=style.name_style.turkish and draft.country in {"", "TR", "CY", "AZ"},
    )
    formatted, titles = format_name(name, name_style)
    for title in reversed(titles):
        draft.notes.insert(0, title)
    draft.name = formatted if any(c.isalpha() for c in formatted) else ""
    return draft


def has_list_marker(text: str) -> bool:
    """Return whether a line begins with a number or a bullet, as in numbered lists."""
    draft = PersonDraft()
    plain = marks.strip_signs(marks.normalize_text(text[:_MAX_LENGTH]), draft)
    return bool(NUMBERING.match(plain) or BULLET.match(plain))


def _strip_lead(text: str, draft: PersonDraft) -> str:
    for _ in range(4):
        bullet = BULLET.match(text)
        if bullet and bullet.group().strip().lower() == "[x]":
            draft.paid = True if draft.paid is None else draft.paid
        without_bullet = BULLET.sub("", text)
        without_number = NUMBERING.sub("", without_bullet)
        if not any(c.isalpha() for c in without_number) and any(c.isalpha() for c in without_bullet):
            without_number = without_bullet
        if without_number == text:
            break
        text = without_number
    return text.strip()


def _strip_brackets(text: str, draft: PersonDraft, style: ListStyle) -> str:
    for _ in range(4):
        match = _BRACKET.search(text)
        if not match:
            break
        prefix = text[: match.start()].strip(" ,;-–—")
        inside = match.group(1)
        text = (
            f"{text[: match.start()]} \t {text[match.end() :]}"
            if prefix
            else f"{inside} \t {text[match.end() :]}"
        )
        if not prefix:
            if not any(c.isalpha() for c in text.replace(inside, "", 1)):
                continue
            text = text[len(inside) :]
        for piece in _BRACKET_SEPARATOR.split(inside):
            if marks.take_piece(piece, draft, style):
                continue
            aside = PersonDraft()
            rest = _strip_edges(piece, aside, style, before_name=False)
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
    for role, text in aside.texts.items():
        draft.store_text(role, text)
    for note in aside.notes:
        draft.note(note)


def _split_pieces(text: str, style: ListStyle) -> tuple[list[str], list[bool]]:
    """Return the pieces between separators, and for each piece whether only a comma came before it."""
    pieces: list[str] = []
    commas: list[bool] = []
    start, comma = 0, False
    for match in _SEPARATOR.finditer(text):
        pieces.append(text[start : match.start()])
        commas.append(comma)
        comma = match.group().strip() == ","
        start = match.end()
    pieces.append(text[start:])
    commas.append(comma)
    filled_pieces = [
        (piece.strip(), comma)
        for piece, comma in zip(pieces, commas, strict=True)
        if piece.strip(" .,;:-–—*_~")
    ]
    split_pieces = [
        (part, comma and not index)
        for piece, comma in filled_pieces
        for index, part in enumerate(_split_after_name(piece, style))
    ]
    return [piece for piece, _ in split_pieces], [comma for _, comma in split_pieces]


def _split_after_name(piece: str, style: ListStyle) -> list[str]:
    """Return a piece split after a country code or rating behind a name: ``Ann Abell FIN 1588 Turku``."""
    words = piece.split()
    for index in range(2, len(words) - 1):
        word = words[index].strip(".,;:")
        has_mixed_case = any(other[0].isupper() and other != other.upper() for other in words[:index])
        is_code = (
            len(word) == 3
            and word.isupper()
            and has_mixed_case
            and words[index + 1] != words[index + 1].upper()
        )
        if is_code and marks.parse_country(word, style, alone=False) and not words[index - 1][0].isdigit():
            return [" ".join(words[: index + 1]), *_split_after_name(" ".join(words[index + 1 :]), style)]
        is_rating = (
            word[0].isdigit()
            and not re.fullmatch(r"[\d.]{1,2}", words[index - 1])
            and marks.parse_rating(word) is not None
        )
        if is_rating and all(other[0].isalpha() for other in words[:2]):
            return [" ".join(words[: index + 1]), *_split_after_name(" ".join(words[index + 1 :]), style)]
    return [piece]


def _strip_edges(piece: str, draft: PersonDraft, style: ListStyle, *, before_name: bool) -> str:
    """Move details at the edges of ``piece`` to ``draft``; ``before_name``: the name is still to come."""
    words = piece.split()
    has_taken = False
    for _ in range(12):
        word_count = len(words)
        words = _strip_end(words, draft, style, before_name=before_name, has_taken=has_taken)
        words = _strip_start(words, draft, style)
        if len(words) == word_count:
            break
        has_taken = True
    kept_words = []
    for word in words:  # words with digits are no names
        is_handle = sum(c.isalpha() for c in word) > 2 and not any(
            c.isalpha() for other in words if other != word for c in other
        )
        if any(c.isdigit() for c in word) and before_name and not is_handle:
            value = marks.parse_rating(word)
            if value is not None:
                draft.rated(value, word)
            else:
                draft.note(word)
        else:
            kept_words.append(word)
    if before_name:
        end = _sentence_start(kept_words)
        draft.note(" ".join(kept_words[end:]))
        kept_words = kept_words[:end]
    return " ".join(kept_words)


def _sentence_start(words: list[str]) -> int:
    """Return the index of the first word of a sentence after a name: ``Marit Hansen is going``."""
    lowercase_start = next((index for index, word in enumerate(words) if is_lowercase_word(word)), len(words))
    return lowercase_start if sum(word[:1].isupper() for word in words[:lowercase_start]) > 1 else len(words)


def _strip_end(
    words: list[str], draft: PersonDraft, style: ListStyle, *, before_name: bool, has_taken: bool
) -> list[str]:
    if len(words) < 2:
        return words
    last = words[-1].strip(".,;:!*~")
    if len(words) > 1 + before_name and (
        fold_text(last) in ENTRY_STATUS_WORDS or (fold_text(last) in ASIDE_WORDS and last != last.title())
    ):
        draft.note(words[-1])
        return words[:-1]
    for size in range(min(6, len(words) - 1), 0, -1):
        tail = " ".join(words[-size:])
        payment = marks.parse_paid(tail)
        if payment is None or not _is_name_end(words[:-size], words[-size], before_name=before_name):
            continue
        if _is_payment_method(payment[1]):
            draft.paid = payment[0]
            draft.note(payment[1])
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
        country = marks.parse_country(tail, style, alone=False)
        if country and _is_country_at_end(words, size, style):
            draft.set_country(country, tail)
            return words[:-size]
    if (
        not before_name
        and len(words) == 2
        and len(last) == 3
        and last.isupper()
        and words[0] != words[0].upper()
    ):
        country = marks.parse_country(last, style, alone=False)  # "Amundsen, Roald NOR"
        if country and fold_text(last) not in SUFFIXES:
            draft.set_country(country, last)
            return words[:-1]
    if last in {"x", "✓", "√"}:
        draft.paid = True
        return words[:-1]
    if fold_text(last) in {"unrated", "unr", "unranked"}:
        return words[:-1]
    if before_name and len(words) > 2 and fold_text(last) in LOOSE_DIVISIONS:
        draft.store_text(ColumnRole.DIVISION, last)
        return words[:-1]
    if marks.AMOUNT.match(last) or re.fullmatch(r"\+\d{1,2}", last) or (last.isdigit() and before_name):
        draft.note(words[-1])
        return words[:-1]
    if len(words) > 1 and not last.isascii() and last.endswith(_CLUB_ENDS):
        draft.store_text(ColumnRole.CLUB, last)
        return words[:-1]
    is_single_letter = len(last) == 1 and last.isalpha() and "." not in words[-1]
    if (
        is_single_letter
        and len(words) > 2
        and (has_taken or draft.country)
        and marks.parse_country(words[-2], style, alone=False)
    ):
        draft.note(last)
        return words[:-1]
    return words


def _is_payment_method(remainder: str) -> bool:
    """Return whether the text is a payment method or sum: ``50 EUR by bank transfer``, ``via Zelle``."""
    words = remainder.split()
    while words and marks.is_money(words[0]):
        words = words[1:]
    return (
        not words
        or bool(_PAYMENT_METHOD.match(" ".join(words)))
        or fold_text(" ".join(words)) in PAYMENT_METHODS
    )


def _is_name_end(name: list[str], word: str, *, before_name: bool) -> bool:
    """Return whether ``word`` may be a payment status and not a surname, as in Johnny Cash."""
    is_shouted = word == word.upper() and " ".join(name) != " ".join(name).upper()
    return word == word.lower() or is_shouted or len(name) > 1 or not before_name


def _is_country_at_end(words: list[str], size: int, style: ListStyle) -> bool:
    """Return whether the last words are a country, not part of a name as in ``Jean LE PEN``, ``Henry VI``."""
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
    is_country_name = bool(style.countries.code_by_name(word)) and not (word.isupper() and len(word) <= 3)
    if is_country_name:
        return True
    if (
        (rest[-1].lower() in PARTICLES and not rest[-1].istitle())
        or set(word) <= set("IVX")
        or fold_text(word) in {"phd", "md", "la", "le", "de"}
    ):
        return False
    capital_words = [other for other in rest if len(other) > 1 and other.isupper() and "." not in other]
    return len(word) == 3 or not capital_words


def _strip_start(words: list[str], draft: PersonDraft, style: ListStyle) -> list[str]:
    if len(words) < 2:
        return words
    start = words[0].strip(".,;:!*~")
    if not start:
        return words[1:]
    is_marked = words[0][-1] in "!:" or start == start.lower() or (start.isupper() and not words[1].isupper())
    if len(words) > 2 and is_marked and fold_text(start) in ASIDE_WORDS | ENTRY_STATUS_WORDS:
        draft.note(words[0])
        return words[1:]
    for size in (3, 2, 1):
        payment = marks.parse_paid(" ".join(words[:size])) if len(words) > size else None
        if payment is not None and not payment[1] and (len(words) > size + 1 or words[0] != words[0].title()):
            draft.paid = payment[0]
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
        country = marks.parse_country(head, style, alone=False)
        is_code = size == 1 and start.isupper() and len(start) <= 3
        if (
            not country
            or fold_text(head) in COUNTRY_GIVEN_NAMES
            or (is_code and (len(start) < 3 or _starts_with_surname(words)))
        ):
            continue
        draft.set_country(country, head)
        return words[size:]
    return words


def _starts_with_surname(words: list[str]) -> bool:
    """Return whether leading capitals are a surname, not a code: ``VAN DER BERG Jan``."""
    return words[0].lower() in PARTICLES and words[1].isupper()
