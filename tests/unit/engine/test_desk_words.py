"""The table of the desk line's words: complete in every language of the site, and of one meaning."""

from itertools import product

import pytest
from django.conf import settings

from tournaments.engine.desk.names import folded_forms
from tournaments.engine.desk.vocabulary import ENGLISH, EXAMPLES, WORDS, CommandWord, vocabulary_for

LANGUAGES = [code for code, _name in settings.LANGUAGES]


def test_tables_when_the_site_speaks_a_language_then_it_has_one():
    assert set(WORDS) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_has_every_word_but_those_that_are_the_same_in_english(language):
    assert set(WORDS[language]) == set(CommandWord)
    assert all(words for words in WORDS[language].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_when_english_is_understood_too_then_each_means_one_thing(language):
    said: dict[str, set[CommandWord]] = {}
    for table, word in product({ENGLISH, language}, CommandWord):
        for text in WORDS[table][word]:
            for written in folded_forms(text):
                said.setdefault(written, set()).add(word)
    assert {text: words for text, words in said.items() if len(words) > 1} == {}
    assert vocabulary_for(language).known == {text: min(words) for text, words in said.items()}


def test_words_when_shown_then_in_the_language():
    assert vocabulary_for("de").shown[CommandWord.UNDO] == "zurück"
    assert vocabulary_for("de-at").shown == vocabulary_for("de").shown
    assert vocabulary_for("fi").shown == vocabulary_for("en").shown


def test_forms_when_listed_then_every_word_is_among_them():
    assert {form.word for form in EXAMPLES} - {None} == set(CommandWord)
    assert len({form.code for form in EXAMPLES}) == len(EXAMPLES)


def test_umlauts_when_written_out_then_known_both_ways():
    assert folded_forms("Müller") == {"muller", "mueller"}
    assert folded_forms("Ågård") == {"agard", "aagaard"}
