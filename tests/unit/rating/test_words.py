"""Every error code of ratings has words, and every word of the table belongs to a code that is used."""

import re
from pathlib import Path

import rating
from people.messages import known_codes

ROOT = Path(rating.__file__).parent
CODE = re.compile(r'"(rating\.(?:csv\.|parameter\.|official\.)?[a-z_]+)"')


def used() -> set[str]:
    texts = [
        path.read_text()
        for folder in ("services", "formulas", "selectors", "web", "api", "store")
        for path in (ROOT / folder).rglob("*.py")
    ]
    return {code for text in texts for code in CODE.findall(text)}


def test_every_code_has_words_and_every_word_a_code():
    words = {code for code in known_codes() if code.startswith("rating.")}
    assert used() <= words, used() - words
    assert words <= used(), words - used()
