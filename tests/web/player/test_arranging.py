"""The page on which two sides find a time and write to each other, and what the desk sees of it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.arranged import Two, a_league_of_two
from tests.support.director import desk_of, words
from tests.support.tournaments import text_of
from tournaments.models import Arrangement, MatchMessage
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


class Side:
    """The phone of one side."""

    def __init__(self, two: Two, side: str) -> None:
        self.client = Client(headers={"accept-language": "en"})
        self.token = entry_token(two.entry(side))
        self.home = reverse("player:home", args=[self.token])
        self.page = reverse("player:arrange", args=[self.token, two.match.public_id])

    def reads(self, address: str = "") -> str:
        return text_of(self.client.get(address or self.page))

    def does(self, what: str, **fields: object):
        seen = re.search(r'name="seen" value="(\d+)"', self.client.get(self.page).content.decode())
        return self.client.post(
            self.page, {"do": what, "seen": seen[1] if seen else "", **fields}, follow=True
        )


@pytest.fixture
def two(clock) -> Two:
    return Two(a_league_of_two(clock))


@pytest.fixture
def phones(two) -> tuple[Side, Side]:
    return Side(two, "a"), Side(two, "b")


def test_page_when_a_time_is_offered_and_agreed_to_then_both_and_the_desk_read_it(two, phones):
    ann, bob = phones
    assert "Times and messages with" in ann.reads(ann.home)
    etag = ann.client.get(ann.home)["ETag"]
    page = ann.does("offer", time_1="2027-03-05T20:00", place_1="Café Central", time_2="2027-03-06T20:00")
    assert "You offered these times" in text_of(page)
    assert "offers 2 times" in bob.reads(bob.home)
    assert "Europe/Berlin" in bob.reads()
    assert "31 March 2027" in bob.reads()
    assert "Agreed: Friday, 5 March 2027, 20:00." in text_of(bob.does("agree", number="1"))
    assert "5 March 2027, 20:00" in ann.reads(ann.home)
    assert "Café Central" in ann.reads(ann.home)
    assert ann.client.get(ann.home)["ETag"] != etag
    desk = desk_of(two.tournament)
    assert "Agreed time: Friday, 5 March 2027, 20:00, Café Central" in words(
        desk.get("match", two.match.public_id)
    )
    assert "agreed: 5 March 2027, 20:00" in words(desk.get("board", state="now"))
    assert "No time agreed." in text_of(ann.does("call-off"))


def test_form_when_a_time_cannot_be_then_it_stands_there_as_typed_with_the_reason_at_its_field(two, phones):
    ann, _bob = phones
    page = ann.does("offer", time_1="2027-03-28T02:30", place_1="Here", time_2="soon", time_3="")
    assert page.status_code == 422
    assert "Enter a date and time such as" in text_of(page)
    page = ann.does("offer", time_1="2027-03-28T02:30", place_1="Here")
    assert page.status_code == 422
    assert "clocks in Europe/Berlin go forward" in text_of(page)
    assert 'value="Here"' in page.content.decode()
    assert not Arrangement.objects.exists()


def test_page_when_another_word_came_meanwhile_then_refused_with_how_it_stands_and_what_was_typed(
    two, phones
):
    ann, bob = phones
    bob.does("offer", time_1="2027-03-09T19:00")
    page = ann.client.post(ann.page, {"do": "offer", "seen": "0", "time_1": "2027-03-05T20:00"})
    assert page.status_code == 409
    assert "The offered times have changed in the meantime" in text_of(page)
    assert "9 March 2027" in text_of(page)
    assert 'value="2027-03-05T20:00"' in page.content.decode()


def test_messages_when_written_reported_and_closed_then_each_reads_what_concerns_them(two, phones):
    ann, bob = phones
    ann.does("write", text="<b>Hi</b>\nthere, you fool", submission_key="k1")
    ann.does("write", text="<b>Hi</b>\nthere, you fool", submission_key="k1")
    assert MatchMessage.objects.count() == 1
    assert "there, you fool" in bob.reads(bob.home)
    assert "&lt;b&gt;Hi&lt;/b&gt;" in bob.client.get(bob.page).content.decode()
    desk = desk_of(two.tournament)
    assert "fool" not in words(desk.get("match", two.match.public_id))
    bob.does("report")
    assert "This conversation has been reported" in ann.reads()
    assert "Reported messages" in words(desk.get("holdups"))
    assert "there, you fool" in words(desk.get("match", two.match.public_id))
    desk.post("settle-talk", two.match.public_id, closed="yes")
    assert "A director has closed this conversation" in ann.reads()
    assert ann.does("write", text="And", submission_key="k2").status_code == 409
    assert "Reported messages" not in words(desk.get("holdups"))
    desk.post("settle-talk", two.match.public_id, closed="no")
    assert ann.does("write", text="Sorry", submission_key="k3").status_code == 200
    assert ann.does("write", text="  ", submission_key="k4").status_code == 422


def test_page_when_the_agreed_day_is_over_then_the_desk_sees_the_match_as_overdue(two, phones, clock):
    two.agreed()
    desk = desk_of(two.tournament)
    assert "Overdue" not in words(desk.get("holdups"))
    clock.moves(days=4)
    assert "Overdue" in words(desk_of(two.tournament).get("holdups"))
    two.tournament.settle(two.match, "a", 3)
    ann, _bob = phones
    assert "until the match has a result" in ann.reads()
