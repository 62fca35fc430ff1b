"""Formatting of names: first name first, usual capital letters, titles removed."""

import re
from dataclasses import dataclass
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists.words import LOWERCASE_WORDS, PARTICLES, SUFFIXES, TITLES

# Titles that are also recognized without a full stop; others then are names ("Don", "Bay", "Pan").
_BARE_TITLES: Final = frozenset(
    "dr prof mr mrs ms miss mx herr frau hr mme mlle monsieur madame senor senora sra srta doktor professor fru froken dipl dhr mevr".split()
)
# Federation titles in capitals: grandmasters and masters of chess and of backgammon's BMAB.
_MASTER_TITLES: Final = frozenset(
    "GM IM FM CM NM WGM WIM WFM WCM G1 G2 G3 G4 G5 G6 GMI GM1 GM2 GM3 M1 M2 M3 MI MII MIII".split()
)
_POSTNOMINALS: Final = frozenset(
    "phd md msc mba dds bsc esq mphil llm ing obe mbe cbe kbe kc qc mp mep cpa".split()
)
_PREFIXED: Final = re.compile(r"^((?:Mc|Mac|O['’]|D['’]|Di|De|Le|La|Van|Fitz)(?=[^\W\d_a-z]{2}))(.+)$")
_ROMAN: Final = re.compile(r"^[IVX]{2,5}$")  # "Karl XIV Berg"
_INITIALS: Final = re.compile(
    r"^(?!NG$)[BCDFGHJKLMNPQRSTVWXZ]{2,3}$"
)  # no vowel: "JP", "TJ", "SJ"; Ng is a surname
_ELIDED: Final = re.compile(r"^([dl]['’])([^\W\d_a-z]{2}.*)$")  # "d'ESTRÉES"
_TURKISH_WORD: Final = re.compile(r"[ğĞşŞıİ]")
_EDGE_CHARS: Final = ' \t,;:/|=~_<>"“”„«»`´*?!'


@dataclass(frozen=True, slots=True)
class NameStyle:
    """How a list writes names.

    ``surname_first``: the surname comes first, without a comma; ``turkish``: I and İ are different letters.
    """

    surname_first: bool = False
    turkish: bool = False


PLAIN_STYLE: Final = NameStyle()


def format_name(name: str, name_style: NameStyle = PLAIN_STYLE) -> tuple[str, list[str]]:
    """Return the formatted name, and a list of the titles that were removed from it."""
    tokens = [token.strip(_EDGE_CHARS) for token in name.strip(_EDGE_CHARS).split()]
    tokens = [token for token in tokens if any(c.isalnum() for c in token)]
    tokens, titles = _split_titles(tokens)
    if not tokens:
        return "", titles
    tokens, suffixes = _split_suffixes(tokens)
    capitals = [_is_capitals(token) for token in tokens]
    cased_indexes = [index for index, token in enumerate(tokens) if _has_telling_case(token)]
    if cased_indexes and all(capitals[index] for index in cased_indexes):
        initials = [index for index, token in enumerate(tokens) if _is_initials(token)]
        if (
            initials
            and len(cased_indexes) == 1
            and initials == list(range(cased_indexes[0] + 1, len(tokens)))
        ):
            return " ".join(
                [
                    *tokens[cased_indexes[0] + 1 :],
                    *_apply_case(tokens[: cased_indexes[0] + 1], name_style),
                    *map(_format_suffix, suffixes),
                ]
            ), titles
        has_particle = (
            tokens[0].lower() in LOWERCASE_WORDS
            and len(tokens) - sum(token.lower() in PARTICLES for token in tokens) > 1
        )
        tokens = _apply_case(
            _rotate_surname(tokens) if name_style.surname_first or has_particle else tokens, name_style
        )
    elif any(capitals):
        tokens = _move_surname_last(tokens, capitals, name_style)
    else:
        if name_style.surname_first or _begins_with_surname(tokens):
            tokens = _rotate_surname(tokens)
        if any(c.isdigit() or c == "_" for token in tokens for c in token):
            pass  # a user name of a site, unchanged
        elif all(token == token.lower() for token in tokens):
            tokens = _apply_case(tokens, name_style)
        elif tokens[0] == tokens[0].lower() and tokens[0] not in PARTICLES:
            tokens[0] = _apply_word_case(tokens[0], name_style)
    return " ".join([*tokens, *(_format_suffix(suffix) for suffix in suffixes)]).strip(" -–—"), titles


def can_be_given_name(text: str) -> bool:
    """Return whether ``text`` can be first names, as behind the comma in ``Surname, First names``."""
    words = text.split()
    if not 1 <= len(words) <= 4 or any(c.isdigit() for c in text):
        return False
    main_words = [word for word in words if fold_text(word) not in TITLES and word not in PARTICLES]
    if not main_words or words[0] in PARTICLES - {"de", "del", "al", "el"}:
        return False
    return all(
        not word[0].isalpha() or word[0] != word[0].lower() or not _has_case(word) for word in main_words
    )


def surname_confidence(text: str) -> int:
    """Return how likely ``text`` is a surname, as before the comma in ``Surname, First names``.

    2: very likely, such as one word with or without particles; 1: possible; 0: no.
    """
    words = text.split()
    if not 1 <= len(words) <= 5 or any(c.isdigit() for c in text):
        return 0
    main_words = [
        word
        for word in words
        if word.lower().rstrip("'’") not in PARTICLES and fold_text(word) not in SUFFIXES
    ]
    if len(main_words) > 1 and all(_is_capitals(word) for word in main_words):
        return 2
    return 2 if len(main_words) == 1 else 1


def _split_titles(tokens: list[str]) -> tuple[list[str], list[str]]:
    titles: list[str] = []
    while len(tokens) > 1:
        word = fold_text(tokens[0])
        is_dotted = "." in tokens[0] and len(word.replace(" ", "")) > 1
        is_master = tokens[0] in _MASTER_TITLES and len(tokens) > 2
        if not (word in _BARE_TITLES or is_master or (is_dotted and word in TITLES)):
            break
        titles.append(tokens.pop(0))
    while len(tokens) > 2 and fold_text(tokens[-1]).replace(" ", "") in _POSTNOMINALS:
        titles.append(tokens.pop())
    return tokens, titles


def _split_suffixes(tokens: list[str]) -> tuple[list[str], list[str]]:
    suffixes: list[str] = []
    while (
        len(tokens) > 1
        and fold_text(tokens[-1]) in SUFFIXES
        and (len(tokens) > 2 or _is_sure_suffix(tokens[-1]))
    ):
        suffixes.insert(0, tokens.pop())
    return tokens, suffixes


def _is_sure_suffix(token: str) -> bool:
    return fold_text(token) in {"jr", "sr", "ii", "iii", "iv", "jun", "jnr", "snr"}


def _format_suffix(token: str) -> str:
    if set(fold_text(token)) <= {"i", "v"}:
        return token.upper()
    return token[:1].upper() + token[1:].lower() if token.isupper() else token


def _has_case(text: str) -> bool:
    return text.lower() != text.upper()


def _is_capitals(token: str) -> bool:
    """Return whether a word is written in capitals: ``MÜLLER``, ``McDONALD``.

    Not ``J.``, ``JP``, or words in scripts that have no capitals.
    """
    if _INITIALS.match(token):
        return False
    if match := _PREFIXED.match(token) or _ELIDED.match(token):
        return _is_capitals(match.group(2))
    return (
        sum(c.isupper() for c in token) > 1
        and "." not in token[:2]
        and _has_case(token)
        and token == token.upper()
    )


def _is_initials(token: str) -> bool:
    """Return whether a word is initials: ``A.``, ``J.-P.``, ``M.G.``."""
    return bool(re.fullmatch(r"(?:[^\W\d_][.]-?){1,3}", token))


def _has_telling_case(token: str) -> bool:
    """Return whether the case of a word shows something; not for initials, particles and caseless scripts."""
    return _has_case(token) and sum(c.isalpha() for c in token) > 1 and token.lower() != token


def _move_surname_last(tokens: list[str], capitals: list[bool], name_style: NameStyle) -> list[str]:
    """Return the words of a name with a surname in capitals moved to the end.

    ``VAN DEN BERG Johanna`` → ``Johanna van den Berg``.
    """
    end = 0
    while end < len(tokens) and (capitals[end] or (tokens[end].lower() in PARTICLES and any(capitals[end:]))):
        end += 1
    if 0 < end < len(tokens):
        return _keep_order(tokens[end:], name_style) + _apply_case(tokens[:end], name_style)
    return [
        word if not capital else cased
        for word, capital, cased in zip(tokens, capitals, _apply_case(tokens, name_style), strict=True)
    ]


def _keep_order(tokens: list[str], name_style: NameStyle) -> list[str]:
    return [_apply_word_case(token, name_style) if _is_capitals(token) else token for token in tokens]


def _begins_with_surname(tokens: list[str]) -> bool:
    """Return whether the name begins with a surname that has a lowercase particle: ``von Bora Katharina``."""
    main_words = [token for token in tokens if token.lower() not in PARTICLES]
    return (
        tokens[0] in LOWERCASE_WORDS
        and len(main_words) > 1
        and any(token != token.lower() for token in tokens)
    )


def _rotate_surname(tokens: list[str]) -> list[str]:
    """Return the words of a name with the surname moved from the start to the end.

    Particles and one word are taken as the surname.
    """
    end = 0
    while end < len(tokens) - 1 and tokens[end].lower() in PARTICLES:
        end += 1
    end += 1
    return tokens[end:] + tokens[:end]


def _apply_case(tokens: list[str], name_style: NameStyle) -> list[str]:
    words: list[str] = []
    for index, token in enumerate(tokens):
        lowercase = token.lower()
        is_bound = (
            bool(words)
            and words[-1].lower() in {"de", "von", "van", "y", "e"}
            and lowercase in {"la", "las", "los", "le"}
        )
        is_lone = len(tokens) == 1 or (
            index == len(tokens) - 1 and lowercase in {"do", "das", "du", "e", "y"}
        )
        words.append(
            lowercase
            if (lowercase in LOWERCASE_WORDS or is_bound) and not is_lone
            else _apply_word_case(token, name_style)
        )
    return words


def _apply_word_case(word: str, name_style: NameStyle) -> str:
    match = _PREFIXED.match(word) or _ELIDED.match(word)
    if match:
        return match.group(1) + _apply_word_case(match.group(2), name_style)
    turkish = bool(_TURKISH_WORD.search(word)) or name_style.turkish
    return "".join(
        part if index % 2 else _capitalise(part, turkish=turkish)
        for index, part in enumerate(re.split(r"([-.'’‘`])", word))
    )


def _capitalise(part: str, *, turkish: bool) -> str:
    if turkish:
        part = part.replace("I", "ı").replace("İ", "i")
    lowercase = part.lower()
    if lowercase.startswith("mc") and len(lowercase) > 4:
        return "Mc" + lowercase[2:3].upper() + lowercase[3:]
    if _ROMAN.match(part) or _INITIALS.match(part):
        return part
    first = (
        "İ" if turkish and lowercase[:1] == "i" else lowercase[:1].title()
    )  # title case: Georgian has no capital initial
    return first + lowercase[1:]
