"""A result of last month was entered the wrong way round: preview, correction, and every page agrees. With a real worker."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rating.models import Fact
from rating.selectors import club_lists
from rating.selectors.shown import rating_text
from rating.services.apply import lists_behind
from tests.e2e.pages import Member, Spectator
from tests.factories import a_club, a_user
from tests.support.rating import Book
from tests.support.workers import wait_until

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


def test_correction_of_last_month_is_previewed_applied_and_agreed_upon(house, celery_worker, tmp_path):
    owner = a_user("Olga Owner")
    club = a_club(owner, name="Prime Club")
    (rating_list,) = club_lists(club.pk)
    file = tmp_path / "old.csv"
    file.write_text(old_results())

    olga = Member(house, "Olga").signs_in(owner)
    olga.goes_to(reverse("rating_director:import-results", args=[club.public_id]))
    olga.page.set_input_files("input[type=file]", file)
    olga.page.get_by_label("Make players for names").check()
    olga.sends("Check the file").reads("New players").sends("Take in").reads("40 rows are taken in.")
    wait_until(lambda: not lists_behind(), 60)

    book = Book(club, rating_list)
    fact = Fact.objects.order_by("moment")[10]
    book.players = {p.name: p for p in (fact.winner, fact.loser)}
    spectator = Spectator(house, "Sam").goes_to(reverse("rating:list", args=[rating_list.public_id]))
    before = book.rating(fact.winner.name)
    spectator.reads(rating_text(before))

    olga.goes_to(reverse("rating_director:ledger", args=[rating_list.public_id]))
    olga.goes_to(reverse("rating_director:correct", args=[rating_list.public_id, fact.pk]))
    olga.page.get_by_role("radio", name=fact.loser.name).check()
    olga.sends("Show the effects").reads("What it would change").reads(rating_text(before))
    row = olga.page.get_by_role("row", name=fact.winner.name)
    foretold = row.get_by_role("cell").nth(2).inner_text()
    olga.page.get_by_label("Reason").fill("entered the wrong way round")
    olga.sends("Correct the result").reads("The result is corrected")
    wait_until(lambda: not lists_behind(), 60)

    assert rating_text(book.rating(fact.winner.name)) == foretold
    assert book.differences() == []
    spectator.reads(foretold).does_not_read(rating_text(before))  # the open page has renewed itself
    new = Fact.objects.get(target=fact)
    spectator.goes_to(reverse("rating:why", args=[rating_list.public_id, fact.pk])).reads("taken back")
    spectator.follows("The result in its place").reads("Step by step")
    change = next(c for c in book.history(fact.loser.name) if c.fact_id == new.pk)
    assert change.won == 1
    spectator.reads(rating_text(change.after))
    player = reverse("rating:player", args=[rating_list.public_id, fact.winner.public_id])
    spectator.goes_to(player).reads(foretold)
    chart = spectator.page.get_by_role("img", name="over time")
    expect(chart).to_be_visible()
    assert chart.evaluate("image => image.complete && image.naturalWidth > 0")
