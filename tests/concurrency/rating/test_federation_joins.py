"""A federation joins another one while a result of one of its clubs is being written: the result counts on the upper one's list."""

import threading

import pytest
from django.db import connection, transaction

from people.actors import Actor
from people.models import Membership, Role
from people.services.federations import join_federation
from rating.models import Change
from tests.factories import a_user
from tests.support.rating import DAY_ONE, a_bare_club, a_book, a_list

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_result_of_a_club_below_is_waited_for_by_a_federation_that_joins():
    upper = a_list(a_book())
    federation = a_bare_club("Federation")
    book = a_book(parent=federation)
    book.player("Ann")
    book.player("Bob")
    olga = a_user("Olga")
    for club in (upper.club, federation):
        Membership.objects.create(user=olga, club=club, role=Role.OWNER)
    written, joined = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            book.beats("Ann", "Bob")
            written.set()
            joined.wait(1.0)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(60)
    join_federation(
        actor=Actor.of(olga), club_id=federation.pk, parent_id=upper.club.pk, since=DAY_ONE.date()
    )
    upper.apply()
    joined.set()
    writer.join(60)
    upper.apply()
    assert Change.objects.of(upper.list.generation).count() == 2
    assert upper.differences() == []
