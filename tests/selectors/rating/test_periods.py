"""Periods of a Glicko-2 list computed again: their working ends at the stored numbers, and a correction is foretold."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from people.actors import Actor
from rating.models import Fact
from rating.selectors import explain_change, preview, preview_correction
from rating.services import intake
from rating.services.imports import import_openings
from tests.support.rating import Book, a_book, a_list

pytestmark = pytest.mark.django_db

DAYS = 10
# The first day of a period of ten days, counted from 1970.
FIRST = datetime.fromtimestamp(2050 * DAYS * 86_400, tz=UTC)


def clock(monkeypatch, at: datetime) -> None:
    """The time that the services read, which is not theirs to choose."""
    monkeypatch.setattr(intake.timezone, "now", lambda: at)


def glicko_book(**settings: object) -> Book:
    return a_list(a_book(), system="glicko2", parameters={"period_days": DAYS, **settings})


def opens(book: Book, name: str, rating: float, deviation: float, at: datetime) -> None:
    book.player(name)
    text = f"player,rating,deviation\n{name},{rating},{deviation}\n"
    import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=at)


def paper(monkeypatch) -> tuple[Book, list[Fact]]:
    """The example of the paper: 1500 ± 200 beats 1400 ± 30 and loses to 1550 ± 100 and 1700 ± 300."""
    book = glicko_book()
    for name, rating, deviation in (
        ("Ann", 1500, 200),
        ("Bob", 1400, 30),
        ("Cleo", 1550, 100),
        ("Dan", 1700, 300),
    ):
        opens(book, name, rating, deviation, FIRST)
    facts = [
        book.beats("Ann", "Bob", at=FIRST + timedelta(hours=1)),
        book.beats("Cleo", "Ann", at=FIRST + timedelta(hours=2)),
        book.beats("Dan", "Ann", at=FIRST + timedelta(hours=3)),
    ]
    clock(monkeypatch, FIRST + timedelta(days=DAYS))
    book.apply()
    return book, facts


def test_glickmans_example_is_explained_and_agrees_with_the_stored_change(monkeypatch):
    book, facts = paper(monkeypatch)
    found = explain_change(book.list, facts[2].pk)
    side = next(side for side in found.periods if side.player.name == "Ann")
    w = side.working
    assert (round(w.after.rating, 2), round(w.after.deviation, 2)) == (1464.05, 151.52)
    assert round(w.after.volatility, 4) == 0.06
    assert [round(bout.weight, 4) for bout in side.bouts] == [0.9955, 0.9531, 0.7242]
    assert [round(bout.chance, 3) for bout in side.bouts] == [0.639, 0.432, 0.303]
    assert [bout.here for bout in side.bouts] == [False, False, True]
    last = book.history("Ann")[-1]
    assert (w.after.rating, w.after.deviation, w.after.volatility) == (
        last.after,
        last.deviation,
        last.volatility,
    )


def a_history(book: Book, rng: random.Random, periods: int = 6) -> list[Fact]:
    """Evenings in some of the periods, by five players; one of them comes with an opening rating in the middle."""
    names = ["Ann", "Bob", "Cleo", "Dan", "Eva"]
    facts = []
    for period in range(periods):
        if period == 2:
            opens(book, "Eva", 1650, 80, FIRST + timedelta(days=period * DAYS, hours=5))
            continue
        for _ in range(rng.randrange(2, 6)):
            winner, loser = rng.sample(names[: 3 + period // 2], 2)
            at = FIRST + timedelta(days=period * DAYS + rng.randrange(DAYS), hours=rng.randrange(24))
            facts.append(book.beats(winner, loser, 5, at=at))
    return facts


@pytest.mark.parametrize("seed", range(5))
def test_every_change_is_explained_to_the_last_bit(monkeypatch, seed):
    book = glicko_book()
    facts = a_history(book, random.Random(seed))
    clock(monkeypatch, FIRST + timedelta(days=8 * DAYS))
    book.apply()
    assert book.differences() == []
    names = {player.pk: name for name, player in book.players.items()}
    for fact in facts:
        found = explain_change(book.list, fact.pk)
        for side, change in zip(found.periods, (found.change.winner, found.change.loser), strict=True):
            assert side.player.name == names[change.player_id]
            (here,) = [bout for bout in side.bouts if bout.here]
            assert here.share == pytest.approx(change.delta, abs=1e-9)
            same_period = [
                c
                for c in book.history(side.player.name)
                if side.begins <= c.fact.played_at <= side.ends and c.won is not None
            ]
            last = same_period[-1]
            assert side.working.player.rating == same_period[0].before
            assert side.working.after.rating == last.after
            assert side.working.after.deviation == last.deviation
            assert side.working.after.volatility == last.volatility


@pytest.mark.parametrize("void", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_correction_on_a_periodic_list_is_foretold_exactly(monkeypatch, seed, void):
    book = glicko_book()
    facts = a_history(book, random.Random(seed))
    clock(monkeypatch, FIRST + timedelta(days=8 * DAYS))
    book.apply()
    wrong = facts[len(facts) // 2]
    before = book.all_ratings()
    foretold = preview_correction(
        source_key=wrong.source_key,
        **({"void": True} if void else {"winner_id": wrong.loser_id, "loser_id": wrong.winner_id}),
    )
    assert foretold.notes == []
    if void:
        book.void(wrong)
    else:
        book.replace(wrong, wrong.loser.name, wrong.winner.name)
    book.apply()
    names = {player.pk: name for name, player in book.players.items()}
    effects = {
        names[e.player_id]: e.then for e in foretold.effects if e.list_public_id == book.list.public_id
    }
    after = {name: rating for name, rating in book.all_ratings().items() if rating != before.get(name)}
    gone = dict.fromkeys(before.keys() - book.all_ratings().keys())
    assert effects == after | gone


def test_correction_in_a_period_that_is_open_says_when_it_counts(monkeypatch):
    book = glicko_book()
    clock(monkeypatch, FIRST + timedelta(days=1))
    fact = book.beats("Ann", "Bob", at=FIRST + timedelta(hours=1))
    book.apply()
    found = preview_correction(source_key=fact.source_key, void=True)
    assert [e for e in found.effects if e.list_public_id == book.list.public_id] == []
    assert f"{book.list.name}: ratings change only at the end of this match’s rating period." in found.notes


def test_correction_further_back_than_a_second_of_work_says_so(monkeypatch):
    book = a_book()
    facts = [book.beats("Ann", "Bob") for _ in range(4)]
    book.apply()
    monkeypatch.setattr(preview, "MAX_REPLAYED_FACTS", 2)
    (note,) = preview_correction(source_key=facts[0].source_key, void=True).notes
    assert "too many later results" in note
    assert preview_correction(source_key=facts[3].source_key, void=True).notes == []


def test_working_costs_no_more_queries_for_a_period_with_more_matches(
    monkeypatch, django_assert_max_num_queries
):
    book = glicko_book()
    fact = book.beats("Ann", "Bob", at=FIRST)
    for n in range(30):
        book.beats("Ann", f"Guest {n}", at=FIRST + timedelta(hours=n + 1))
    clock(monkeypatch, FIRST + timedelta(days=DAYS))
    book.apply()
    with django_assert_max_num_queries(12):
        assert len(explain_change(book.list, fact.pk).periods[0].bouts) == 31
