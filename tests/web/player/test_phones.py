"""The first phone that reports by a personal link is theirs; another one needs a code from it, the desk's tap, or the player's account."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import AuditEntry, Player
from tests.factories import a_user, an_event
from tests.support.tournaments import first_match, link_of, signed_in, text_of
from tournaments.entries.services.links import renew_entry_link
from tournaments.models import LinkPhone, Objection, PhoneCode, Report
from tournaments.selectors.access.links import entry_token
from tournaments.shared.frames.device import COOKIE, sign_device

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef0123456789abcde{}"
OTHER = "Another phone already reports with this link."


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


class Link:
    """Somebody's link at one match, opened on any number of phones."""

    def __init__(self, side="a"):
        self.tournament = an_event(4, lengths=[5]).publish(seed=1)
        self.match = first_match(self.tournament)
        self.side = side
        self.token = link_of(self.tournament, self.match, side)
        self.entry = self.tournament.entry_at(self.match, side)
        self.desk = signed_in(self.tournament.director)

    def url(self, name, *args):
        return reverse(f"player:{name}", args=[self.token, *args])

    def says(self, phone, mine=5, key="k1", **more):
        said = {"mine": mine, "theirs": 3, "kind": "played", "winner": "", "submission_key": key, **more}
        return phone.post(self.url("report", self.match.public_id), said)

    def code(self, phone):
        page = phone.post(self.url("code"))
        assert page.status_code == 200, text_of(page)
        assert "no-store" in page["Cache-Control"]
        return re.search(r"data-phone-code>([\d ]+)<", page.content.decode())[1]

    def types(self, phone, code):
        return phone.post(self.url("phone"), {"phone_code": code})

    def does(self, **fields):
        given = {"entry": self.entry.public_id, **fields}
        return self.desk.post(reverse("director:phones", args=[self.tournament.event.public_id]), given)

    def kinds(self):
        return list(
            AuditEntry.objects.filter(action__startswith="phone.")
            .order_by("pk")
            .values_list("action", flat=True)
        )


@pytest.fixture
def link():
    return Link()


@pytest.fixture
def first(link):
    phone = Client()
    assert link.says(phone).status_code == 302
    return phone


def test_copied_link_on_another_phone_reads_and_says_nothing_and_what_was_typed_stays(link, first):
    other = Client()
    page = other.get(link.url("home"))
    assert "Another phone already reports for you" in text_of(page)
    refused = link.says(other, mine=0, key="k2", winner="them", note="in a hurry")
    assert refused.status_code == 403
    assert OTHER in text_of(refused)
    assert 'value="0"' in refused.content.decode()
    assert "in a hurry" in refused.content.decode()
    assert Report.objects.count() == 1
    assert link.kinds() == ["phone.ask"]
    assert "phone 2" in text_of(refused)
    assert link.says(other, mine=0, key="k2", winner="them").status_code == 403
    assert LinkPhone.objects.count() == 2  # asked once
    assert link.says(first, mine=5, key="k3").status_code == 302


def test_opening_binds_nothing_and_of_two_phones_the_one_that_reports_first_is_theirs(link):
    phones = [Client(), Client()]
    for phone in phones:
        assert "Another phone" not in text_of(phone.get(link.url("home")))
    assert not LinkPhone.objects.exists()
    assert phones[0].post(link.url("code")).status_code == 409  # nor does a code, before anybody has reported
    assert not LinkPhone.objects.exists()
    assert link.says(phones[1]).status_code == 302
    assert link.says(phones[0], key="k2").status_code == 403
    refused = link.says(phones[1], mine=99, key="k3")
    assert refused.status_code == 422


def test_report_that_is_refused_makes_no_phone_the_first(link):
    assert link.says(Client(), mine=99).status_code == 422
    assert not LinkPhone.objects.exists()


def test_code_from_the_first_phone_lets_another_one_in_once(link, first):
    other, third = Client(), Client()
    code = link.code(first)
    assert not PhoneCode.objects.filter(digest__contains=code.replace(" ", "")).exists()
    assert link.types(other, code).status_code == 302
    assert link.says(other, key="k2").status_code == 302
    assert link.types(third, code).status_code == 422
    assert link.says(third, key="k3").status_code == 403
    assert [row.way for row in LinkPhone.objects.order_by("number")] == ["first", "code", ""]
    assert "Phone 2" in text_of(other.get(link.url("home")))
    assert link.types(other, "whatever").status_code == 302  # it speaks already


def test_code_typed_beside_the_result_sends_it_at_once(link, first):
    other = Client()
    code = link.code(first)
    wrong = "000 000" if code != "000 000" else "111 111"
    assert link.says(other, key="k2", phone_code=wrong).status_code == 422
    assert Report.objects.count() == 1
    assert link.says(other, key="k2", phone_code=code).status_code == 302
    assert Report.objects.count() == 2


def test_codes_that_are_guessed_end_the_right_one_and_the_trail_says_so(link, first):
    code = link.code(first).replace(" ", "")
    thief = Client()
    wrong = [f"{(int(code) + step) % 10**6:06d}" for step in range(1, 6)]
    for guess in [*wrong, code]:
        page = link.types(thief, guess)
        assert page.status_code == 422
        assert "This code is not valid or has expired" in text_of(page)
    assert link.kinds() == ["phone.codes_tried"]
    assert link.says(thief, key="k2").status_code == 403
    for odd in ("", "\0", "１２３", "x" * 5000):
        assert link.types(thief, odd).status_code == 422


def test_code_is_good_for_minutes_and_a_newer_one_ends_it(link, first):
    old = link.code(first)
    new = link.code(first)
    if old != new:
        assert link.types(Client(), old).status_code == 422
    PhoneCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert link.types(Client(), new).status_code == 422
    assert Client().post(link.url("code")).status_code == 403  # only a phone that speaks shows one


def test_desk_lets_in_the_phone_that_asks_refuses_it_and_forgets_them_all(link, first):
    other = Client()
    asked = other.post(link.url("phone"), {"ask": "yes"}, follow=True)
    assert "Request sent. Tell the desk that you are “phone 2”." in text_of(asked)
    event = link.tournament.event.public_id
    for page, asks in (("entries", "asks to report results"), ("board", "1 phone is asking to report")):
        assert asks in text_of(link.desk.get(reverse(f"director:{page}", args=[event])))
    at_match = link.desk.get(reverse("director:match", args=[event, link.match.public_id]))
    assert "Requests from other phones" in text_of(at_match)
    assert link.does(let_in="7").status_code == 404
    assert link.does(let_in="\0").status_code == 404
    assert link.does().status_code == 404
    assert link.does(let_in="2").status_code == 302
    assert link.does(let_in="2").status_code == 409
    assert "Another phone" not in re.sub(
        r"Another phone Only this phone", "", text_of(other.get(link.url("home")))
    )
    assert link.says(other, key="k2").status_code == 302
    assert link.does(refuse="2").status_code == 302
    assert link.says(other, key="k3").status_code == 403
    assert link.does(forget="yes").status_code == 302
    assert link.does(forget="yes").status_code == 409
    assert link.says(other, key="k4").status_code == 302  # the first again, under the number that it has
    assert [row.number for row in LinkPhone.objects.filter(way="first")] == [2]
    page = text_of(link.desk.get(reverse("director:audit", args=[event])))
    name = link.entry.name
    for words in (
        f"link of {name}, phone 1",
        f"link of {name}, phone 2",
        "Phone 2 asked to report",
        "allowed at the desk",
        "Phones of the link of",
    ):
        assert words in page, words
    for device in LinkPhone.objects.values_list("device", flat=True):
        assert device not in page
    about = link.desk.get(reverse("director:entry", args=[event, link.entry.public_id]))
    assert "Phone 2" in text_of(about)
    assert "by link, phone 2" in text_of(
        link.desk.get(reverse("director:match", args=[event, link.match.public_id]))
    )


def test_new_link_forgets_its_phones_and_the_old_one_lets_nobody_in(link, first):
    code = link.code(first)
    entry = renew_entry_link(
        actor=link.tournament.actor, event_id=link.tournament.event.pk, entry_id=link.entry.pk
    )
    old = link.token
    assert link.types(Client(), code).status_code == 404
    link.token = entry_token(entry)
    assert link.token != old
    other = Client()
    assert link.types(other, code).status_code == 422
    assert link.says(other, key="k2").status_code == 302
    assert link.says(first, key="k3").status_code == 403


def test_cookie_that_is_forged_or_of_another_link_opens_nothing(link, first):
    mine = LinkPhone.objects.get().device
    for value in (mine, f"{mine}:x:y", "", "\0"):
        thief = Client()
        thief.cookies[COOKIE] = value
        assert link.says(thief, key="k2").status_code == 403
    elsewhere = Client()
    elsewhere.cookies[COOKIE] = sign_device("ABCDEFGHJKMN")  # as good as any, and unknown here
    assert link.says(elsewhere, key="k3").status_code == 403
    other = Link()
    assert other.says(first).status_code == 302  # one phone may speak by two links
    assert LinkPhone.objects.get(entry=other.entry).device == mine


def test_form_sent_twice_whose_first_answer_was_lost_is_one_report_of_one_phone(link):
    key = KEY.format(0)
    assert link.says(Client(), key=key).status_code == 302  # the answer with its cookie never came
    phone = Client()
    assert link.says(phone, key=key).status_code == 302
    assert link.says(phone, key=KEY.format(1)).status_code == 302
    assert [row.number for row in LinkPhone.objects.all()] == [1]


def test_account_of_the_player_is_let_in_and_nobody_else_s(link, first):
    ann, eve = a_user("Ann"), a_user("Eve")
    Player.objects.filter(entries=link.entry).update(user=ann)
    assert link.says(signed_in(eve), key="k2").status_code == 403
    assert "Another phone already reports" not in text_of(signed_in(ann).get(link.url("home")))
    assert link.says(signed_in(ann), key="k3").status_code == 302
    assert link.kinds() == ["phone.ask", "phone.let_in"]


def test_agreeing_and_objecting_need_the_phone_too(link, first):
    bob, thief = Link.__new__(Link), Client()
    bob.__dict__ |= {**link.__dict__, "token": link_of(link.tournament, link.match, "b")}
    agreed = {"version": 1, "submission_key": "k2"}
    at = link.match.public_id
    phone = Client()
    assert phone.post(bob.url("agree", at), agreed).status_code == 302
    objected = thief.post(bob.url("object", at), {"text": "It was 4"})
    assert objected.status_code == 403
    assert "It was 4" in objected.content.decode()
    assert not Objection.objects.exists()
    assert phone.post(bob.url("object", at), {"text": "It was 4"}).status_code == 302
    again = thief.post(bob.url("agree", at), {**agreed, "submission_key": "k4"})
    assert again.status_code == 403


def test_many_phones_ask_and_the_desk_is_not_flooded(link, first):
    for number in range(8):
        page = link.says(Client(), key=f"k{number}x")
        assert page.status_code == 403
    assert LinkPhone.objects.filter(way="").count() == 5
    assert "Too many phones are asking" in text_of(page)


def test_cookies_that_are_refused_lose_no_result(link):
    strict = Client(enforce_csrf_checks=True)
    said = {"mine": 5, "theirs": 3, "kind": "played", "winner": "", "submission_key": "k1", "note": "hello"}
    url = link.url("report", link.match.public_id)
    page = strict.post(url, said, headers={"origin": "http://testserver"})
    assert page.status_code == 403
    assert "your browser did not return the site’s cookie" in text_of(page)
    assert "hello" in page.content.decode()
    assert "csrfmiddlewaretoken" in page.content.decode()
    foreign = strict.post(url, said, headers={"origin": "https://evil.example"})
    assert "hello" not in foreign.content.decode()
    assert not Report.objects.exists()
