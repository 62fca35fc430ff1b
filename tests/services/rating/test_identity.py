"""A row of a file is known by who played and what it says, whatever they are called meanwhile."""

import hashlib
from datetime import UTC

import pytest

from people.actors import Actor
from people.models import Club, Player, PlayerClub
from rating.models import Fact, FactKind
from rating.services.corrections import correct_fact, void_fact
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.keys import normalize_key_name
from tests.support.rating import DAY_ONE, Book, a_book

pytestmark = pytest.mark.django_db
HEAD = "date,winner,loser,length\n"
SCORED = "date,winner,loser,length,winner_score,loser_score\n"
DAY = "2026-03-01"


def take(book: Book, text: str, **choices: bool):
    return import_results(actor=Actor.program(), club_id=book.club.pk, text=text, **choices)


def scores(book: Book) -> list[tuple[int, int]]:
    facts = Fact.objects.filter(club=book.club, later=None).exclude(kind=FactKind.VOID)
    return sorted(facts.values_list("winner_score", "loser_score"))


def renamed(player: Player, name: str) -> None:
    player.name = name
    player.save()


@pytest.mark.parametrize("by_id", [True, False], ids=["ids", "names"])
def test_file_that_comes_again_after_a_player_was_renamed_is_known(by_id):
    book = a_book()
    ann, bob = book.player("Ann"), book.player("Bob")
    first, second = (ann.public_id, bob.public_id) if by_id else ("Ann", "Bob")
    text = f"{HEAD}{DAY},{first},{second},7\n{DAY},{second},{first},5\n"
    assert take(book, text).new == 2
    renamed(ann, "Anna Berger")
    report = check_results(club=book.club, text=text)
    assert (report.new, report.known, report.faults) == (0, 2, ())
    assert take(book, text, create_unknown=True).new == 0
    assert Player.objects.count() == 2


def test_rows_of_a_ledger_from_before_whose_keys_hold_names_are_known_by_their_players():
    """The ledger was written by a release that hashed names; its players are called otherwise since."""
    book = a_book()
    ann, bob = book.player("Ann"), book.player("Bob")
    parts = (book.club.public_id, normalize_key_name("Ann"), normalize_key_name("Bob"), 7, "7-0", DAY_ONE, "")
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:32]
    book.beats("Ann", "Bob", 7, key=f"csv:{digest}", at=DAY_ONE)
    renamed(ann, "Anna Berger")
    for text in (
        f"{SCORED}{DAY},{ann.public_id},{bob.public_id},7,7,3\n",
        f"{HEAD}{DAY},Anna Berger,Bob,7\n",
        f"{HEAD}{DAY},Ann,Bob,7\n",
    ):
        report = check_results(club=book.club, text=text)
        assert (report.new, report.known, report.filled, report.faults) == (0, 1, 0, ()), text


def test_results_of_two_namesakes_in_two_files_are_both_taken_in():
    book = a_book()
    book.player("Bob")
    namesakes = [Player.objects.create(name="Ann Lee", home_club=book.club) for _ in range(2)]
    PlayerClub.objects.bulk_create([PlayerClub(player=one, club=book.club) for one in namesakes])
    texts = [f"{HEAD}{DAY},{one.public_id},Bob,7\n" for one in namesakes]
    assert [take(book, text).new for text in texts] == [1, 1]
    assert [check_results(club=book.club, text=text).known for text in texts] == [1, 1]
    assert set(Fact.objects.values_list("winner_id", flat=True)) == {one.pk for one in namesakes}


def test_score_that_is_filled_in_later_is_the_same_match_and_the_dry_run_says_so():
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    take(book, f"{HEAD}{DAY},Ann,Bob,7\n")
    filled = f"{SCORED}{DAY},Ann,Bob,7,7,3\n"
    report = check_results(club=book.club, text=filled)
    assert (report.new, report.known, report.filled, report.anything) == (0, 0, 1, True)
    assert [(note.code, note.params["value"]) for note in report.notes] == [
        ("rating.csv.score_filled", "7–3")
    ]
    assert take(book, filled).filled == 1
    assert scores(book) == [(7, 3)]
    for again in (filled, f"{HEAD}{DAY},Ann,Bob,7\n"):
        report = take(book, again)
        assert (report.new, report.filled, report.known, report.notes) == (0, 0, 1, ())
        assert not report.anything
    book.apply()
    assert book.differences() == []


def test_matches_of_one_pair_on_one_day_are_told_apart_by_score_then_by_order():
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    take(book, f"{HEAD}{DAY},Ann,Bob,7\n{DAY},Ann,Bob,7\n")
    take(book, f"{SCORED}{DAY},Ann,Bob,7,7,3\n")
    assert scores(book) == [(7, 0), (7, 3)]
    both = f"{SCORED}{DAY},Ann,Bob,7,7,5\n{DAY},Ann,Bob,7,7,3\n"
    assert take(book, both).filled == 1
    assert scores(book) == [(7, 3), (7, 5)]
    third = take(book, f"{both}{DAY},Ann,Bob,7,7,6\n")
    assert (third.new, third.known) == (1, 2)
    who_lost_alone = f"{SCORED}{DAY},Ann,Bob,7,,4\n"
    assert take(book, who_lost_alone).new == 1
    assert (7, 4) in scores(book)


def test_scores_that_come_later_go_to_the_matches_of_one_pair_in_the_order_of_the_file():
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    take(book, f"{HEAD}{DAY},Ann,Bob,7\n{DAY},Ann,Bob,7\n")
    first, second = Fact.objects.order_by("pk")
    assert take(book, f"{SCORED}{DAY},Ann,Bob,7,7,5\n{DAY},Ann,Bob,7,7,3\n").filled == 2
    assert [Fact.objects.get(loser_score=score).target for score in (5, 3)] == [first, second]


def test_merged_players_are_whom_they_are_now():
    book = a_book()
    ann, twin, bob = book.player("Ann"), book.player("A. Lee"), book.player("Bob")
    text = f"{HEAD}{DAY},{twin.public_id},{bob.public_id},7\n"
    take(book, text)
    twin.merged_into = ann
    twin.save()
    with_ids = f"date,winner,winner_id,loser,length\n{DAY},A. Lee,{twin.public_id},Bob,7\n"
    for known in (text, with_ids, f"{HEAD}{DAY},Ann,Bob,7\n"):
        report = check_results(club=book.club, text=known)
        assert (report.new, report.known, report.faults) == (0, 1, ())


def test_corrected_score_and_what_was_taken_back_stay_known_when_scores_come():
    book = a_book()
    ann, bob = book.player("Ann"), book.player("Bob")
    take(book, f"{HEAD}{DAY},Ann,Bob,7\n{DAY},Bob,Ann,5\n")
    first, second = Fact.objects.order_by("pk")
    correct_fact(actor=Actor.program(), number=first.pk, winner=bob.public_id, loser=ann.public_id, length=7)
    void_fact(actor=Actor.program(), number=second.pk)
    text = f"{SCORED}{DAY},Ann,Bob,7,7,4\n{DAY},Bob,Ann,5,5,2\n"
    report = check_results(club=book.club, text=text)
    assert (report.new, report.known, report.filled, report.taken_back) == (0, 1, 0, 1)
    assert [note.code for note in report.notes] == ["rating.csv.corrected", "rating.csv.taken_back"]
    again = take(book, text, again=True)
    assert (again.new, again.known, again.taken_back) == (1, 1, 0)


@pytest.mark.parametrize("how", ["undone", "corrected"])
def test_match_of_another_score_than_one_that_is_gone_or_corrected_is_another_match(how):
    book = a_book()
    ann, bob = book.player("Ann"), book.player("Bob")
    take(book, f"{SCORED}{DAY},Ann,Bob,7,7,3\n")
    number = Fact.objects.get().pk
    if how == "undone":
        void_fact(actor=Actor.program(), number=number)
    else:
        who = {"winner": bob.public_id, "loser": ann.public_id}
        correct_fact(actor=Actor.program(), number=number, length=7, **who)
    report = check_results(club=book.club, text=f"{SCORED}{DAY},Ann,Bob,7,7,5\n")
    assert (report.new, report.known, report.taken_back, report.notes) == (1, 0, 0, ())


def test_results_of_newcomers_in_two_files_are_both_taken_in_and_known_though_one_was_renamed():
    book = a_book()
    texts = [f"{HEAD}{DAY},Eva,Finn,7\n", f"{HEAD}{DAY},Gus,Hal,7\n"]
    assert [take(book, text, create_unknown=True).new for text in texts] == [1, 1]
    namesakes = [Player.objects.create(name="Ann Lee", home_club=book.club) for _ in range(2)]
    head = "date,winner,winner_id,loser,length\n"
    first, second = (f"{head}{DAY},Ann Lee,{one.public_id},Newt,7\n" for one in namesakes)
    take(book, first, create_unknown=True)
    renamed(Player.objects.get(name="Newt"), "Newton")
    assert check_results(club=book.club, text=first, create_unknown=True).known == 1
    assert take(book, second, create_unknown=True).new == 1


def test_opening_is_known_by_its_player_too():
    book = a_book()
    ann = book.player("Ann")
    text = f"player,rating\n{ann.public_id},1700\n"
    asked = {"rating_list": book.list, "as_of": DAY_ONE}
    import_openings(actor=Actor.program(), list_id=book.list.pk, text=text, as_of=DAY_ONE)
    renamed(ann, "Anna Berger")
    assert check_openings(text=text, **asked).known == 1
    assert check_openings(text="player,rating\nAnna Berger,1700\n", **asked).known == 1


def test_opening_ratings_and_deviations_just_inside_of_what_makes_sense_are_taken_and_those_just_outside_are_faults():
    text = "player,rating,deviation\nAnn,0,1\nBob,10000,350\nCleo,-0.5,\nDan,10000.5,\nEva,1500,0.5\nFinn,1500,350.5\n"
    report = check_openings(rating_list=a_book().list, text=text, as_of=DAY_ONE, create_unknown=True)
    assert [(fault.field, fault.params["line"]) for fault in report.faults] == [
        ("rating", 4), ("rating", 5), ("deviation", 6), ("deviation", 7),
    ]  # fmt: skip


def test_time_without_a_zone_is_the_clubs_and_a_file_from_before_is_still_known():
    book = a_book()
    text = f"{HEAD}2026-07-01 19:30,Ann,Bob,7\n2026-01-07 19:30,Ann,Bob,7\n2026-07-02T19:30Z,Ann,Bob,7\n2026-07-03,Ann,Bob,7\n"
    book.player("Ann"), book.player("Bob")
    assert take(book, text).new == 4  # nobody knows where the club is: the site's zone
    Club.objects.filter(pk=book.club.pk).update(timezone="Europe/Helsinki")
    again = take(book, text)
    assert (again.new, again.known) == (0, 4)
    weighed = text.replace("length", "length,event_weight").replace(",7\n", ",7,2\n")
    notes = check_results(club=Club.objects.get(pk=book.club.pk), text=weighed).notes
    assert [(note.code, note.params["line"]) for note in notes] == [
        ("rating.csv.other_weight", line) for line in (2, 3, 4, 5)
    ]
    other = a_book()
    Club.objects.filter(pk=other.club.pk).update(timezone="Europe/Helsinki")
    assert take(other, text, create_unknown=True).new == 4
    found = Fact.objects.filter(club=other.club).order_by("played_at").values_list("played_at", flat=True)
    hours = [at.astimezone(UTC).hour for at in found]
    assert hours == [17, 16, 19, 12]  # winter, summer, as it says, a day's noon
    assert take(other, text).new == 0
