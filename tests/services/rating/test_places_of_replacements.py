"""What replaces a result stands where that stood among those of its time: in replay, rebuild, preview and history."""

import pytest

from people.actors import Actor
from rating.models import Fact
from rating.selectors import preview_correction
from rating.services import rebuild_list
from rating.services.corrections import correct_fact
from tests.support.rating import DAY_ONE, Book, a_book, a_list

pytestmark = pytest.mark.django_db
PAIRS = (("Ann", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ann"), ("Dan", "Ann"), ("Ann", "Bob"))


def a_day(system: str = "fibs") -> tuple[Book, list[Fact]]:
    """Five matches to 13 at the same time, as an import of days enters them."""
    book = a_book() if system == "fibs" else a_list(a_book(), system=system)
    facts = [
        book.beats(winner, loser, 13, at=DAY_ONE, key=f"csv:{number}")
        for number, (winner, loser) in enumerate(PAIRS)
    ]
    book.apply()
    return book, [fact for fact in facts if fact is not None]


def correct(book: Book, fact: Fact, winner: str, loser: str, **more: int) -> Fact:
    return correct_fact(
        actor=Actor.program(),
        number=fact.pk,
        winner=book.player(winner).public_id,
        loser=book.player(loser).public_id,
        length=13,
        **more,
    )


@pytest.mark.parametrize("system", ["fibs", "glicko2"])
def test_corrected_score_that_rates_nothing_moves_nobody(system):
    book, facts = a_day(system)
    before = book.all_ratings()
    assert preview_correction(source_key=facts[0].source_key).effects == []
    corrected = correct(book, facts[0], "Ann", "Bob", loser_score=11)
    once_more = correct(book, corrected, "Ann", "Bob", loser_score=10)
    book.apply()
    assert book.all_ratings() == before
    assert book.differences() == []
    assert next(change.fact_id for change in book.history("Ann")) == once_more.pk
    rebuild_list(list_id=book.list.pk)
    assert book.all_ratings() == before


def test_corrected_winner_does_what_the_preview_said_bit_for_bit():
    book, facts = a_day()
    book.beats("Bob", "Dan", 3, at=DAY_ONE)
    correct(book, facts[1], "Cleo", "Bob")
    book.apply()
    told = preview_correction(
        source_key=facts[2].source_key,
        winner_id=book.player("Ann").pk,
        loser_id=book.player("Cleo").pk,
    )
    correct(book, facts[2], "Ann", "Cleo")
    book.apply()
    then = book.all_ratings()
    assert {effect.player.name: effect.then for effect in told.effects} == {
        name: then[name] for name in ("Ann", "Bob", "Cleo", "Dan")
    }
    assert book.differences() == []
    changes = [change.before for change in book.history("Ann")][1:]
    assert changes == [change.after for change in book.history("Ann")][:-1]
    rebuild_list(list_id=book.list.pk)
    assert book.all_ratings() == then
