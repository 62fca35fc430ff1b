"""Country names in many languages (from CLDR), for recognising them in imported lists."""

from functools import lru_cache
from typing import Final

from babel import Locale
from babel.core import get_global

from names.countries import SPORT_CODES, USUAL_NAMES, Countries
from names.folding import fold_text

# The languages of the rule sheets and of Europe's federations, and the most spoken others.
LANGUAGES: Final = (
    "en de fr it es pt nl da sv nb nn fi is pl cs sk sl hr sr sr_Latn hu ro bg el tr ru uk lt lv et ar he fa ja zh ko "
    "ka hy mk be kk"  # of other scripts; in more Latin ones, names of countries are also names of people
).split()


@lru_cache(maxsize=1)
def countries() -> Countries:
    """Return the table that finds a country's code by its name or code; built once in a process (0.3 s)."""
    names: dict[str, str] = {}
    iso_codes: set[str] = set()
    for language in LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if len(code) == 2 and code.isalpha() and code not in {"EU", "EZ", "UN", "ZZ", "XA", "XB"}:
                iso_codes.add(code)
                names.setdefault(fold_text(name), code)
    names.pop("", None)
    aliases: dict[str, list[str]] = get_global("territory_aliases")  # type: ignore[assignment]
    three_letter_codes = {
        code: targets[0]
        for code, targets in aliases.items()
        if len(code) == 3 and code.isalpha() and len(targets) == 1 and targets[0] in iso_codes
    }
    codes = {**SPORT_CODES, **three_letter_codes, **{code: code for code in iso_codes}}
    return Countries(names={**names, **USUAL_NAMES}, codes=codes)
