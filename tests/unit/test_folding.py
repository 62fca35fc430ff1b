"""Names folded for finding: pairs that are the same letters to whoever types them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from names.folding import fold_text, search_key


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Søren Kierkegaard", "soren kierkegaard"),
        ("Łukasz Żak", "Lukasz Zak"),
        ("Þórunn Ægisdóttir", "thorunn aegisdottir"),
        ("Guðmundur", "Gudmundur"),
        ("Nguyễn Đức", "nguyen duc"),
        ("Weiß", "WEISS"),
        ("Işıl Çelik", "ISIL CELIK"),
        ("İpek", "ipek"),
        ("Sinéad O’Neill", "sinead o'neill"),
        ("Keoni Kaʻahumanu", "Keoni Ka'ahumanu"),
        ("Σοφία Παπαδάκης", "ΣΟΦΙΑ ΠΑΠΑΔΑΚΗΣ"),
        ("Hans-Jürgen", "hans jurgen"),
    ],
)
def test_folded_when_accents_letters_case_and_signs_differ_then_the_same(written, typed):
    assert fold_text(written) == fold_text(typed)


def test_search_key_when_surname_is_first_then_the_same():
    assert search_key("Müller, Hans") == search_key("hans MULLER") == "hans muller"


def test_folded_when_names_differ_then_they_stay_apart():
    assert len({search_key(name) for name in ("Ann Lind", "Anna Lind", "Ann Lund", "An Nlind")}) == 4


@given(st.text())
def test_folded_when_folded_again_then_unchanged(text):
    assert fold_text(fold_text(text)) == fold_text(text)
