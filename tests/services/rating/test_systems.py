"""Openings, places and periods: facts that are not matches, and a system that does not rate match by match."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from faults import Invalid
from people.actors import Actor
from rating.models import Fact, FactKind, Pending
from rating.services import FinalPlace, PlaceField, intake, rebuild_list, sync_places
from rating.services import rebuild as rebuilding
from rating.services.apply import outdated_lists
from rating.services.imports import check_openings, import_openings
from rating.services.tables import read_openings
from rating.store.moments import to_moment
from tests.support.rating import DAY_ONE, Book, a_book, a_list

pytestmark = pytest.mark.django_db


def opening(book, name, rating, experience, at):
    book.player(name)
    import_openings(
        actor=Actor.program(),
        list_id=book.list.pk,
        text=f"player,rating,experience\n{name},{rating},{experience}\n",
        as_of=at,
    )


def test_opening_when_the_file_has_ids_then_they_come_before_the_names():
    book = a_book()
    ann = book.player("Ann")
    text = f"player,player_id,rating\nAnnie Lind,{ann.public_id},1712\n"
    import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=DAY_ONE)
    assert [fact.winner for fact in Fact.objects.filter(kind=FactKind.OPENING)] == [ann]


def test_opening_when_nothing_is_said_of_experience_then_none_and_ratings_reach_from_0_to_10000():
    table = read_openings(a_book().club, "player,rating\nAnn,0\nBob,10000\n")
    assert [(row.rating, row.experience, row.deviation) for row in table.rows] == [
        (0.0, 0, None),
        (10_000.0, 0, None),
    ]
    assert list(table.unknown.values()) == ["Ann", "Bob"]


def test_opening_when_two_people_of_the_club_bear_the_name_then_it_is_asked_which():
    book = a_book()
    book.player("Ann")
    Book(book.club, book.list).player("Ann")
    table = read_openings(book.club, "player,rating\nANN,1700\n")
    assert [(fault.code, fault.field, fault.params["value"]) for fault in table.faults] == [
        ("rating.csv.player_ambiguous", "player", "ANN")
    ]


@pytest.mark.parametrize("year", [1899, 2200])
def test_opening_when_it_is_of_no_year_of_anybody_then_refused_before_it_is_taken_and_when_it_is(year):
    book, at = a_book(), datetime(year, 1, 1, tzinfo=UTC)
    text = "player,rating\nAnn,1712\n"
    for ask in (
        lambda: check_openings(rating_list=book.list, text=text, as_of=at),
        lambda: import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=at),
    ):
        with pytest.raises(Invalid) as refused:
            ask()
        assert [(fault.code, fault.field) for fault in refused.value.faults] == [("rating.year", "as_of")]


def test_opening_of_a_glicko_list_takes_its_deviation_over(monkeypatch):
    book = a_book()
    days = a_list(book, system="glicko2")
    book.player("Ann")
    import_openings(
        actor=Actor.program(),
        list_id=days.list.pk,
        text="player,rating,deviation\nAnn,1712,55\n",
        as_of=DAY_ONE,
    )
    clock(monkeypatch, DAY_ONE + timedelta(days=90))
    days.apply()
    assert days.differences() == []
    assert days.rating("Ann") == 1712
    days.beats("Ann", "Bob", at=DAY_ONE + timedelta(days=90))
    taken = days.apply()
    assert (taken.facts, taken.rated, taken.rebuilt) == (1, 0, False)  # rated when its period is over
    assert 55 < days.standing("Ann").deviation < 70  # grown while she has not played


def test_opening_in_the_middle_sets_rating_and_experience_from_there_on():
    book = a_book()
    book.beats("Ann", "Bob", 7, at=DAY_ONE)
    book.beats("Ann", "Bob", 7, at=DAY_ONE + timedelta(days=2))
    opening(book, "Ann", 1700, 500, DAY_ONE + timedelta(days=1))
    book.apply()
    assert book.differences() == []
    assert [c.before for c in book.history("Ann")][2] == 1700
    assert book.standing("Ann").experience == 507
    assert book.standing("Ann").matches == 2


def test_opening_belongs_to_its_list_alone():
    book = a_book()
    other = a_list(book)
    opening(book, "Ann", 1700, 0, DAY_ONE)
    book.apply()
    other.apply()
    assert book.rating("Ann") == 1700
    assert other.standing("Ann") is None


def test_void_of_an_opening_takes_it_back():
    book = a_book()
    opening(book, "Ann", 1700, 0, DAY_ONE)
    book.beats("Ann", "Bob", 7, at=DAY_ONE + timedelta(days=1))
    book.apply()
    book.void(Fact.objects.get(kind=FactKind.OPENING))
    book.apply()
    assert book.differences() == []
    assert round(book.rating("Ann"), 4) == 1526.4575


def test_master_points_add_matches_and_places_by_weight():
    book = a_book()
    points = a_list(book, system="master")
    book.beats("Ann", "Bob", 9, event_weight=2.0, division_rank=2)
    sync_places(
        field=PlaceField(
            key="place:x",
            club_id=book.club.pk,
            size=64,
            played_at=DAY_ONE + timedelta(days=1),
            event_weight=2.0,
            division_rank=2,
        ),
        places=[FinalPlace(book.player("Ann").pk, place=1)],
    )
    points.apply()
    book.apply()
    assert points.differences() == []
    assert points.rating("Ann") == pytest.approx(2.0 * 0.7 * (9**0.5 / 3 + 6))
    assert points.rating("Bob") == 0
    assert len(book.history("Ann")) == 1  # a place changes nothing on other lists
    assert book.differences() == []


@pytest.mark.parametrize("system", ["fibs", "galaxy_2", "glicko2", "master_2019", "graded"])
def test_list_for_which_there_are_places_alone_is_rebuilt(system, monkeypatch):
    """Whatever the size of the pieces that a rebuild works in: some of them change nothing."""
    monkeypatch.setattr(rebuilding, "PROGRESS_STEPS", 2)
    monkeypatch.setattr(rebuilding, "STEPS_PER_TRANSACTION", 4)
    book = a_book()
    book.beats("Ann", "Bob", 3)
    people = [book.player(name).pk for name in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")]
    places = [FinalPlace(pk, place=number) for number, pk in enumerate(people, start=1)]
    a_list(book, system="master")
    field = PlaceField(key="place:x", club_id=book.club.pk, size=6, played_at=DAY_ONE + timedelta(days=1))
    sync_places(field=field, places=places)
    book.beats("Ann", "Bob", 5, at=DAY_ONE + timedelta(days=2))
    for longest, matches in ((1, 0), (3, 1), (5, 2)):
        listed = a_list(book, system=system, shortest=1, longest=longest)
        listed.apply()
        assert listed.list.needs_rebuild is False
        assert listed.differences() == []
        ann = listed.standing("Ann")
        assert (ann.matches if ann else 0) == matches


def clock(monkeypatch, at):
    """The time that the services read, which is not theirs to choose."""
    monkeypatch.setattr(intake.timezone, "now", lambda: at)


def test_glicko_list_changes_at_the_close_of_a_period_only(monkeypatch):
    book = a_book()
    start = datetime(2026, 6, 1, tzinfo=UTC)
    days = a_list(book, system="glicko2", parameters={"period_days": 10})
    period = to_moment(start) // (10 * 86_400_000_000)
    begins = datetime.fromtimestamp(period * 10 * 86_400, tz=UTC)
    clock(monkeypatch, begins + timedelta(days=1))
    days.apply()
    book.beats("Ann", "Bob", 7, at=begins + timedelta(hours=1))
    days.apply()
    assert days.standing("Ann") is None
    clock(monkeypatch, begins + timedelta(days=11))
    assert days.list.pk in outdated_lists()
    days.apply()
    assert days.rating("Ann") > 1500 > days.rating("Bob")
    assert days.standing("Ann").deviation < 350
    assert days.differences() == []
    before = days.all_ratings()
    clock(monkeypatch, begins + timedelta(days=21))
    assert days.list.pk not in outdated_lists()  # in the second period nobody played
    book.beats("Bob", "Ann", 7, at=begins + timedelta(days=20))
    assert not days.apply().rebuilt  # of the open period, in its first moment: it waits
    assert days.all_ratings() == before
    clock(monkeypatch, begins + timedelta(days=30) - timedelta(microseconds=1))
    assert days.list.pk not in outdated_lists()
    clock(monkeypatch, begins + timedelta(days=30))
    assert days.list.pk in outdated_lists()
    clock(monkeypatch, begins + timedelta(days=21))
    book.beats("Bob", "Ann", 7, at=begins + timedelta(hours=2))
    assert days.apply().rebuilt  # of the closed one: it comes late
    assert days.rating("Ann") == days.rating("Bob") == 1500
    assert days.differences() == []
    assert [c.deviation is not None for c in days.history("Ann")] == [True, True]


def test_glicko_result_of_a_closed_period_that_comes_during_a_rebuild_counts_at_the_next_one(monkeypatch):
    book = a_book()
    days = a_list(book, system="glicko2")
    book.beats("Ann", "Bob", at=DAY_ONE)
    clock(monkeypatch, DAY_ONE + timedelta(days=90))
    generation = rebuilding.begin_rebuild(list_id=days.list.pk)
    known = rebuilding._build(generation)
    late = book.beats("Cleo", "Bob", at=DAY_ONE)
    book.beats("Bob", "Cleo", at=DAY_ONE + timedelta(days=90))  # of the open period
    rebuilding._switch_generation(generation, included_ids=known)
    assert days.standing("Cleo") is None
    assert [one.fact for one in Pending.objects.filter(rating_list=days.list)] == [late]
    assert days.apply().rebuilt
    assert days.rating("Cleo") > 1500
    assert days.differences() == []


def test_glicko_history_of_a_period_ends_at_the_new_rating(monkeypatch):
    book = a_book()
    days = a_list(book, system="glicko2")
    for winner, loser in (("Ann", "Bob"), ("Ann", "Cleo"), ("Bob", "Ann")):
        book.beats(winner, loser, 5, at=DAY_ONE)
    clock(monkeypatch, DAY_ONE + timedelta(days=90))
    days.apply()
    history = days.history("Ann")
    assert history[-1].after == days.rating("Ann")
    assert history[0].before == 1500
    assert all(a.after == b.before for a, b in itertools.pairwise(history))


def test_rebuild_that_is_alive_is_not_begun_twice():
    book = a_book()
    book.beats("Ann", "Bob")
    book.apply()
    from rating.services.rebuild import begin_rebuild

    assert begin_rebuild(list_id=book.list.pk) is not None
    assert begin_rebuild(list_id=book.list.pk) is None
    assert rebuild_list(list_id=book.list.pk) is None
    book.beats("Ann", "Bob")
    assert book.apply().facts == 1  # results go on being rated meanwhile
