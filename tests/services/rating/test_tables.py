"""Tables that directors bring along: who is meant, what is at the border of what makes sense, and long ones."""

import csv
import io
from datetime import timedelta

import pytest

from people.actors import Actor
from people.models import Player, PlayerClub
from rating.formulas.base import MAX_EXPERIENCE
from rating.models import Fact, FactKind
from rating.services.imports import check_results, import_results
from rating.services.plans import ImportRequest, build_plan
from rating.services.result_tables import LEDGER_COLUMNS, Weight
from rating.services.tables import read_openings
from tests.support.rating import DAY_ONE, Book, a_bare_club, a_book

pytestmark = pytest.mark.django_db
DAY = "2026-03-01"
RESULT = {"kind": "result", "length": 7, "winner_score": 7, "loser_score": 3, "result_kind": "played"}


def take(book: Book, text: str, **choices: object):
    choices = {"create_unknown": True, **choices}
    return import_results(actor=Actor.program(), club_id=book.club.pk, text=text, **choices)


def faults_of(book: Book, text: str) -> list[tuple[int, str, str | None]]:
    found = check_results(club=book.club, text=text, create_unknown=True).faults
    return [(fault.params["line"], fault.code.removeprefix("rating.csv."), fault.field) for fault in found]


def ledger(*rows: dict[str, object]) -> str:
    """A ledger's file, its rows an hour after each other, with the columns that it must have and those that ``rows`` name."""
    out = io.StringIO()
    columns = list(dict.fromkeys([*LEDGER_COLUMNS, *(name for row in rows for name in row)]))
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    for number, row in enumerate(rows):
        at = (DAY_ONE + timedelta(hours=number)).isoformat()
        writer.writerow({"played_at": at, "source_key": f"key {number}", **row})
    return out.getvalue()


def test_who_plays_against_themselves_is_found_by_whatever_they_are_called_and_who_is_missing_is_nobody():
    book = a_book()
    ann = book.player("Ann").public_id
    sides = ("Ann,,ANN,", f"Ann,,{ann},", f"Ann,,Ann,{ann}", ",,,")
    text = "date,length,winner,winner_id,loser,loser_id\n" + "".join(f"{DAY},7,{side}\n" for side in sides)
    assert faults_of(book, text) == [
        *((line, "same_player", "loser") for line in (2, 3, 4)),
        (5, "empty_cell", "winner"),
        (5, "empty_cell", "loser"),
    ]


def test_scores_error_rates_and_names_of_events_come_in_up_to_their_borders():
    book = a_book()
    head = "date,winner,loser,length,winner_score,loser_score,kind,winner_pr,loser_pr,event\n"
    long = "Open " * 60
    take(book, f"{head}{DAY},Ann,Bob,1,,,,0,200,{long}\n{DAY},Ann,Bob,7,0,0,retired,,,\n")
    first, second = Fact.objects.order_by("pk")
    assert (first.length, first.winner_score, first.loser_score) == (1, 1, 0)
    assert (first.winner_pr, first.loser_pr, second.winner_pr) == (0.0, 200.0, None)
    assert first.event_name == long[: Fact._meta.get_field("event_name").max_length]
    assert (second.winner_score, second.loser_score, second.result_kind) == (0, 0, "retired")
    assert faults_of(book, f"{head}{DAY},Ann,Bob,7,999,6,,-0.5,200.5,\n{DAY},Ann,Bob,7,7,1000,,,,\n") == [
        (2, "number", "winner_pr"), (2, "number", "loser_pr"), (3, "number", "loser_score"),
    ]  # fmt: skip


def test_experience_of_an_opening_is_nothing_to_the_most_there_is():
    head = "player,rating,experience\n"
    table = read_openings(a_book().club, f"{head}Ann,1500,0\nBob,1500,\nCleo,1500,{MAX_EXPERIENCE}\n")
    assert [row.experience for row in table.rows] == [0, 0, MAX_EXPERIENCE]
    refused = read_openings(a_book().club, f"{head}Ann,1500,-1\nBob,1500,{MAX_EXPERIENCE + 1}\n")
    assert [fault.params["line"] for fault in refused.faults] == [2, 3]


def test_ledger_with_the_columns_it_must_have_alone_and_names_without_ids_comes_in_heaviest_first():
    book = a_book()
    sides = {"winner": "Ann", "loser": "Bob"}
    place = {"kind": "place", "winner": "Ann"}
    text = ledger(
        {**RESULT, **sides, "event_weight": 0},
        {**RESULT, **sides, "event_weight": 100},
        {**RESULT, **sides, "division_rank": 2},
        {**place, "place": 7, "tied": 2, "field": 8},
        {**place, "place": 2, "tied": 1, "field": 2, "event_weight": 0},
    )
    assert text.splitlines()[0] == ",".join(LEDGER_COLUMNS)
    done = take(book, text)
    assert (done.new, done.places, done.openings, done.players) == (5, 2, 0, ("Ann", "Bob"))
    assert done.weights == ((Weight(100, 1), 1), (Weight(1, 1), 1), (Weight(1, 2), 1), (Weight(0, 1), 2))
    assert list(Fact.objects.filter(kind=FactKind.PLACE).values_list("place", "tied", "field")) == [
        (7, 2, 8), (2, 1, 2),
    ]  # fmt: skip
    assert take(book, text).new == 0
    assert faults_of(book, ledger({**place, "place": 8, "tied": 2, "field": 8})) == [(2, "place", "place")]


def test_ledger_whose_players_were_merged_there_names_the_matches_they_had_and_takes_in_the_others():
    ann, twin = {"winner": "Ann", "winner_id": "1"}, {"winner": "A. Lee", "winner_id": "2"}
    text = ledger(
        {"kind": "merge", **ann, "loser": "A. Lee", "loser_id": "2"},
        {**RESULT, **twin, "loser": "Ann", "loser_id": "1"},
        {**RESULT, **twin, "loser": "Bob", "loser_id": "3"},
        {**RESULT, **ann, "loser": "Bob", "loser_id": "3"},
        {**RESULT, **ann, "loser": "Bob", "taken_back": "yes"},
        {**RESULT, "winner": "Bob", "loser": "A. Lee", "loser_id": "2"},
    )
    done = take(a_book(), text)
    assert [(note.code, note.params["line"]) for note in done.notes] == [("rating.csv.merged_since", 3)]
    assert (done.new, done.players) == (3, ("Ann", "Bob"))
    assert list(Fact.objects.order_by("pk").values_list("winner__name", "loser__name")) == [
        ("Ann", "Bob"), ("Ann", "Bob"), ("Bob", "Ann"),
    ]  # fmt: skip


def test_opening_of_a_ledger_makes_somebody_known_to_the_club_and_a_match_there_does_not():
    book, elsewhere = a_book(), a_bare_club()
    opened, guest = (Player.objects.create(name=name, home_club=elsewhere) for name in ("Olga", "Gus"))
    opening = {"kind": "opening", "opening_rating": 1700, "opening_experience": "", "opening_deviation": 350}
    text = ledger(
        {"winner": "Olga", **opening},
        {**RESULT, "winner": "Gus", "loser": "Olga"},
        {"winner": "New", **opening},
    )
    same = [opened.public_id, guest.public_id]
    done = take(book, text, openings_to=book.list.pk, same=same)
    assert (done.new, done.openings, done.players) == (3, 2, ("New",))
    facts = Fact.objects.filter(kind=FactKind.OPENING)
    assert set(facts.values_list("opening_rating", "opening_experience", "opening_deviation")) == {
        (1700, 0, 350)
    }
    known = set(PlayerClub.objects.filter(club=book.club).values_list("player__name", flat=True))
    assert known == {"Olga", "New"}
    assert guest.club_links.count() == 0
    assert opened.club_links.count() == 1


def test_faults_and_notes_beyond_a_thousand_are_counted():
    opening = {"kind": "opening", "winner": "Ann"}
    bad = {**RESULT, "kind": "chance", "winner": "Ann", "loser": "Bob"}
    report = check_results(club=a_book().club, text=ledger(*[opening] * 1002, *[bad] * 1002))
    assert (len(report.notes), report.more_notes) == (1000, 2)
    assert (len(report.faults), report.more_faults) == (1000, 2)
    assert (report.notes[-1].params["line"], report.faults[0].params["line"]) == (1001, 1004)


def test_long_table_with_the_newest_first_says_how_far_it_is_and_is_planned_in_the_order_of_its_lines():
    book = a_book()
    book.player("Ann"), book.player("Bob")
    days = [f"{DAY} {hour:02}:{minute:02}Z" for hour in range(23, -1, -1) for minute in range(59, -1, -1)]
    days = [day.replace(DAY, date) for date in ("2026-03-02", DAY) for day in days][:2003]
    days[2] = days[3]  # the oldest 2000 and one more at the same time
    take(book, "date,winner,loser,length\n" + f"{days[1]},Ann,Bob,7\n{days[-1]},Ann,Bob,7\n")
    rows = [f"{day},Ann,Bob,7,7,3\n" for day in days]
    rows[0], rows[-2] = f"{days[0]},Xena,Yuri,7,7,3\n", f"{days[-2]},Zoe,Ann,7,7,3\n"
    steps = []
    text = "date,winner,loser,length,winner_score,loser_score\n" + "".join(rows)
    plan = build_plan(
        ImportRequest(book.club, text, create_unknown=True),
        on_progress=lambda *step: steps.append(step),
        keep_rows=True,
    )
    assert steps == [
        *(("reading", done, 2003) for done in (0, 1000, 2000)),
        *(("comparing", done, 2003) for done in (0, 2001)),
    ]
    assert [line for line, *_rest in plan.filled] == [3, 2004]
    assert [line for line, *_rest in plan.fresh] == [2, *range(4, 2004)]
    assert plan.summary.players == ("Xena", "Yuri", "Zoe")
    assert (plan.summary.rows, plan.summary.new, plan.summary.filled) == (2003, 2001, 2)
    assert build_plan(
        ImportRequest(book.club, f"date,winner,loser,length\n{DAY},Xena,Ann,7\n")
    ).summary.unknown == (("Xena", 1),)
