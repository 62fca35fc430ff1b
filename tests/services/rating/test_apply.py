"""Taking facts in: newest, back-dated, voided, replaced; and always what a rebuild from nothing gives."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people import versions
from people.actors import Actor
from people.models import Affiliation, Player
from rating.models import Change, Pending, RatingList, Standing
from rating.services import (
    check_list,
    mark_for_rebuild,
    rebuild_list,
    rebuild_lists_of_player,
    update_list_ratings,
)
from rating.services.apply import must_rebuild, outdated_lists
from rating.services.imports import import_openings
from rating.services.intake import ApplyResult, apply_pending_facts
from rating.store.moments import to_moment
from rating.tasks import apply_pending, sweep
from tests.support.rating import DAY_ONE, Book, a_book, a_list

pytestmark = pytest.mark.django_db


def settled(book: Book) -> Book:
    book.apply()
    assert book.differences() == []
    return book


def test_apply_when_two_newcomers_play_seven_points_then_26_4575_changes_hands():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    settled(book)
    assert round(book.rating("Ann"), 4) == 1526.4575
    assert round(book.rating("Bob"), 4) == 1473.5425
    ann = book.standing("Ann")
    assert (ann.experience, ann.matches, ann.wins) == (7, 1, 1)


def test_apply_when_the_newest_result_arrives_then_it_alone_is_rated():
    book = a_book()
    for _ in range(5):
        book.beats("Ann", "Bob")
    settled(book)
    book.beats("Bob", "Ann", 5)
    applied = book.apply()
    assert (applied.facts, applied.rated, applied.rebuilt) == (1, 1, False)
    assert book.differences() == []
    assert book.apply().facts == 0


@pytest.mark.parametrize("system", ["fibs", "master"])
def test_apply_when_the_newest_results_arrive_then_no_history_is_read(system):
    book = a_list(a_book(), system=system)
    book.beats("Ann", "Bob")
    settled(book)
    for pair in (("Cleo", "Dan"), ("Ann", "Cleo"), ("Eve", "Bob")):
        book.beats(*pair)
    with CaptureQueriesContext(connection) as asked:
        assert book.apply().rated == 3
    of_history = [query["sql"] for query in asked if "rating_change" in query["sql"]]
    assert [sql for sql in of_history if sql.startswith("SELECT")] == []
    assert book.differences() == []


def test_apply_when_many_have_an_opening_or_a_place_alone_then_no_more_is_asked_than_for_two():
    asked = []
    for people in (2, 9):
        book = a_book()
        names = [f"Player {number} of {people}" for number in range(people)]
        for name in names:
            book.player(name)
        rows = "".join(f"{name},1700,40\n" for name in names)
        text = f"player,rating,experience\n{rows}"
        import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=DAY_ONE)
        book.apply()
        book.beats("Zoe", "Yan", at=DAY_ONE - timedelta(days=1))
        with CaptureQueriesContext(connection) as some:
            assert book.apply().rated == people + 1
        asked.append(len(some))
        assert book.differences() == []
        assert {book.standing(name).moment for name in names} == {to_moment(DAY_ONE)}
    assert asked[0] == asked[1]


def test_apply_when_a_result_comes_late_then_all_after_it_are_rated_anew():
    book = a_book()
    for hour in (1, 2, 4):
        book.beats("Ann", "Bob", 5, at=DAY_ONE + timedelta(hours=hour))
    settled(book)
    book.beats("Cleo", "Ann", 9, at=DAY_ONE + timedelta(hours=3))
    assert book.apply().rated == 2
    assert book.differences() == []
    assert [c.experience for c in book.history("Ann")] == [0, 5, 10, 19]


def test_apply_when_a_result_is_voided_then_it_is_as_if_it_had_never_been():
    book, other = a_book(), a_book()
    for target in (book, other):
        target.beats("Ann", "Bob", 7)
    wrong = book.beats("Cleo", "Ann", 11)
    for target in (book, other):
        target.beats("Bob", "Dan", 5)
    settled(book)
    assert book.standing("Cleo")
    book.void(wrong)
    book.apply()
    assert book.differences() == []
    assert book.standing("Cleo") is None
    settled(other)
    assert book.all_ratings() == other.all_ratings()


def test_apply_when_the_only_tail_match_of_a_player_is_voided_then_their_last_match_is_the_one_before():
    book = a_book()
    first = book.beats("Ann", "Bob", 7)
    wrong = book.beats("Ann", "Cleo", 7)
    settled(book)
    book.void(wrong)
    book.apply()
    assert book.differences() == []
    assert book.standing("Ann").moment == first.moment


def test_apply_when_a_result_is_replaced_then_the_other_one_has_won():
    book = a_book()
    wrong = book.beats("Ann", "Bob", 7)
    settled(book)
    book.replace(wrong, "Bob", "Ann")
    book.apply()
    assert book.differences() == []
    assert round(book.rating("Bob"), 4) == 1526.4575
    assert book.history("Bob")[0].won == 1


def test_apply_when_results_are_of_the_same_time_then_the_ledger_number_orders_them():
    book = a_book()
    first = book.beats("Ann", "Bob", 7, at=DAY_ONE)
    second = book.beats("Ann", "Bob", 5, at=DAY_ONE)
    settled(book)
    assert [c.fact_id for c in book.history("Ann")] == [first.pk, second.pk]


def test_apply_raises_the_version_in_the_same_breath():
    book = settled(a_book())
    before, topic = book.list.version, [versions.rating_list_topic(book.list.pk)]
    shown = versions.versions_of(topic)
    book.beats("Ann", "Bob")
    book.list.refresh_from_db()
    assert (book.list.version, versions.versions_of(topic)) == (before, shown)
    book.apply()
    assert book.list.version == before + 1
    raised = versions.versions_of(topic)
    assert raised > shown  # pages that are kept show it no longer as it was
    assert book.apply() == ApplyResult(facts=0, rated=0, rebuilt=False)
    assert (book.list.version, versions.versions_of(topic)) == (before + 1, raised)


def test_apply_of_a_federation_counts_its_member_clubs():
    federation = a_book()
    club = Book(a_book(parent=federation.club).club, federation.list)
    settled(federation)
    club.beats("Ann", "Bob", 7)
    settled(club)
    assert round(club.rating("Ann"), 4) == 1526.4575


def test_apply_when_a_club_joins_a_federation_then_its_results_count_there():
    federation, club = a_book(), a_book()
    club.beats("Ann", "Bob", 7)
    settled(federation)
    Affiliation.objects.create(club=club.club, federation=federation.club)
    assert outdated_lists().count(federation.list.pk) == 1
    settled(federation)
    above = Book(federation.club, federation.list, club.players)
    assert above.rating("Ann") > 1500
    Affiliation.objects.filter(club=club.club).delete()  # it never belonged there
    assert federation.list.pk in outdated_lists()
    settled(federation)
    assert above.standing("Ann") is None


def test_sweep_when_a_list_is_archived_then_it_is_looked_after_as_any_other():
    book = settled(a_book())
    RatingList.objects.filter(pk=book.list.pk).update(archived=True, needs_rebuild=True)
    assert outdated_lists() == [book.list.pk]


def test_lists_count_only_what_they_are_set_to_count():
    book = a_book()
    short = a_list(book, shortest=1)
    speed = a_list(book, disciplines=["speed"])
    spring = a_list(book, events=["spring"])
    march = a_list(book, counts_from=DAY_ONE.date(), counts_until=DAY_ONE.date())
    book.beats("Ann", "Bob", 1, at=DAY_ONE)  # F12: 1-point matches do not count by default
    book.beats("Ann", "Bob", 5, at=DAY_ONE, discipline="speed")
    book.beats("Ann", "Bob", 5, at=DAY_ONE, event_key="spring")
    book.beats("Ann", "Bob", 5, at=DAY_ONE + timedelta(days=1))
    for target in (book, short, speed, spring, march):
        settled(target)
    counts = [len(target.history("Ann")) for target in (book, short, speed, spring, march)]
    assert counts == [2, 3, 1, 1, 1]


def test_merge_when_two_players_turn_out_to_be_one_then_their_results_are_one_players(
    django_capture_on_commit_callbacks,
):
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.beats("Anne", "Bob", 5)
    book.beats("Ann", "Anne", 5)
    settled(book)
    anne = book.player("Anne")
    Player.objects.filter(pk=anne.pk).update(merged_into=book.player("Ann"))
    assert book.list.pk in outdated_lists()  # found without being told
    settled(book)
    assert book.standing("Anne") is None
    assert [c.won for c in book.history("Ann")] == [1, 1]  # against herself nobody is rated
    Player.objects.filter(pk=anne.pk).update(merged_into=None)
    with django_capture_on_commit_callbacks() as queued:
        assert rebuild_lists_of_player(player_id=anne.pk) == 1
    assert len(queued) == 1  # a worker is asked at once, not by the next sweep
    assert RatingList.objects.get(pk=book.list.pk).needs_rebuild
    settled(book)
    assert len(book.history("Anne")) == 2


def test_merge_of_players_without_results_leaves_the_lists_alone():
    book = a_book()
    book.beats("Ann", "Bob")
    settled(book)
    generation = book.list.generation_id
    stranger = Player.objects.create(name="Zoe")
    Player.objects.create(name="Zoé", merged_into=stranger)
    book.beats("Ann", "Bob")
    book.apply()
    assert book.list.generation_id == generation
    assert not must_rebuild(book.list)
    book.players["Zoé"] = Player.objects.get(name="Zoé")
    book.players["Zoe"] = stranger
    book.beats("Zoé", "Bob")
    assert book.apply() == ApplyResult(facts=1, rated=1)  # who she is now was noted down before she played
    assert book.standing("Zoe").wins == 1
    assert book.standing("Zoé") is None
    assert book.differences() == []


def test_merge_of_players_of_one_club_leaves_the_lists_of_others_alone():
    book, other = a_book(), a_book()
    book.beats("Ann", "Bob")
    other.beats("Cleo", "Dan")
    settled(book)
    settled(other)
    Player.objects.filter(pk=book.player("Bob").pk).update(merged_into=Player.objects.create(name="Robert"))
    assert outdated_lists() == [book.list.pk]
    computed = other.list.generation_id
    other.players["Bob"] = book.player("Bob")
    other.beats("Bob", "Cleo")
    settled(other)
    assert other.list.generation_id == computed
    other.players["Robert"] = Player.objects.get(name="Robert")
    assert [other.standing(name) is None for name in ("Bob", "Robert")] == [True, False]


def test_task_twice_is_once():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    for _ in range(3):
        apply_pending(book.list.pk)
    assert round(book.rating("Ann"), 4) == 1526.4575
    assert len(book.history("Ann")) == 1
    assert not Pending.objects.exists()


def test_list_that_was_never_computed_takes_nothing_in_and_loses_nothing():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    assert apply_pending_facts(book.list) == ApplyResult(facts=0, rated=0, rebuilt=False)
    assert (book.apply().rebuilt, round(book.rating("Ann"), 4)) == (True, 1526.4575)


def test_task_for_a_list_that_is_gone_does_nothing():
    apply_pending(987654321)
    assert update_list_ratings(987654321) == ApplyResult()


def test_sweep_finds_what_a_lost_message_left_behind(celery_tasks_run_at_once):
    book = a_book()
    sweep()
    book.beats("Ann", "Bob", 7)
    sweep()
    assert round(book.rating("Ann"), 4) == 1526.4575
    assert outdated_lists() == []


def test_rebuild_gives_the_same_numbers_and_a_fresh_generation():
    book = a_book()
    for i in range(10):
        book.beats(*(("Ann", "Bob") if i % 3 else ("Bob", "Cleo")), length=3 + i)
    settled(book)
    before, generation, version = book.all_ratings(), book.list.generation_id, book.list.version
    topic = [versions.rating_list_topic(book.list.pk)]
    shown = versions.versions_of(topic)
    rebuild_list(list_id=book.list.pk)
    book.list.refresh_from_db()
    assert book.list.generation_id != generation
    assert book.list.version == version + 1
    assert versions.versions_of(topic) > shown  # pages that are kept are out of date
    assert book.all_ratings() == before
    assert book.differences() == []


def test_check_when_a_number_was_tampered_with_then_the_difference_is_named():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    settled(book)
    Standing.objects.filter(player=book.player("Ann")).update(rating=2000.0)
    found = book.differences()
    assert [(d.what, d.where) for d in found] == [("standing", (book.player("Ann").pk,))]
    Standing.objects.filter(player=book.player("Ann")).update(player=book.player("Cleo"))
    found = book.differences()
    assert [(d.where, d.stored is None, d.computed is None) for d in found] == [
        ((book.player("Ann").pk,), True, False),
        ((book.player("Cleo").pk,), False, True),
    ]


def test_check_when_history_was_tampered_with_then_every_row_is_named_up_to_as_many_as_are_wanted():
    book = a_book()
    first, second, third = (book.beats("Ann", "Bob", length) for length in (7, 5, 9))
    settled(book)
    ann, bob, cleo = (book.player(name).pk for name in ("Ann", "Bob", "Cleo"))
    history = Change.objects.of(book.list.generation)
    history.filter(fact=first, player=ann).update(after=1.0)
    history.filter(fact=second, player=bob).delete()
    history.filter(fact=third, player=ann).update(player=cleo)
    found = {d.where: (d.stored is None, d.computed is None) for d in book.differences()}
    assert found == {
        (first.pk, ann): (False, False),
        (second.pk, bob): (True, False),
        (third.pk, ann): (True, False),
        (third.pk, cleo): (False, True),
    }
    assert {d.what for d in book.differences()} == {"change"}
    assert len(check_list(list_id=book.list.pk, limit=3)) == 3


def test_check_of_a_list_that_was_never_computed_asks_for_a_rebuild():
    (found,) = a_book().differences()
    assert (found.what, found.computed) == ("generation", "a rebuild")


def test_settings_when_the_system_changes_then_the_list_is_rebuilt_before_anything_else_is_rated():
    book = a_book()
    book.beats("Ann", "Bob", 7)
    settled(book)
    type(book.list).objects.filter(pk=book.list.pk).update(system="galaxy", parameters={})
    mark_for_rebuild(list_ids=[book.list.pk])
    book.beats("Ann", "Bob", 7)
    assert book.apply() == ApplyResult(rated=2, rebuilt=True)
    assert book.differences() == []
    assert round(book.history("Ann")[0].delta, 4) == round(7**0.75 * 14 * 0.5, 4)
