"""A club's list with three results, one of them imported, and a director of the club."""

import pytest

from people.models import Membership, Role
from tests.factories import a_user
from tests.support.director import signed_in
from tests.support.rating import Book, a_book
from tests.support.stock import in_stock


@pytest.fixture
def book() -> Book:
    return in_stock("a book with three results", a_book_with_results)


def a_book_with_results() -> Book:
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.beats("Ann", "Cleo", 5, key="csv:old")
    book.beats("Bob", "Ann", 9)
    book.apply()
    return book


@pytest.fixture
def director(book):
    """Dora's browser."""
    user = a_user("Dora")
    Membership.objects.create(user=user, club=book.club, role=Role.DIRECTOR)
    return signed_in(user)
