"""Names made fit to be shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from names.folding import search_key
from people.text import clean_line


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann \t Lee\n", "Ann Lee"),
        ("Jose\u0301", "José"),
        ("Ann\u202egnorw\u2066", "Anngnorw"),
        ("A\x00n\x07n", "Ann"),
        ("\x00 \u200f", ""),
        ("👩\u200d🚀 Zoë", "👩\u200d🚀 Zoë"),
    ],
)
def test_one_line_when_pasted_then_fit_to_be_shown(typed, shown):
    assert clean_line(typed) == shown


@given(st.text())
def test_one_line_when_anything_then_stable_and_storable(text):
    line = clean_line(text)
    assert clean_line(line) == line
    line.encode()
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} for c in line)


@given(st.text())
def test_search_key_when_case_accents_and_order_differ_then_the_same(text):
    key = search_key(text)
    assert search_key(key) == key
    assert search_key(" ".join(reversed(text.split()))) == key
