"""A file that comes again: which of its lines are known, get their score, stay out or are new, and what the ledger holds then."""

import pytest

from people.actors import Actor
from people.models import Club, Player
from rating.models import Fact, FactKind
from rating.services.corrections import correct_fact, void_fact
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.plans import ImportSummary
from tests.support.rating import DAY_ONE, Book, a_book

pytestmark = pytest.mark.django_db
COLUMNS = "date,winner,loser,length,winner_score,loser_score,event,event_weight,winner_pr,loser_pr"
ACTOR = Actor.program()


def a_table(*lines: str) -> str:
    """Of the day of March and what follows it: ``1,Ann,Bob,7,7,3``."""
    days = [line.partition(",") for line in lines]
    return "\n".join([COLUMNS, *(f"2026-03-{int(day):02},{rest}" for day, _comma, rest in days)])


def take(book: Book, text: str, **choices: bool) -> ImportSummary:
    return import_results(actor=ACTOR, club_id=book.club.pk, text=text, **choices)


def found(report: ImportSummary) -> tuple[int, int, int, int]:
    return report.new, report.known, report.filled, report.taken_back


def notes(report: ImportSummary) -> list[tuple[int, str]]:
    return [(note.params["line"], note.code.removeprefix("rating.csv.")) for note in report.notes]


def turn_round(book: Book, fact: Fact, winner: str, loser: str, loser_score: int) -> Fact:
    """Corrected by hand to a match to 7."""
    return correct_fact(
        actor=ACTOR,
        number=fact.pk,
        winner=book.player(winner).public_id,
        loser=book.player(loser).public_id,
        length=7,
        winner_score=7,
        loser_score=loser_score,
    )


def standing(book: Book) -> list[tuple[int, str, int, int, int]]:
    """Day, winner, length and score of every match that counts."""
    facts = Fact.objects.filter(club=book.club, later=None).exclude(kind=FactKind.VOID)
    return [
        (fact.played_at.day, fact.winner.name, fact.length, fact.winner_score, fact.loser_score)
        for fact in facts.select_related("winner").order_by("moment", "loser_score", "pk")
    ]


def test_lines_of_a_file_that_comes_again_are_matched_by_what_they_say_the_surest_first():
    book = a_book()
    book.player("Ann"), book.player("Bob")
    first = a_table(
        "1,Ann,Bob,7,7,3", "2,Ann,Bob,7,7,3", "3,Ann,Bob,7,7,3", "4,Ann,Bob,7,7,3", "5,Ann,Bob,7,7,3",
        "6,Ann,Bob,7", "7,Ann,Bob,7,7,3", "8,Ann,Bob,7,7,3", "9,Ann,Bob,7,7,3", "9,Ann,Bob,7,7,3",
        "10,Ann,Bob,7,7,3,Open", "11,Ann,Bob,7,,,,,6.5,8", "12,Ann,Bob,7,,,,,6.5,8", "13,Ann,Bob,7,7,3,,,6.5,",
        "14,Ann,Bob,7", "14,Ann,Bob,7,7,3",
    )  # fmt: skip
    assert found(take(book, first)) == (16, 0, 0, 0)
    on = {fact.played_at.day: fact for fact in Fact.objects.order_by("moment", "pk")}  # the last of its day
    turn_round(book, on[1], "Ann", "Bob", 5)
    turn_round(book, on[2], "Ann", "Bob", 5)
    for day in (3, 4):
        void_fact(actor=ACTOR, number=turn_round(book, on[day], "Bob", "Ann", 4).pk)
    for day in (6, 7, 9, 14):
        void_fact(actor=ACTOR, number=on[day].pk)
    turn_round(book, on[8], "Bob", "Ann", 4)

    again = a_table(
        "1,Ann,Bob,7,7,3",  # as it came
        "2,Ann,Bob,7,7,5",  # as it is
        "3,Ann,Bob,7,7,3",  # as it came, and is gone
        "4,Bob,Ann,7,7,4",  # as it was when it went
        "5,Ann,Bob,7",  # the score is left out
        "6,Ann,Bob,7,7,2",  # gone, and its score was never there
        "7,Ann,Bob,7",  # gone, and the score is left out
        "8,Ann,Bob,7",  # corrected, and the score is left out
        "9,Ann,Bob,7,7,3", "9,Ann,Bob,7,7,3", "9,Ann,Bob,7,7,3",  # one stands, one is gone, one is new
        "10,Ann,Bob,7,7,3,Cup", "10,Ann,Bob,9,9,3,Open",  # another event, another length
        "11,Ann,Bob,7,7,4,,2",  # its score; what is known of the play stays
        "12,Ann,Bob,7,7,4,,,9,",  # its score, and the winner's play; what is known of the loser's stays
        "13,Ann,Bob,7,7,3,,,6.5,8",  # of the loser's play nothing was known
        "14,Ann,Bob,7,7,3",  # gone with this very score: it fills no other match
    )  # fmt: skip
    expected = [
        (2, "corrected"), (4, "taken_back"), (5, "taken_back"), (7, "taken_back"), (8, "taken_back"),
        (9, "corrected"), (11, "taken_back"), (15, "other_weight"), (15, "score_filled"), (16, "score_filled"),
        (17, "other_play"), (18, "taken_back"),
    ]  # fmt: skip
    report = check_results(club=book.club, text=again)
    assert found(report) == (3, 6, 2, 6)
    assert sorted(notes(report)) == expected
    assert [line for line, _code in notes(report)] == [line for line, _code in expected]
    assert found(take(book, again, again=True)) == (9, 6, 2, 0)
    assert standing(book) == [
        (1, "Ann", 7, 7, 5), (2, "Ann", 7, 7, 5), (3, "Ann", 7, 7, 3), (4, "Bob", 7, 7, 4), (5, "Ann", 7, 7, 3),
        (6, "Ann", 7, 7, 2), (7, "Ann", 7, 7, 0), (8, "Bob", 7, 7, 4), (9, "Ann", 7, 7, 3), (9, "Ann", 7, 7, 3),
        (9, "Ann", 7, 7, 3), (10, "Ann", 7, 7, 3), (10, "Ann", 7, 7, 3), (10, "Ann", 9, 9, 3), (11, "Ann", 7, 7, 4),
        (12, "Ann", 7, 7, 4), (13, "Ann", 7, 7, 3), (14, "Ann", 7, 7, 0), (14, "Ann", 7, 7, 3),
    ]  # fmt: skip
    filled = Fact.objects.filter(kind=FactKind.REPLACEMENT, source_key__startswith="csv:").order_by("moment")
    assert [(one.target, one.event_weight, one.winner_pr, one.loser_pr, one.stands_at) for one in filled] == [
        (on[11], 1.0, 6.5, 8.0, on[11].pk), (on[12], 1.0, 9.0, 8.0, on[12].pk),
    ]  # fmt: skip
    assert found(check_results(club=book.club, text=again)) == (0, 17, 0, 0)
    book.apply()
    assert book.differences() == []


def test_match_that_comes_in_again_and_again_has_a_key_of_its_own_each_time():
    book = a_book()
    book.player("Ann"), book.player("Bob")
    text = a_table("1,Ann,Bob,7,7,3", "1,Ann,Bob,7,7,3", "2,Ann,Bob,7,7,3")
    for _time in range(3):
        take(book, text, again=True)
        for fact in Fact.objects.filter(kind=FactKind.RESULT, later=None):
            void_fact(actor=ACTOR, number=fact.pk)
    for day, times in ((1, 6), (2, 3)):
        facts = Fact.objects.filter(kind=FactKind.RESULT, played_at__day=day)
        keys = facts.order_by("pk").values_list("source_key", flat=True)
        assert {*keys} == {keys[0], *(f"{keys[0]}:{number}" for number in range(2, times + 1))}


def people_renamed(book: Book, *names: str) -> None:
    for player in Player.objects.filter(name__in=names):
        player.name = f"{player.name} Berger"
        player.save()
        book.players[player.name] = player


def test_lines_of_people_who_have_other_names_now_are_known_by_their_keys():
    book = a_book()
    text = a_table("1,Xara,Yves,7", "1,Xara,Yves,7", "2,Xara,Yves,5", "3,Xara,Yves,7")
    assert take(book, text, create_unknown=True).new == 4
    people_renamed(book, "Xara", "Yves")
    assert found(check_results(club=book.club, text=text)) == (0, 4, 0, 0)
    third = a_table("1,Xara,Yves,7", "1,Xara,Yves,7", "1,Xara,Yves,7")
    assert found(check_results(club=book.club, text=third, create_unknown=True)) == (1, 2, 0, 0)
    _one, _two, lost, wrong = Fact.objects.order_by("moment", "pk")
    void_fact(actor=ACTOR, number=lost.pk)
    turn_round(book, wrong, "Yves Berger", "Xara Berger", 0)
    for ending in ("again1", "again2"):
        report = check_results(club=book.club, text=text)
        assert (found(report), notes(report)) == ((0, 3, 0, 1), [(4, "taken_back"), (5, "corrected")])
        assert found(take(book, text, again=True)) == (1, 3, 0, 0)
        assert found(take(book, text, again=True)) == (0, 4, 0, 0)
        new = Fact.objects.order_by("-pk").first()
        assert (new.winner.name, new.loser.name, new.length) == ("Xara Berger", "Yves Berger", 5)
        assert new.source_key == f"{lost.source_key}:{ending}"
        void_fact(actor=ACTOR, number=new.pk)
    assert Player.objects.count() == 2


def test_opening_of_somebody_who_has_another_name_now_is_known_and_is_taken_in_again_for_them():
    book = a_book()
    text, choices = "player,rating\nXara,1700\n", {"actor": ACTOR, "list_id": book.list.pk, "as_of": DAY_ONE}
    assert import_openings(**choices, text=text, create_unknown=True).new == 1
    people_renamed(book, "Xara")
    void_fact(actor=ACTOR, number=Fact.objects.get().pk)
    assert found(import_openings(**choices, text=text, again=True)) == (1, 0, 0, 0)
    book.apply()
    assert book.rating("Xara Berger") == 1700
    report = check_openings(rating_list=book.list, text=text.replace("1700", "1701"), as_of=DAY_ONE)
    assert [fault.code for fault in report.faults] == ["rating.csv.player_unknown"]
    other = check_openings(rating_list=book.list, text="player,rating\nXara Berger,1701\n", as_of=DAY_ONE)
    assert found(other) == (1, 0, 0, 0)


def test_lines_that_came_in_when_their_time_was_taken_for_another_one_keep_what_became_of_them():
    book = a_book()
    book.player("Ann"), book.player("Bob")
    lines = ["2026-07-01 19:30,Ann,Bob,7"] * 2 + ["2026-07-02 19:30,Ann,Bob,7", "2026-07-03 19:30,Ann,Bob,7"]
    text = "\n".join(["date,winner,loser,length", *lines])
    Club.objects.filter(pk=book.club.pk).update(timezone="UTC")
    take(book, text)
    _one, _two, lost, wrong = Fact.objects.order_by("moment", "pk")
    void_fact(actor=ACTOR, number=lost.pk)
    turn_round(book, wrong, "Bob", "Ann", 0)
    Club.objects.filter(pk=book.club.pk).update(timezone="Europe/Helsinki")
    more = f"{text}\n{lines[0]}"
    report = check_results(club=Club.objects.get(pk=book.club.pk), text=more)
    assert (found(report), notes(report)) == ((1, 3, 0, 1), [(4, "taken_back"), (5, "corrected")])
    assert found(take(book, more, again=True)) == (2, 3, 0, 0)
    assert found(take(book, more, again=True)) == (0, 5, 0, 0)
