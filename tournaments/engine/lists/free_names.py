"""Find the name among the pieces of a line of free text. Pure."""

from names.folding import fold_text
from tournaments.engine.lists import marks
from tournaments.engine.lists.personal import can_be_given_name, surname_confidence
from tournaments.engine.lists.values import ListStyle
from tournaments.engine.lists.words import PARTICLES, SUFFIXES


def is_lowercase_word(word: str) -> bool:
    """Return whether the word is lowercase and no particle or suffix of names."""
    return (
        word[:1].isalpha()
        and word == word.lower() != word.upper()
        and word.strip(".") not in PARTICLES | SUFFIXES
    )


def extract_name(candidates: list[tuple[str, bool]], style: ListStyle) -> tuple[str, list[str], bool]:
    """Return the name among the pieces, the other pieces, and whether the text had the surname first."""
    if not candidates:
        return "", [], False
    texts = [text for text, _ in candidates]
    if (
        any(map(is_lowercase_word, texts[0].split()[1:])) and texts[0][:1].isupper()
    ):  # "Yes please – Tage Danielsson"
        name_index = next(
            (position for position, text in enumerate(texts) if len(text.split()) > 1 and text.istitle()), 0
        )
        candidates = (
            [candidates[name_index], *candidates[:name_index], *candidates[name_index + 1 :]]
            if name_index
            else candidates
        )
        texts = [text for text, _ in candidates]
    first, rest = texts[0], texts[1:]
    if marks.is_club(first) and any(not marks.is_club(text) for text in rest):
        position = next(index for index, text in enumerate(rest) if not marks.is_club(text))
        first, rest = rest[position], [first, *rest[:position], *rest[position + 1 :]]
        candidates = [(first, False), *((text, False) for text in rest)]
    if rest and candidates[1][1] and _is_family_first(first, rest[0], style):
        given_names = rest[0].split()
        if len(given_names) > 1 and fold_text(given_names[-1]) in SUFFIXES:  # "Smith, John Jr."
            return f"{' '.join(given_names[:-1])} {first} {given_names[-1]}", rest[1:], True
        suffix = (
            first.split()[-1] if len(first.split()) > 1 and fold_text(first.split()[-1]) in SUFFIXES else ""
        )
        surname = first.removesuffix(suffix).strip() if suffix else first
        return f"{rest[0]} {surname} {suffix}".strip(), rest[1:], True
    if rest and candidates[1][1] and fold_text(rest[0]) in SUFFIXES:  # "Smith, Jr."
        return f"{first} {rest[0]}", rest[1:], False
    if len(first.split()) == 1 and len(first) > 1:
        for index, text in enumerate(rest):
            if len(text.split()) == 1 and text[:1].isupper() and not marks.is_club(text):
                return f"{first} {text}", [*rest[:index], *rest[index + 1 :]], False
    return first, rest, False


def _is_family_first(first: str, second: str, style: ListStyle) -> bool:
    if marks.is_club(second) or not can_be_given_name(second):
        return False
    confidence = surname_confidence(first)
    return confidence == 2 or (confidence == 1 and style.surname_before_comma)
