"""Details of a person, recognised by pattern: addresses, phones, flags, ratings, payment, countries."""

import re
import unicodedata
from typing import Final

from names.folding import fold_text
from tournaments.engine.lists.values import ListStyle, PersonDraft
from tournaments.engine.lists.words import (
    CLUB_WORDS,
    FEE_WORDS,
    NEGATION_WORDS,
    NO_WORDS,
    ON_SITE_WORDS,
    PAID_STEM,
    PAID_WORDS,
    PAYMENT_METHODS,
    PAYMENT_WORDS,
    UNPAID_WORDS,
    UNRATED_WORDS,
    US_STATES,
    YES_WORDS,
    ColumnRole,
    is_division,
)

_INVISIBLE_CHARS: Final = dict.fromkeys(
    map(
        ord,
        "\u200b\u2060\ufeff\xad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\0\ufffd",
    )
)
# Punctuation and digits of other scripts with the meaning of ours.
_CHAR_REPLACEMENTS: Final[dict[int, int | str | None]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{
        ord(sign): replacement
        for sign, replacement in zip("、､،؛【】〔〕「」『』", ',,,;[][]""""', strict=True)
    },
}
_EMAIL: Final = re.compile(
    r"(?:mailto:)?[<(\[]?\s*([\w.+%'-]{1,64}@(?:[\w-]{1,63}\.){1,5}[a-zA-Z]{2,24})\s*[>)\]]?", re.ASCII
)
_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_BRITISH_FLAG: Final = re.compile("\U0001f3f4[\U000e0061-\U000e007a]+\U000e007f?")
_DATE: Final = re.compile(
    r"(?<!\d)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?(?!\d)"
)
_PHONE_WORD: Final = r"(?:(?:tel|phone|ph|mobile|mob|handy|tlf|tél|telefon|telefono|teléfono|telefone|móvil|cell|gsm|cep|komórka|whatsapp|puh|sími)\b[.:]?\s*)"
_PHONE: Final = re.compile(
    rf"{_PHONE_WORD}?(?<![\w.+])((?:\+|00)?\(?\d(?:[\d()/. \-‑]*\d){{5,}})(?![\w@])", re.IGNORECASE
)
_YES_SIGNS: Final = frozenset("✅✔☑💰💵💶💷💸👍🤑💲🆗🟢")
_NO_SIGNS: Final = frozenset("❌✖✗✘🚫❎⛔👎🔴")
_RATING_UNIT: Final = r"(?:elo|dwz|nwz|pts?|rating|puan|punkte|points?|punti|puntos|pontos|pkt|punkter|poang|poäng|poeng|stig|bod[uy]?|punten|rtg|b\.|п|点)"
_RATING_WORD: Final = r"(?:elo|cl|clt|cote|wertungszahl|ranglistenpunkte|dwz|nwz|rating|rtg|rat|ranking|fibs|bmab|wertung|puan|classement|rank|clasificación|r)"
_NUMBER: Final = r"(\d{3,4}(?:[.,]\d{1,3})?|\d[.,' ’\u202f]\d{3}(?:[.,]\d{1,2})?)"
_RATING: Final = re.compile(
    rf"^(?:{_RATING_WORD}\s*[.:=]?\s*{_NUMBER}|{_NUMBER}\s*{_RATING_UNIT}?)\s*[.*?]?$",
    re.IGNORECASE,
)
_BARE_NUMBER: Final = re.compile(r"^\d{3,4}(?:[.,]\d{1,3})?$")
_MONEY: Final = r"(?:€|\$|£|₾|₺|₽|₴|₪|¥|円|₩|eur|euros?|kr\.?|dkk|nok|sek|isk|zł|zl|pln|usd|gbp|chf|fr\.|tl|try|kč|kc|czk|huf|ft|ron|lei|bgn|лв\.?|rsd|gel|ils|jpy|yen)"
AMOUNT: Final = re.compile(
    rf"^(?:{_MONEY}\s*\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s*(?:{_MONEY}|,-|,–))$", re.IGNORECASE
)
CURRENCY: Final = re.compile(rf"^{_MONEY}$", re.IGNORECASE)
_PAYMENT_WORD: Final = re.compile(
    r"(?:be)?zahl|betal|paga|pay|paie|pai|plat|zaplat|plac|zaplac|ode|maks|fizet|plat|плат|заплат|πληρω"
)
_SHORT_CLUB: Final = re.compile(r"^[A-ZÆØÅÄÖÜ]{1,3}(?:BgK|BGK|BgC|BGC|BgV|BGV|BGF|BG)$")  # "KBgK", "ØBGK"
MIN_RATING, MAX_RATING = 600.0, 3000.0  # a bare number is a rating between these


def normalize_text(text: str) -> str:
    """Return the text with composed letters (accents included), plain blanks and no invisible characters."""
    plain = unicodedata.normalize("NFC", text).translate(_INVISIBLE_CHARS).translate(_CHAR_REPLACEMENTS)
    if plain.isascii() and plain.isprintable():
        return plain
    return "".join(map(_normalize_char, plain))


def _normalize_char(c: str) -> str:
    if (c.isascii() and c.isprintable()) or c == "\t":
        return c
    kind = unicodedata.category(c)
    if c.isspace() or kind == "Cc":
        return " "
    return str(unicodedata.digit(c)) if kind == "Nd" else c


def email_addresses(text: str) -> list[str]:
    return [match.group(1) for match in _EMAIL.finditer(text)]


def strip_email(text: str, draft: PersonDraft) -> str:
    def take(match: re.Match[str]) -> str:
        draft.store_text(
            ColumnRole.EMAIL, match.group(1).lower() if match.group(1).isupper() else match.group(1)
        )
        return " , " if match.start() and match.end() < len(text.rstrip(" ;,)>")) else " "

    return _EMAIL.sub(take, text)


def strip_signs(text: str, draft: PersonDraft) -> str:
    """Return the text without pictographs; flags and ticks are stored in the draft as country and payment."""
    for match in _FLAG.finditer(text):
        code = "".join(chr(ord(c) - 0x1F1E6 + ord("A")) for c in match.group())
        draft.set_country({"UK": "GB"}.get(code, code), code)
    for match in _BRITISH_FLAG.finditer(text):
        draft.set_country("GB", match.group())
    text = _BRITISH_FLAG.sub(" ", _FLAG.sub(" ", text))
    chars = []
    for c in text:
        if c in _YES_SIGNS | _NO_SIGNS:
            draft.paid = c in _YES_SIGNS
        is_picture = c in "\ufe0f\u20e3" or (
            unicodedata.category(c) in {"So", "Cn", "Co"} and c not in "№℗°©"
        )
        chars.append(
            " " if is_picture or c in _YES_SIGNS | _NO_SIGNS or "\U000e0000" <= c <= "\U000e007f" else c
        )
    return "".join(chars)


def strip_phone(text: str, draft: PersonDraft) -> str:
    """Return the text without phone numbers, which are stored in the draft.

    Dates go to its notes first, so that they are not read as phone numbers.
    """

    def dated(match: re.Match[str]) -> str:
        draft.note(match.group())
        return " "

    def take(match: re.Match[str]) -> str:
        number = match.group(1).strip()
        digits = sum(c.isdigit() for c in number)
        if not 7 <= digits <= 15 or _RATING.match(number) or re.fullmatch(r"\d{3,4}\s+\d{3,4}", number):
            return match.group()
        draft.store_text(ColumnRole.PHONE, number + (")" if number.count("(") > number.count(")") else ""))
        return " , "

    return _PHONE.sub(take, _DATE.sub(dated, text))


def is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text.strip()))


def parse_rating(text: str) -> float | None:
    """Return the rating that the text consists of, or None.

    A number without a word such as "Elo" must be from `MIN_RATING` to `MAX_RATING`.
    """
    text = text.strip()
    match = _RATING.match(text)
    if not match:
        return None
    number = re.sub(r"[ '’\u202f]", "", match.group(1) or match.group(2))
    if re.fullmatch(r"\d[.,]\d{3}(?:[.,]\d{1,2})?", number):
        number = number[0] + number[2:]
    value = float(number.replace(",", "."))
    if _BARE_NUMBER.match(text) or match.group(2):
        return value if MIN_RATING <= value <= MAX_RATING else None
    return value


def parse_paid(text: str) -> tuple[bool, str] | None:
    """Return whether the text begins with a word for paid (True) or unpaid (False), and the rest of it.

    None if it begins with neither.
    """
    words = text.strip(" .,:;!()[]*").split()
    folded = fold_text(" ".join(words))
    if (
        folded not in UNPAID_WORDS
        and words
        and fold_text(words[0]) in PAYMENT_WORDS
        and fold_text(" ".join(words[1:])) in ON_SITE_WORDS
    ):
        return False, " ".join(words if fold_text(words[0]) in PAYMENT_METHODS else words[1:])
    if (
        1 < len(words) < 7
        and folded not in UNPAID_WORDS
        and _PAYMENT_WORD.match(folded)
        and any(folded.endswith(f" {phrase}") for phrase in ON_SITE_WORDS)
    ):
        first_payment = _parse_leading_paid(
            words[:1]
        )  # "zaplatím na místě" has not paid; "bezahlt vor Ort" has
        if first_payment is None or not first_payment[0]:
            return False, " ".join(words)
    payment = _parse_leading_paid(words)
    lead_count = 0
    while (
        payment is None
        and lead_count < len(words) - 1
        and (fold_text(words[lead_count]) in FEE_WORDS or is_money(words[lead_count]))
    ):
        lead_count += 1
        lead_words = [word for word in words[:lead_count] if fold_text(word) not in FEE_WORDS]
        payment = (
            _parse_leading_paid(words[lead_count:])
            if not lead_words or is_amount(" ".join(lead_words))
            else None
        )
    if payment is None:
        return None
    paid, rest = payment
    remainder = "" if all(fold_text(word) in FEE_WORDS for word in rest) else " ".join(rest).strip(" -–—:,")
    if lead_count and is_amount(" ".join(words[:lead_count])):  # "400 kr. betalt"
        remainder = f"{' '.join(words[:lead_count])} {remainder}".strip()
    return paid, remainder


def is_money(word: str) -> bool:
    """Return whether the word is a sum of money, a currency, or a number that may be a sum."""
    return bool(AMOUNT.match(word) or CURRENCY.match(word) or re.fullmatch(r"\d{1,4}(?:[.,]\d\d)?", word))


def is_amount(text: str) -> bool:
    """Return whether ``text`` is only a sum of money: ``50€``, ``EUR 50``, ``quota 80 €``."""
    words = [word for word in text.strip(" .,:;!()[]*").split() if fold_text(word) not in FEE_WORDS]
    return (
        bool(words)
        and all(map(is_money, words))
        and any(AMOUNT.match(word) or CURRENCY.match(word) for word in words)
        and any(c.isdigit() for c in text)
    )


def _parse_leading_paid(words: list[str]) -> tuple[bool, list[str]] | None:
    if len(words) == 1 and fold_text(words[0]) == "bez":  # "without" before anything else
        return True, []
    for end in range(min(len(words), 5), 0, -1):
        folded = fold_text(" ".join(words[:end]))
        if folded in UNPAID_WORDS or folded in PAID_WORDS or (end == 1 and PAID_STEM.match(folded)):
            return folded not in UNPAID_WORDS, words[end:]
    if (
        len(words) > 1
        and fold_text(words[0]) in NEGATION_WORDS
        and (payment := _parse_leading_paid(words[1:])) is not None
        and payment[0]
    ):
        return False, payment[1]
    return None


def parse_paid_cell(text: str) -> tuple[bool | None, str]:
    """Return the payment status in a cell of a "paid" column (None if unknown), and text for the notes."""
    draft = PersonDraft()
    rest = strip_signs(text, draft).strip()
    if draft.paid is not None:
        return draft.paid, rest
    folded = fold_text(rest)
    if not folded or folded == "n a":
        return (True, "") if rest in {"✓", "√", "+"} else (None, "")
    if folded in NO_WORDS:
        return False, ""
    if folded in YES_WORDS:
        return True, ""
    other_words = [word for word in rest.split() if fold_text(word) not in PAYMENT_METHODS]
    if folded in PAYMENT_METHODS or (
        other_words and len(other_words) < len(rest.split()) and is_amount(" ".join(other_words))
    ):
        return True, rest
    if is_amount(rest) or re.fullmatch(r"\d+(?:[.,]\d+)?", rest):
        paid = any(c in "123456789" for c in rest)
        return paid, rest if paid else ""
    payment = parse_paid(rest)
    if payment is not None:
        return payment
    first, _, remainder = rest.partition(" ")
    if fold_text(first) in YES_WORDS | NO_WORDS and len(fold_text(first)) > 1:
        return fold_text(first) in YES_WORDS, remainder.strip(" ,;:()-–")
    return None, rest


def parse_country(text: str, style: ListStyle, *, alone: bool = True) -> str:
    """Return the code of the country that ``text`` names, in words or as a code in capitals; empty if none.

    ``alone``: the text is a whole cell or in brackets, so that more spellings of codes are accepted.
    """
    text = text.strip(" .,:;/")
    if not text or len(text) > 60:
        return ""
    if (
        not alone and text.isascii() and text.istitle() and len(text) < 4
    ):  # "Man", "Fas": more often names of people
        return ""
    country = style.countries.code_by_name(text) if len(fold_text(text)) > 2 or not text.isascii() else ""
    if country:
        return country
    code = text.replace(".", "")
    if code.isupper() and not code.isascii() and len(code) == 3:  # "ÍSL"
        code = fold_text(code).upper()
    if style.states and code in US_STATES:
        return ""
    if (code.isupper() and len(code) in {2, 3}) or (alone and len(code) == 3 and code.istitle()):
        return style.countries.known_code(code.upper())
    return ""


def is_club(text: str) -> bool:
    """Return whether the text contains a club word: ``BC Köln``, ``Oslo Backgammonklubb``."""
    words = fold_text(text).split()
    if _SHORT_CLUB.match(text):
        return True
    if len(words) < 2 and len(text) < 8:  # "bar", "BC": not a club's name
        return False
    return (
        any(
            word in CLUB_WORDS or word.endswith(("gammon", "klub", "klubb", "club", "verein", "gammonclub"))
            for word in words
        )
        and len(words) <= 7
    )


def is_unrated(text: str) -> bool:
    return fold_text(text) in UNRATED_WORDS and bool(text.strip())


def take_piece(text: str, draft: PersonDraft, style: ListStyle) -> bool:
    """Return whether the text consists of one recognized detail; if so, the detail is stored in the draft."""
    text = text.strip(" \t.,;:|/*_~-–—")
    if not any(c.isalnum() for c in text):
        return True
    country = parse_country(text, style, alone=False)
    if country:
        draft.set_country(country, text)
        return True
    rating = parse_rating(text)
    if rating is not None:
        draft.rated(rating, text)
        return True
    payment = parse_paid(text)
    if payment is not None and (payment[0] is False or not _is_name_like(text, payment[1])):
        draft.paid = payment[0]
        draft.note(payment[1])
        return True
    if is_division(text):
        draft.store_text(ColumnRole.DIVISION, text)
        return True
    if fold_text(text) in {"unrated", "unr", "unranked"}:
        return True
    if is_club(text):
        draft.store_text(ColumnRole.CLUB, _extract_club(text, draft, style))
        return True
    if is_amount(text) or text.isdigit() or re.fullmatch(r"\+\d{1,2}", text):
        draft.note(text)
        return True
    return False


def _extract_club(text: str, draft: PersonDraft, style: ListStyle) -> str:
    """Return the club in the text; a country before and a rating behind it go to the draft.

    Example: ``DEN Odense BK 1588``.
    """
    words = text.split()
    while len(words) > 2:
        last, word_count = words[-1].strip(".,"), len(words)
        if (value := parse_rating(words[0])) is not None:
            draft.rated(value, words.pop(0))
        elif len(words[0]) == 3 and (code := parse_country(words[0], style, alone=False)):
            draft.set_country(code, words.pop(0))
        elif (payment := parse_paid(last)) is not None and last == last.lower():
            draft.paid = payment[0]
            words.pop()
        elif (value := parse_rating(last)) is not None and value < 1900:  # "BC Köln 1984": a year
            draft.rated(value, words.pop())
        if len(words) == word_count:
            break
    return " ".join(words)


def _is_name_like(text: str, remainder: str) -> bool:
    """Return whether a text that begins with a word for a payment may be a person: ``Cash Warren``."""
    words = remainder.split()
    if len(words) >= 2 and all(word[:1].isupper() for word in words):
        return True
    return (
        len(words) == 1
        and text[:1].isupper()
        and words[0].istitle()
        and fold_text(words[0]) not in PAYMENT_METHODS | PAID_WORDS
    )
