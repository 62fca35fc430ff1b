"""Before a merge of two who both have opening ratings: which counts, and what comes of it to the bit."""

import pytest
from django.urls import reverse

from people.actors import Actor
from people.models import Membership, Role
from rating.selectors.merging import openings_of_both
from rating.selectors.shown import rating_text
from rating.services.imports import import_openings
from rating.services.places import FieldOf, FinalPlace, settle_places
from tests.factories import a_user
from tests.support.rating import DAY_ONE, Book, a_book, a_list
from tests.support.tournaments import signed_in

pytestmark = pytest.mark.django_db


def places_of(book: Book, *names: str) -> None:
    """They are first and second of an event that ended after all of it."""
    field = FieldOf(
        key="place:e:1", club_id=book.club.pk, size=8, played_at=DAY_ONE.replace(day=14), event_key="e"
    )
    settle_places(
        field=field,
        places=[FinalPlace(book.player(name).pk, place, 1) for place, name in enumerate(names, 1)],
    )


def two_with_openings(system: str) -> Book:
    book = a_list(a_book(), system=system)
    for name, rating, day in (("Ann", 1700, 3), ("A. Lee", 1400, 9)):
        import_openings(
            actor=Actor.program(),
            list_id=book.list.pk,
            text=f"player,rating\n{book.player(name).public_id},{rating}\n",
            as_of=DAY_ONE.replace(day=day),
        )
    for day in (1, 5, 12):
        book.beats(
            "Ann", "Bob", 7, at=DAY_ONE.replace(day=day), event_weight=2.0, winner_pr=9.0, loser_pr=4.0
        )
        book.beats("Bob", "A. Lee", 5, at=DAY_ONE.replace(day=day + 1))
    places_of(book, "A. Lee", "Bob")
    book.apply()
    return book


@pytest.mark.parametrize("system", ["fibs", "glicko2", "master", "master_2019", "galaxy_2"])
def test_merge_of_two_with_openings_is_foretold(system):
    book = two_with_openings(system)
    ann, twin = book.player("Ann"), book.player("A. Lee")
    (told,) = openings_of_both(ann.pk, twin.pk)
    assert [(one.whose, one.rating_text, one.last) for one in told.openings] == [
        ("Ann", rating_text(1700), False),
        ("A. Lee", rating_text(1400), True),
    ]
    twin.merged_into = ann
    twin.save()
    book.apply()
    assert told.then == rating_text(book.rating("Ann"))
    assert openings_of_both(ann.pk, book.player("Bob").pk) == []


def test_page_of_the_merge_says_it():
    book = two_with_openings("fibs")
    owner = a_user()
    Membership.objects.create(user=owner, club=book.club, role=Role.OWNER)
    asked = {"keep": book.player("Ann").public_id, "duplicate": book.player("A. Lee").public_id}
    page = signed_in(owner).get(reverse("director:merge", args=[book.club.public_id]), asked)
    (told,) = openings_of_both(book.player("Ann").pk, book.player("A. Lee").pk)
    assert f"<strong>{told.then}</strong>" in page.content.decode()
    assert "the later one counts" in page.content.decode()
