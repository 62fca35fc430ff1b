"""An official list on which much hangs is made by a worker: the page says so at once, and what stands against it, too."""

import pytest

from rating.models import OfficialList, OfficialRequest
from rating.services import official
from rating.services.official import make_requested, requested_list_ids
from tests.support.director import words
from tests.support.rating import DAY_ONE
from tests.web.rating.test_director import url

pytestmark = pytest.mark.django_db


def test_list_of_many_players_is_made_by_a_worker_and_the_page_says_so(book, director, monkeypatch):
    monkeypatch.setattr(official, "MAX_PLAYERS_AT_ONCE", 1)
    page = url("official", book.list.public_id)
    asked = {"part": "make", "day": "2026-03-03", "note": "For the cup"}
    assert director.post(page, asked).status_code == 302
    assert not OfficialList.objects.exists()
    assert "is being created" in words(director.get(page))
    again = director.post(page, asked)
    assert (again.status_code, "An official list is already being created" in words(again)) == (409, True)
    book.beats("Bob", "Ann", 9, at=DAY_ONE)  # comes before the worker does
    assert requested_list_ids() == [book.list.pk]
    assert make_requested(list_id=book.list.pk)
    assert not make_requested(list_id=book.list.pk)  # the message came twice
    issue = OfficialList.objects.get()
    assert (issue.note, issue.scheduled) == ("For the cup", False)
    by_worker = list(issue.rows.order_by("position").values_list("player", "rating", "matches"))
    assert "is being created" not in words(director.get(page))
    exists = director.post(page, asked)
    assert (exists.status_code, "for this date already exists" in words(exists)) == (409, True)
    monkeypatch.undo()
    asked |= {"replaces": 1, "note": "By hand"}
    assert director.post(page, asked).status_code == 302  # in the request, and the same
    second = OfficialList.objects.get(number=2)
    assert list(second.rows.order_by("position").values_list("player", "rating", "matches")) == by_worker


def test_what_stands_against_it_by_then_is_told_on_the_page_and_a_new_one_takes_its_place(
    book, director, monkeypatch
):
    monkeypatch.setattr(official, "MAX_PLAYERS_AT_ONCE", 1)
    page = url("official", book.list.public_id)
    director.post(page, {"part": "make", "day": "2026-03-03"})
    asked = OfficialRequest.objects.get()
    asked.user.memberships.all().delete()
    assert not make_requested(list_id=book.list.pk)
    asked.refresh_from_db()
    assert (asked.refused, requested_list_ids()) == ("people.not_director", [])
