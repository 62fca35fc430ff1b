"""What a correction would do, list by list: a list that does not count the result is not moved by its correction."""

import pytest

from rating.models import Fact
from rating.selectors import effects_of_correction
from tests.support.rating import a_book, a_list

pytestmark = pytest.mark.django_db


def test_effects_leave_out_lists_that_do_not_count_the_event():
    book = a_book()
    book.beats("Ann", "Bob", 7, key="csv:old")
    book.apply()
    other = a_list(book, events=["another"])
    other.apply()
    fact = Fact.objects.get(source_key="csv:old")
    effects = effects_of_correction(source_key="csv:old", winner_id=fact.loser_id, loser_id=fact.winner_id)
    assert {effect.list_public_id for effect in effects} == {book.list.public_id}
