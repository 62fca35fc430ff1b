"""A list keeps the edition it was made with; after a change of rule each change is explained by the rule that made it."""

import pytest
from django.test import Client
from django.urls import reverse

from faults import Invalid
from people.actors import Actor
from rating.formulas.galaxy import PR_LOSER_SHARE
from rating.models import Generation
from rating.selectors import explain_change, points_at_stake, preview_correction, preview_match
from rating.services import update_list
from rating.services.imports import check_results, import_results
from rating.services.lists import ListSettings
from rating.web.explain import change_working
from tests.support.rating import a_book, a_list, visit

pytestmark = pytest.mark.django_db


def other_system(book, system: str) -> None:
    update_list(
        actor=Actor.program(), list_id=book.list.pk, settings=ListSettings(name="Other", system=system)
    )
    book.list.refresh_from_db()


def test_why_after_a_change_of_system_says_which_rule_made_the_change_until_the_list_is_computed_anew():
    book = a_book()
    fact = book.beats("Ann", "Bob", 7)
    book.apply()
    other_system(book, "galaxy")
    found = explain_change(book.list, fact.pk)
    assert (found.rule.system.code, found.rule_changed) == ("fibs", True)
    assert found.working.winner_change == pytest.approx(found.change.winner.delta)  # not Galaxy's
    page = visit("why", book, fact.pk).content.decode()
    assert "the list’s previous rules (FIBS with experience ramp)" in page
    assert "The rules have changed since (Backgammon Galaxy, version 1)" in page
    assert "4 · K · √n · (1 - P)" in page
    ann, bob = book.player("Ann"), book.player("Bob")
    assert (
        preview_match(book.list.pk, ann.pk, bob.pk, 7).first_wins.first > 20
    )  # FIBS, as the ratings it is about
    told = preview_correction(source_key=fact.source_key, void=True)
    assert told.effects == []
    assert "being recalculated" in told.notes[0]
    book.apply()
    found = explain_change(book.list, fact.pk)
    assert (found.rule.system.code, found.rule_changed) == ("galaxy", False)
    assert found.working.winner_change == pytest.approx(found.change.winner.delta)
    assert "The rules have changed" not in visit("why", book, fact.pk).content.decode()


def test_points_at_stake_are_those_of_the_rule_that_the_list_still_has_its_numbers_by():
    book = a_list(a_book(), system="master")
    book.beats("Ann", "Bob", 7)
    book.apply()
    before = points_at_stake(book.list, length=9, field=16)
    assert points_at_stake(book.list, length=9, field=16) == before
    other_system(book, "master_2019")
    address = reverse("rating_api:what-if", args=[book.list.public_id])
    ids = {"first": book.player("Ann").public_id, "second": book.player("Bob").public_id}

    def places() -> list[float]:
        answer = Client().get(address, {**ids, "length": 9, "field": 16}).json()
        return [row["best"] for row in answer["places"]]

    assert points_at_stake(book.list, length=9, field=16) == before
    assert places() == [row.pay.best for row in before.places]
    book.apply()
    after = points_at_stake(book.list, length=9, field=16)
    assert after != before
    assert places() == [row.pay.best for row in after.places]
    other_system(book, "fibs")
    book.apply()
    other_system(book, "master")  # its numbers are no points yet
    assert points_at_stake(book.list, length=9, field=16) == before


def test_why_of_numbers_whose_rule_nobody_wrote_down_explains_nothing_after_a_change():
    book = a_book()
    fact = book.beats("Ann", "Bob", 7)
    book.apply()
    Generation.objects.update(rule={})  # as an earlier release left it
    book.list.refresh_from_db()
    assert explain_change(book.list, fact.pk).rule.system.code == "fibs"  # up to date: it can be no other
    other_system(book, "galaxy")
    found = explain_change(book.list, fact.pk)
    assert (found.rule, change_working(found).steps) == (None, [])
    assert "rules that the list no longer uses" in visit("why", book, fact.pk).content.decode()


def test_galaxy_2_halves_what_was_won_with_the_worse_play_and_knows_it_after_a_correction():
    book = a_list(a_book(), system="galaxy_2")
    plain = a_list(book, system="galaxy")
    fact = book.beats("Ann", "Bob", 7, winner_pr=6.5, loser_pr=4.0)
    book.apply()
    plain.apply()
    assert book.rating("Ann") - 1500 == pytest.approx(PR_LOSER_SHARE * (plain.rating("Ann") - 1500))
    page = visit("why", book, fact.pk).content.decode()
    assert "errors (PR) 6.5 against 4: the winner of the match had the worse PR" in page
    new = book.replace(fact, "Bob", "Ann")  # Bob has won after all; who played how stays known
    assert (new.winner_pr, new.loser_pr) == (4.0, 6.5)
    book.apply()
    plain.apply()
    assert book.rating("Bob") == plain.rating("Bob")
    assert "the loser of the match did not have the better PR" in visit("why", book, new.pk).content.decode()
    assert book.differences() == []


def test_errors_of_play_come_in_by_a_table_and_are_judged():
    book = a_list(a_book(), system="galaxy_2")
    for name in ("Ann", "Bob"):
        book.player(name)
    head = "date,winner,loser,length,winner_pr,loser_pr\n"
    text = head + "2026-01-01,Ann,Bob,7,6.5,4.25\n2026-01-02,Ann,Bob,7,,\n"
    import_results(actor=Actor.program(), club_id=book.club.pk, text=text)
    again = check_results(club=book.club, text=text.replace(",,", ",9,8"))
    assert [(note.code, note.params["line"]) for note in again.notes] == [("rating.csv.other_play", 3)]
    book.apply()
    first, second = book.history("Ann")
    assert first.delta < second.delta  # half of it, though Ann was no favourite yet
    page = visit("why", book, second.fact_id).content.decode()
    assert "no errors (PR) are known for this match" in page


@pytest.mark.parametrize("pr", [-0.1, 200.5, float("nan"), float("inf")])
def test_errors_of_play_that_nobody_makes_are_refused(pr):
    with pytest.raises(Invalid) as refused:
        a_book().beats("Ann", "Bob", winner_pr=pr, loser_pr=4.0)
    assert [(fault.code, fault.field) for fault in refused.value.faults] == [("rating.pr", "winner_pr")]


def test_what_if_of_master_points_pays_as_the_edition_does(client):
    book = a_book()
    shown = {
        system: client.get(
            reverse("rating:what-if", args=[a_list(book, system=system).list.public_id]),
            {"field": 16, "length": 9},
        ).content.decode()
        for system in ("master", "master_2019", "graded")
    }
    assert ">4.00<" in shown["master"]
    assert ">2.40<" in shown["master_2019"]
    assert ">16.00<" in shown["graded"]
    assert "A win in a match to" not in shown["graded"]
