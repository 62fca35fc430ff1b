"""What a director announces stands on the wall, on every page of the event and on the players' pages, and leaves them all."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import a_director, an_event
from tests.support.director import desk_of, words
from tests.support.tournaments import first_match, link_of, text_of
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Notice
from tournaments.notices.services.announcing import announce, withdraw_notice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TYPED = "Round 2 begins at <b>14:00</b> https://example.org/"
SHOWN = "Round 2 begins at &lt;b&gt;14:00&lt;/b&gt; https://example.org/"


@pytest.fixture
def tournament():
    cache.clear()
    today = timezone.now().date()
    return an_event(8, tables=3, starts_on=today, ends_on=today, lengths=[5]).publish()


def pages(tournament) -> dict[str, str]:
    """Everything that a spectator or a player has open."""
    match = first_match(tournament)
    event = tournament.event.public_id
    open_ = {
        page: reverse(f"public:{page}", args=[event]) for page in ("event", "bracket", "entries", "hall")
    }
    link = link_of(tournament, match, "a")
    return {
        **open_,
        "projector": f"{open_['event']}?view=hall",
        "match": reverse("public:match", args=[match.public_id]),
        "mine": reverse("player:home", args=[link]),
        "report": reverse("player:report", args=[link, match.public_id]),
    }


def shown_on(tournament) -> dict[str, bool]:
    return {name: SHOWN in Client().get(url).content.decode() for name, url in pages(tournament).items()}


def test_announcement_when_typed_once_then_on_every_page_as_plain_text(tournament):
    desk = desk_of(tournament)
    assert not any(shown_on(tournament).values())
    answer = desk.post("notices", text=TYPED, division="", lasts="15")
    assert (answer.status_code, answer["Location"]) == (302, desk.url("notices"))
    assert all(shown_on(tournament).values()), shown_on(tournament)
    page = Client().get(pages(tournament)["event"]).content.decode()
    region = page[page.index('id="notices"') :]
    assert 'aria-live="polite"' in region[: region.index(">")]
    assert 'dir="auto"' in region[: region.index("</div>")]
    assert 'href="https://example.org' not in page


def test_announcement_when_it_ends_or_is_taken_away_then_no_page_is_a_304(tournament, clock):
    desk = desk_of(tournament)
    polled = {name: url for name, url in pages(tournament).items() if name != "report"}

    def changed() -> set[str]:
        """Which pages are not what a visitor holds; takes the new ones."""
        found = set()
        for name, url in polled.items():
            answer = Client().get(url, headers={"If-None-Match": held.get(name, "")})
            if answer.status_code == 200:
                found.add(name)
                held[name] = answer["ETag"]
        return found

    held: dict[str, str] = {}
    changed()
    assert changed() == set()
    desk.post("notices", text=TYPED, division="", lasts="15")
    assert changed() == set(polled)
    clock.moves(minutes=1)
    clock.moves(minutes=14)
    assert changed() == set(polled)
    assert not any(shown_on(tournament).values())
    desk.post("notices", text=TYPED, division="", lasts="")
    assert changed() == set(polled)
    row = Notice.objects.first()
    desk.post("notice-act", row.public_id, "withdraw", seen=row.version)
    assert changed() == set(polled)
    assert not any(shown_on(tournament).values())


def test_announcement_when_for_a_division_then_its_screen_and_its_players_alone(tournament):
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    side = add_division(
        **at, division=DivisionDetails(name="Side", stages=(StageDetails(lengths=[3]),)), first_name="Main"
    )
    announce(**at, text=TYPED, division_id=side.pk)
    found = shown_on(tournament)
    assert {name for name, there in found.items() if there} == {
        "event",
        "bracket",
        "entries",
        "hall",
        "projector",
    }
    hall = reverse("public:hall", args=[tournament.event.public_id])
    assert [SHOWN in Client().get(hall, {"division": n}).content.decode() for n in (1, 2)] == [False, True]
    assert "Side" in text_of(Client().get(pages(tournament)["event"]))


def test_form_when_what_was_typed_is_no_good_then_kept_with_the_reason(tournament):
    desk = desk_of(tournament)
    for text, status, reason in (
        ("", 422, "Enter the text of the announcement."),
        ("\u202e", 422, "Enter the text of the announcement."),
        ("x" * 281, 422, "280"),
    ):
        answer = desk.post("notices", text=text, lasts="15")
        assert (answer.status_code, reason in words(answer)) == (status, True)
    assert desk.post("notices", text="Hm", lasts="soon").status_code == 422
    assert desk.post("notices", text="Hm", division="999999").status_code == 422
    desk.post("notices", text="Coffee")
    again = desk.post("notices", text="Coffee")
    assert again.status_code == 409
    assert "This text is already announced." in words(again)
    assert Notice.objects.count() == 1


def test_change_when_another_director_was_quicker_then_both_stand_beside_each_other(tournament):
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Xenia"))
    desk.post("notices", text="Lunch at one", lasts="60")
    row = Notice.objects.get()
    page = desk.get("notice", row.public_id)
    assert page.status_code == 200
    assert "(unchanged)" in words(page)
    assert other.post("notice", row.public_id, text="Lunch at two", lasts="keep", seen="1").status_code == 302
    answer = desk.post("notice", row.public_id, text="Lunch at three", lasts="keep", seen="1")
    assert answer.status_code == 409
    assert "Lunch at two" in words(answer)
    assert "Lunch at three" in answer.content.decode()
    assert (
        desk.post("notice", row.public_id, text="Lunch at three", lasts="keep", seen="2").status_code == 302
    )
    row = Notice.objects.get()
    assert (row.news.text, row.version, row.until is not None) == ("Lunch at three", 3, True)
    gone = other.post("notice-act", row.public_id, "withdraw", seen="2")
    assert gone.status_code == 409
    assert Notice.objects.get().withdrawn_at is None


def test_announcement_when_gone_then_listed_and_shown_again_from_there(tournament):
    desk = desk_of(tournament)
    desk.post("notices", text="Coffee")
    row = Notice.objects.get()
    assert desk.post("notice-act", row.public_id, "withdraw", seen="1").status_code == 302
    page = desk.get("notices")
    assert [one["text"] for one in page.context["before"]] == ["Coffee"]
    assert desk.post("notice", row.public_id, text="Tea", seen="2").status_code == 409
    assert desk.post("notice-act", row.public_id, "show-again", seen="2").status_code == 302
    assert [one["text"] for one in desk.get("notices").context["now"]] == ["Coffee"]
    assert desk.post("notice-act", row.public_id, "shout").status_code == 404
    assert desk.post("notice-act", "nosuchnotice", "withdraw").status_code == 404
    trail = words(desk.get("audit"))
    assert "Announced: “Coffee”" in trail
    assert "Announcement shown again: “Coffee”" in trail


def test_withdrawn_when_another_took_it_away_then_a_clear_answer(tournament):
    desk = desk_of(tournament)
    notice = announce(actor=tournament.actor, event_id=tournament.event.pk, text="Coffee")
    withdraw_notice(actor=tournament.actor, event_id=tournament.event.pk, notice_id=notice.pk)
    answer = desk.post("notice-act", notice.public_id, "withdraw")
    assert answer.status_code == 409
    assert "has been removed or has ended" in words(answer)


def test_line_when_it_says_something_then_announced_once_and_undone(tournament):
    desk = desk_of(tournament)
    script, keys = {"X-Requested-With": "desk"}, (f"key-{number}" for number in range(9))

    def enters(line: str):
        (meaning,) = desk.client.get(desk.url("line"), {"line": line}, headers=script).json()["meanings"]
        data = {"line": line, "mark": meaning["mark"], "submission_key": next(keys)}
        return meaning, desk.client.post(desk.url("line"), data, headers=script)

    meaning, answer = enters("say Coffee is READY, 12-3 cups!")
    assert (meaning["before"], meaning["strong"]) == ("Announce", "Coffee is READY, 12-3 cups!")
    assert answer.json()["done"].startswith("Announce · Coffee is READY, 12-3 cups!")
    assert Notice.objects.get().news.text == "Coffee is READY, 12-3 cups!"
    again = enters("say Coffee is READY, 12-3 cups!")[1]
    assert (again.status_code, again.json()["sentences"]) == (409, ["This text is already announced."])
    meaning, answer = enters("undo")
    assert answer.json()["done"] == "Undone: Announced: “Coffee is READY, 12-3 cups!”"
    assert Notice.objects.get().withdrawn_at is not None
    german = desk.client.get(
        desk.url("line"), {"line": "sag Kaffee"}, headers={**script, "accept-language": "de"}
    )
    assert german.json()["meanings"][0]["before"] == "Durchsagen"


def test_line_when_another_words_mark_is_sent_then_nothing_is_said(tournament):
    desk = desk_of(tournament)
    script = {"X-Requested-With": "desk"}
    shown = desk.client.get(desk.url("line"), {"line": "say Coffee"}, headers=script).json()["meanings"][0]
    answer = desk.client.post(desk.url("line"), {"line": "say Tea", "mark": shown["mark"]}, headers=script)
    assert answer.status_code == 409
    assert not Notice.objects.exists()
