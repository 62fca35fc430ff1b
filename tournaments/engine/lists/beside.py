"""Text around a name, recognised by its pattern: mail subjects, labels, links, nicknames, years of birth.

Each function removes such text from ``text``, notes it in ``draft``, and returns what remains.
"""

import re
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists.values import PersonDraft
from tournaments.engine.lists.words import ASIDE_WORDS, ENTRY_STATUS_WORDS, TITLE_WORDS

# Prefixes of mail programs before a subject.
SUBJECT_PREFIX: Final = re.compile(
    r"^\s*(?:(?:re|fwd?|aw|wg|sv|vs|vb|rif|tr|rv|antw|odp|ynt|ilt|res|enc|fs|vl)\s*:\s*)+", re.IGNORECASE
)
_LINKING_WORDS: Final = frozenset(
    "for fur fuer til till to zum zur zu a al au aux per para pour do dla voor the der das die des of von open".split()
)
_NICK: Final = re.compile(r"[\"“”„«»‟]\s*([^\"“”„«»‟]+?)\s*[\"“”„«»‟]|(?<=\s)['‘‚]([^'‘’‚]+)['’](?=\s)")
_LABEL: Final = re.compile(
    r"^\s*(?:([^:,;@\d\"()]{2,40}):\s+(?=\w+\s+\w)|\*([^*\s]+)\*\s+(?=[^\W\d_a-z]\S*\s+[^\W\d_a-z]))"
)
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]]+")
_KNOWN_AS: Final = re.compile(
    r"(?<!\w)(?:dit|dite|alias|aka|a\.k\.a\.|detto|detta|genannt|gen\.|kaldet|kalt|kallad|conocido como|zwany)\s*(?=[\"“”„«»‟'‘‚])",
    re.IGNORECASE,
)
_NICK_APART: Final = re.compile(rf"\s*(?:{_NICK.pattern})\s*")
# "b. 1971", "Jg. 1980", "PR 5.2": details of a person, neither rating nor name.
_ASIDE: Final = re.compile(
    r"(?<!\w)(?:(?:born|b\.|geb\.?|jg\.?|jahrgang|née?|nacido|ur\.|f\.|pr)\s*[:=]?\s*\d{1,4}(?:[.,]\d+)?)(?![\w.])",
    re.IGNORECASE,
)


def strip_subject(text: str, draft: PersonDraft) -> str:
    """Move a mail subject before a name to the notes of the draft (``Re: Anmeldung Ann Abell``).

    Returns the text that remains.
    """
    match = SUBJECT_PREFIX.match(text)
    if match is None:
        return text
    words = text[match.end() :].split()
    end = 0
    while end < len(words) - 1 and (
        fold_text(words[end]) in TITLE_WORDS
        or not fold_text(words[end])
        or (end and fold_text(words[end]) in _LINKING_WORDS)
    ):
        end += 1
    draft.note(f"{match.group().strip()} {' '.join(words[:end])}")
    return " ".join(words[end:])


def strip_label(text: str, draft: PersonDraft) -> str:
    """Move a label before a name to the notes of the draft (``TBC: Ann Abell``, ``Guest of Bob: Ann Abell``).

    Returns the text that remains.
    """
    match = _LABEL.match(text)
    if match is None:
        return text
    words = fold_text(match.group(1) or "").split()
    if match.group(1) and not (words and words[0] in ASIDE_WORDS | ENTRY_STATUS_WORDS):
        return text
    draft.note(match.group(1) or match.group(2))
    return text[match.end() :]


def strip_asides(text: str, draft: PersonDraft) -> str:
    for match in _URL.finditer(text):
        draft.note(match.group())
    text = _URL.sub(" ", text)
    for match in _ASIDE.finditer(text):
        draft.note(match.group())
    return _ASIDE.sub(" ", text)


def strip_nicknames(text: str, draft: PersonDraft) -> str:
    bare = text.strip(" ,;.")
    full_match = _NICK.fullmatch(bare)
    if full_match or (
        bare[:1] in "'‘\"" and bare[-1:] in "'’\"" and len(bare) > 2 and len(_NICK.findall(bare)) < 2
    ):
        return bare.strip("\"“”„«»‟'‘’‚ ")

    def take(match: re.Match[str]) -> str:
        draft.note(match.group(1) or match.group(2))
        return " "

    text = _KNOWN_AS.sub("", text)
    lead_match = _NICK.match(text.strip())
    if (
        lead_match and len((lead_match.group(1) or "").split()) > 1
    ):  # "Weaver, Paul" and more behind: quotes of an address
        text = f"{lead_match.group(1)} {text.strip()[lead_match.end() :]}"
    return _NICK_APART.sub(take, text)
