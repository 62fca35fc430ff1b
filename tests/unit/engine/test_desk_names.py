"""Whom a director means by a few letters: each typed word begins a word of its own in the name, or all are its initials."""

import pytest

from tournaments.engine.desk.names import matches_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("bob", "Bob Smith"),
        ("smi bo", "Bob Smith"),
        ("bs", "Bob Smith"),
        ("b bo", "Bob Berg"),  # “b” gives Bob up for Berg, so that “bo” has him
        ("bo b", "Bob Berg"),
        ("b be bo", "Bob Berg Bird"),
        ("lions2", "Lions 2"),
        ("luc jean", "Jean-Luc Ek"),
    ],
)
def test_name_when_each_typed_word_has_a_word_of_its_own_then_may_be_meant(typed, name):
    assert matches_name(typed.split(), name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ([], "Bob Smith"),
        ([""], "Bob Smith"),
        (["bob", ""], "Bob Smith"),
        (["b", "bo"], "Bob Smith"),  # two words, and only Bob for both
        (["bob", "bob"], "Bob Smith"),
        (["bo", "bob", "b"], "Bob Smith Berg"),
        (["bob", "smith", "junior"], "Bob Smith"),
        (["ob"], "Bob Smith"),
        (["sb"], "Bob Smith"),
        (["b"], "Ann Lind"),
    ],
)
def test_name_when_a_typed_word_has_none_of_its_own_then_is_not_meant(typed, name):
    assert not matches_name(typed, name)
