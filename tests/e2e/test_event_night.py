"""A club's evening from the first click to the last rating, in real browsers, with a real worker."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from rating.models import Standing
from rating.selectors import club_lists
from tests.e2e.pages import Director, Evening, Phone, Spectator
from tests.factories import a_club, a_user, an_event
from tests.support.workers import wait_until
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.models import Entry, Event, MatchSlot, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASTED = ["1. Bob Bear", "2. Cleo Chase", "- Dan Double", "Edge, Eva", "Finn Fork", "Gil Gammon", "Hana Hit"]


def test_an_evening_from_the_first_click_to_the_last_rating(house, celery_worker):
    an_event(entries=2).publish()  # a player of another club, whom the director finds by typing: Ann

    director = Director(house, "Dora").signs_in(a_user("Dora Director"))
    director.founds_club("Harbour Club")
    director.creates_event("Friday Knock-out", "5, 5, 7", place="Harbour Hall", timezone="Helsinki")
    stage = Stage.objects.get(division__event=director.event)
    assert (stage.lengths, director.event.timezone) == ([5, 5, 7], "Europe/Helsinki")

    director.opens("entries").types_name("An", choosing="Ann")
    director.reads("Ann is entered.")
    director.pastes(*PASTED).reads("8 entries").reads("Eva Edge")
    director.draws().reads("Draw seed")
    nobody = Spectator(house, "Vera", dark=True).may_see(404)
    nobody.goes_to(reverse("public:event", args=[director.event.public_id])).does_not_read("Friday Knock-out")
    director.publishes().reads("The draw is published.")

    watching = Spectator(house, "Walt", size={"width": 1440, "height": 900}).watches(
        director.event, "bracket"
    )
    evening = Evening(house, director.event)
    first, *others = evening.playable()
    assert [match.table for match in (first, *others)] == [1, 2, 3, 4]

    # The first pair cannot agree; the director decides.
    a, b = evening.phone_of(first, "a"), evening.phone_of(first, "b")
    a.reports("I won", 5, 3).reads(f"{b.name} has to confirm it.")
    b.opens().reports("I won", 5, 4).reads("reported different results")
    director.opens("board").reads("Disputed").decides_for(first, a.name)
    a.opens().reads("You won")
    b.opens().reads("You lost")

    for number, match in enumerate(others):
        evening.agree_on(match, "b" if number % 2 else "a", number)
    watching.sees(f"{a.name}")
    for match in evening.playable():
        assert match.round.code == "semifinal"
        evening.agree_on(match, "a", 2)
    final = evening.playable()[0]
    assert final.length == 7
    evening.agree_on(final, "b", 4)

    champion = MatchSlot.objects.get(match=final, side="b").entry
    evening.phone_of(final, "b").reads("Congratulations")
    event = Event.objects.get(pk=director.event.pk)
    assert event.status == EventStatus.FINISHED

    # Whoever watched all the time reads it without having done anything.
    expect(watching.page.locator(".bracket-side.is-winner", has_text=champion.name)).to_have_count(3)
    assert watching.visitor.never_reloaded()

    # The worker, a process of its own, has rated all eight.
    (rating_list,) = club_lists(event.club_id)
    wait_until(
        lambda: Standing.objects.on(rating_list).filter(player__entries__division__event=event).count() == 8,
        120,
    )
    watching.goes_to(reverse("rating:list", args=[rating_list.public_id])).reads(champion.name)
    assert ratings_on(watching) == sorted(ratings_on(watching), reverse=True)
    assert ratings_on(watching)[0] > 1500 > ratings_on(watching)[-1]
    # The page of Ann, who is at home in another club, shows this one's events once that club agrees.
    for entry in Entry.objects.filter(division__event=event, name__in=["Ann", "Eva Edge"]):
        watching.goes_to(reverse("public:player", args=[entry.players.get().public_id])).reads(entry.name)
        if entry.name == "Ann":
            watching.does_not_read("Friday Knock-out")
        else:
            watching.reads("Friday Knock-out")
    for phone in evening.phones.values():
        assert not phone.visitor.scrolls_sideways(), phone.name


def ratings_on(spectator: Spectator) -> list[float]:
    """The ratings of the list on the page, from the top."""
    return [
        float(text)
        for text in re.findall(r"\b(1[3-7]\d\d\.\d\d)\b", spectator.page.locator("main").inner_text())
    ]


def test_open_page_of_the_event_follows_a_result_without_reload(house):
    tournament = an_event(entries=4, lengths=[5]).publish()
    match = tournament.playable()[0]
    winner = tournament.entry_at(match, "a")
    watching = Spectator(house, "Walt").watches(tournament.event)
    bracket = Spectator(house, "Vera", phone=True).watches(tournament.event, "bracket")
    tournament.settle(match, "a", 3)
    bracket.sees(winner.name)
    expect(bracket.page.locator(".bracket-side.is-winner .bracket-score").first).to_contain_text("5")
    watching.sees("1 of 3")
    assert watching.visitor.never_reloaded()
    assert bracket.visitor.never_reloaded()


def test_director_without_scripts_runs_an_event(house):
    user = a_user("Nils Noscript")
    a_club(user, "Paper Club")
    director = Director(house, "Nils", javascript=False).signs_in(user)
    director.goes_to(reverse("director:home")).follows("Create an event").follows("Knockout")
    today = str(timezone.now().date())
    director.fills(name="Paper Night", starts_on=today, ends_on=today, lengths="3")
    director.fills(timezone="Europe/Helsinki").sends("Create event")
    director.event = Event.objects.get(name="Paper Night")
    director.opens("entries")
    for name in ("Ann Ace", "Bob Bar"):
        director.fills(name=name).sends("Add").reads(f"{name} is entered.")
    director.pastes("Cleo Cube", "Dan Dice").reads("4 entries")
    director.draws().publishes()
    evening = Evening(house, director.event)
    match, other = evening.playable()
    director.records(match, 3, 1)
    match.refresh_from_db()
    assert (match.status, match.winner_side, match.score_a) == (MatchStatus.CONFIRMED, "a", 3)

    # An impossible score is answered beside the field.
    director.may_see(422).records(other, 3, 3)
    other.refresh_from_db()
    assert other.status == MatchStatus.READY
    expect(
        director.page.locator(".field-error, [data-error-summary], .message.is-error").first
    ).to_be_visible()
    # Players need no scripts either.
    entry = MatchSlot.objects.get(match=other, side="b").entry
    phone = Phone(house, entry.name, entry, javascript=False).opens()
    phone.reports("I won", 3, 2).reads("Sent.")
    director.opens("match", match=other.public_id).sends("Use this result")
    other.refresh_from_db()
    assert (other.status, other.winner_side) == (MatchStatus.CONFIRMED, "b")
