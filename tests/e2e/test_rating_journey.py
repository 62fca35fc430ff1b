"""A result of last month was entered the wrong way round: preview, correction, and every page agrees. With a real worker.

And a rebuild of a large list: its page shows how far it is, and stops it.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from playwright.sync_api import expect

from people.actors import Actor
from rating.models import Fact, Generation, GenerationState, RatingList
from rating.selectors import club_lists
from rating.selectors.shown import rating_text
from rating.services import create_list
from rating.services.apply import outdated_lists
from rating.services.lists import ListSettings
from tests.e2e.pages import Member, Spectator
from tests.e2e.visitors import House
from tests.factories import Tournament, a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.rating import Book
from tests.support.rating_ledger import fill_ledger
from tests.support.workers import wait_until
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def old_results(days: int = 40) -> str:
    """What a club has kept in a spreadsheet: one evening a day, Ann mostly winning."""
    first = datetime.now(UTC) - timedelta(days=days)
    rows = ["date,winner,loser,length,winner_score,loser_score,event"]
    names = ["Ann Adams", "Bob Bear", "Cleo Chase", "Dan Double"]
    for day in range(days):
        winner, loser = names[day * day % 3], names[3 - day % 2] if day % 3 else names[1 + day % 3]
        if winner == loser:
            loser = "Dan Double"
        rows.append(f"{first + timedelta(days=day):%Y-%m-%d},{winner},{loser},7,7,{day % 7},Club night")
    return "\n".join(rows)


@ONLY_IN_FULL
def test_correction_of_last_month_is_previewed_applied_and_agreed_upon(house, celery_worker, tmp_path):
    owner = a_user("Olga Owner")
    club = a_club(owner, name="Prime Club")
    (rating_list,) = club_lists(club.pk)
    file = tmp_path / "old.csv"
    file.write_text(old_results())

    olga = Member(house, "Olga").signs_in(owner)
    olga.goes_to(reverse("rating_director:import-results", args=[club.public_id]))
    olga.page.set_input_files("input[type=file]", file)
    olga.page.get_by_label("Add players for unknown names").check()
    olga.sends("Check file").reads("New players").sends("Import").reads("40 rows imported.")
    wait_until(lambda: not outdated_lists(), 120)

    book = Book(club, rating_list)
    fact = Fact.objects.order_by("moment")[10]
    book.players = {p.name: p for p in (fact.winner, fact.loser)}
    spectator = Spectator(house, "Sam").goes_to(reverse("rating:list", args=[rating_list.public_id]))
    before = book.rating(fact.winner.name)
    spectator.reads(rating_text(before))

    olga.goes_to(reverse("rating_director:ledger", args=[rating_list.public_id]))
    olga.goes_to(reverse("rating_director:correct", args=[rating_list.public_id, fact.pk]))
    olga.page.get_by_role("radio", name=fact.loser.name).check()
    olga.sends("Preview effects").reads("Effect of the change").reads(rating_text(before))
    row = olga.page.get_by_role("row", name=fact.winner.name)
    foretold = row.get_by_role("cell").nth(2).inner_text()
    olga.page.get_by_label("Reason").fill("entered the wrong way round")
    olga.sends("Correct result").reads("Result corrected")
    wait_until(lambda: not outdated_lists(), 120)

    assert rating_text(book.rating(fact.winner.name)) == foretold
    assert book.differences() == []
    spectator.reads(foretold).does_not_read(rating_text(before))  # the open page has renewed itself
    new = Fact.objects.get(target=fact)
    spectator.goes_to(reverse("rating:why", args=[rating_list.public_id, fact.pk])).reads("removed later")
    spectator.follows("View replacement result").reads("Step by step")
    change = next(c for c in book.history(fact.loser.name) if c.fact_id == new.pk)
    assert change.won == 1
    spectator.reads(rating_text(change.after))
    player = reverse("rating:player", args=[rating_list.public_id, fact.winner.public_id])
    spectator.goes_to(player).reads(foretold)
    chart = spectator.page.get_by_role("img", name="over time")
    expect(chart).to_be_visible()
    spectator.page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0", arg=chart.element_handle()
    )


def a_tournament_of_last_month(club, owner) -> Tournament:
    """Eight players, all played out five weeks ago, the evening before the next one."""
    # At noon, so that the evening lies within one day and one week whenever the test runs.
    day = datetime.now(UTC).replace(hour=12, minute=0) - timedelta(days=35)
    tournament = an_event(
        8, club=club, director=owner, name="Last month", starts_on=day.date(), ends_on=day.date(), lengths=[5]
    )
    tournament.publish()
    hour = 0
    while matches := tournament.playable():
        for match in matches:
            hour += 1
            tournament.settle(match, "a", hour % 5, played_at=day + timedelta(minutes=20 * hour))
    today = datetime.now(UTC).date()
    later = an_event(club=club, director=owner, name="This week", starts_on=today, ends_on=today)
    again = tournament.division.entries.order_by("pk").values_list("players", flat=True)[:4]
    add_entries(
        actor=later.actor,
        event_id=later.event.pk,
        division_id=later.division.pk,
        entries=[NewEntry(player_id=player) for player in again],
    )
    later.publish().play_out()
    return tournament


def shown_changes(page) -> dict[str, tuple[str, str]]:
    """Player → rating now and then, on a list, as the preview's table shows them."""
    found = {}
    for row in page.locator("section[aria-labelledby=effects] tbody tr").all():
        name = row.get_by_role("rowheader").inner_text().strip()
        who, now, then, _difference = [cell.inner_text().strip() for cell in row.get_by_role("cell").all()]
        found[f"{name} on {who}"] = (now, then)
    return found


@ONLY_IN_FULL
def test_match_of_last_month_is_corrected_and_leaderboard_chart_and_why_follow(house: House, celery_worker):
    owner = a_user("Olga Owner")
    club = a_club(owner, name="Prime Club")
    (rating_list,) = club_lists(club.pk)
    periodic = create_list(
        actor=Actor.program(),
        club_id=club.pk,
        settings=ListSettings(name="By the week", system="glicko2", parameters={"period_days": 7}),
    )
    tournament = a_tournament_of_last_month(club, owner)
    wait_until(lambda: not outdated_lists(), 120)
    books = [Book(club, found) for found in (rating_list, periodic)]
    final = tournament.stage.matches.order_by("-number").first()
    ann = tournament.entry_at(final, final.winner_side).players.get()
    loser = tournament.entry_at(final, "b" if final.winner_side == "a" else "a").players.get()
    for book in books:
        book.players = {player.name: player for player in (ann, loser)}
    before = {book.list.name: book.rating(ann.name) for book in books}

    spectator = Spectator(house, "Sam").goes_to(
        reverse("rating:player", args=[rating_list.public_id, ann.public_id])
    )
    chart = spectator.page.get_by_role("img", name="over time")
    old_chart = chart.get_attribute("src")
    leaders = Spectator(house, "Lea").goes_to(reverse("rating:list", args=[rating_list.public_id]))
    leaders.visitor.marks_window()

    olga = Member(house, "Olga").signs_in(owner)
    olga.goes_to(reverse("director:match", args=[tournament.event.public_id, final.public_id]))
    olga.page.locator("summary", has_text="Correct result").click()
    scores = (2, 5) if final.winner_side == "a" else (5, 2)
    olga.fills(score_a=scores[0], score_b=scores[1]).sends("Preview changes").reads(
        "Rating changes from this result only"
    )
    foretold = shown_changes(olga.page)
    for book in books:
        now, then = foretold[f"{ann.name} on {book.list.name}"]
        assert now == rating_text(before[book.list.name])
        assert now != then
    olga.sends("Correct result")
    olga.reads("Result corrected")
    wait_until(lambda: not outdated_lists(), 120)

    for book in books:
        assert book.differences() == []
        for player in (ann, loser):
            assert rating_text(book.rating(player.name)) == foretold[f"{player.name} on {book.list.name}"][1]
    then = foretold[f"{ann.name} on {rating_list.name}"][1]
    row = leaders.page.locator(f"tr[data-key='{ann.public_id}']")
    expect(row).to_contain_text(then)
    assert leaders.visitor.never_reloaded()  # the leaderboard that was open has renewed itself
    expect(spectator.page.get_by_text(then).first).to_be_visible()
    expect(chart).not_to_have_attribute("src", old_chart or "")
    drawn = spectator.page.request.get(house.site + (chart.get_attribute("src") or ""))
    assert drawn.ok
    assert f"{book_points(books[0], ann.name):.0f}" in drawn.text()

    new = Fact.objects.order_by("-pk").first()
    row = spectator.page.locator(f"tr[data-key='fact-{new.pk}']")
    with spectator.page.expect_navigation():
        row.get_by_role("link", name="Why?").click()
    spectator.reads("Step by step").reads(f"ledger entry {new.pk}")
    for player in (ann, loser):
        change = next(c for c in books[0].history(player.name) if c.fact_id == new.pk)
        spectator.reads(rating_text(change.after))
        # As many digits as the lines below need, and no other number.
        line = spectator.page.get_by_role("row").filter(has_text=player.name)
        shown = line.get_by_role("cell").first.inner_text().strip()
        digits = len(shown.partition(".")[2])
        assert digits >= 2
        assert abs(float(shown) - change.before) <= 0.5000001 * 10**-digits
    spectator.goes_to(reverse("rating:why", args=[periodic.public_id, new.pk]))
    for player in (ann, loser):
        change = next(c for c in books[1].history(player.name) if c.fact_id == new.pk)
        spectator.reads(f"Rating period of {player.name}").reads(rating_text(change.after))


def book_points(book: Book, name: str) -> float:
    return book.history(name)[-1].after


@ONLY_IN_FULL
@pytest.mark.sqlite  # PostgreSQL is done before anybody could press Stop
def test_rebuild_of_a_large_list_shows_how_far_it_is_and_is_stopped(house, celery_worker):
    owner = a_user("Olga Owner")
    club = a_club(owner, name="Large Club")
    (rating_list,) = club_lists(club.pk)
    wait_until(lambda: not outdated_lists(), 120)
    fill_ledger(club, results=250_000, players=500)
    before = RatingList.objects.get(pk=rating_list.pk).generation_id

    olga = Member(house, "Olga", phone=True).signs_in(owner)
    olga.goes_to(reverse("rating_director:list", args=[rating_list.public_id]))
    olga.sends("Recalculate all ratings").reads("The recalculation will start shortly.")
    olga.visitor.marks_window()
    begun = Generation.objects.filter(state=GenerationState.BUILDING, done__gt=0)
    wait_until(begun.exists, 200)
    bar = olga.page.get_by_role("progressbar")
    # Who holds the generation holds up its rebuild, however fast the machine, until Stop is on its way.
    with olga.page.expect_navigation(), transaction.atomic():
        assert begun.update(total=F("total")) == 1
        olga.reads("Recalculating all ratings").reads("of 250000")
        expect(bar).not_to_have_attribute("value", "0")
        assert olga.visitor.never_reloaded()  # nobody had to press anything to see it move
        assert not olga.visitor.scrolls_sideways()
        with olga.page.expect_request(lambda request: request.method == "POST"):
            olga.page.locator("main").get_by_role("button", name="Stop").click(no_wait_after=True)
    olga.reads("Recalculation stopped. The ratings were not changed.")
    wait_until(lambda: not Generation.objects.filter(state=GenerationState.BUILDING).exists(), 120)
    olga.reads("stopped")
    expect(bar).to_have_count(0)
    rating_list.refresh_from_db()
    assert rating_list.generation_id == before
