"""The table of the desk line's words: complete in every language of the site, and of one meaning."""

from itertools import product

import pytest
from django.conf import settings

from tournaments.engine.desk.names import foldings
from tournaments.engine.desk.vocabulary import ENGLISH, FORMS, WORDS, Word, vocabulary

LANGUAGES = [code for code, _name in settings.LANGUAGES]


def test_tables_when_the_site_speaks_a_language_then_it_has_one():
    assert set(WORDS) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_has_every_word_but_those_that_are_the_same_in_english(language):
    assert set(WORDS[language]) == set(Word)
    assert all(words for words in WORDS[language].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_when_english_is_understood_too_then_each_means_one_thing(language):
    said: dict[str, set[Word]] = {}
    for table, word in product({ENGLISH, language}, Word):
        for text in WORDS[table][word]:
            for written in foldings(text):
                said.setdefault(written, set()).add(word)
    assert {text: words for text, words in said.items() if len(words) > 1} == {}
    assert vocabulary(language).known == {text: min(words) for text, words in said.items()}


def test_words_when_shown_then_in_the_language():
    assert vocabulary("de").shown[Word.UNDO] == "zurück"
    assert vocabulary("de-at").shown == vocabulary("de").shown
    assert vocabulary("fi").shown == vocabulary("en").shown


def test_forms_when_listed_then_every_word_is_among_them():
    assert {form.word for form in FORMS} - {None} == set(Word)
    assert len({form.code for form in FORMS}) == len(FORMS)


def test_umlauts_when_written_out_then_known_both_ways():
    assert foldings("Müller") == {"muller", "mueller"}
    assert foldings("Ågård") == {"agard", "aagaard"}
