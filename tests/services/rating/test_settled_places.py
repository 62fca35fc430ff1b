"""Final places of one field: said once, put right, taken back, and left with the lists of points alone."""

from dataclasses import replace

import pytest

from faults import Invalid
from people.actors import Actor
from rating.formulas.master import place_points
from rating.models import Fact, FactKind, Pending
from rating.services import FinalPlace, PlaceField, are_places_counted, sync_places, update_list
from rating.services.lists import ListSettings
from tests.support.rating import DAY_ONE, Book, a_book, a_list

pytestmark = pytest.mark.django_db


def a_field(book: Book, size: int = 8) -> PlaceField:
    return PlaceField(key="place:x", club_id=book.club.pk, size=size, played_at=DAY_ONE)


def settle(book: Book, *names: str) -> int:
    places = [FinalPlace(book.player(name).pk, place) for place, name in enumerate(names, 1)]
    return sync_places(field=a_field(book), places=places)


def test_places_that_are_settled_anew_are_taken_back_where_they_were_wrong_and_left_where_they_were_right(
    django_capture_on_commit_callbacks,
):
    book = a_book()
    points = a_list(book, system="master")
    with django_capture_on_commit_callbacks() as queued:
        assert settle(book, "Ann", "Bob", "Cleo") == 3
    assert len(queued) == 1
    waiting = Pending.objects.filter(fact__kind=FactKind.PLACE)
    assert {*waiting.values_list("rating_list_id", flat=True)} == {points.list.pk}
    assert waiting.count() == 3
    points.apply()
    assert points.rating("Ann") == place_points(place=1, tied=1, field=8, weight=1.0)
    with django_capture_on_commit_callbacks() as queued:
        assert settle(book, "Ann", "Bob", "Cleo") == 0
    assert queued == []
    for names, written in (
        (("Bob", "Ann", "Cleo"), 4),
        (("Ann", "Bob", "Cleo"), 4),
        (("Ann", "Bob", "Dan"), 2),
        (("Ann", "Bob", "Dan"), 0),
        (("Ann", "Bob"), 1),
    ):
        assert settle(book, *names) == written
        stand = Fact.objects.filter(kind=FactKind.PLACE, later=None).order_by("place")
        assert [fact.winner.name for fact in stand] == [*names]
    points.apply()
    assert points.rating("Ann") == place_points(place=1, tied=1, field=8, weight=1.0)
    assert points.differences() == []
    assert [fact.source_key for fact in stand] == [f"place:x:{book.player(name).pk}:3" for name in names]
    assert settle(book) == 2  # the field is open again
    assert settle(book) == 0
    points.apply()
    assert points.all_ratings() == {}


def test_place_with_another_weight_or_division_or_day_is_another_one():
    book = a_book()
    a_list(book, system="master")
    field, places = a_field(book), [FinalPlace(book.player("Ann").pk, 1)]
    sync_places(field=field, places=places)
    for change in (
        {"event_weight": 2.0},
        {"division_rank": 2},
        {"size": 9},
        {"played_at": DAY_ONE.replace(day=2)},
    ):
        assert sync_places(field=replace(field, **change), places=places) == 2
        assert sync_places(field=field, places=places) == 2


def test_field_matters_where_a_list_counts_places_and_as_long_as_it_has_some():
    book = a_book()
    asked = {"key": "place:x", "club_id": book.club.pk}
    assert not are_places_counted(**asked)
    assert settle(book, "Ann", "Bob") == 0
    assert not Fact.objects.exists()
    points = a_list(book, system="master")
    assert are_places_counted(**asked)
    assert settle(book, "Ann", "Bob") == 2
    update_list(
        actor=Actor.program(), list_id=points.list.pk, settings=ListSettings(name="Elo", system="elo")
    )
    assert are_places_counted(**asked)
    assert not are_places_counted(**{**asked, "key": "place:y"})
    assert settle(book) == 2  # they would be wrong on the next list of points
    assert not Fact.objects.filter(kind=FactKind.PLACE, later=None).exists()


def test_place_is_one_of_the_field_with_all_who_share_it():
    book = a_book()
    a_list(book, system="master")
    ann = book.player("Ann").pk
    for size, place, tied in ((2, 1, 1), (2, 2, 1), (2, 1, 2), (8, 7, 2), (8, 8, 1)):
        assert sync_places(field=a_field(book, size), places=[FinalPlace(ann, place, tied)]) > 0
    for size, place, tied in ((1, 1, 1), (8, 0, 1), (8, 1, 0), (8, 8, 2), (8, 9, 1)):
        with pytest.raises(Invalid) as refused:
            sync_places(field=a_field(book, size), places=[FinalPlace(ann, place, tied)])
        assert refused.value.code == "rating.place", (size, place, tied)
