"""Before a merge of two who both have opening ratings: which counts, and what comes of it to the bit."""

import pytest
from django.urls import reverse

from people.actors import Actor
from people.models import Membership, Role
from rating.selectors.merging import openings_of_both
from rating.selectors.shown import rating_text
from rating.services.imports import import_openings
from tests.factories import a_user
from tests.support.rating import DAY_ONE, Book, a_book, a_list
from tests.support.tournaments import signed_in

pytestmark = pytest.mark.django_db


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
        book.beats("Ann", "Bob", 7, at=DAY_ONE.replace(day=day))
        book.beats("Bob", "A. Lee", 5, at=DAY_ONE.replace(day=day + 1))
    book.apply()
    return book


@pytest.mark.parametrize("system", ["fibs", "glicko2"])
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
